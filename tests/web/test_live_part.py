"""The part of a page that lives: the same in the page, in the stream and after a tap; and its template's context."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask, template_rendered
from markupsafe import Markup

from companion.desk.context import Everywhere
from companion.web import parts
from companion.web.live_part import LivePart, ScreenPart
from companion.web.parts import PART, Rendered
from companion.words import LANGUAGES
from tests.clocks import Clock
from tests.web.conftest import House, Phone

Lay = Callable[..., list[Phone]]
SEAT, SCREEN = ({*kind.__annotations__, "say"} for kind in (LivePart, ScreenPart))
"""What `templates/games/<game>/seat.html` may use, and `screen.html`."""
EVERYWHERE = set(Everywhere.__annotations__)
FLASK = {"g", "request", "session", "config", "get_flashed_messages", "url_for"}


@pytest.fixture
def rendered(house: House) -> Iterator[list[tuple[str, set[str]]]]:
    """Note every template of a page with the names in its context."""
    seen: list[tuple[str, set[str]]] = []

    def note(app: Flask, template: Any, context: dict[str, Any], **_more: Any) -> None:
        seen.append((template.name, set(context)))

    with template_rendered.connected_to(note, house.app):
        yield seen


def test_the_context_of_a_live_part_is_exactly_what_is_documented(
    table: Lay, rendered: list[tuple[str, set[str]]]
) -> None:
    ann, bo, *_others = table(phones=3, bidding="secret")
    rendered.clear()
    ann.reads("/t/{code}/0")
    ann.reads("/t/{code}/3")
    ann.reads("/t/{code}/screen")
    bo.taps("bid", tricks=11)
    parts = [(name, names - EVERYWHERE - FLASK) for name, names in rendered if name.startswith("games/")]
    seat, screen = "games/rage/seat.html", "games/rage/screen.html"
    assert parts == [(seat, SEAT), (seat, SEAT), (screen, SCREEN), (seat, SEAT)]


@pytest.mark.promise(3)
def test_page_stream_and_script_get_the_same_part(table: Lay) -> None:
    ann, bo, *_others = table(bidding="hidden")
    ann.taps("bid", tricks=2)
    page = bo.gets("/t/{code}/1").text
    script = bo.gets("/t/{code}/1", headers={"Accept": PART})
    event = bo.listens("/t/{code}/1/stream").next()
    assert script.mimetype == PART
    assert script.headers["X-Number"] == event["id"]
    assert script.text in page
    assert event["data"].split() == script.text.split()
    assert f'data-number="{event["id"]}"' in page


def test_a_tap_by_script_is_answered_with_the_new_part_and_rings_for_the_others(table: Lay) -> None:
    ann, bo, *_others = table()
    stream = bo.listens("/t/{code}/1/stream")
    number = int(stream.next()["id"])
    form = {"move": "bid", "seat": "0", "tricks": "4", "after": str(number), "key": "mine"}
    answer = ann.posts("/t/{code}/0/move", form, headers={"Accept": PART})
    assert (answer.status_code, answer.mimetype) == (200, PART)
    assert answer.headers["X-Number"] == str(number + 1)
    assert "Ann bids 4." in answer.text
    event = stream.next()
    assert event["id"] == str(number + 1)
    assert "Ann bids 4." in event["data"]
    again = ann.posts("/t/{code}/0/move", form, headers={"Accept": PART})
    assert (again.status_code, again.data) == (200, answer.data)
    # Once the table has moved on, the same tap shows it as it is.
    bo.posts("/t/{code}/1/move", {**form, "seat": "1", "after": str(number + 1)}, headers={"Accept": PART})
    late = ann.posts("/t/{code}/0/move", form, headers={"Accept": PART})
    assert (late.status_code, late.headers["X-Number"]) == (200, str(number + 2))
    assert late.data == ann.gets("/t/{code}/0", headers={"Accept": PART}).data


def test_a_refusal_by_script_is_a_part_with_the_reason(table: Lay) -> None:
    _ann, bo, *_others = table()
    answer = bo.posts("/t/{code}/1/move", {"move": "bid", "seat": "1", "tricks": "4"}, headers={"Accept": PART})
    assert (answer.status_code, answer.mimetype) == (422, PART)
    assert "It is not your turn" in answer.text
    assert "<html" not in answer.text


@pytest.mark.promise(8)
def test_a_phone_that_comes_back_gets_the_present_part_at_once_and_only_that(table: Lay) -> None:
    ann, bo, cy, _di = table()
    number = int(bo.listens("/t/{code}/1/stream").next()["id"])
    for player in (ann, bo, cy):
        player.taps("bid", tricks=1)
    event = bo.listens("/t/{code}/1/stream", **{"Last-Event-ID": str(number)}).next()
    assert event["id"] == str(number + 3)
    assert "Cy bids 1." in event["data"]


@pytest.mark.promise(15)
def test_a_seat_s_part_is_never_given_to_another_seat(table: Lay) -> None:
    ann, bo, cy, _di = table(bidding="hidden")
    bo.taps("bid", tricks=1)
    for reader, path in ((cy, "/t/{code}/1"), (ann, "/t/{code}/1"), (bo, "/t/{code}/0")):
        answer = reader.gets(path, headers={"Accept": PART})
        assert answer.status_code == 403
        assert 'id="undo"' not in answer.text


def test_a_new_name_is_on_every_part_at_once(table: Lay) -> None:
    ann, bo, *_others = table()
    stream = bo.listens("/t/{code}/1/stream")
    assert "Annabel" not in stream.next()["data"]
    ann.posts("/t/{code}/rename", {"seat": "0", "name": "Annabel"})
    assert "Annabel" in stream.next()["data"]
    assert "Annabel" in bo.reads("/t/{code}/1").text


@pytest.mark.parametrize(("form", "name"), [({"to": "Bob"}, "Bob"), ({"forget": "1"}, "Seat B")])
def test_a_name_that_is_changed_in_the_book_is_on_every_open_part_at_once(
    table: Lay, form: dict[str, str], name: str
) -> None:
    """It was seen with the next move; on the pages of a game that was over, not at all."""
    ann, bo, *_others = table()
    stream = bo.listens("/t/{code}/1/stream")
    assert ">Bo<" in stream.next()["data"]
    assert ann.posts("/book/people", {"name": "Bo", **form}).status_code == 303
    told = stream.next()["data"]
    assert f">{name}<" in told
    assert ">Bo<" not in told
    assert f"The seat is now called {name}." in ann.reads("/t/{code}/history").text


def test_a_table_that_is_long_quiet_is_told_of_no_other_name(table: Lay, house: House) -> None:
    ann, *_others = table()
    house.writes("UPDATE entries SET at = '2020-01-01T20:00:00.000Z'")
    house.writes("UPDATE tables SET opened = '2020-01-01T20:00:00.000Z'")
    before = house.rows("SELECT number, data FROM entries")
    assert ann.posts("/book/people", {"name": "Bo", "to": "Bob"}).status_code == 303
    assert house.rows("SELECT number, data FROM entries") == before


def test_a_name_that_was_changed_in_the_book_is_on_every_part_that_is_opened_after_it(table: Lay) -> None:
    ann, bo, *_others = table()
    pages = [(ann, "/t/{code}/0"), (bo, "/t/{code}/1"), (bo, "/t/{code}/screen")]
    assert all("Bo" in player.reads(path).text for player, path in pages)
    assert ann.posts("/book/people", {"name": "Bo", "forget": "1"}).status_code == 303
    for player, path in pages:
        names = [each.text for each in player.reads(path).all("bdi")]
        assert "Bo" not in names, path
        assert "Seat B" in names, path


def test_every_language_gets_its_own_part(table: Lay) -> None:
    ann, *_others = table()
    for language in LANGUAGES:
        assert ann.reads(f"/t/{{code}}/0?lang={language}").one("html").attrs["lang"] == language


def test_too_many_streams_are_refused_with_503_and_the_page_asks_by_itself(build: Callable[..., House]) -> None:
    house = build(streams=0)
    ann = Phone(house, "10.0.0.2")
    ann.opens()
    answer = ann.gets("/t/{code}/0/stream")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert ann.gets("/t/{code}/0", headers={"Accept": PART}).status_code == 200


@pytest.mark.parametrize("path", ["/t/{code}/1", "/t/{code}/screen"])
def test_a_page_that_was_loaded_before_an_update_is_told_by_its_stream_to_load_itself_anew(
    table: Lay, path: str
) -> None:
    _ann, bo, *_others = table()
    told = bo.listens(f"{path}/stream?after=1&scripts=0123456789ab")
    assert [told.next()["event"] for _frame in range(2)] == ["gone", "closed"]
    address = str(bo.reads(path).one("body").attrs["data-stream"])
    assert f"scripts={(bo.house.app.static_url_path or '').rpartition('/')[2]}" in address
    assert bo.listens(address.replace("after=", "before=")).next()["event"] == "part"


def test_a_page_is_told_by_its_stream_to_load_itself_anew_when_its_phone_speaks_another_language(table: Lay) -> None:
    _ann, bo, *_others = table()
    address = str(bo.reads("/t/{code}/1").one("body").attrs["data-stream"]).replace("after=", "before=")
    assert bo.posts("/settings", {"language": "cs"}).status_code == 303
    assert bo.listens(address).next()["event"] == "gone"
    own = str(bo.reads("/t/{code}/1").one("body").attrs["data-stream"]).replace("after=", "before=")
    assert bo.listens(own).next()["event"] == "part"


def test_a_stream_is_not_kept_by_anyone_on_the_way(table: Lay) -> None:
    ann, *_others = table()
    stream = ann.listens("/t/{code}/0/stream")
    answer = stream.answer.get(timeout=20)
    assert answer.mimetype == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["X-Accel-Buffering"] == "no"


def test_parts_that_nobody_asks_for_any_more_are_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(parts.time, "monotonic", clock)
    rendered = Rendered(most=3, kept_s=60)
    for number in range(5):
        rendered.keep((number,), Markup(number))
    assert [rendered.get((number,)) for number in range(5)] == [None, None, "2", "3", "4"]
    clock.now += 50
    rendered.keep((3,), Markup("three"))
    clock.now += 20
    rendered.keep((5,), Markup("5"))
    assert [rendered.get((number,)) for number in range(6)] == [None, None, None, "three", None, "5"]
