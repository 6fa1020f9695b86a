"""A page's line: taps go up and are ruled on, what the seat sees comes down as data; sealed is sealed there, too."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.desk.talking import answers
from companion.rendering.differences import put_in
from companion.tables import seating
from companion.web.line import Viewer
from tests.api.wire import KINDS, PageWire, house_of, served
from tests.databases import PATIENCE_S
from tests.house import House, Server, bid, secret

Connect = Callable[..., PageWire]
PHONES = {0: "anna", 1: "bohdan"}
GONE = 4001
"""With which a page is hung up on that has to be loaded anew."""


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

        def connected(code: str, phone: str, page: str, wire: type[PageWire] = PageWire) -> PageWire:
            made = wire(server.port, code, phone, page)
            ends.callback(made.socket.close)
            return made

        yield connected


def form(seat: int, tricks: int, **more: Any) -> str:
    return urlencode({"move": "bid", "seat": seat, "tricks": tricks, **more})


def seen(wire: PageWire, number: int) -> dict[str, Any]:
    """Read on to the view at a number, as a phone puts it together."""
    of_all: Any = None
    own: dict[str, Any] = {}
    while message := wire.read():
        of_all = put_in(of_all, message.get("all", {}))
        own |= message.get("own", {})
        for path in message.get("gone", ()):
            del own[path]
        if message.get("number") == number and "key" not in message:
            return dict(put_in(of_all, own))
    raise AssertionError(f"hung up before {number}")


def test_everybody_sees_what_was_tapped_and_what_was_sealed_only_that_it_is(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    anna, bohdan = (connect(code, phone, str(seat)) for seat, phone in PHONES.items())
    screen = connect(code, "", "screen")
    number = house.read(code).number
    assert anna.tap("one", form(0, 3, after=number)) == {"key": "one", "number": number + 1}
    for wire in (bohdan, screen):
        view = seen(wire, number + 1)
        assert view["view"]["players"][0]["has_bid"] is True
        assert view["view"]["players"][0]["bid"] is None


def test_after_the_first_view_only_what_has_changed_is_sent(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    bohdan = connect(code, "bohdan", "1")
    first = bohdan.read()
    assert {"number", "all", "own"} == first.keys()
    assert first["all"].keys() == {""}
    connect(code, "anna", "0").tap("one", form(0, 3))
    second = bohdan.read()
    assert {"number", "all"} == second.keys()
    assert second["number"] == first["number"] + 1
    assert len(json.dumps(second)) < 1024
    assert len(json.dumps(second)) < len(json.dumps(first)) / 2


def test_a_tap_that_comes_twice_counts_once_by_line_or_post(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    number = house.read(code).number
    answers = [connect(code, "anna", "0").tap("same", form(0, 3)) for _ in range(2)]
    assert answers == [{"key": "same", "number": number + 1}] * 2
    assert house.read(code).number == number + 1


def test_why_not_comes_with_the_key_in_the_readers_language(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    wire = connect(code, "anna", "0?lang=cs")
    refused = wire.tap("k", form(0, 11))
    assert refused["number"] == house.read(code).number
    assert refused["refusal"]["sentence"] == "Předpověď je číslo od 0 do 10, tolik je v\xa0tomto kole štychů."
    assert refused["refusal"]["cited"]["link"].startswith(f"/t/{code}/rules#rule-")
    house.move(code, "bohdan", bid(1, 2), "two")
    stale = wire.tap("l", form(0, 3, after=99))
    assert stale["refusal"]["is_race"] is True


def test_a_page_that_an_earlier_release_has_drawn_is_to_be_loaded_anew(
    house: House, server: Server, connect: Connect
) -> None:
    code = house.open(phones=PHONES)
    page = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    page.request("GET", f"/t/{code}/0", headers={"Cookie": f"phone={secret('anna')}"})
    (now,) = re.findall(r'data-line="/t/\w+/0/line\?(drawn=[\w.]+)"', page.getresponse().read().decode())
    page.close()
    assert "all" in connect(code, "anna", f"0?{now}&after=0").read()
    for before in (now.replace(".", ".0", 1), now.replace("=", "=0"), now.replace(".en", ".xx"), "drawn=0"):
        wire = connect(code, "anna", f"0?{before}&after=0")
        while wire.read():
            pass
        assert wire.code == GONE, before


def test_a_page_whose_phone_speaks_another_language_by_now_is_to_be_loaded_anew(
    house: House, server: Server, connect: Connect
) -> None:
    """It drew in the one what it was told in the other: keys in English around a Czech sentence."""

    class Czech(PageWire):
        language = "cs"

    code = house.open(phones=PHONES)
    for path in ("0", "screen"):
        page = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
        page.request("GET", f"/t/{code}/{path}", headers={"Cookie": f"phone={secret('anna')}"})
        (line,) = re.findall(r'data-line="/t/\w+/\w+/line\?(drawn=[\w.]+)"', page.getresponse().read().decode())
        page.close()
        assert "all" in connect(code, "anna", f"{path}?{line}").read()
        wire = connect(code, "anna", f"{path}?{line}", Czech)
        while wire.read():
            pass
        assert wire.code == GONE


def test_what_is_no_tap_is_lost_and_the_line_goes_on(house: House, connect: Connect) -> None:
    code = house.open(phones=PHONES, bidding="hidden")
    wire = connect(code, "anna", "0")
    for key, said in (("b", "move=dance"), ("c", form(0, 3, after="x")), ("d", "")):
        assert wire.tap(key, said) == {"key": key, "isLost": True}
    for odd in ("{", "[]", '{"key": "k", "form": 1e99}', {"key": 1, "form": ""}, {"form": "x"}):
        wire.send(odd)
        while "isLost" not in (answer := wire.read()):
            assert answer
    assert wire.tap("k", form(0, 3))["number"]


def test_a_tap_for_a_seat_that_is_another_s_by_now_is_told_why_as_by_a_post(house: House, connect: Connect) -> None:
    """The page was loaded anew without a word: the host taps for who has just sat down."""
    code = house.open(phones=PHONES, bidding="hidden")
    refused = connect(code, "anna", "0").tap("k", form(1, 3))
    assert refused["refusal"]["title"] == "Not your seat"
    assert refused["refusal"]["is_race"] is False


def test_a_tap_of_a_page_that_is_another_s_by_now_is_to_wait(house: House) -> None:
    """It was dropped, and so was lost where the phone came back to its seat. Mostly the line ends before the answer."""
    code = house.open(phones=PHONES, bidding="hidden")
    with house.asks(code, "anna") as asker, house.app.test_request_context():
        viewer = Viewer(asker, 0)
    with house.asks(code, "host") as asker:
        seating.free(asker, 0, "free")
    with house.app.app_context():
        (answer,) = answers([(viewer, json.dumps({"key": "k", "form": form(0, 3)}))])
    assert json.loads(answer) == {"key": "k", "isToWait": True}


def test_only_our_own_page_may_open_a_line_and_only_for_its_seats(house: House, connect: Connect) -> None:
    class Foreign(PageWire):
        origin = "https://elsewhere.example"

    code = house.open(phones=PHONES)
    assert connect(code, "anna", "0", Foreign).status == 403
    for phone, page, status in (("", "0", 403), ("katka", "0", 403), ("anna", "1", 403), ("anna", "9", 404)):
        assert connect(code, phone, page).status == status, (phone, page)
    assert connect("AAAAAA", "anna", "0").status == 404
    assert connect(code, "", "screen").status == 101


def test_a_line_whose_seat_is_taken_away_is_told_so(house: House, server: Server, connect: Connect) -> None:
    code = house.open(phones=PHONES)
    wire = connect(code, "anna", "0")
    wire.read()
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    connection.request("POST", f"/t/{code}/free", "seat=0&key=free", {"Cookie": f"phone={secret('host')}", **headers})
    assert connection.getresponse().status == 303
    connection.close()
    while wire.read():
        pass
    assert (wire.is_closed, wire.code) == (True, 4001)
