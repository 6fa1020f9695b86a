"""Moves and views over one socket: the same rulings and the same views as by posts and streams."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from queue import SimpleQueue
from typing import Any

import pytest
from sqlalchemy import event, text

from companion import log
from companion.api.schemas import MessageSchema
from companion.api.socket import _is_right_at_sight
from companion.log.rows import db
from companion.push import line, lines
from companion.push.line import GONE, GreetedSocket, Line, Socket
from companion.push.lines import Lines
from tests.api.wire import KINDS, Wire, house_of, served
from tests.databases import PATIENCE_S
from tests.house import House, Server, bid, secret, without_threads
from tests.waiting import until

Connect = Callable[..., Wire]
PHONES = {0: "anna", 1: "bohdan"}


@pytest.fixture(params=KINDS, scope="module")
def house(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    yield from house_of(request, tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def server(house: House) -> Iterator[Server]:
    yield from served(house)


@pytest.fixture
def connect(server: Server) -> Iterator[Connect]:
    """Give what connects; all is closed in the end."""
    with ExitStack() as ends:

        def connected(code: str, phone: str, query: str = "") -> Wire:
            wire = Wire(server.port, code, phone, query)
            ends.callback(wire.socket.close)
            return wire

        yield connected


def fetched(server: Server, path: str, phone: str) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    connection.request("GET", path, headers={"Authorization": f"Bearer {secret(phone)}"} if phone else {})
    answer = connection.getresponse()
    said = json.loads(answer.read())
    connection.close()
    return answer.status, said


def test_moves_are_ruled_on_and_everybody_is_told(house: House, server: Server, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    wires = [connect(code, phone, f"?seat={seat}") for seat, phone in PHONES.items()]
    everybody = connect(code, "", "")
    number = wires[0].until("look")["look"]["number"]
    assert number == house.read(code).number
    for step, (seat, wire) in enumerate([(0, wires[0]), (1, wires[1]), (0, wires[0])], 1):
        wire.move(f"k{step}", bid(seat, step), after=number)
        answer = wire.until("ruled")
        number += 1
        assert (answer["key"], answer["ruled"]["number"]) == (f"k{step}", number)
        for of, listener in ((0, wires[0]), (1, wires[1]), (None, everybody)):
            while (seen := listener.until("look")["look"])["number"] < number:
                pass
            query = "" if of is None else f"?seat={of}"
            phone = PHONES[of] if of is not None else ""
            assert (200, seen) == fetched(server, f"/api/tables/{code}/view{query}", phone)
            assert seen["view"]["players"][seat]["has_bid"] is True
            assert seen["view"]["players"][seat]["bid"] is None
    assert len([entry for entry in house.entries(code) if entry[1] == "move"]) == 3


def test_the_first_look_comes_at_every_number(house: House, connect: Connect) -> None:
    code = house.open(bidding="hidden")
    for number in range(3):
        for phone, query in (("host", "?seat=0"), ("", "")):
            assert connect(code, phone, query).read()["look"]["number"] == number
        house.move(code, "host", bid(number, 1), f"k{number}")


def test_a_message_that_comes_twice_counts_once(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    before = len(house.entries(code))
    answers = []
    for _ in range(2):
        wire = connect(code, "anna", "?seat=0")
        wire.move("same", bid(0, 3))
        wire.move("same", bid(0, 3))
        answers += [wire.until("ruled"), wire.until("ruled")]
    assert all(answer == answers[0] for answer in answers)
    assert len(house.entries(code)) == before + 1
    wire.move("same", bid(0, 4))
    assert wire.until("problem")["problem"]["status"] == 422


def test_a_key_is_answered_as_it_was_sent_and_counts_as_it_is(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    before = len(house.entries(code))
    wire = connect(code, "anna", "?seat=0")
    keys = ["k" * 254 + end for end in "ab"] + ["\x00", "ž" * 255, "."]
    for tricks, key in enumerate([key for key in keys for _ in range(2)]):
        wire.move(key, bid(0, tricks // 2))
        answer = wire.until("ruled")
        assert (answer["key"], answer["ruled"]["number"]) == (key, before + tricks // 2 + 1)
    wire.move("k" * 256, bid(0, 9))
    answer = wire.until("problem")
    assert (answer["key"], answer["problem"]["status"], answer["problem"]["detail"][:4]) == ("k" * 256, 400, "key:")


def test_what_cannot_be_done_is_said_and_the_line_goes_on(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    wire = connect(code, "anna", "?seat=0")
    wrong: list[tuple[object, int, str]] = [
        ("{", 415, "not_json"),
        ("[]", 400, "malformed"),
        ('{"key": "k", "move": {"move": "bid", "seat": 0, "tricks": 1e99}}', 400, "malformed"),
        ({"move": bid(0, 1)}, 400, "malformed"),
        ({"key": "k", "move": bid(0, 1), "more": 1}, 400, "malformed"),
        ({"key": "k", "move": bid(0, 1), "after": "one"}, 400, "malformed"),
        ({"key": "k", "move": {"move": "dance"}}, 400, "malformed"),
        ({"key": "k", "move": bid(1, 1)}, 403, "not_yours"),
        ({"key": "k", "move": bid(0, 11)}, 422, "refused"),
        ({"key": "k", "move": bid(0, 1), "after": 99}, 409, "stale"),
        ({"key": "k", "move": bid(0, 1)}, 409, "stale"),
    ]
    for message, status, kind in wrong:
        wire.send(message)
        problem = wire.until("problem")["problem"]
        assert (problem["status"], problem["type"]) == (status, f"/api#{kind}"), message
    wire.move("l", bid(0, 10))
    assert wire.until("ruled")["key"] == "l"


def test_each_is_answered_in_its_own_language(house: House, connect: Connect) -> None:
    codes = [house.open(phones=PHONES, bidding="hidden") for _ in range(3)]
    wires = [
        connect(code, "anna", f"?seat=0&lang={lang}") for code, lang in zip(codes, ("cs", "es", "pl"), strict=True)
    ]
    for wire in wires:
        wire.move("k", bid(0, 11))
    said = [wire.until("problem")["problem"]["title"] for wire in wires]
    assert said == ["Pravidla říkají ne", "Las reglas dicen que no", "Zasady mówią nie"]


def test_nobody_is_let_in_who_may_not_look(house: House, server: Server, connect: Connect) -> None:
    code = house.open(phones=PHONES)
    wanted = [("", "?seat=0", 401), ("katka", "?seat=0", 403), ("anna", "?seat=1", 403), ("anna", "?seat=x", 400)]
    for phone, query, status in wanted:
        assert connect(code, phone, query).status == status, (phone, query)
    assert connect("AAAAAA", "anna").status == 404
    assert fetched(server, f"/api/tables/{code}/socket", "anna")[0] == 400, "no WebSocket was asked for"


def test_a_program_says_by_its_first_message_who_it_is(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    by_header = connect(code, "anna", "?seat=0")
    wire = connect(code, "", "?seat=0&auth=message&lang=cs")
    assert wire.status == 101
    assert wire.greet("anna") == {"welcome": {"seat": 0}}
    assert wire.read() == by_header.read()
    wire.move("k1", bid(0, 3))
    assert wire.until("ruled")["key"] == "k1"
    assert wire.until("look") == by_header.until("look")
    wire.move("k2", bid(0, 11))
    assert wire.until("problem")["problem"]["title"] == "Pravidla říkají ne"
    wire.send({"token": secret("bohdan")})
    assert wire.until("problem")["problem"]["type"] == "/api#malformed", "nobody becomes another"
    other = connect(code, "bohdan", "?seat=1")
    other.move("k3", bid(1, 2))
    assert other.until("ruled")
    assert wire.until("look")["look"]["seat"] == 0


def test_who_has_not_said_yet_who_it_is_is_told_nothing(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    wires = [connect(code, "", f"?auth=message{seat}") for seat in ("", "&seat=1")]
    mover = connect(code, "anna", "?seat=0")
    mover.move("k1", bid(0, 1))
    mover.until("ruled")
    for wire in wires:
        assert "welcome" in wire.greet("bohdan")
        assert wire.read()["look"]["number"] == house.read(code).number


def test_who_cannot_say_who_it_is_is_told_so_and_let_go(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    before = len(house.entries(code))
    wrong: list[tuple[object, int, str]] = [
        ("{", 415, "not_json"),
        ([], 400, "malformed"),
        ({}, 400, "malformed"),
        ({"token": 1}, 400, "malformed"),
        ({"token": ""}, 400, "malformed"),
        ({"token": secret("anna"), "more": 1}, 400, "malformed"),
        ({"token": "0" * 48}, 401, "no_token"),
        ({"token": "a=b\r\nHost: x"}, 401, "no_token"),
        ({"token": secret("bohdan")}, 403, "not_yours"),
        ({"token": secret("katka")}, 403, "not_yours"),
        ({"key": "k", "move": bid(0, 1)}, 400, "malformed"),
    ]
    for message, status, kind in wrong:
        wire = connect(code, "", "?seat=0&auth=message")
        wire.send(message)
        wire.move("k", bid(0, 1))
        said = wire.read()
        assert (said["key"], said["problem"]["status"], said["problem"]["type"]) == (None, status, f"/api#{kind}")
        while wire.read():
            pass
        assert wire.code == 1008, message
    assert len(house.entries(code)) == before
    assert connect(code, "anna", "?seat=0&auth=letter").status == 400


def test_a_line_counts_for_who_it_is_once_that_is_said_and_no_longer_than_it_holds(
    house: House, connect: Connect
) -> None:
    code = house.open(phones=PHONES)

    def greeted() -> tuple[Wire, int]:
        wire = connect(code, "", "?seat=0&auth=message")
        return wire, wire.greet("anna").get("problem", {"status": 101})["status"]

    wires, statuses = zip(*(greeted() for _ in range(20)), strict=True)
    assert (statuses[0], statuses[-1]) == (101, 429)
    assert set(statuses) == {101, 429}
    assert connect(code, "bohdan", "?seat=1").status == 101, "they are nobody else's"
    for wire in wires:
        wire.socket.close()
    give_up = time.monotonic() + PATIENCE_S
    while greeted()[1] != 101:
        assert time.monotonic() < give_up


def test_a_line_ends_when_its_seat_is_taken_away(house: House, server: Server, connect: Connect) -> None:
    code = house.open(phones=PHONES)
    wire, other = (connect(code, phone, f"?seat={seat}") for seat, phone in PHONES.items())
    wire.until("look")
    other.until("look")
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    connection.request("POST", f"/t/{code}/free", "seat=0&key=free", {"Cookie": f"phone={secret('host')}", **form})
    assert connection.getresponse().status == 303
    connection.close()
    began = time.monotonic()
    while wire.read():
        pass
    assert time.monotonic() - began < 2
    assert wire.is_closed
    assert other.until("look")


def test_more_lines_than_a_phone_may_have_are_refused(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES)
    statuses = [connect(code, "anna", "?seat=0").status for _ in range(20)]
    assert statuses[0] == 101
    assert statuses[-1] == 429
    assert set(statuses) == {101, 429}


UNREADABLE = 13


class Parrot:
    """Says what it hears, and is told the number."""

    def __init__(self, code: str) -> None:
        self.code, self.is_there = code, threading.Event()
        self.alike = str(id(self))
        self.known: Parrot | None = None
        self.foreseen: SimpleQueue[int] = SimpleQueue()
        self.is_there.set()

    def go(self) -> None:
        self.is_there.clear()

    def foresee(self, number: int) -> None:
        self.foreseen.put(number)
        if number == UNREADABLE:
            raise LookupError("the tables are away")

    def hear(self) -> None:
        """Be known to be there, as it is."""

    def look(self, number: int | None) -> str | None:
        if number == UNREADABLE:
            raise LookupError("the tables are away")
        return json.dumps({"look": number, "long": "x" * 60_000})


def _repeat(arrived: list[tuple[Parrot, str]]) -> list[str]:
    """Answer, not faster than can be sent."""
    time.sleep(0.001)
    return [text[:10] for _, text in arrived]


@pytest.fixture
def parrots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lines[Parrot]]:
    """Give lines whose messages are answered by themselves."""
    house = House(tmp_path_factory.mktemp("parrots"))
    parrots: Lines[Parrot] = Lines(house.app, lambda _code, number: number, log.rest)
    parrots.answer = _repeat
    yield parrots
    parrots.close()
    house.close()


Taken = Callable[[], tuple[Parrot, socket.socket]]


@pytest.fixture
def taken(parrots: Lines[Parrot]) -> Iterator[Taken]:
    """Give what lets the lines take a socket, and gives its other end."""
    with ExitStack() as ends:

        def take() -> tuple[Parrot, socket.socket]:
            own, other = socket.socketpair()
            ends.enter_context(other)
            own.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            parrot = Parrot("AAAAAA")
            parrots.take(Socket(parrots, parrot, b""), own)
            return parrot, other

        yield take


def test_lines_that_were_given_no_thread_begin_with_the_next_one(parrots: Lines[Parrot], taken: Taken) -> None:
    own, other = socket.socketpair()
    parrot = Parrot("AAAAAA")
    with other, without_threads(), pytest.raises(RuntimeError):
        parrots.take(Socket(parrots, parrot, b""), own)
    assert not parrot.is_there.is_set()
    _parrot, another = taken()
    hears(another, b"long")


def test_lines_that_nobody_has_opened_need_no_thread_to_be_rung_parted_and_renewed(
    parrots: Lines[Parrot], taken: Taken
) -> None:
    with without_threads():
        parrots.ring("AAAAAA", 1)
        parrots.part()
        parrots.renew()
    _parrot, other = taken()
    hears(other, b"long")


def test_a_message_needs_no_thread_that_its_line_has_not_begun_with(taken: Taken) -> None:
    """Where the system had none for the first one, all lines of the process were hung up on, again and again."""
    _parrot, other = taken()
    hears(other, b"long")
    with without_threads():
        other.sendall(b"\x81\x82\x00\x00\x00\x00hi")
        hears(other, b"hi")


def test_what_is_foretold_is_foreseen_by_those_of_the_table_whatever_has_failed(
    parrots: Lines[Parrot], taken: Taken, monkeypatch: pytest.MonkeyPatch
) -> None:
    parrots.foretell("AAAAAA", 1)  # of nobody: there is no line yet, and no thread
    (one, other), (two, another) = taken(), taken()
    for end in (other, another):
        hears(end, b"long")
    for number in (UNREADABLE, 2):
        parrots.foretell("BBBBBB", 3)
        parrots.foretell("AAAAAA", number)
        assert [each.foreseen.get(timeout=PATIENCE_S) for each in (one, two)] == [number] * 2
    assert one.is_there.is_set(), "cut off, though nothing was to be told"
    one.alike = two.alike
    parrots.foretell("AAAAAA", 3)
    assert two.foreseen.get(timeout=PATIENCE_S) == 3
    assert one.foreseen.empty(), "another has foreseen the same"
    one.alike = ""
    monkeypatch.setattr(lines, "MOST_FORESEEN", 1)
    for _time in range(2):
        parrots.foretell("AAAAAA", 4)
        assert one.foreseen.get(timeout=PATIENCE_S) == 4
    assert two.foreseen.empty()


def test_what_was_borrowed_to_tell_is_given_back_when_all_are_told(
    parrots: Lines[Parrot], taken: Taken, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread of the lines stays within the app, which would give it back at its end."""
    given_back = threading.Event()
    with parrots._app.app_context():
        event.listen(db.engine, "checkin", lambda *_: given_back.set())
    monkeypatch.setattr(parrots, "_newest", lambda _code, _number: db.session.scalar(text("SELECT 7")))
    _parrot, other = taken()
    hears(other, b'"look": 7')
    assert given_back.wait(PATIENCE_S)


