"""The table is a small play: who sits down is seen at once, and seats and screen go along to the next game."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.pages.places import Setting, record_of
from tests.phones import Phone

NAMES = ["Anna", "Bohdan", "Katarzyna"]


def play_out(host: Phone, code: str, others: dict[int, Phone]) -> None:
    """Play a whole evening by the API, each move as the phone of its seat."""
    options = host.asks("GET", f"/tables/{code}")["options"]
    for move in record_of(Setting("rage", len(NAMES), (1,), tuple(options.items())), 1)["moves"]:
        others.get(move.get("seat"), host).asks("POST", f"/tables/{code}/moves", move)


def again(host: Phone, code: str) -> str:
    """Play again with the same people; give the code of the new table."""
    host.opens(f"/t/{code}/0")
    host.page.get_by_role("link", name="Play again").tap()
    host.page.locator(".foot-bar button.main").tap()
    host.page.wait_for_url("**/seats")
    return host.page.url.split("/")[4]


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


def test_seats_and_screen_go_along_to_the_third_game_in_a_row(phone: Callable[..., Phone]) -> None:
    anna, bohdan, screen = phone(), phone(), phone("Desktop Chrome")
    code = anna.opens_table(NAMES)
    bohdan.sits(code, "Bohdan")
    screen.opens(f"/t/{code}/screen")
    for _game in range(2):
        play_out(anna, code, {1: bohdan})
        code = again(anna, code)
        bohdan.page.get_by_role("link", name=re.compile(f"table {code}")).tap()
        bohdan.page.wait_for_url(f"**/t/{code}/1")
        screen.page.wait_for_url(f"**/t/{code}/screen")
    expect(screen.page.locator(".lobby")).to_contain_text("Katarzyna")
