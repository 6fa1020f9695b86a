"""Bad days of a real server: callers that are slow, silent or too many. Nobody else is held up, and it passes."""

from __future__ import annotations

import os
import re
import resource
import selectors
import signal
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from companion.desk.trouble import RETRY_S
from companion.push.bell import STREAMS_A_PHONE
from companion.server.gunicorn_worker import LEAVE_S
from companion.server.incoming import WHOLE_S
from tests.databases import PATIENCE_S
from tests.house import STREAMS, Client, House, Server, secret
from tests.redises import RedisServer
from tests.test_durability import form, workers_of
from tests.test_durability import sent as without_phone
from tests.test_several_servers import RIGHT_S, Stream
from tests.waiting import until

CALM_S = 8.0
"""So long a tap to all phones, or a page, may take at most; alone it is some hundredths of a second. Each of the days
here would, without care, make it wait for twelve seconds and more, or for ever."""
DEAF_S = 3
"""After so long a phone that takes nothing is cut off here, so that nobody has to wait half a minute."""
AT_HOME, TOGETHER = "one worker on SQLite", "two workers on PostgreSQL and Redis"
QUICK = f"""
import companion.server.start
from companion.server.start import child_exit, post_worker_init, pre_fork, when_ready

companion.server.start.DEAF_S = {DEAF_S}
"""


@dataclass
class Day:
    """A server with a table, at which everything is as it should be."""

    house: House
    server: Server
    code: str
    moves: int
    """Entries of its log, of which the first is that somebody sat down."""
    opened: list[Stream] = field(default_factory=list)
    before: int = 0
    """How much the server had said before."""

    def open_streams(self) -> list[Stream]:
        """Let the table's phones and a screen listen."""
        self.opened += [Stream(self.server.port, self.code, "host", place) for place in ("0", "1", "screen")]
        return list(self.opened)

    def tap(self, client: Client) -> None:
        """Make a move; it has to be confirmed."""
        turn = self.moves
        answer = client.post(
            f"/t/{self.code}/{turn % 2}/move",
            form({"move": "bid", "seat": turn % 2, "tricks": turn % 11}, f"k{turn}"),
        )
        assert answer.status == 303, answer.body.decode()
        self.moves += 1

    def is_calm(self, streams: Sequence[Stream], taps: int = 10) -> None:
        """Tap, and look at pages, by connections of their own: none may wait."""
        slowest = 0.0
        for _ in range(taps):
            with Client(self.server.port, "host") as client:
                begun = time.monotonic()
                self.tap(client)
                for stream in streams:
                    stream.reaches(self.moves)
                assert client.get(f"/t/{self.code}/0").status == 200
                slowest = max(slowest, time.monotonic() - begun)
        print(f"from tap to all phones, and a page: slowest {slowest:.3f} s")
        assert slowest < CALM_S

    def is_quiet(self) -> bool:
        """Say whether the server has noted nothing: all this is no error of ours."""
        return self.server.output()[self.before :] == ""

    def kept(self) -> int:
        """Count the entries of the log."""
        return len(self.house.entries(self.code))

    def streams(self) -> float:
        """Count the open streams, as the operator is told."""
        with Client(self.server.port, "operator") as client:
            figures = client.get("/metrics").body.decode()
        found = re.search(r"^companion_streams (\S+)$", figures, re.MULTILINE)
        return float(found[1]) if found else 0.0

    def memory(self) -> int:
        """Count the bytes that all processes of the server hold."""
        assert self.server.process is not None
        pages = (Path(f"/proc/{pid}/statm").read_text().split()[1] for pid in workers_of(self.server.process.pid))
        return sum(map(int, pages)) * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture(scope="module", params=[AT_HOME, TOGETHER])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Server]]:
    """Start a server of either kind; the second has two workers."""
    with serving(request, tmp_path_factory.mktemp("day")) as started:
        yield started


@contextmanager
def housed(request: pytest.FixtureRequest, folder: Path) -> Iterator[tuple[House, int]]:
    """Make a house of the kind that a fixture is asked for, and say how many workers serve it."""
    with ExitStack() as tidy:
        if request.param == AT_HOME:
            house, workers = House(folder), 1
        else:
            redis = RedisServer(folder)
            redis.start()
            tidy.callback(redis.kill)
            database = request.getfixturevalue("cluster").database("postgres").another()
            house, workers = House(folder, database, redis.address), 2
        tidy.callback(house.close)
        yield house, workers


