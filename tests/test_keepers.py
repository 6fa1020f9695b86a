"""A table's phones reach the one worker that keeps it, by whichever worker they come in, without a proxy, too."""

from __future__ import annotations

import os
import re
import signal
import socket
import ssl
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPSConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest
from websockets.frames import CloseCode

from companion.server.certificates import identity
from companion.server.keepers import Keepers, Passed, asked_table, receive, send
from tests.api.wire import PageWire, Wire, house_of
from tests.databases import PATIENCE_S
from tests.house import Client, House, Server, bid, free_port, secret
from tests.test_bad_days import ask_for, heads, sockets
from tests.test_durability import form, sent, workers_of
from tests.test_several_servers import Stream
from tests.waiting import until

TOKEN = "an operator's token, 32 letters."
PHONES = {0: "anna", 1: "bohdan"}
PLACES = 4


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[House]:
    request.param = "two workers"
    yield from house_of(request, tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def server(house: House) -> Iterator[Server]:
    """Start two workers, with a secure door."""
    made = identity(house.folder / "authority", ["127.0.0.1"])
    server = house.server(workers=2)
    server.environment = {
        **server.environment,
        "COMPANION_HTTPS": f"127.0.0.1:{free_port()}",
        "COMPANION_CERTIFICATE": str(made.certificate),
        "COMPANION_KEY": str(made.key),
        "COMPANION_OPERATOR": TOKEN,
    }
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture
def ends() -> Iterator[ExitStack]:
    """Close in the end what a test has opened."""
    with ExitStack() as all_of_them:
        yield all_of_them


@pytest.fixture
def both(house: House, server: Server) -> dict[int, str]:
    """Open a table for each worker, which keeps it."""
    codes: dict[int, str] = {}
    while len(codes) < len(workers(server)):
        code = house.open(phones=PHONES, bidding="hidden")
        codes[keeper(server, code)] = code
    return codes


def workers(server: Server) -> list[int]:
    assert server.process is not None
    return [int(pid) for pid in workers_of(server.process.pid)[1:]]


def secure_door(server: Server) -> tuple[int, ssl.SSLContext]:
    """Say where it is, and by what whoever believes it enters."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return int(server.environment["COMPANION_HTTPS"].rpartition(":")[2]), context


def holder(server: Server, phone: socket.socket) -> int:
    """Tell which worker has the other end of a connection; 0 where none has."""
    own, other = (f"0100007F:{port:04X}" for port in (phone.getsockname()[1], phone.getpeername()[1]))
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
    ends = {f"socket:[{row[9]}]" for row in rows if row[1:3] == [other, own]}
    for worker in workers(server):
        for file in Path(f"/proc/{worker}/fd").iterdir():
            try:
                if os.readlink(file) in ends:
                    return worker
            except OSError:  # closed meanwhile
                continue
    return 0


def keeper(server: Server, code: str) -> int:
    """Tell which worker keeps a table: whoever has a connection by which it was asked for."""
    with Client(server.port, "nobody") as client:
        client.get(f"/t/{code}/screen")
        return holder(server, client.connection.sock)


def strays(server: Server) -> float:
    """Count the moves that were ruled on where their table is not kept."""
    with Client(server.port, "operator") as client:
        figures = client.get("/metrics").body.decode()
    found = re.search(r"^companion_strays_total (\S+)$", figures, re.MULTILINE)
    assert found, figures
    return float(found[1])


def connected(server: Server, ends: ExitStack, code: str) -> tuple[PageWire, Wire, Stream, Stream]:
    """Open lines of each kind to a table, by connections of their own."""
    lines = (
        PageWire(server.port, code, "anna", "0"),
        Wire(server.port, code, "bohdan", "?seat=1"),
        Stream(server.port, code, "anna", "0"),
        Stream(server.port, code.lower(), "host", "screen"),
    )
    for line in lines:
        ends.callback(line.socket.close)
    return lines


def operator(server: Server) -> dict[str, str]:
    """Read the operator's page, by a connection of its own: whichever worker has it."""
    with Client(server.port, "operator") as client:
        told = client.post("/operator", {"token": TOKEN}).headers["Set-Cookie"].partition(";")[0]
        page = client.get("/operator", Cookie=told).body.decode()
    return dict(re.findall(r"<dt>([^<]*)</dt>\s*<dd>\s*<b[^>]*>([^<]*)</b>", page))


def test_the_operator_sees_all_workers_together(server: Server, both: dict[int, str], ends: ExitStack) -> None:
    before = operator(server)
    for code in both.values():
        page = PageWire(server.port, code, "anna", "0")
        ends.callback(page.socket.close)
        ends.callback(Wire(server.port, code, "bohdan", "?seat=1").socket.close)
        assert page.tap("tap", urlencode(bid(0, 1)))["number"]
    for now in (operator(server) for _ in range(4)):  # not all of these connections come to one worker
        more = {name: int(now[name]) - int(before[name]) for name in now if name in before and now[name].isdigit()}
        assert (more["Tables with phones"], more["Phones connected"], more["Moves since the start"]) == (2, 4, 2)
        assert now["Processes"] == "2"
    ends.close()
    until(lambda: operator(server)["Phones connected"] == before["Phones connected"], "nobody is connected any more")


def test_all_lines_of_a_table_end_in_one_worker(server: Server, both: dict[int, str], ends: ExitStack) -> None:
    for worker, code in both.items():
        assert {holder(server, line.socket) for line in connected(server, ends, code)} == {worker}


def test_no_move_is_ruled_on_where_its_table_is_not_kept(
    house: House, server: Server, both: dict[int, str], ends: ExitStack
) -> None:
    before = strays(server)
    lines = {code: connected(server, ends, code) for code in both.values()}
    with Client(server.port, "host") as client:
        for turn in range(5):
            for worker, code in both.items():
                page, program, stream, _ = lines[code]
                assert page.tap(f"tap{turn}", urlencode(bid(0, turn)))["number"]
                program.move(f"move{turn}", bid(1, turn))
                number = program.until("ruled")["ruled"]["number"]
                # The other worker has had this connection just now.
                assert client.post(f"/t/{code}/2/move", form(bid(2, turn), f"post{turn}")).status == 303
                assert holder(server, client.connection.sock) == worker
                stream.reaches(number + 1)
    assert all(house.read(code).number == 2 + 15 for code in both.values())
    assert strays(server) == before == 0


def test_requests_that_follow_at_once_are_answered_in_their_order(server: Server, both: dict[int, str]) -> None:
    codes = [*both.values()] * 3
    asked = b"".join(ask_for(f"/t/{code}/screen") for code in codes)
    with sockets(server.port, 1, asked + ask_for("/healthz", "", "Connection: close")) as (one,):
        came = b""
        while more := one.recv(65536):
            came += more
    assert came.count(b"HTTP/1.1 200") == len(codes) + 1
    assert re.findall(r'data-code="(\w+)"', came.decode()) == codes


def test_a_request_is_passed_on_before_the_last_of_it_has_come(server: Server, both: dict[int, str]) -> None:
    for worker, code in both.items():
        body = urlencode({**form(bid(0, 1), "slow"), "more": "x" * 60_000}).encode()
        head = ask_for(f"/t/{code}/0/move", "anna", "Sec-Fetch-Site: same-origin", f"Content-Length: {len(body)}")
        kind = b"Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        with sockets(server.port, 1, head.replace(b"GET", b"POST")[:-2] + kind + body[:30_000]) as (one,):
            until(lambda one=one, worker=worker: holder(server, one) == worker, "it is with the keeper")  # type: ignore[misc]
            one.sendall(body[30_000:])
            assert heads([one])[0].startswith("HTTP/1.1 303")


def test_a_worker_that_goes_lets_nobody_in_by_the_secure_door_any_more(server: Server) -> None:
    port, context = secure_door(server)
    going, *_ = workers(server)

    def ask(_number: int) -> int:
        """Ask by connections of their own until that worker has gone; count the answers."""
        answers = 0
        while going in workers(server):
            connection = HTTPSConnection("127.0.0.1", port, timeout=PATIENCE_S, context=context)
            connection.request("GET", "/healthz")
            answers += connection.getresponse().status == 200
            connection.close()
        return answers

    with sockets(server.port, 12, b""), ThreadPoolExecutor(6) as pool:  # who is silent is waited for, for a while
        os.kill(going, signal.SIGTERM)
        assert sum(pool.map(ask, range(6))) > 0
    server.wait_until_it_answers()
    until(lambda: len(workers(server)) == 2, "another has come")


def test_a_worker_that_goes_waits_for_whoever_has_come_to_the_secure_door(server: Server, both: dict[int, str]) -> None:
    """Found by restarts under load: whoever was agreeing on the encryption was cut off."""
    port, context = secure_door(server)
    with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as phone:
        until(lambda: holder(server, phone), "one of them has seen it")
        going = holder(server, phone)
        os.kill(going, signal.SIGTERM)
        until(lambda: keeper(server, both[going]) != going, "it is going")
        with context.wrap_socket(phone) as secure:
            secure.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert secure.recv(100).startswith(b"HTTP/1.1 200 ")
    until(lambda: going not in workers(server) and len(workers(server)) == 2, "another has come")


def test_the_secure_door_leads_to_the_keeper_too(house: House, server: Server, both: dict[int, str]) -> None:
    port = int(server.environment["COMPANION_HTTPS"].rpartition(":")[2])
    context = ssl.create_default_context(cafile=str(house.folder / "authority" / "authority.crt"))
    before = strays(server)
    for code in both.values():
        connection = HTTPSConnection("127.0.0.1", port, timeout=PATIENCE_S, context=context)
        connection.request("GET", f"/t/{code}/0", headers={"Cookie": f"phone={secret('anna')}"})
        answer = connection.getresponse()
        assert answer.read()
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin", "it is known to be secure"
        wire = PageWire(port, code, "anna", "0", context)
        for turn in range(5):
            assert wire.tap(f"tap{turn}", urlencode(bid(0, turn)))["number"]
        wire.socket.close()
        connection.close()
    assert strays(server) == before


def test_a_worker_that_stands_still_holds_up_only_its_own_tables_and_forgets_nobody(
    server: Server, both: dict[int, str]
) -> None:
    (stopped, own), (_, other) = both.items()
    asked = ask_for(f"/api/tables/{own}/nowhere")
    os.kill(stopped, signal.SIGSTOP)
    try:
        with sockets(server.port, fits(asked) + 100, asked) as opened:
            assert keeper(server, other) not in {0, stopped}
            os.kill(stopped, signal.SIGCONT)
            assert {head.split()[1] for head in heads(opened)} == {"404"}
    finally:
        os.kill(stopped, signal.SIGCONT)


def fits(asked: bytes) -> int:
    """Count how many such requests a way holds."""
    count = 0
    with places(1) as keepers, suppress(BlockingIOError), socket.socket() as one:
        while True:
            send(keepers.way(0), Passed(one, ("127.0.0.1", 50_000), ("127.0.0.1", 8_000), came=asked))
            count += 1
    return count


@contextmanager
def places(count: int) -> Iterator[Keepers]:
    """Make places, and close their ways in the end."""
    keepers = Keepers(count)
    yield keepers
    for place in range(count):
        keepers.come(place).close()
        keepers.way(place).close()


@pytest.fixture
def keepers() -> Iterator[Keepers]:
    with places(PLACES) as made:
        yield made


class Phone:
    """Taps at a table, by a line that it opens again whenever it breaks."""

    def __init__(self, server: Server, code: str) -> None:
        self.server, self.code = server, code
        self.confirmed: list[str] = []
        self.ended: list[int] = []
        """The codes with which its lines ended; 0 for those that broke."""
        self.line = self._open()

    def _open(self) -> PageWire:
        lines: list[PageWire] = []

        def is_open() -> bool:
            try:
                lines.append(PageWire(self.server.port, self.code, "anna", "0"))
            except OSError:
                return False
            return lines[-1].status == 101

        until(is_open, "a line is open again")
        return lines[-1]

    def tap(self) -> None:
        """Make a move, and send it again until there is an answer."""
        key = f"tap{len(self.confirmed)}"
        while len(self.confirmed) == int(key[3:]):
            if self.line.is_closed:
                self.ended.append(self.line.code)
                self.line.socket.close()
                self.line = self._open()
            try:
                assert self.line.tap(key, urlencode(bid(0, len(self.confirmed) % 11)))["number"]
            except (OSError, AssertionError):
                self.line.is_closed = True
            else:
                self.confirmed.append(key)


def test_a_worker_that_is_killed_in_mid_play_loses_nothing_and_gets_its_tables_back(
    house: House, server: Server, both: dict[int, str]
) -> None:
    (killed, own), (_, other) = both.items()
    anna, bohdan = Phone(server, own), Phone(server, other)
    for turn in range(40):
        if turn == 15:
            os.kill(killed, signal.SIGKILL)
        anna.tap()
        bohdan.tap()
    until(lambda: keeper(server, own) not in {0, *both}, "a new worker has the table")
    until(lambda: anna.tap() or CloseCode.SERVICE_RESTART in anna.ended, "the one who had it meanwhile says so")
    before = strays(server)
    for _ in range(5):
        anna.tap()
        bohdan.tap()
    assert holder(server, anna.line.socket) == keeper(server, own)
    assert strays(server) == before
    assert bohdan.ended == [], "others notice nothing"
    for phone in (anna, bohdan):
        assert [sent(key) for *_, key in house.entries(phone.code)][2:] == phone.confirmed
        phone.line.socket.close()


def test_tables_are_spread_and_only_those_move_whose_keeper_ends(keepers: Keepers) -> None:
    codes = [f"{number:06}" for number in range(1_000)]
    assert keepers.keeper(codes[0]) is None
    for place in range(PLACES):
        keepers.come(place)
    before = {code: keepers.keeper(code) for code in codes}
    assert min(Counter(before.values()).values()) > len(codes) / PLACES / 2
    assert keepers.have_changed()
    assert not keepers.have_changed()
    keepers.go(1)
    after = {code: keepers.keeper(code) for code in codes}
    assert {before[code] for code in codes if before[code] != after[code]} == {1}
    keepers.expect(1)
    assert {code: keepers.keeper(code) for code in codes} == before


def test_places_are_given_to_as_many_workers_as_there_are(keepers: Keepers) -> None:
    assert [keepers.free(taken) for taken in ({None}, {0, 2}, set(range(PLACES)))] == [0, 1, None]
    assert Keepers().free(set()) is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"GET /t/K7QX2M HTTP/1.1\r\n", "K7QX2M"),
        (b"GET /t/K7QX2M?lang=cs HTTP/1.1\r\n", "K7QX2M"),
        (b"POST /t/k7qxo1/0/move HTTP/1.1\r\n", "K7QX01"),
        (b"GET /api/tables/%4B7QX2M/socket HTTP/1.1\r\n", "K7QX2M"),
        (b"GET /api/v1/tables/K7QX2M/socket HTTP/1.1\r\n", "K7QX2M"),
        (b"GET http://table.lan/t/K7QX2M/0 HTTP/1.1\r\n", "K7QX2M"),
        (b"GET /t/K7QX2M", None),
        (b"GET /t/K7QX2 HTTP/1.1\r\n", None),
        (b"GET /tables/K7QX2M HTTP/1.1\r\n", None),
        (b"GET /find?code=/t/K7QX2M/ HTTP/1.1\r\n", None),
        (b"GET /t/%ff%ff/0 HTTP/1.1\r\n", None),
        (b"\x16\x03\x01", None),
    ],
)
def test_the_first_line_says_which_table_is_asked_for(line: bytes, code: str | None) -> None:
    assert asked_table(line) == code


def test_who_was_passed_on_to_one_that_has_ended_is_cut_off(keepers: Keepers) -> None:
    one, other = socket.socketpair()
    with one, other:
        send(keepers.way(0), Passed(one, ("127.0.0.1", 50_000), ("127.0.0.1", 8_000), is_secure=True, came=b"GET "))
        one.close()
        keepers.clear(0)
        assert other.recv(1) == b""
    assert receive(keepers.come(0)) is None
