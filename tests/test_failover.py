"""A machine may die: what it had confirmed the other has, and what one alone has is told to nobody as kept."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion import create_app
from companion.errors import NotSaved, StartError
from companion.log import kind
from companion.log.rows import db
from companion.push import shared
from companion.push.bell import SharedBell
from companion.settings import Settings, from_environment
from tests.databases import PATIENCE_S, Cluster
from tests.house import House, bid, listening, secret
from tests.standbys import Pair, Watched
from tests.test_durability import form, sent
from tests.waiting import until

SOON_MS = 1000
"""So long a standby is waited for here."""


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Make the data of a server, with the tables of the companion in it."""
    cluster = Cluster()
    try:
        cluster.make()
        House(tmp_path_factory.mktemp("laid"), cluster.database("postgres")).close()
        cluster.stop()
        yield cluster
    finally:
        cluster.remove()


@pytest.fixture
def pair(laid: Cluster) -> Iterator[Pair]:
    """Give a test two servers, of which one stands by."""
    pair = Pair(laid.copied(), laid.copied())
    try:
        pair.start()
        yield pair
    finally:
        pair.remove()


@pytest.fixture
def house(tmp_path: Path, pair: Pair, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Give a test an app that knows both."""
    monkeypatch.setattr(kind, "PATIENCE_MS", SOON_MS)
    house = House(tmp_path, pair.database)
    yield house
    house.close()


@pytest.mark.promise(30)
def test_when_the_standby_has_taken_over_every_confirmed_move_is_there(
    house: House, pair: Pair, figure: Callable[[str], None]
) -> None:
    """Phones post all the while, each move again until it is confirmed; the first server dies among it."""
    code = house.open(["S"] * 4, phones={seat: f"p{seat}" for seat in range(3)}, bidding="hidden")
    is_over, confirmed = threading.Event(), dict[int, list[str]]({seat: [] for seat in range(3)})

    def play(seat: int) -> None:
        client, mine = house.app.test_client(), confirmed[seat]
        client.set_cookie("phone", secret(f"p{seat}"), domain="localhost")
        while not is_over.is_set():
            move = form(bid(seat, len(mine) % 11), key := f"{seat}.{len(mine)}")
            give_up = time.monotonic() + PATIENCE_S
            while (status := posted(client, f"/t/{code}/{seat}/move", move)) != 303:
                assert status == 503
                assert time.monotonic() < give_up
                time.sleep(0.05)
            mine.append(key)

    def more(count: int) -> None:
        goal, give_up = sum(map(len, confirmed.values())) + count, time.monotonic() + PATIENCE_S
        while sum(map(len, confirmed.values())) < goal:
            assert time.monotonic() < give_up
            assert not any(one.done() for one in playing)
            time.sleep(0.01)

    with ThreadPoolExecutor(3) as phones:
        playing = [phones.submit(play, seat) for seat in range(3)]
        try:
            more(30)
            died = time.monotonic()
            pair.promote()
            more(1)
            away_s = time.monotonic() - died
            more(30)
        finally:
            is_over.set()
        for one in playing:
            one.result()
    entries = house.entries(code)
    assert [number for number, *_ in entries] == list(range(1, len(entries) + 1))
    keys = [sent(key) for *_, key in entries]
    for seat, mine in confirmed.items():
        assert [key for key in keys if key.startswith(f"{seat}.")] == mine
    figure(
        f"0 of {sum(map(len, confirmed.values()))} confirmed moves lost; the next was confirmed after {away_s:.1f} s"
    )


def posted(client: FlaskClient, path: str, data: dict[str, object]) -> int:
    """Post a form as a page does; the status."""
    return client.post(path, data=data, headers={"Sec-Fetch-Site": "same-origin"}).status_code


def is_refused(house: House, code: str, key: str = "k") -> bool:
    """Let the host enter something; say whether it is told that it is not saved."""
    try:
        house.move(code, "host", bid(0, 1), key)
    except NotSaved:
        return True
    return False


@pytest.mark.promise(30)
def test_what_no_standby_has_is_never_confirmed_and_entered_once_when_one_is_back(house: House, pair: Pair) -> None:
    code = house.open(bidding="hidden")
    pair.second.stop()
    assert is_refused(house, code)
    assert house.read(code).number == 0, "nobody sees what waits"
    assert is_refused(house, code), "nor does it come in by asking again"
    # What waits is seen when the server has died and come back, though no other one has it.
    pair.first.stop(signal.SIGQUIT)
    pair.start_first()
    assert len(house.entries(code)) == 1
    assert is_refused(house, code), "it is found, and not confirmed"
    pair.start_second()
    pair.wait_for_standby()
    assert not is_refused(house, code)
    assert [key for *_, key in house.entries(code)] == ["k"]


@pytest.mark.promise(30)
def test_a_wait_that_somebody_breaks_off_confirms_nothing_and_is_forgotten_with_its_server(
    house: House, pair: Pair
) -> None:
    code = house.open(bidding="hidden")
    pair.second.stop()
    with ThreadPoolExecutor(1) as phone:
        asking = phone.submit(is_refused, house, code)
        while not pair.let_go():
            assert not asking.done()
        assert asking.result(), "the server says that it is committed"
    assert house.read(code).number == 1
    pair.first.stop(signal.SIGQUIT)
    pair.start_second()
    pair.promote()
    house.move(code, "host", bid(1, 1), "other")
    assert [(number, key) for number, *_, key in house.entries(code)] == [(1, "other")]


def test_several_hosts_that_may_lose_what_is_confirmed_are_refused(house: House, pair: Pair) -> None:
    pair.database.set("synchronous_commit", "local")
    with pytest.raises(StartError, match="synchronous_commit is local"):
        house.again()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://ann:hush@one,two/evenings", {"host": "one,two"}),
        ("postgresql://ann@/evenings?host=one,two&port=5432,5433", {"host": "one,two", "port": "5432,5433"}),
        ("postgresql://ann@/evenings?host=one:5432&host=two:5433", {"host": "one,two", "port": "5432,5433"}),
        ("postgresql://ann@/evenings?host=one,two&connect_timeout=9", {"host": "one,two", "connect_timeout": "9"}),
    ],
)
def test_of_several_hosts_the_one_that_takes_entries_is_asked_for(
    tmp_path: Path, address: str, said: dict[str, str]
) -> None:
    with create_app(Settings(data=tmp_path, database=address, secret=b"s" * 32)).app_context():
        _, told = db.engine.dialect.create_connect_args(db.engine.url)
    assert told["target_session_attrs"] == "read-write"
    assert {"connect_timeout": "2", **said}.items() <= told.items()


def test_ports_of_several_hosts_in_the_wrong_place_are_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="port=5432,5433"):
        create_app(Settings(data=tmp_path, database="postgresql://one:5432,two:5432/name", secret=b"s" * 32))


@pytest.mark.parametrize(
    "address",
    [
        "redis+sentinel://one:26379/companion",
        "redis+sentinel://:hush@one:26379,[::1]:26380/companion?db=3",
        "rediss://one:6379/0",
    ],
)
def test_sentinels_are_named_with_their_ports_and_what_they_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path))
    monkeypatch.setenv("COMPANION_REDIS", address)
    assert from_environment().redis == address
    for wrong in (address.replace(":26379", ""), address.replace("/companion", ""), address.replace("redis", "x", 1)):
        if wrong != address:
            monkeypatch.setenv("COMPANION_REDIS", wrong)
            with pytest.raises(StartError, match="COMPANION_REDIS"):
                from_environment()


def test_when_sentinel_has_let_another_redis_take_over_bells_are_heard_as_before(tmp_path: Path) -> None:
    watched, numbers = Watched(tmp_path), dict[str, int]()
    try:
        watched.start()
        one, other = (SharedBell(watched.address, lambda _: numbers) for _ in range(2))
        with listening(other, "AAAAAA"):
            until(lambda: watched.first.ask().pubsub_numsub("companion.3") == [("companion.3", 1)])
            one.ring("AAAAAA", 1)
            assert other.wait("AAAAAA", 0, PATIENCE_S) == 1
            watched.first.kill()
            until(lambda: watched.second.ask().pubsub_numsub("companion.3") == [("companion.3", 1)])
            one.ring("AAAAAA", 2)
            assert other.wait("AAAAAA", 1, PATIENCE_S) == 2
        asked = shared.client(watched.address)
        asked.set("kept", "here")
        assert watched.second.ask().dbsize() == 0, "it is in the database with the number"
        assert asked.get("kept") == "here"
    finally:
        watched.kill()