def until_gone(parrot: Parrot) -> None:
    until(lambda: not parrot.is_there.is_set())


def hears(other: socket.socket, text: bytes) -> None:
    """Read on to a text."""
    heard = b""
    while text not in heard:
        more = other.recv(65536)
        assert more, "hung up"
        heard = heard[-100:] + more


def test_who_does_not_read_is_cut_off_and_nobody_else_waits(parrots: Lines[Parrot], taken: Taken) -> None:
    slow, unread = taken()
    quick, other = taken()
    for end in (unread, other):
        end.settimeout(PATIENCE_S)
        hears(end, b'"look": null')
    for number in range(1, 11):
        parrots.ring("AAAAAA", number)
        hears(other, f'"look": {number},'.encode())
    until_gone(slow)
    assert quick.is_there.is_set()


def heard_to_its_end(other: socket.socket) -> bytes:
    other.settimeout(PATIENCE_S)
    heard = b""
    while more := other.recv(65_536):
        heard += more
    return heard


def test_a_line_that_cannot_be_told_breaks_off_and_is_not_said_to_have_lost_its_seat(
    parrots: Lines[Parrot], taken: Taken
) -> None:
    """A page that hears that its seat is gone leaves the table; one whose stream breaks off comes back."""
    _, program = taken()
    page, own = socket.socketpair()
    parrots.take(Line(parrots, Parrot("AAAAAA"), b""), own)
    with page:
        for end in (program, page):
            end.settimeout(PATIENCE_S)
            hears(end, b'x"}')
        parrots.ring("AAAAAA", UNREADABLE)
        assert GONE.encode() not in heard_to_its_end(page)
        assert heard_to_its_end(program).endswith((1011).to_bytes(2, "big"))