@contextmanager
def serving(request: pytest.FixtureRequest, folder: Path) -> Iterator[tuple[House, Server]]:
    """Start a server of the kind that a fixture is asked for."""
    with ExitStack() as tidy:
        house, workers = tidy.enter_context(housed(request, folder))
        server = house.server(workers)
        server.environment = {**server.environment, "COMPANION_HOMES": "1"}
        (folder / "quick.py").write_text(QUICK)
        quick = f"--config={folder / 'quick.py'}"
        server.command = [quick if word.startswith("--config") else word for word in server.as_started()]
        tidy.callback(server.kill)
        server.start()
        # Of several workers another one may answer sooner than the first has said where they are.
        until(lambda: "Tables are kept in" in server.output(), "the server says where it is")
        yield house, server


@pytest.fixture
def day(running: tuple[House, Server]) -> Iterator[Day]:
    """Give a table of its own; whoever listened there has gone at the end."""
    house, server = running
    code = house.open(["A", "B", "C"], phones={2: "late"}, bidding="hidden")
    day = Day(house, server, code, moves=1, before=len(server.output()))
    with Client(server.port, "host") as client:
        # What is slow for the first time is not what is looked at here.
        for _ in range(5):
            day.tap(client)
            client.get(f"/t/{day.code}/0")
    yield day
    for stream in day.opened:
        stream.close()

    def is_over() -> bool:
        with Client(server.port, "host") as client:
            day.tap(client)
        return day.streams() == 0

    until(is_over, "all have gone")


@contextmanager
def sockets(port: int, count: int, said: bytes = b"", room: int = 0) -> Iterator[list[socket.socket]]:
    """Open connections that say something, and then nothing; with little room for the answer, if any."""
    with ExitStack() as all_of_them:
        opened = []
        for _ in range(count):
            one = all_of_them.enter_context(socket.socket())
            if room:
                one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
            one.settimeout(PATIENCE_S)
            one.connect(("127.0.0.1", port))
            one.sendall(said)
            opened.append(one)
        yield opened


@contextmanager
def dripping(opened: list[socket.socket], every_s: float) -> Iterator[None]:
    """Let every connection say a letter again and again."""
    is_over = threading.Event()

    def drip() -> None:
        while not is_over.wait(every_s):
            for one in opened:
                with suppress(OSError):
                    one.send(b"x")

    slow = threading.Thread(target=drip)
    slow.start()
    try:
        yield
    finally:
        is_over.set()
        slow.join()


def ask_for(path: str, phone: str = "", *more: str) -> bytes:
    """Write a request."""
    lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", *more, *([f"Cookie: phone={secret(phone)}"] if phone else [])]
    return "\r\n".join([*lines, "", ""]).encode()


def heads(opened: Sequence[socket.socket]) -> list[str]:
    """Read the head of the answer at each connection."""
    found = []
    for one in opened:
        came = b""
        while b"\r\n\r\n" not in came:
            more = one.recv(4096)
            assert more, came
            came += more
        found.append(came.partition(b"\r\n\r\n")[0].decode())
    return found


def are_cut_off(opened: Sequence[socket.socket], patience_s: float) -> bool:
    """Wait until the server has ended every connection."""
    with selectors.DefaultSelector() as ending:
        for one in opened:
            one.setblocking(False)
            ending.register(one, selectors.EVENT_READ)
        give_up = time.monotonic() + patience_s
        while ending.get_map() and time.monotonic() < give_up:
            for key, _ in ending.select(0.2):
                try:
                    is_over = not key.fileobj.recv(65536)  # type: ignore[union-attr]
                except OSError:
                    is_over = True
                if is_over:
                    ending.unregister(key.fileobj)
        return not ending.get_map()


