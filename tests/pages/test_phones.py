"""Phones that go away and come back, tap twice, lose their seat, or have no script."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from companion.words import LANGUAGES
from tests.phones import Phone, Server

NAMES = ["Anna", "Bohdan", "Katka"]
NAME_READ = """() => Object.fromEntries(["on", "off", "away", "stale"].map((state) => {
    document.body.dataset.live = state;
    document.getElementById("since").textContent = state === "on" ? "" : "120 s";
    const name = document.querySelector(".brand > span"), head = document.querySelector(".top");
    const line = document.getElementById("live").getBoundingClientRect();
    const free = Math.min(line.top, head.clientHeight - line.bottom);
    return [state, [name.scrollWidth <= name.clientWidth, head.offsetHeight, free >= 2]];
}))"""
"""Whether the name of the game is not cut by what is said of the line; the height of the head; whether the line has room in it."""


@pytest.mark.promise(8)
def test_a_phone_comes_back_by_itself_after_the_server_was_restarted(
    server: Server, phone: Callable[..., Phone]
) -> None:
    anna, bohdan = phone(), phone()
    code = anna.opens_table(NAMES)
    bohdan.sits(code, "Bohdan")
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    with server.stopped() as said:
        anna.chooses(4)
        expect(anna.page.locator("#outbox")).to_be_visible()
        expect(bohdan.page.locator("body")).to_have_attribute("data-live", said)
    expect(bohdan.page.locator("#undo")).to_contain_text("Anna bids 4.")
    expect(anna.page.locator("#outbox")).to_be_hidden()
    bohdan.is_live()
    bids = [move for move in server.record(code)["moves"] if move["move"] == "bid"]
    assert [(bid["seat"], bid["tricks"]) for bid in bids] == [(0, 4)]


@pytest.mark.promise(4)
def test_tapping_twice_counts_once(server: Server, phone: Callable[..., Phone]) -> None:
    anna = phone()
    code = anna.opens_table(NAMES, i_sit="")
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    key = anna.page.locator(".hand .dock").get_by_role("button", name="5")
    key.evaluate("button => { button.click(); button.click(); }")
    expect(anna.page.get_by_role("heading", name="How many tricks will Bohdan take?")).to_be_visible()
    assert len(server.record(code)["moves"]) == 1


def test_a_half_made_choice_survives_what_others_do(phone: Callable[..., Phone]) -> None:
    anna, bohdan = phone(), phone()
    code = anna.opens_table(NAMES)
    bohdan.sits(code, "Bohdan")
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    for player, bid, question in ((anna, 3, "you take"), (bohdan, 3, "you take"), (anna, 4, "Katka take")):
        expect(player.page.get_by_role("heading", name=f"How many tricks will {question}?")).to_be_visible()
        player.chooses(bid)
    expect(bohdan.page.get_by_role("heading", name="How many tricks did you take?")).to_be_visible()
    for _ in range(2):
        bohdan.tap(re.compile(r"^\+5"), within=".hand .dock")
    anna.chooses(3)
    expect(bohdan.page.locator("#undo")).to_contain_text("Anna counts 3.")
    expect(bohdan.page.locator(".hand input[name=plus]")).to_have_value("2")


@pytest.mark.promise(6)
def test_a_sealed_bid_is_seen_only_while_its_own_phone_holds_it(phone: Callable[..., Phone]) -> None:
    anna, bohdan = phone(), phone()
    code = anna.opens_table(NAMES, bidding="secret")
    bohdan.sits(code, "Bohdan")
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    bohdan.tap("7", within="#sealed-1")
    peek = bohdan.page.locator("[data-peek]").first
    expect(peek).to_contain_text("?")
    peek.dispatch_event("pointerdown")
    expect(peek.locator("[data-peek-value]")).to_have_text("7")
    peek.dispatch_event("pointerup")
    expect(peek.locator("[data-peek-value]")).to_have_text("?")
    expect(anna.page.locator("tr").nth(2)).to_contain_text("written down")
    assert "7" not in anna.page.locator("tr").nth(2).inner_text()


def peeked(phone: Phone) -> str:
    """Hold to see the bid."""
    peek = phone.page.locator("[data-peek]").first
    peek.dispatch_event("pointerdown")
    value = peek.locator("[data-peek-value]").inner_text()
    peek.dispatch_event("pointerup")
    return value


def sealed(phone: Phone) -> str:
    """Open a table, and seal a bid of three there; give its code."""
    code = phone.opens_table(NAMES, bidding="secret")
    phone.opens(f"/t/{code}/0")
    phone.is_live()
    phone.tap("3", within="#sealed-0")
    expect(phone.page.locator("[data-peek]").first).to_be_visible()
    return code


@pytest.mark.promise(6)
def test_a_sealed_bid_that_was_amended_is_seen_as_it_is_now(phone: Callable[..., Phone]) -> None:
    anna = phone()
    code = sealed(anna)
    assert peeked(anna) == "3"
    anna.opens(f"/t/{code}/history")
    anna.changes(anna.page.get_by_role("link", name=re.compile("Change")).first)
    anna.tap("7", within="#sealed-0")
    anna.page.wait_for_url("**/history")
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    assert peeked(anna) == "7"


@pytest.mark.promise(6)
def test_a_sealed_bid_whose_amendment_was_refused_is_seen_as_it_stays(phone: Callable[..., Phone]) -> None:
    anna = phone()
    code = sealed(anna)
    anna.opens(f"/t/{code}/history")
    anna.changes(anna.page.get_by_role("link", name=re.compile("Change")).first)
    anna.asks("PUT", f"/tables/{code}/halt", {"halt": "paused"})
    anna.tap("7", within="#sealed-0")
    expect(anna.page.locator("#refusal")).to_contain_text("The game is paused")
    anna.asks("PUT", f"/tables/{code}/halt", {"halt": ""})
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    assert peeked(anna) == "3"


@pytest.mark.promise(6)
def test_a_sealed_bid_is_the_one_that_was_entered_and_none_that_came_too_late(phone: Callable[..., Phone]) -> None:
    anna, bohdan = phone(), phone()
    code = anna.opens_table(NAMES, bidding="secret")
    bohdan.sits(code, "Bohdan")
    bohdan.tap("3", within="#sealed-1")
    expect(bohdan.page.locator("[data-peek]").first).to_be_visible()
    bohdan.page.locator("#fold-bid-1 > summary").tap()
    bohdan.page.context.set_offline(True)
    bohdan.tap("7", within="#fold-bid-1")
    for seat in (0, 2):
        anna.asks("POST", f"/tables/{code}/moves", {"move": "bid", "seat": seat, "tricks": 2})
    bohdan.page.context.set_offline(False)
    expect(bohdan.page.locator("#refusal")).to_be_visible()
    assert peeked(bohdan) == "3"


@pytest.mark.promise(9)
def test_both_phones_are_told_when_the_host_takes_a_seat_away(phone: Callable[..., Phone]) -> None:
    anna, bohdan = phone(), phone()
    code = anna.opens_table(NAMES)
    bohdan.sits(code, "Bohdan")
    anna.opens(f"/t/{code}/seats")
    anna.page.locator("#fold-seat-1 > summary").tap()
    anna.tap("Take this seat away from its phone")
    expect(anna.page.get_by_text("The seat of Bohdan is free now.")).to_be_visible()
    expect(bohdan.page.locator("#lost")).to_contain_text("Bohdan")
    expect(bohdan.page.get_by_role("heading", name="Which seat is yours?")).to_be_visible()
    bohdan.tap(re.compile("Bohdan"), exact=False)
    expect(bohdan.page.get_by_role("heading", name="Which seat is yours?")).to_be_hidden()
    assert bohdan.page.url.endswith(f"/t/{code}/1")


@pytest.mark.promise(10)
def test_seven_tabs_of_one_phone_load_and_stay_right(phone: Callable[..., Phone]) -> None:
    anna = phone()
    code = anna.opens_table(NAMES, i_sit="")
    tabs = [anna.page.context.new_page() for _ in range(7)]
    for tab in tabs:
        tab.goto(f"{anna.server.address}/t/{code}/0", wait_until="domcontentloaded")
        expect(tab.get_by_role("heading", name="Anna bids")).to_be_visible()
    anna.opens(f"/t/{code}/0")
    anna.chooses(3)
    for tab in tabs:
        expect(tab.locator("#undo")).to_contain_text("Anna bids 3.")


def test_a_round_is_played_without_script(server: Server, phone: Callable[..., Phone]) -> None:
    anna = phone(java_script_enabled=False)
    code = anna.opens_table(NAMES, i_sit="")
    anna.opens(f"/t/{code}/0")
    for name, bid in zip(NAMES, (3, 3, 4), strict=True):
        expect(anna.page.get_by_role("heading", name=f"How many tricks will {name} take?")).to_be_visible()
        anna.chooses(bid)
    expect(anna.page.get_by_role("list", name="How many tricks did each player take?")).to_be_visible()
    for seat, took in enumerate((3, 2, 5)):
        anna.page.locator(f"input[name=tricks-{seat}]").fill(str(took))
    anna.tap("Write down round 1")
    expect(anna.page.get_by_text("Round 2 of 10")).to_be_visible()
    assert anna.points() == [13, -3, 0]
    assert len(server.record(code)["moves"]) == 4


def test_a_phone_that_loses_its_seat_is_told_and_so_is_the_host(phone: Callable[..., Phone]) -> None:
    anna, bohdan = phone(), phone()
    code = anna.opens_table(["Anna", "Bohdan", "Katka"])
    bohdan.sits(code, "Bohdan")
    anna.opens(f"/t/{code}/seats")
    anna.page.locator("#fold-seat-1 > summary").tap()
    anna.page.locator("#fold-seat-1 form[action$='/free'] button").tap()
    expect(anna.page.locator(".notice")).to_contain_text("The seat of Bohdan is free now.")
    expect(bohdan.page.locator("#lost")).to_contain_text("The host has taken the seat of Bohdan away from its phone.")
    bohdan.tap(re.compile("Bohdan"))
    bohdan.is_live()


@pytest.mark.parametrize("width", [360, 320])
def test_the_name_of_the_game_can_be_read_while_the_line_is_broken(phone: Callable[..., Phone], width: int) -> None:
    """In each language, whatever is said of the line, on a narrow phone, and on the narrowest; and no key moves for it."""
    anna = phone(viewport={"width": width, "height": 640})
    code = anna.opens_table(NAMES, game="ikebana")
    for language in LANGUAGES:
        anna.page.context.add_cookies([{"name": "language", "value": language, "url": anna.page.url}])
        anna.opens(f"/t/{code}/0")
        anna.is_live()
        read = anna.page.evaluate(NAME_READ)
        assert list(read.values()) == [[True, read["on"][1], True]] * 4, language