def test_who_sends_more_than_is_answered_is_listened_to_no_longer(parrots: Lines[Parrot], taken: Taken) -> None:
    _, other = taken()
    hears(other, b'"look": null')
    may_answer = threading.Event()

    def hold(arrived: list[tuple[Parrot, str]]) -> list[str]:
        may_answer.wait(PATIENCE_S)
        return _repeat(arrived)

    parrots.answer = hold
    other.setblocking(False)
    message, sent, quiet = b"\x81\xfe\x03\xe8\x00\x00\x00\x00" + b"y" * 1000, 0, 0
    while quiet < 50:  # until nothing more has been taken for half a second
        try:
            sent, quiet = sent + other.send(message), 0
        except BlockingIOError:
            time.sleep(0.01)
            quiet += 1
        assert sent < 2_000_000
    other.setblocking(True)
    may_answer.set()
    heard = b""
    while heard.count(b"y" * 10) < sent // len(message):
        more = other.recv(65536)
        assert more, "hung up"
        heard += more


def test_who_does_not_say_in_time_who_it_is_is_let_go(parrots: Lines[Parrot], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "GREETING_S", 0.02)
    parrot = Parrot("AAAAAA")
    own, other = socket.socketpair()
    parrots.take(GreetedSocket(parrots, parrot, b""), own)
    with other:
        assert heard_to_its_end(other).endswith((1008).to_bytes(2, "big"))
        until_gone(parrot)