def test_phones_that_do_not_read_cost_nobody_anything_and_their_places_come_free(day: Day, is_long: bool) -> None:
    """They open streams and long pages, and take nothing of what they are sent, while the table goes on."""
    streams = day.open_streams()
    with Client(day.server.port, "host") as client:
        for _ in range(100):
            day.tap(client)
        before, memory = day.streams(), day.memory()
        long_page = ask_for(f"/t/{day.code}/history", "host")
        with (
            sockets(day.server.port, 8, ask_for(f"/t/{day.code}/screen/stream"), room=2048),
            sockets(day.server.port, 8, long_page * 8, room=2048),
        ):
            until(lambda: day.streams() == before + 8, "eight streams are open")
            for _ in range(5_000 if is_long else 300):
                day.tap(client)
            day.is_calm(streams)
            more = day.memory() - memory
            print(f"memory: {more / 2**20:.1f} MiB more after {day.moves} moves")
            assert more < 64 * 2**20
            # They are there still, and read nothing.
            until(lambda: day.streams() == before, "the streams that nobody reads come free")
    assert day.kept() == day.moves
    assert day.is_quiet(), day.server.output()


@pytest.mark.promise(26)
@pytest.mark.parametrize(
    ("phone", "status", "retry_s"), [("greedy", 429, 60), ("", 503, RETRY_S)], ids=["one phone", "one address"]
)
def test_of_five_hundred_streams_most_are_told_to_ask_again_and_everybody_else_goes_on(
    day: Day, phone: str, status: int, retry_s: int
) -> None:
    streams = day.open_streams()
    with sockets(day.server.port, 500, ask_for(f"/t/{day.code}/screen/stream", phone)) as opened:
        answers = heads(opened)
        let_in = [head for head in answers if head.startswith("HTTP/1.1 200")]
        told = [head for head in answers if head.startswith(f"HTTP/1.1 {status}")]
        workers = day.server.workers
        assert len(let_in) + len(told) == 500
        assert 0 < len(let_in) <= workers * (STREAMS_A_PHONE if phone else STREAMS // 2)
        for head in told:
            assert re.findall(r"^Retry-After: (\d+)", head, re.MULTILINE) == [str(retry_s)]
        day.is_calm(streams)
        # Who sits at a table is let in still.
        day.opened.append(Stream(day.server.port, day.code, "late", "2"))
        day.is_calm(day.opened, taps=1)
        with Client(day.server.port, "greedy") as client:
            assert client.get(f"/t/{day.code}/screen").status == 200, "who was told so can ask"
    assert day.kept() == day.moves
    assert day.is_quiet(), day.server.output()


SILENT = {
    "nothing": b"",
    "half a head": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
    "half a form": b"POST /find HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\ncode=",
    "one request, then half of the next": ask_for("/healthz") + b"GET / HTTP/1.1\r\n",
}


def test_three_hundred_connections_that_say_no_more_hold_nobody_up(day: Day) -> None:
    streams = day.open_streams()
    with ExitStack() as ends:
        all_opened = {what: ends.enter_context(sockets(day.server.port, 75, said)) for what, said in SILENT.items()}
        day.is_calm(streams)
        for what, opened in all_opened.items():
            assert are_cut_off(opened, WHOLE_S + PATIENCE_S), what
    day.is_calm(streams, taps=1)
    assert day.is_quiet(), day.server.output()


def test_those_who_speak_a_letter_at_a_time_hold_nobody_up(day: Day) -> None:
    streams = day.open_streams()
    with sockets(day.server.port, 100, b"GET / HTTP/1.1\r\nX-Slow: ") as opened, dripping(opened, 0.2):
        day.is_calm(streams)
        assert are_cut_off(opened, WHOLE_S + PATIENCE_S), "however often they say a letter"


def test_those_who_do_not_leave_when_they_were_told_to_hold_nobody_up(day: Day) -> None:
    streams = day.open_streams()
    with sockets(day.server.port, 60, ask_for("/healthz", "", "Connection: close")) as opened:
        assert {head.split()[1] for head in heads(opened)} == {"200"}
        day.is_calm(streams)
        until(lambda: all(map(is_deaf, opened)), f"they are cut off after {LEAVE_S} s")


def is_deaf(one: socket.socket) -> bool:
    """Say whether what is sent does not arrive any more."""
    try:
        one.send(b"x")
    except OSError:
        return True
    return False


def test_more_connections_than_there_is_room_for_push_out_the_silent_ones(day: Day) -> None:
    streams = day.open_streams()
    with sockets(day.server.port, 1_500):
        day.is_calm(streams)


def test_a_worker_that_may_open_no_more_files_lets_the_silent_ones_go_and_nobody_else(day: Day) -> None:
    assert day.server.process is not None
    workers = [int(pid) for pid in workers_of(day.server.process.pid)[1:]]
    streams = day.open_streams()
    day.is_calm(streams, taps=1)
    limits = {pid: resource.prlimit(pid, resource.RLIMIT_NOFILE) for pid in workers}
    try:
        for pid, (_soft, hard) in limits.items():
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (len(os.listdir(f"/proc/{pid}/fd")) + 100, hard))
        with sockets(day.server.port, 500):
            day.is_calm(streams)
    finally:
        for pid in set(limits) & set(map(int, workers_of(day.server.process.pid))):
            resource.prlimit(pid, resource.RLIMIT_NOFILE, limits[pid])
    assert [int(pid) for pid in workers_of(day.server.process.pid)[1:]] == workers
    assert day.is_quiet(), day.server.output()


