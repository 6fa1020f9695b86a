"""What a phone says and does on a bad day of the server: it keeps the tap, tells that it does, and sends it once."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http import HTTPStatus
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.databases import PATIENCE_S, Cluster, Lite
from tests.phones import Phone, Server, free_port
from tests.redises import RedisServer
from tests.test_durability import workers_of

NAMES = ["Anna", "Bohdan", "Katka"]
RIGHT_S = 5.0
"""So soon after the cause has gone all is right again."""
BID = ".letter-bid, .took > .num:last-child"
"""What a seat has bid, on the screen: in its letter, and beside the tricks when all have bid."""

Day = Callable[[Server], AbstractContextManager[None]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server as at home."""
    server = Server(tmp_path_factory.mktemp("home"), free_port())
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """Start a Redis server."""
    redis = RedisServer(tmp_path_factory.mktemp("redis"))
    redis.start()
    yield redis
    redis.kill()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, cluster: Cluster, redis: RedisServer) -> Iterator[Server]:
    """Start two workers on PostgreSQL and Redis."""
    database = cluster.database("postgres").another().address
    more = {"COMPANION_DATABASE": database, "COMPANION_REDIS": redis.address}
    server = Server(tmp_path_factory.mktemp("hall"), free_port(), workers=2, more=more)
    server.start()
    yield server
    server.stop()


@contextmanager
def locked(server: Server) -> Iterator[None]:
    """Let another program write into the file for so long that a tap is refused, once at least."""
    with Lite(server.data).locked():
        yield


@contextmanager
def full(server: Server) -> Iterator[None]:
    """Let no file grow any more: the same error in the middle of a write as on a full disk."""
    room = (server.data / "companion.sqlite-wal").stat().st_size
    assert server.process is not None
    workers = [int(pid) for pid in workers_of(server.process.pid)]
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size: int) -> None:
        for worker in workers:
            resource.prlimit(worker, resource.RLIMIT_FSIZE, (size, most))

    limit(room)
    try:
        yield
    finally:
        limit(most)


@contextmanager
def killed(server: Server) -> Iterator[None]:
    """Kill all workers, while the one that starts them cannot: they are not back before the day is over."""
    assert server.process is not None
    master, *workers = map(int, workers_of(server.process.pid))
    os.kill(master, signal.SIGSTOP)
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    try:
        yield
    finally:
        os.kill(master, signal.SIGCONT)


def answers(page: Page) -> list[str | int]:
    """Note what a phone is answered: by its line, or with a status by a post, where its line broke with the rest."""
    said: list[str | int] = []
    page.on("websocket", lambda line: line.on("framereceived", lambda frame: said.append(str(frame))))
    page.on("response", lambda answer: said.append(answer.status) if answer.url.endswith("/move") else None)
    return said


def loses_its_line(phone: Phone) -> None:
    """Have a line opened anew, as after a locked screen, while none can be."""
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.page.locator("#live")).to_contain_text("One moment")


def is_to_wait(said: str | int) -> bool:
    """Tell whether a tap was answered that it is to be sent again later."""
    return said >= HTTPStatus.INTERNAL_SERVER_ERROR if isinstance(said, int) else '"isToWait":true' in said


def told_and_sent_once(
    server: Server,
    phone: Callable[..., Phone],
    day: AbstractContextManager[None],
    is_told: bool = True,
    has_line: bool = True,
) -> float:
    """Tap on a bad day, and let the phone be told that it is not saved. Gives the seconds until the other one knows."""
    anna, bohdan = phone(), phone()
    anna.server = bohdan.server = server
    said = answers(anna.page)
    code = anna.opens_table(NAMES)
    bohdan.sits(code, "Bohdan")
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    with day:
        if not has_line:
            loses_its_line(anna)
        anna.chooses(4)
        for _ in range(300 if is_told else 0):
            if any(map(is_to_wait, said)):
                break
            anna.page.wait_for_timeout(50)
        else:
            assert not is_told, "the phone was not told"
        expect(anna.page.locator("#outbox")).to_have_text("Not saved yet. Waiting on this phone: 1")
        expect(bohdan.page.locator("#undo")).not_to_contain_text("Anna bids")
    begun = time.monotonic()
    expect(bohdan.page.locator("#undo")).to_contain_text("Anna bids 4.", timeout=1_000 * PATIENCE_S)
    took = time.monotonic() - begun
    expect(anna.page.locator("#outbox")).to_be_hidden()
    expect(anna.page.locator("#undo")).to_contain_text("Anna bids 4.")
    anna.is_live()
    bohdan.is_live()
    bids = [move for move in server.record(code)["moves"] if move["move"] == "bid"]
    assert [(bid["seat"], bid["tricks"]) for bid in bids] == [(0, 4)]
    print(f"right again after {took:.1f} s")
    return took