def test_who_has_said_in_time_who_it_is_stays(parrots: Lines[Parrot], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "GREETING_S", 0.2)
    parrot, known = Parrot("AAAAAA"), Parrot("AAAAAA")
    parrot.known = known
    own, other = socket.socketpair()
    parrots.take(GreetedSocket(parrots, parrot, b""), own)
    with other:
        other.settimeout(PATIENCE_S)
        other.sendall(b"\x81\x82\x00\x00\x00\x00hi")
        until_gone(parrot)
        time.sleep(0.4)
        parrots.ring("AAAAAA", 7)
        hears(other, b'"look": 7,')
        assert known.is_there.is_set()
    until_gone(known)


def test_who_has_just_said_who_it_is_when_all_fails_is_listened_for_no_longer(parrots: Lines[Parrot]) -> None:
    def fail(_arrived: object) -> list[str]:
        raise LookupError("the tables are away")

    parrots.answer = fail
    parrot, known = Parrot("AAAAAA"), Parrot("AAAAAA")
    parrot.known = known
    own, other = socket.socketpair()
    parrots.take(GreetedSocket(parrots, parrot, b""), own)
    with other:
        other.sendall(b"\x81\x82\x00\x00\x00\x00hi")
        assert heard_to_its_end(other).endswith((1011).to_bytes(2, "big"))
    until_gone(parrot)
    until_gone(known)


