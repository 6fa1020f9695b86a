"""Eight play Rage: what each has bid and taken is seen by all of them at once, and a wrong sum is put right in its place."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from companion.testing.laws import broken, cut, overlapping, shortened
from companion.words import LANGUAGES
from tests.phones import Phone

NAMES = ("Anna", "Bohdan", "Katarzyna", "Dalibor", "Evženie", "Filip", "Wolfensteinová", "Hugo")
SMALL = {"width": 360, "height": 640}
DALIBOR = 3
UNSEEN = """(rows) => {
  const hand = document.querySelector(".hand").getBoundingClientRect();
  const top = document.querySelector(".table-top").getBoundingClientRect().top;
  const isSeen = ({ top: from, bottom }) => from >= top && bottom <= hand.top + 1;
  return rows.filter((row) => !isSeen(row.getBoundingClientRect())).map((row) => row.innerText);
}"""
"""What of some rows is not wholly seen between the head of the page and its keys."""
TOPS = "(rows) => rows.map((row) => row.getBoundingClientRect().top)"


class Eight:
    """A table of eight, Dalibor at a phone of his own, all others at the host's."""

    def __init__(self, phone: Callable[..., Phone], locale: str = "en", **options: str) -> None:
        """Lay the table, and open both pages."""
        self.host, self.dalibor = phone(viewport=SMALL), phone(viewport=SMALL, locale=locale)
        asked = {"game": "rage", "players": list(NAMES), "options": options}
        self.code = self.host.asks("POST", "/tables", asked)["table"]["code"]
        self.dalibor.asks("PUT", f"/tables/{self.code}/seats/{DALIBOR}", {"name": NAMES[DALIBOR]})
        self.dalibor.opens(f"/t/{self.code}/{DALIBOR}")
        self.dalibor.is_live()

    def moves(self, move: str, seat: int, tricks: int, **fives: int) -> None:
        """Enter what one does, and wait until Dalibor sees it."""
        by = self.dalibor if seat == DALIBOR else self.host
        number = by.asks("POST", f"/tables/{self.code}/moves", {"move": move, "seat": seat, "tricks": tricks, **fives})
        expect(self.dalibor.page.locator("#part")).to_have_attribute("data-number", str(number["number"]))

    def plays_a_round(self) -> None:
        """Bid and count, so that three miss and some have +5 and −5."""
        for seat, tricks in enumerate((1, 2, 0, 3, 1, 2, 0, 1)):
            self.moves("bid", seat, tricks)
        for seat, tricks in enumerate((1, 2, 1, 3, 0, 2, 1, 0)):
            self.moves("count", seat, tricks, plus=int(seat == 1), minus=int(seat in (1, 3)))

    def rows(self, of: str) -> Locator:
        """Find rows on Dalibor's page."""
        return self.dalibor.page.locator(of)

    def is_well_laid(self) -> None:
        """See that no text lies on another, is cut off or broken, and no name too short."""
        page = self.dalibor.page
        assert [*broken(page), *cut(page), *overlapping(page), *shortened(page, NAMES)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_eight_are_seen_above_the_keys(phone: Callable[..., Phone], language: str) -> None:
    """Two and a half of them were, while it was played."""
    eight = Eight(phone, language)
    players = eight.rows("table.players tbody tr")
    for seat, tricks in enumerate((1, 2, 0, 3, 1, 2, 0, 1)):
        eight.moves("bid", seat, tricks)
        if eight.rows(".hand .dock").count():
            assert players.evaluate_all(UNSEEN) == [], f"after bid {seat + 1}"
            eight.is_well_laid()
    for seat in (0, 1, 2, 4, 5, 6, 7):
        eight.moves("count", seat, 1, plus=2 * int(seat == 6), minus=2 * int(seat == 4))
    assert players.evaluate_all(UNSEEN) == []
    expect(players.nth(4).locator(".fives-told")).to_have_text("−5 −5")
    expect(players.nth(4).locator("td")).to_have_text(["1", "1", "0"])
    eight.is_well_laid()


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_eight_are_seen_in_a_round_that_is_written_down_while_the_next_is_bid(
    phone: Callable[..., Phone], language: str
) -> None:
    eight = Eight(phone, language)
    eight.plays_a_round()
    results = eight.rows(".results li")
    eight.is_well_laid()
    for seat in (1, 2):
        eight.moves("bid", seat, 4)
    expect(eight.rows(".hand .dock")).to_be_visible()
    assert results.evaluate_all(UNSEEN) == []
    assert results.locator(".results-bid:visible").count() == 2
    expect(results.filter(has_text="Bohdan").locator(".in-short")).to_have_text("2/2 ✓ +12")
    expect(results.filter(has_text="Dalibor").locator(".in-short")).to_have_text("3/3 ✓ +8")
    eight.is_well_laid()


def test_sealed_bids_of_the_next_round_make_no_row_higher(phone: Callable[..., Phone]) -> None:
    eight = Eight(phone, bidding="hidden")
    eight.plays_a_round()
    for seat in (0, 1, 2, 4, 5, 6, 7):
        eight.moves("bid", seat, 4)
    results = eight.rows(".results li")
    assert results.locator(".results-bid .seal:visible").count() == len(NAMES) - 1
    assert results.evaluate_all(UNSEEN) == []
    eight.is_well_laid()


def test_eight_are_seen_above_the_keys_of_a_laptop(phone: Callable[..., Phone]) -> None:
    host = phone(viewport={"width": 1280, "height": 720})
    code = host.asks("POST", "/tables", {"game": "rage", "players": list(NAMES)})["table"]["code"]
    host.opens(f"/t/{code}/0")
    host.is_live()
    assert host.page.locator("table.players tbody tr").evaluate_all(UNSEEN) == []


def test_a_scorekeepers_wrong_sum_moves_no_row_and_is_said_no_more_once_a_count_has_changed(
    phone: Callable[..., Phone],
) -> None:
    """It pushed the rows down, and stayed when the sum was right."""
    keeper = phone(viewport=SMALL)
    code = keeper.asks("POST", "/tables", {"game": "rage", "players": list(NAMES)})["table"]["code"]
    for seat in range(len(NAMES)):
        keeper.asks("POST", f"/tables/{code}/moves", {"move": "bid", "seat": seat, "tricks": 2})
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    rows = keeper.page.locator(".counts-row")
    before = rows.evaluate_all(TOPS)
    write = keeper.page.get_by_role("button", name="Write down round 1")
    keeper.is_awake()
    write.tap(force=True)  # it is struck out, and says why
    refusal = keeper.page.locator("#refusal")
    expect(refusal).to_contain_text("= 16, but this round has 10 tricks: 6 too many.")
    assert rows.evaluate_all(TOPS) == before
    rows.first.locator("[data-add='-1']").tap()
    expect(refusal).to_have_count(0)
    assert rows.evaluate_all(TOPS) == before


def test_who_counts_for_several_counts_again_for_each_where_the_sum_is_off(phone: Callable[..., Phone]) -> None:
    """The own keys were there; those of the others lay folded below the table."""
    eight = Eight(phone)
    for seat in range(len(NAMES)):
        eight.moves("bid", seat, 1)
    for seat in range(len(NAMES)):
        eight.moves("count", seat, 1)
    host = eight.host
    host.opens(f"/t/{eight.code}/0")
    host.is_live()
    expect(host.page.get_by_role("heading", name="How many tricks did Anna take?")).to_be_visible()
    host.page.get_by_role("radio", name="Filip").tap()
    expect(host.page.get_by_role("heading", name="How many tricks did Anna take?")).to_be_hidden()
    expect(host.page.get_by_role("heading", name="How many tricks did Filip take?")).to_be_visible()
    host.is_awake()
    host.page.locator(".hand button[value='3']:visible").tap()
    expect(host.page.get_by_text("Round 2 of 10")).to_be_visible()
