"""What a round costs in taps: the measure of the pages."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.phones import Phone

NAMES = ["Anna", "Bohdan", "Katka", "Dalibor"]


def test_a_player_bids_with_one_tap_and_counts_with_one(phone: Callable[..., Phone]) -> None:
    players = anna, *others = [phone() for _ in NAMES]
    code = anna.opens_table(NAMES)
    for player, name in zip(others, NAMES[1:], strict=True):
        player.taps = 0
        player.sits(code, name)
        assert player.taps <= 2  # with the scan, three: from the QR code to the seat
    anna.opens(f"/t/{code}/0")
    for player, bid in zip(players, (3, 3, 2, 2), strict=True):
        player.taps = 0
        player.chooses(bid)
        expect(player.page.locator("tr.mine td").first).to_have_text(str(bid))
        assert player.taps == 1
    for player, took in zip(players, (3, 1, 2, 4), strict=True):
        player.taps = 0
        player.chooses(took)
        assert player.taps == 1
    for player in players:
        expect(player.page.get_by_text("Round 2 of 10")).to_be_visible()
        assert player.points() == [13, -4, 12, -1]


def test_one_scorekeeper_writes_down_a_round_of_four_with_ten_taps(phone: Callable[..., Phone]) -> None:
    keeper = phone()
    code = keeper.opens_table(NAMES, i_sit="")
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    keeper.taps = 0
    for name, bid in zip(NAMES, (3, 3, 2, 2), strict=True):
        expect(keeper.page.get_by_role("heading", name=f"How many tricks will {name} take?")).to_be_visible()
        keeper.chooses(bid)
    expect(keeper.page.get_by_role("list", name="How many tricks did each player take?")).to_be_visible()
    keeper.tallies((3, 1, 2, 4))  # a bid that was made stands there already
    keeper.tap("Write down round 1")
    expect(keeper.page.get_by_text("Round 2 of 10")).to_be_visible()
    assert keeper.points() == [13, -4, 12, -1]
    assert keeper.taps <= 10


def test_a_mistake_is_taken_back_with_one_tap_and_an_earlier_move_amended_with_four(
    phone: Callable[..., Phone],
) -> None:
    keeper = phone()
    code = keeper.opens_table(NAMES, i_sit="")
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    keeper.chooses(3)
    expect(keeper.page.locator("#undo")).to_contain_text("Anna bids 3.")
    keeper.taps = 0
    keeper.tap("Take back")
    expect(keeper.page.get_by_role("heading", name="How many tricks will Anna take?")).to_be_visible()
    assert keeper.taps == 1
    keeper.tap("Put back")
    expect(keeper.page.locator("#undo")).not_to_contain_text("Taken back")
    keeper.page.get_by_role("link", name="History").tap()
    keeper.changes(keeper.page.get_by_role("link", name=re.compile("Change")).first)
    keeper.chooses(4)
    expect(keeper.page.get_by_text("Anna bids 4.", exact=True)).to_be_visible()


FORGETFUL = {
    "full": "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };",
    "barred": "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('', 'SecurityError'); } });",
    "missing": "Object.defineProperty(window, 'localStorage', { value: null });",
}
"""Phones whose browser keeps nothing for a page: without room, with its storage barred, or in an app that shows it."""


@pytest.mark.parametrize("kept", FORGETFUL.values(), ids=FORGETFUL)
def test_a_phone_that_keeps_nothing_plays_like_any_other(phone: Callable[..., Phone], kept: str) -> None:
    anna, bohdan = phone(), phone()
    bohdan.page.add_init_script(kept)
    code = anna.opens_table(NAMES[:3], bidding="hidden")
    bohdan.sits(code, "Bohdan")
    bohdan.chooses(1)
    expect(bohdan.page.locator("[data-peek]").first).to_be_visible()
    bohdan.page.locator("[data-peek]").first.dispatch_event("pointerdown")
    expect(bohdan.page.locator("[data-peek-value]").first).to_have_text("1")