def test_a_ring_that_is_overtaken_does_not_turn_a_number_back(parrots: Lines[Parrot], taken: Taken) -> None:
    _parrot, other = taken()
    hears(other, b'"look": null')
    may_go_on = threading.Event()
    parrots._running().call_soon_threadsafe(may_go_on.wait, PATIENCE_S)
    for number in (8, 7):
        parrots.ring("AAAAAA", number)
    may_go_on.set()
    hears(other, b'"look": 8')


def test_who_does_not_answer_a_ping_is_gone(taken: Taken, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "BEAT_S", 0.02)
    parrot, _silent = taken()
    until_gone(parrot)


@pytest.mark.parametrize(
    "bytes_", [b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 40, b"\x81\x85\x00\x00\x00\x00\xff\xff\xff\xff\xff"]
)
def test_what_is_no_frame_ends_the_line(taken: Taken, bytes_: bytes) -> None:
    parrot, other = taken()
    other.sendall(bytes_)
    until_gone(parrot)


def test_a_message_without_end_ends_the_line(taken: Taken) -> None:
    parrot, other = taken()
    begun, more = b"\x01\xfe\x03\xe8\x00\x00\x00\x00" + b"x" * 1000, b"\x00\xfe\x03\xe8\x00\x00\x00\x00" + b"x" * 1000
    with suppress(OSError):  # it breaks off somewhere
        other.sendall(begun)
        for _ in range(1000):
            other.sendall(more)
    until_gone(parrot)


RIGHT = {"key": "k", "after": 0, "move": {"move": "bid", "seat": 0, "tricks": 3}}
JUNK = (None, True, -1, 0.0, 10**15 - 1, 10**15, "", "k" * 255, "k" * 256, [], {}, {"move": 1})


def test_a_message_that_is_right_at_first_sight_is_right_for_its_schema() -> None:
    schema = MessageSchema()
    changed = [{**RIGHT, name: value} for name in RIGHT for value in JUNK]
    wrong = [*JUNK, *({name: RIGHT[name] for name in RIGHT if name != gone} for gone in RIGHT), {**RIGHT, "more": 1}]
    right = [message for message in (RIGHT, *changed, *wrong) if _is_right_at_sight(message)]
    assert [schema.load(message) for message in right] == right
    told = ("key", "k" * 255), ("after", 10**15 - 1), ("move", {}), ("move", {"move": 1})
    assert right == [RIGHT, *({**RIGHT, name: value} for name, value in told)]
