"""The table is a small play: who sits down is seen at once, and seats and screen go along to the next game."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

from companion import record
from companion.games import GAMES
from companion.play import Asked, Play
from companion.testing.kit import Table
from tests.phones import Phone

NAMES = ["Anna", "Bohdan", "Katarzyna"]
FOUR = [*NAMES, "Dalibor"]


def play_out(code: str, seats: Sequence[Phone]) -> None:
    """Play a whole evening by the API, each move as the phone of its seat: all bid, and the host counts."""
    host, game = seats[0], GAMES["rage"]
    play = Table(game, host.asks("GET", f"/tables/{code}")["options"], len(seats)).begin()
    while not play.position.is_finished:
        cards, seat = play.position.cards, play.position.to_move
        none = [0] * len(seats)
        move = (
            {"move": "tally", "tricks": [cards, *none[1:]], "plus": none, "minus": none}
            if play.position.are_bids_in
            else {"move": "bid", "seat": seat, "tricks": seat % (cards + 1)}
        )
        seats[move.get("seat", 0)].asks("POST", f"/tables/{code}/moves", move)
        ruled = play.judge(Asked(len(play.moves()) + 1, record.read_move(game, len(seats), move)))
        assert isinstance(ruled, Play)
        play = ruled


def goes(one: Phone, where: str) -> None:
    """Tap a way on, once it is there and awake."""
    link = one.page.get_by_role("link", name=where)
    link.wait_for()
    one.is_awake()
    link.tap()


@pytest.fixture
def sitting(phone: Callable[..., Phone]) -> tuple[Phone, Phone, Phone, str]:
    """Give two phones at a table of three, the page with its seats, and its code."""
    anna, bohdan, lobby = phone(), phone(), phone()
    code = anna.opens_table(NAMES)
    lobby.opens(f"/t/{code}/seats")
    return anna, bohdan, lobby, code


def test_who_sits_down_is_seen_on_every_page_of_seats_without_a_reload(
    sitting: tuple[Phone, Phone, Phone, str],
) -> None:
    _anna, bohdan, lobby, code = sitting
    row = lobby.page.locator("ol.list li").nth(1)
    expect(row).to_contain_text("without a phone")
    door = lobby.page.context.new_page()
    door.goto(lobby.page.url.replace("/seats", ""))
    bohdan.sits(code, "Bohdan")
    expect(row).to_contain_text("on a phone")
    expect(door.locator("ol.list li").nth(1)).to_contain_text("taken")


def test_a_page_of_seats_is_not_half_in_another_language_that_was_chosen_meanwhile(
    sitting: tuple[Phone, Phone, Phone, str],
) -> None:
    _anna, bohdan, lobby, code = sitting
    lobby.page.context.add_cookies([{"name": "language", "value": "cs", "url": lobby.page.url}])
    bohdan.sits(code, "Bohdan")
    expect(lobby.page.get_by_role("heading", name="Místa a QR kód")).to_be_visible()
    expect(lobby.page.locator("header")).to_contain_text("Historie")
    expect(lobby.page.locator("html")).to_have_attribute("lang", "cs")


def test_who_has_lost_a_seat_is_told_without_a_reload_that_another_phone_has_it_now(
    sitting: tuple[Phone, Phone, Phone, str],
) -> None:
    """It was said to be free, with a key to sit down there, as long as the page stayed open."""
    anna, bohdan, another, code = sitting
    bohdan.sits(code, "Bohdan")
    anna.asks("DELETE", f"/tables/{code}/seats/1")
    expect(bohdan.page.locator("#lost")).to_contain_text("It is free")
    another.sits(code, "Bohdan")
    expect(bohdan.page.locator("#lost")).to_contain_text("another phone has it now")
    expect(bohdan.page.locator("ol.list li").nth(1)).to_contain_text("taken")


def test_the_host_is_handed_over_with_two_taps(sitting: tuple[Phone, Phone, Phone, str]) -> None:
    anna, bohdan, _lobby, code = sitting
    bohdan.sits(code, "Bohdan")
    anna.opens(f"/t/{code}/seats")
    anna.page.locator("#fold-seat-1 > summary").tap()
    anna.page.get_by_role("button", name="Make Bohdan the host").tap()
    anna.page.wait_for_url("**/seats")
    bohdan.opens(f"/t/{code}/seats")
    expect(bohdan.page.get_by_role("button", name="Lock the table")).to_be_visible()
    expect(anna.page.get_by_role("button", name="Lock the table")).to_have_count(0)


def test_four_phones_and_a_screen_go_from_the_lobby_to_the_third_game_by_taps_alone(
    phone: Callable[..., Phone],
) -> None:
    """Once everybody has read the code and the screen stands there, nobody types an address or loads a page again."""
    seats = anna, *others = [phone() for _name in FOUR]
    code = anna.opens_table(FOUR)
    screen = phone("Desktop Chrome")
    screen.opens(f"/t/{code}/screen")
    for number, (one, name) in enumerate(zip(others, FOUR[1:], strict=True), start=1):
        one.sits(code, name)
        expect(anna.page.locator("ol.list li").nth(number)).to_contain_text("on a phone")
        expect(screen.page.locator("#part")).to_contain_text(name)
    goes(anna, "To my seat")
    for _game in range(2):
        play_out(code, seats)
        goes(anna, "Play again")
        anna.page.locator(".foot-bar button.main").tap()
        anna.page.wait_for_url("**/seats")
        code = anna.page.url.split("/")[4]
        goes(anna, "To my seat")
        for seat, one in enumerate(others, start=1):
            goes(one, f"The next game: table {code}")
            one.page.wait_for_url(f"**/t/{code}/{seat}")
        screen.page.wait_for_url(f"**/t/{code}/screen")
    for one in seats:
        expect(one.page.get_by_text("Round 1 of 10").first).to_be_visible()
        expect(one.page.locator("table").first).to_contain_text("Katarzyna")
    expect(screen.page.locator("#part")).to_contain_text("Katarzyna")
