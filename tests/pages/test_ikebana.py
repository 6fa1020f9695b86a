"""Ikebana through the pages: whole games, and what a turn costs in taps."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.night import Night
from tests.phones import Phone, Server

NAMES = ["Anna", "Bohdan", "Katka"]


def draws(phone: Phone, move: dict[str, Any]) -> None:
    """Name the card that was drawn, and keep or refuse it; where only payments are told, one tap does."""
    if "card" in move:
        colour, value = move["card"]
        phone.page.locator(f"label:has(input[name=card-colour][value={colour}])").tap()
        phone.page.locator(f"label:has(input[name=card][value='*{value}'])").tap()
        phone.taps += 2
    phone.page.locator(f"button[name=move][value={move['move']}]").tap()
    phone.taps += 1


def buys(phone: Phone, move: dict[str, Any]) -> None:
    if "price" in move:
        form = phone.page.locator(f"form:has(input[name=from][value='{move['from']}'])")
        form.locator(f"button[name=price][value='{move['price']}']").tap()
    else:
        phone.page.locator(f"button[name=from][value='{move['from']}']").tap()
    phone.taps += 1


def tells(phone: Phone, move: dict[str, Any]) -> None:
    form = phone.page.locator(f"form:has(input[name=seat][value='{move['seat']}']):has(select[name=cards])")
    for place, card in enumerate(move["cards"]):
        form.locator("select").nth(place).select_option(card)
    form.locator("button.main").tap()


POINTS = """wanted => {
    const rows = [...document.querySelectorAll("table.players tbody tr, table.wall-table tbody tr, .ranking li")];
    const shown = rows.map(row => [row.querySelector("bdi"), row.querySelector(".points")].map(part => part?.textContent.trim()));
    return Object.entries(wanted).every(([name, points]) => {
        const own = shown.filter(([whose]) => whose === name);
        return own.length === 1 && own[0][1] === points;
    });
}"""
"""Each player has one row, and these points in it."""
TAPS = {"keep": draws, "refuse": draws, "buy": buys, "bouquet": tells}


def shows_prestige(night: Night) -> Callable[[Phone], None]:
    def shows(phone: Phone) -> None:
        places = night.play.game.standing(night.play.position).places
        night.waits(phone, POINTS, {night.names[place.seat]: str(place.score) for place in places})

    return shows


@pytest.mark.promise(3, 16)
def test_three_phones_play_four_rounds_card_by_card_and_everything_agrees(
    server: Server, phone: Callable[..., Phone], is_long: bool
) -> None:
    night = Night(
        server, phone, "ikebana", NAMES, TAPS, plain=1, is_long=is_long, seed=10, final_bouquet="on", locale="es-ES"
    )
    night.plays(shows_prestige(night), away=(20, 5), undo=10, retake=14)
    places = night.play.game.standing(night.play.position).places
    first = [NAMES[place.seat] for place in places if place.rank == 1]
    wins = night.said("%(name)s wins") % {"name": first[0]} if len(first) == 1 else night.said("A shared victory")
    expect(night.screen.page.get_by_role("heading", name=wins)).to_be_visible()


def test_a_table_that_tells_payments_only_tells_its_bouquets_at_the_end_of_a_round(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS, seed=2, detail="payments")
    shows = shows_prestige(night)
    while len(night.play.position.sheet) < 1:
        move = night.choose()
        assert move is not None
        night.make(move)
        night.agree(shows)
    assert "bouquet" in {move["move"] for move in server.record(night.code)["moves"]}
    night.agree_on_paper()


def test_a_card_is_kept_or_refused_with_three_taps_and_bought_with_one(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS)
    anna, bo = night.phones
    for one, move, taps in (
        (anna, {"move": "refuse", "seat": 0, "card": "R4"}, 3),
        (anna, {"move": "keep", "seat": 0, "card": "M5"}, 3),
        (bo, {"move": "buy", "seat": 1, "from": 0}, 1),
    ):
        one.taps = 0
        night.make(move)
        assert one.taps == taps
        night.agree(shows_prestige(night))


def test_the_card_that_was_refused_is_not_chosen_for_the_next(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS)
    anna, _ = night.phones
    night.make({"move": "refuse", "seat": 0, "card": "R4"})
    night.agree(shows_prestige(night))
    expect(anna.page.locator(".dock input:checked")).to_have_count(0)


def test_who_cannot_pay_is_told_why_the_card_must_be_kept(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS, detail="payments")
    anna, _ = night.phones
    for _price in (1, 2, 3):
        night.make({"move": "refuse", "seat": 0})
        night.agree(shows_prestige(night))
    expect(anna.page.locator("button[value=refuse]")).to_be_disabled()
    expect(anna.page.locator(".why")).to_contain_text("Refusing costs 4 points")


def test_an_earlier_payment_is_amended_with_four_taps(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "ikebana", NAMES[:2], TAPS)
    anna, _ = night.phones
    night.make({"move": "keep", "seat": 0, "card": "R4"})
    expect(anna.page.locator("#undo")).to_contain_text("red 4")
    anna.page.get_by_role("link", name="History").tap()
    anna.page.get_by_role("link", name=re.compile("Change")).first.tap()
    anna.page.locator("select[name=card]").select_option("R5")
    anna.tap("Change it")
    expect(anna.page.get_by_text("Anna draws and keeps: red 5.", exact=True)).to_be_visible()