def test_while_the_database_takes_nothing_for_three_seconds_moves_wait_and_pages_do_not(day: Day) -> None:
    """Another program holds it: moves of eight tables wait and are saved, pages of all tables are there at once."""
    codes = [day.house.open(["A", "B", "C"], bidding="hidden") for _ in range(8)]
    streams = day.open_streams()
    for code in [*codes, day.code]:
        with Client(day.server.port, "host") as client:
            client.get(f"/t/{code}/0")

    def tap(code: str) -> tuple[int, float]:
        begun = time.monotonic()
        with Client(day.server.port, "host") as client:
            status = client.post(f"/t/{code}/0/move", form({"move": "bid", "seat": 0, "tricks": 1}, "k")).status
        return status, time.monotonic() - begun

    with ThreadPoolExecutor(len(codes)) as phones:
        with day.house.database.locked():
            locked = time.monotonic()
            tapping = [phones.submit(tap, code) for code in codes]
            slowest = 0.0
            while time.monotonic() < locked + 3:
                for page in (f"/t/{day.code}/0", f"/t/{codes[0]}/screen", "/", "/healthz"):
                    begun = time.monotonic()
                    with Client(day.server.port, "host") as client:
                        assert client.get(page).status == 200
                    slowest = max(slowest, time.monotonic() - begun)
            assert not any(one.done() for one in tapping), "nothing was saved meanwhile"
        free = time.monotonic()
        assert {one.result()[0] for one in tapping} == {303}
        print(f"slowest page meanwhile {slowest:.3f} s; all moves saved {time.monotonic() - free:.3f} s afterwards")
        assert time.monotonic() - free < RIGHT_S
        assert slowest < CALM_S
    assert [len(day.house.entries(code)) for code in codes] == [1] * 8
    day.is_calm(streams, taps=1)


def test_after_a_worker_was_killed_every_confirmed_move_is_there_and_streams_come_back(day: Day) -> None:
    """Of two workers one; of one the only one. Phones go on tapping, and try again what was not answered."""
    assert day.server.process is not None
    master, worker, *_others = map(int, workers_of(day.server.process.pid))
    stream = Stream(day.server.port, day.code, "host", "screen")
    confirmed: list[str] = []

    def tap() -> None:
        turn = len(confirmed)
        move = form({"move": "bid", "seat": turn % 2, "tricks": turn % 11}, f"after.{turn}")
        give_up = time.monotonic() + PATIENCE_S
        while True:
            assert time.monotonic() < give_up
            try:
                with Client(day.server.port, "host") as client:
                    assert client.post(f"/t/{day.code}/{turn % 2}/move", move).status == 303
            except OSError:
                time.sleep(0.02)
            else:
                break
        confirmed.append(f"after.{turn}")

    def new_worker() -> bool:
        now = set(map(int, workers_of(master)[1:]))
        return worker not in now and len(now) == day.server.workers

    for _ in range(10):
        tap()
    os.kill(worker, signal.SIGKILL)
    for _ in range(10):
        tap()
    until(new_worker, "another is started in its place")
    stream.close()
    stream = Stream(day.server.port, day.code, "host", "screen")
    day.opened.append(stream)
    tap()
    stream.reaches(day.moves + len(confirmed))
    kept = [without_phone(key) for *_, key in day.house.entries(day.code)]
    assert kept[day.moves :] == confirmed
    day.moves = day.kept()
