"""The demonstration: everybody sees the screen and one player's phone, game after game; nothing else is changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.log import EVERYBODY
from companion.phantoms.demonstration import END_S, Demonstration
from companion.tables import onward, seating
from tests.web.conftest import House, Phone
from tests.web.page import Page
from tests.web.test_headers import POLICY, policy


@pytest.fixture
def shown(build: Callable[..., House]) -> House:
    house = build(demo=("rage", "hanabi"), pace_s=0.0)
    demonstration(house).begin()
    return house


def demonstration(house: House) -> Demonstration:
    known: Demonstration = house.app.extensions["companion.demonstration"]
    return known


def visitor(house: House) -> Phone:
    return Phone(house, "192.168.1.2", demonstration(house).code)


def test_who_opens_the_address_sees_the_screen_and_a_phone_beside_it(shown: House) -> None:
    one = visitor(shown)
    assert one.gets("/").location == "/demo"
    answer = one.gets("/demo")
    page = Page(answer.text)
    assert page.problems == []
    frames = [frame.attrs["src"] for frame in page.all("iframe")]
    assert frames == [f"/t/{one.code}/screen", f"/t/{one.code}/0"]
    framed = {**POLICY, "frame-ancestors": "'self'", "frame-src": "'self'"}
    assert policy(answer) == framed
    for frame in frames:
        answer = one.gets(str(frame))
        assert answer.status_code == 200
        assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert one.gets("/demo/table").text == one.code
    assert one.gets("/t/{code}/1").status_code == 403
    assert one.gets("/", headers={"Referer": "http://localhost/demo"}).status_code == 200


def test_four_play_by_themselves_and_whoever_looks_may_tap(shown: House) -> None:
    one, phantoms = visitor(shown), shown.app.extensions["companion.phantoms"]
    for _ in range(8):
        phantoms.step(one.code)
    assert shown.rows("SELECT DISTINCT seat, by FROM entries WHERE kind = 'move' ORDER BY seat") == [
        (seat, None) for seat in range(4)
    ]
    assert one.posts("/t/{code}/0/move", {"move": "count", "seat": "0", "tricks": "2"}).status_code in (303, 422)
    assert one.posts("/t/{code}/1/move", {"move": "count", "seat": "1", "tricks": "2"}).status_code == 403


def test_after_a_game_the_next_one_begins_and_what_was_shown_is_forgotten(shown: House) -> None:
    show, codes = demonstration(shown), []
    for _ in range(3):
        codes.append(show.code)
        with shown.app.app_context():
            table = seating.find_table(show.code)
            assert show.at_the_end(table) == END_S
            assert show.at_the_end(table) is None
    games = dict(shown.rows("SELECT code, game FROM tables"))
    assert set(games) == {codes[-1], show.code}
    assert games[show.code] == "hanabi"
    with shown.app.app_context():
        assert onward.next_code(seating.find_table(codes[-1])) == show.code
        assert seating.find_table(show.code).seatings[0].phone == EVERYBODY


def test_there_is_none_where_nobody_asked_for_it(house: House) -> None:
    one = Phone(house, "192.168.1.2")
    assert one.gets("/demo").status_code == 404
    assert one.gets("/").status_code == 200
    assert one.gets("/").headers["X-Frame-Options"] == "DENY"
