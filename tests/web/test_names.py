"""Promise 17: any name is safe everywhere: refused by name, or cleaned and shown as what it is."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event
from werkzeug.test import TestResponse

from companion.errors import BadName
from companion.log.names import MOST, clean_name
from companion.log.rows import db
from companion.printing import Printer
from tests.web.conftest import House, Phone, sound
from tests.web.hostile import hostile_names
from tests.web.page import Page
from tests.web.stage import routes

NAMES = hostile_names()
PLAIN = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
MakePhone = Callable[..., Phone]


def is_clean(name: str) -> bool:
    """Say whether a stored name is composed, short, visible and free of what has no shape."""
    return (
        unicodedata.is_normalized("NFC", name)
        and name == " ".join(name.split())
        and 1 <= sum(not unicodedata.combining(letter) for letter in name) <= MOST
        and all(letter == " " or unicodedata.category(letter)[0] not in "CZ" for letter in name)
        and not re.search(r"[\u115f\u1160\u3164\uffa0\u2800\u034f]", name)
        and unicodedata.category(name[0])[0] != "M"
        and re.search("".join(r"[\u0300-\u036f\u0489\u20dd]" for _ in range(4)), name) is None
    )


def shape(page: Page) -> list[tuple[str, tuple[str, ...]]]:
    """Take the elements of a page with the names of their attributes: what a name must not be able to change."""
    return [(element.tag, tuple(sorted(element.attrs))) for element in page.elements]


def stored(house: House) -> list[str]:
    return [name for (name,) in house.rows("SELECT name FROM seatings ORDER BY table_id, seat")]


@pytest.fixture
def quick(house: House) -> House:
    """Give a house whose database need not survive a power cut: hundreds of tables are opened there, by one phone."""

    def hurry(connection: sqlite3.Connection, record: object) -> None:
        connection.execute("PRAGMA synchronous=OFF")

    with house.app.app_context():
        event.listen(db.engine, "connect", hurry)
    house.app.config["COMPANION"] = replace(house.settings, homes=0)
    return house


@pytest.mark.promise(17)
def test_there_are_more_than_five_hundred_hostile_names(figure: Callable[[str], None]) -> None:
    assert len(NAMES) > 500
    assert len(set(NAMES)) == len(NAMES)
    figure(f"{len(NAMES)} hostile names")


@pytest.mark.promise(17)
def test_a_name_is_refused_or_cleaned() -> None:
    taken = [clean_name(name) for name in NAMES if _is_taken(name)]
    assert 200 < len(taken) < len(NAMES) - 50
    assert [ascii(name) for name in taken if not is_clean(name) or clean_name(name) != name] == []


@pytest.mark.promise(17)
def test_renaming_refuses_by_name_or_stores_clean(quick: House, phone: MakePhone) -> None:
    host = phone()
    host.opens(names=PLAIN[:3])
    called = "Bo"
    for name in NAMES[::3]:
        answer = host.posts("/t/{code}/rename", {"seat": "1", "name": name})
        called = clean_name(name) if _is_taken(name) else called
        assert _is_answered(answer, name), ascii(name)
        assert stored(quick)[1] == called, ascii(name)


@pytest.mark.promise(17)
def test_opening_refuses_by_name_or_stores_clean(quick: House, phone: MakePhone) -> None:
    opener = phone()
    for name in NAMES[1::3]:
        tables = len(stored(quick))
        answer = opener.posts("/open/rage", {"name": ["Ann", "Bo", name], "i_sit": ""})
        assert _is_answered(answer, name or "free"), ascii(name)
        if answer.status_code == 303:
            assert stored(quick)[-1] == (clean_name(name) if name.strip() else ""), ascii(name)
        else:
            assert len(stored(quick)) == tables


@pytest.mark.promise(17)
def test_sitting_down_refuses_by_name_or_stores_clean(quick: House, phone: MakePhone) -> None:
    host, seat = phone(), 8
    for number, name in enumerate(NAMES[2::3]):
        if seat == 8:
            host.opens(names=["Host", *[""] * 7])
            seat = 1
        guest = Phone(quick, f"10.0.{number // 250}.{number % 250}", host.code)
        answer = guest.sits(seat, name)
        assert _is_answered(answer, name), ascii(name)
        if answer.status_code == 303:
            assert stored(quick)[seat - 8] == clean_name(name), ascii(name)
            seat += 1


def _is_answered(answer: TestResponse, name: str) -> bool:
    """Say whether a name was taken, or refused on a page that says why."""
    if _is_taken(name) or not name.strip():
        return answer.status_code == 303 or not name.strip()
    return answer.status_code == 422 and "A name needs 1 to 24 characters that can be seen." in sound(answer).text


def looks(host: Phone) -> Iterator[tuple[str, TestResponse]]:
    """Open everything of a table that shows names, as its host."""
    for route in routes(host.house.app, "GET"):
        if (
            "<code>" in route.rule
            and not route.is_stream
            and "secret" not in route.rule
            and route.rule[1] == "t"
            and "file" not in route.rule
        ):
            sql = "SELECT max(number) FROM entries JOIN tables ON id = table_id WHERE code = ?"
            [(number,)] = host.house.rows(sql, host.code)
            yield route.rule, host.gets(route.path(host.code, seat=1, number=number))
    yield "/", host.gets("/")
    yield "/open", host.gets(f"/open/rage?again={host.code}")
    yield "refusal", host.posts("/t/{code}/1/move", {"move": "bid", "seat": "1", "tricks": "99"})
    yield "door", Phone(host.house, "10.9.9.9", host.code).gets("/t/{code}")
    yield "stream", host.gets("/t/{code}/1", headers={"Accept": "text/vnd.companion.part+html"})


def evening(host: Phone, names: list[str]) -> dict[str, TestResponse]:
    host.opens(names=names, i_sit="", bidding="open")
    for seat in range(2):
        assert host.taps("bid", seat=seat, tricks=0).status_code == 303
    return dict(looks(host))


@pytest.mark.promise(17)
def test_no_name_changes_the_shape_of_any_page_and_every_name_is_shown_as_it_is(quick: House, phone: MakePhone) -> None:
    host = phone()
    plain = {what: Page(answer.text) for what, answer in evening(phone(), list(PLAIN)).items()}
    clean = [name for name in NAMES if len(name) <= 480 and _is_taken(name)]
    assert len(clean) > 200
    for start in range(0, len(clean) - 8, 40):
        host.forgets()
        for what, answer in evening(host, clean[start : start + 8]).items():
            page = Page(answer.text)
            # Names that are the same once they are clean are offered once.
            compared = (lambda page: set(shape(page))) if what == "/open" else shape
            assert compared(page) == compared(plain[what]), (what, [ascii(name) for name in clean[start : start + 8]])
            assert list(page.unsafe()) == []
            _shows(page, what, stored(quick)[-8:])
            assert all(name.isascii() or name == "Location" for name, _value in answer.headers)
            assert not re.search(r"[\r\n]", str(list(answer.headers.values()))), what


def _is_taken(name: str) -> bool:
    try:
        clean_name(name)
    except BadName:
        return False
    return True


def _shows(page: Page, what: str, names: list[str]) -> None:
    """Find every name on a page that lists all of them, as text or as what a field holds."""
    nameless = {
        "/t/<code>/history/<int:number>",
        "/t/<code>/evening",
        "/t/<code>/result",
        "/t/<code>/result.png",  # a picture, and before the end the way to the page
        "/t/<code>/rules",
        "/t/<code>/ask",  # the referee calls players by letters
        "/print",
        "/t/<code>/sheet",
        "/t/<code>/sheet.pdf",
        "/t/<code>/sheet.png",
        "/t/<code>/<int:seat>/line",  # a WebSocket, which is not asked for here
        "/t/<code>/screen/line",
        "/t/<code>/<int:seat>/silence",  # of a host who is heard there is nothing to tell
        "/t/<code>/screen/moved",  # nor of an address that is as it was
        "/t/<code>/wifi",
    }
    if what in nameless:
        return
    if what == "/t/<code>/history":
        names = names[:2]  # those who have bid
    text = page.text + " ".join(str(element.attrs.get("value")) for element in page.all("input"))
    for name in names:
        assert name in text or " ".join(name.split()) in text, (what, ascii(name))


@pytest.mark.promise(17)
@pytest.mark.parametrize("at", [0, 40])
def test_a_printed_sheet_bears_any_name(quick: House, phone: MakePhone, printer: Printer, at: int) -> None:
    quick.app.extensions["companion.printer"] = printer
    host = phone()
    names = [name for name in NAMES if _is_taken(name)][at : at + 8]
    host.opens(names=names, i_sit="")
    answer = host.gets("/t/{code}/sheet.pdf")
    assert answer.data.startswith(b"%PDF-")
    assert answer.headers["Content-Disposition"] == f'inline; filename="{host.code}-score_sheet.pdf"'


@pytest.mark.promise(17)
def test_a_stream_s_frames_are_not_broken_by_a_name(phone: MakePhone) -> None:
    host = phone()
    host.opens(names=["data: x", "id: 9", "event: gone", "a\nb"], i_sit="")
    host.taps("bid", seat=0, tricks=1)
    stream = host.listens("/t/{code}/0/stream")
    heard: dict[str, Any] = stream.next()
    assert set(heard) == {"id", "event", "data", "frame"}
    assert heard["event"] == "part"
    assert all(line.startswith(("id: ", "event: part", "data: ")) for line in heard["frame"].split("\n"))
    assert "event: gone" in heard["data"]