@pytest.mark.parametrize("day", [locked, full])
def test_at_home_a_tap_that_cannot_be_saved_waits_and_is_sent_once(
    home: Server, phone: Callable[..., Phone], day: Day
) -> None:
    assert told_and_sent_once(home, phone, day(home)) < RIGHT_S


@pytest.mark.parametrize("where", ["home", "hall"])
def test_when_workers_were_killed_a_tap_waits_and_is_sent_once(
    where: str, request: pytest.FixtureRequest, phone: Callable[..., Phone]
) -> None:
    """How soon depends on how long a worker takes to start."""
    server = request.getfixturevalue(where)
    told_and_sent_once(server, phone, killed(server), is_told=False)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT], ids=["restarted", "cut off"])
def test_while_postgresql_is_away_a_tap_waits_and_is_sent_once(
    hall: Server, phone: Callable[..., Phone], cluster: Cluster, how: signal.Signals
) -> None:
    assert told_and_sent_once(hall, phone, cluster.away(how)) < RIGHT_S


def test_a_tap_of_a_phone_whose_line_broke_too_waits_and_is_sent_once(
    hall: Server, phone: Callable[..., Phone], cluster: Cluster
) -> None:
    assert told_and_sent_once(hall, phone, cluster.away(), has_line=False) < RIGHT_S


def test_a_page_opened_while_postgresql_is_away_says_so(
    hall: Server, phone: Callable[..., Phone], cluster: Cluster
) -> None:
    anna = phone()
    anna.server = hall
    code = anna.opens_table(NAMES)
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    with cluster.away():
        loses_its_line(anna)
        other = phone()
        other.server = hall
        other.opens(f"/t/{code}")
        expect(other.page.get_by_text("Nothing is lost; try again in a few seconds.")).to_be_visible()
    begun = time.monotonic()
    expect(anna.page.locator("body")).to_have_attribute("data-live", "on", timeout=1_000 * PATIENCE_S)
    assert time.monotonic() - begun < RIGHT_S


def test_without_redis_a_tap_is_taken_at_once_and_the_others_see_it_soon(
    hall: Server, phone: Callable[..., Phone], redis: RedisServer
) -> None:
    anna, *others = phone(), phone(), phone(), phone()
    for one in (anna, *others):
        one.server = hall
    code = anna.opens_table(NAMES, i_sit="")
    for other in others:
        other.opens(f"/t/{code}/screen")
        other.is_live()
    anna.opens(f"/t/{code}/0")
    redis.kill()

    def bids(name: str, bid: int) -> None:
        anna.chooses(bid)
        expect(anna.page.locator("#undo")).to_contain_text(f"{name} bids {bid}.")
        begun = time.monotonic()
        for other in others:
            own = other.page.locator(".stage.play [data-seat]", has_text=name).locator(BID)
            expect(own).to_have_text(str(bid), timeout=1_000 * PATIENCE_S)
        assert time.monotonic() - begun < RIGHT_S

    bids("Anna", 3)
    bids("Bohdan", 4)
    redis.start()
    bids("Katka", 5)


@pytest.mark.parametrize("has_lines", [True, False], ids=["by lines", "by streams"])
def test_who_looks_on_while_an_older_copy_is_put_back_sees_it_and_can_tap(
    home: Server, phone: Callable[..., Phone], tmp_path: Path, has_lines: bool
) -> None:
    anna = phone()
    anna.server = home
    if not has_lines:
        anna.bars_lines()
    code = anna.opens_table(NAMES)
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    anna.chooses(1)
    expect(anna.page.locator("#undo")).to_contain_text("Anna bids 1.")
    home.run("backup", str(tmp_path / "copy"))
    anna.chooses(2)
    expect(anna.page.locator("#undo")).to_contain_text("Bohdan bids 2.")
    with home.stopped():
        home.run("restore", str(tmp_path / "copy"), "--yes")
    expect(anna.page.locator("#undo")).to_contain_text("Anna bids 1.")
    anna.is_live()
    anna.chooses(3)
    expect(anna.page.locator("#undo")).to_contain_text("Bohdan bids 3.")
