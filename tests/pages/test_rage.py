"""A whole game of Rage through the pages, trick by trick: every phone, the screen and the record agree after every move."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import expect

from tests.pages.night import Night
from tests.phones import Phone, Server

NAMES = ["Anna", "Bohdan", "Katka"]


def bids(phone: Phone, move: dict[str, Any]) -> None:
    phone.page.locator(f".hand .dock button[name=tricks][value='{move['tricks']}']").tap()


def takes_trick(phone: Phone, move: dict[str, Any]) -> None:
    form = phone.page.locator("form:has(input[name=move][value=trick])")
    if not form.is_visible():
        phone.page.locator("#fold-trick > summary").tap()
    form.locator(f"button[name=seat][value='{move['seat']}']").tap()


def shows_points(night: Night) -> Callable[[Phone], None]:
    def shows(phone: Phone) -> None:
        places = night.play.game.standing(night.play.position).places
        by_seat = [str(place.score).replace("-", "−") for place in sorted(places, key=lambda place: place.seat)]
        by_rank = [str(place.score).replace("-", "−") for place in places]
        if night.play.position.is_finished:
            expect(phone.page.locator(".ranking .points, .wall-table td.points")).to_have_text(by_rank)
        else:
            expect(phone.page.locator("table.players td.points, .wall-table td.points")).to_have_text(by_seat)

    return shows


def next_move(night: Night, chance: Random) -> dict[str, Any]:
    """Bid in turn, then let somebody take the trick."""
    position = night.play.position
    if not position.are_bids_in:
        return {"move": "bid", "seat": position.to_move, "tricks": chance.randint(0, position.cards)}
    return {"move": "trick", "seat": chance.randrange(3)}


def test_three_phones_play_ten_rounds_trick_by_trick_and_everything_agrees(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = Night(server, phone, "rage", NAMES, {"bid": bids, "trick": takes_trick}, plain=1)
    shows, chance, made = shows_points(night), Random(5), 0
    while not night.play.position.is_finished:
        move = next_move(night, chance)
        night.make(move, is_away=move["seat"] != night.plain and made % 25 == 7)
        made += 1
        night.agree(shows)
        if made == 9:
            night.take_back_and_put_back(0, shows)
        if made == 15:
            night.lose_and_retake(2)
        if made == 20:
            night.amend_as_it_was(shows)
    night.agree_on_paper()
