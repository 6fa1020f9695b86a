"""Promise 26: whoever uploads without end, opens without measure or listens at every table holds up nobody else."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import parse_headers
from select import select
from statistics import median
from typing import BinaryIO

import pytest

from companion.desk.quotas import LOOKING_OF_A_HOME, TABLES
from companion.server.incoming import AT_ONCE_A_HOME, GO_ON, WHOLE_S
from companion.words import LANGUAGES as IN_ORDER
from tests.databases import PATIENCE_S
from tests.house import Client, House, Server, a_record
from tests.test_bad_days import (
    AT_HOME,
    TOGETHER,
    Day,
    are_cut_off,
    ask_for,
    day,
    dripping,
    heads,
    serving,
    sockets,
)
from tests.waiting import until

LANGUAGES = list(IN_ORDER)
__all__ = ["day"]

pytestmark = pytest.mark.promise(26)

POST = "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: same-origin\r\n{more}\r\n"
FORM = "Content-Type: multipart/form-data; boundary=x\r\n"
FEW = "Content-Type: application/x-www-form-urlencoded\r\n"
JSON = "Content-Type: application/json\r\n"
SLOW = {
    "files": (POST.format(path="/book/import", more=f"{FORM}Content-Length: 60000000\r\n"), 80_000),
    "a record": (POST.format(path="/api/records", more=f"{JSON}Content-Length: 900000\r\n"), 80_000),
    "a form, asking first": (POST.format(path="/settings", more="Content-Length: 500\r\nExpect: 100-continue\r\n"), 10),
    "a form in chunks": (POST.format(path="/settings", more="Transfer-Encoding: chunked\r\n"), 0),
    "a form that is too long": (POST.format(path="/settings", more="Content-Length: 60000000\r\n"), 80_000),
    "a head that does not end": ("GET / HTTP/1.1\r\nX: ", 66_000),
    "a length that is none": (POST.format(path="/settings", more="Content-Length: 00000000000000000009\r\n"), 1),
}
"""What never ends: how it begins, and so many bytes more, before the rest comes at half a byte a second."""
UPLOADS = 34
HEALTH_S, TAP_S = 1.0, 0.25
"""The promise, where it is measured: in the long run."""


@pytest.fixture(scope="module", params=[AT_HOME, pytest.param(TOGETHER, marks=pytest.mark.long)])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Server]]:
    """Start a server; in the long run one of either kind."""
    with serving(request, tmp_path_factory.mktemp("day")) as started:
        yield started


@contextmanager
def uploading(port: int, said: bytes, count: int = UPLOADS) -> Iterator[list[socket.socket]]:
    """Open connections that say this, and then half a byte a second."""
    with sockets(port, count, said) as opened, dripping(opened, 2):
        yield opened


@pytest.mark.parametrize("what", SLOW)
def test_uploads_that_never_end_hold_nobody_up(day: Day, what: str) -> None:
    """A page is answered and a tap told while every one of them goes on: nobody waits for them to be cut off."""
    streams = day.open_streams()
    head, more = SLOW[what]
    with uploading(day.server.port, head.encode() + b"x" * more):
        day.is_calm(streams, taps=5)
    assert day.kept() == day.moves
    assert day.is_quiet(), day.server.output()


def answered(opened: Sequence[socket.socket], least: int) -> list[socket.socket]:
    """Wait until so many are answered, and give those."""
    found: list[socket.socket] = []

    def are_there() -> bool:
        found[:] = select(opened, [], [], 0)[0]
        return len(found) >= least

    until(are_there, f"{least} are answered")
    return found


def told(one: socket.socket) -> str:
    """Read the head of an answer."""
    return heads([one])[0]


@pytest.mark.long
@pytest.mark.parametrize("what", ["a record", "a form, asking first"])
def test_a_body_is_waited_for_no_longer_than_its_time(day: Day, what: str) -> None:
    """It is cut off before it is whole, however often a letter of it comes."""
    head, more = SLOW[what]
    with uploading(day.server.port, head.encode() + b"x" * more, count=AT_ONCE_A_HOME) as opened:
        assert are_cut_off(opened, 2 * WHOLE_S + PATIENCE_S)


def test_of_many_uploads_of_one_home_few_are_taken_and_the_others_told_in_words(day: Day) -> None:
    head, more = SLOW["files"]
    with uploading(day.server.port, head.encode() + b"x" * more) as opened:
        refused = [told(one) for one in answered(opened, UPLOADS - AT_ONCE_A_HOME * day.server.workers)]
        assert {head.split()[1] for head in refused} == {"429"}
        assert {re.findall(r"^Retry-After: (\d+)", head, re.MULTILINE)[0] for head in refused} == {"60"}
        # Another home brings its evenings meanwhile.
        with socket.create_connection(("127.0.0.1", day.server.port), source_address=("127.0.0.2", 0)) as other:
            other.settimeout(PATIENCE_S)
            assert brought(other) == ("200", 1)


def brought(one: socket.socket, ask_first: str = "") -> tuple[str, int]:
    """Bring an evening, with something large beside it, in pieces; gives the status, and how many came in."""
    record = json.dumps(a_record([])).encode()
    parts = [b"x" * 300_000, record]
    body = b"".join(
        b'--x\r\nContent-Disposition: form-data; name="files"; filename="%d"\r\n\r\n%s\r\n' % (number, content)
        for number, content in enumerate(parts)
    )
    body += b"--x--\r\n"
    more = f"{FORM}Content-Length: {len(body)}\r\n{ask_first}Connection: close\r\n"
    one.sendall(POST.format(path="/book/import", more=more).encode())
    if ask_first:
        assert one.recv(len(GO_ON)) == GO_ON
    for at in range(0, len(body), 70_001):
        one.sendall(body[at : at + 70_001])
    answer = b"".join(iter(lambda: one.recv(65_536), b""))
    return answer.split()[1].decode(), len(set(re.findall(rb'href="/t/(\w+)', answer)))


@pytest.mark.parametrize("ask_first", ["", "Expect: 100-continue\r\n"], ids=["at once", "asking first"])
def test_a_large_body_is_read_as_it_comes_and_taken(day: Day, ask_first: str) -> None:
    with socket.create_connection(("127.0.0.1", day.server.port)) as one:
        one.settimeout(PATIENCE_S)
        assert brought(one, ask_first) == ("200", 1)


def test_what_comes_behind_a_body_is_the_next_request(day: Day) -> None:
    """In one piece, behind a body that is short, one in chunks, and one that went to a file."""
    last = ask_for("/healthz", "", "Connection: close")
    asked = [
        POST.format(path="/settings", more=f"{FEW}Content-Length: 9\r\n").encode() + b"language=",
        POST.format(path="/settings", more=f"{FEW}Transfer-Encoding: chunked\r\n").encode()
        + b"4\r\nlang\r\n5;x=y\r\nuage=\r\n0\r\nX: y\r\n\r\n",
        POST.format(path="/api/records", more=f"{JSON}Content-Length: 70000\r\n").encode() + b" " * 70_000,
    ]
    with socket.create_connection(("127.0.0.1", day.server.port)) as one:
        one.settimeout(PATIENCE_S)
        one.sendall(b"".join(asked) + last)
        answers = b"".join(iter(lambda: one.recv(65_536), b""))
    found = re.findall(rb"HTTP/1.1 (\d+) ", answers)
    assert found == [b"303", b"303", b"400", b"200"], answers
    assert answers.endswith(b"alive\n")


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, b"431"),
        (POST.format(path="/settings", more="Transfer-Encoding: chunked\r\n").encode() + b"fffff\r\n", b"411"),
        (POST.format(path="/settings", more=f"{FEW}Content-Length: 999999999999999999999\r\n").encode(), b"413"),
        (POST.format(path="/book/import", more=f"{FORM}Content-Length: 64000001\r\n").encode(), b"413"),
        (POST.format(path="/api/records", more=f"{JSON}Content-Length: 1000001\r\n").encode(), b"413"),
        (POST.format(path="/settings", more=f"{FEW}Transfer-Encoding: chunked\r\n").encode() + b"zz\r\n", b"400"),
    ],
    ids=["head", "chunks", "length", "files", "record", "no chunk"],
)
def test_what_is_longer_than_anything_of_ours_is_not_waited_for(day: Day, said: bytes, status: bytes) -> None:
    with socket.create_connection(("127.0.0.1", day.server.port)) as one:
        one.settimeout(PATIENCE_S)
        one.sendall(said)
        assert one.recv(65_536).split()[1] == status


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Server]]:
    """Start a server with as many places as usual."""
    house = House(tmp_path_factory.mktemp("usual"))
    server = house.server()
    server.environment = {**server.environment, "COMPANION_STREAMS": "1000", "COMPANION_HOMES": "1"}
    try:
        server.start()
        until(lambda: "Tables are kept in" in server.output(), "the server says where it is")
        yield house, server
    finally:
        server.kill()
        house.close()


@pytest.fixture
def roomy(usual: tuple[House, Server]) -> Iterator[Day]:
    """Give a table there."""
    house, server = usual
    day = Day(house, server, house.open(["A", "B", "C"], phones={2: "late"}, bidding="hidden"), moves=1)
    yield day
    for stream in day.opened:
        stream.close()
    until(lambda: day.streams() == 0, "all have gone")


def test_of_five_hundred_who_look_on_from_one_home_some_are_let_in_and_other_homes_find_places(roomy: Day) -> None:
    streams = roomy.open_streams()
    with sockets(roomy.server.port, 500, ask_for(f"/t/{roomy.code}/screen/stream")) as opened:
        found = Counter(head.split()[1] for head in heads(opened))
        # The screen of the streams is one who looks on, too, but knows the host.
        assert found == {"200": LOOKING_OF_A_HOME, "429": 500 - LOOKING_OF_A_HOME}
        with socket.create_connection(("127.0.0.1", roomy.server.port), source_address=("127.0.0.2", 0)) as other:
            other.settimeout(PATIENCE_S)
            other.sendall(ask_for(f"/t/{roomy.code}/screen/stream"))
            assert told(other).split()[1] == "200"
        roomy.is_calm(streams, taps=5)


def document(reading: BinaryIO) -> bytes:
    """Read the next answer of a connection, as long as it says that it is."""
    assert reading.readline().split()[1] == b"200"
    return reading.read(int(parse_headers(reading)["Content-Length"]))


def test_forty_who_read_nothing_of_long_answers_hold_nobody_up(roomy: Day) -> None:
    streams = roomy.open_streams()
    asked = ask_for("/api/openapi.json") * 8
    with sockets(roomy.server.port, 40, asked, room=2048) as deaf:
        until(lambda: len(select(deaf, [], [], 0)[0]) == 40, "all of them are being answered")
        roomy.is_calm(streams, taps=5)
        # One of them reads after all: it is sent everything.
        deaf[0].setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        with deaf[0].makefile("rb") as reading:
            documents = [document(reading) for _ in range(8)]
        assert len(set(documents)) == 1, "nothing is missing"
        assert json.loads(documents[0])["openapi"]


def opened_tables(port: int, count: int, is_over: threading.Event) -> Counter[int]:
    """Open tables, by phones that nobody knows, as fast as that goes; gives how it went."""
    found: Counter[int] = Counter()
    with Client(port, "nobody") as client:
        for number in range(count):
            if is_over.is_set():
                break
            client.headers.pop("Cookie", None)  # of a phone that is known by now fewer are taken
            form = [("name", "A"), ("name", "B"), ("name", "C"), ("i_sit", ""), ("key", f"k{number}")]
            found[client.post("/open/rage", form).status] += 1
    return found


def printed(port: int, phone: str, number: int) -> int:
    """Ask for a sheet that nobody has asked for before."""
    with Client(port, phone) as client:
        return client.get(f"/print/rage.pdf?players={3 + number // 2}&language={LANGUAGES[number % 4]}").status


def lasted(act: Callable[[], object]) -> float:
    """Say how many seconds something takes."""
    begun = time.monotonic()
    act()
    return time.monotonic() - begun


def is_well(port: int) -> None:
    """Ask whether the server lives, by a connection of its own."""
    with Client(port, "operator") as client:
        assert client.get("/healthz").status == 200


def test_ten_thousand_tables_twelve_printers_and_all_uploads_at_once_hold_nobody_up(
    roomy: Day, is_long: bool, figure: Callable[[str], None]
) -> None:
    """In full `/healthz` is measured, and every tap."""
    streams, is_over = roomy.open_streams(), threading.Event()
    head, more = SLOW["files"]
    looking = ask_for(f"/t/{roomy.code}/screen/stream")
    with (
        uploading(roomy.server.port, head.encode() + b"x" * more),
        sockets(roomy.server.port, 500 if is_long else 80, looking) as lookers,
        ThreadPoolExecutor(13) as others,
    ):
        heads(lookers)
        sheets = [
            others.submit(printed, roomy.server.port, f"p{number}", number) for number in range(12 if is_long else 3)
        ]
        opening = others.submit(opened_tables, roomy.server.port, 10_000 if is_long else 100, is_over)
        taps, health = list[float](), list[float]()
        with Client(roomy.server.port, "host") as host:

            def tap() -> None:
                roomy.tap(host)
                for stream in streams:
                    stream.reaches(roomy.moves)

            while len(taps) < 10 or (is_long and not opening.done()):
                health.append(lasted(lambda: is_well(roomy.server.port)))
                taps.append(lasted(tap))
        # In the gate the others are not waited for: that taps came through while they went on is what counts.
        is_over.set()
        assert {sheet.result() for sheet in sheets} <= {200, 503}
        found = opening.result()
    assert set(found) <= {303, 429}
    assert found[303] <= TABLES.of_a_home
    figure(
        f"{len(taps):,} taps, told to all phones after {median(taps) * 1000:.0f} ms (median), "
        f"{sorted(taps)[len(taps) * 99 // 100] * 1000:.0f} ms (99 of 100), {max(taps) * 1000:.0f} ms at most; "
        f"/healthz after {max(health) * 1000:.0f} ms at most"
    )
    if is_long:
        assert found == {303: TABLES.of_a_home, 429: 10_000 - TABLES.of_a_home}
        assert max(health) <= HEALTH_S
        assert sorted(taps)[len(taps) * 99 // 100] <= TAP_S


GARBLED = {
    "a chunk of no length": b"zz\r\n",
    "a chunk that does not end": b"4\r\nlangXX5\r\nuage=\r\n0\r\n\r\n",
    "a chunk of a length below nought": b"-5\r\nuage=\r\n0\r\n\r\n",
    "a word behind the last chunk": b"4\r\nlang\r\n0\r\nno header\r\n\r\n",
    "more digits than a length has": b"0" * 20_000 + b"4\r\nlang\r\n0\r\n\r\n",
    "a word behind a length": b"4;\0=\xff\r\nlang\r\n0\r\n\r\n",
}


@pytest.mark.promise(28)
@pytest.mark.parametrize("path", ["/settings", "/api/tables"])
@pytest.mark.parametrize("what", GARBLED)
def test_a_body_in_chunks_that_are_none_is_no_fault_of_ours(day: Day, what: str, path: str) -> None:
    kind = JSON if path.startswith("/api") else FEW
    with socket.create_connection(("127.0.0.1", day.server.port)) as one:
        one.settimeout(PATIENCE_S)
        one.sendall(POST.format(path=path, more=f"{kind}Transfer-Encoding: chunked\r\n").encode() + GARBLED[what])
        one.shutdown(socket.SHUT_WR)
        answer = one.recv(65_536)
        assert answer.split()[1][:1] in {b"3", b"4"}, answer
    assert day.is_quiet(), day.server.output()
