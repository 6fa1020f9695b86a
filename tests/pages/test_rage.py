"""A whole game of Rage through the pages, counted and trick by trick: phones, screen and record agree after every move."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.testing.laws import cut
from tests.pages.night import Night
from tests.pages.places import Setting, laid
from tests.phones import SHOWN, Phone, Server

NAMES = ["Anna", "Bohdan", "Katka"]
FEW = 3
"""Rounds of so many tricks are told trick by trick, for each of them is looked at for two seconds; with `--long` all are."""


def bids(phone: Phone, move: dict[str, Any]) -> None:
    phone.page.locator(f".hand .dock button[name=tricks][value='{move['tricks']}']").tap()


def takes_trick(phone: Phone, move: dict[str, Any]) -> None:
    form = phone.page.locator("form:has(input[name=move][value=trick])")
    if not form.is_visible():
        phone.page.locator("#fold-trick > summary").tap()
    form.locator(f"button[name=seat][value='{move['seat']}']").tap()


def counts(phone: Phone, move: dict[str, Any]) -> None:
    phone.page.locator(f".hand form:has(input[value=count]) button[name=tricks][value='{move['tricks']}']").tap()


def shows_points(night: Night) -> Callable[[Phone], None]:
    def shows(phone: Phone) -> None:
        places = night.play.game.standing(night.play.position).places
        by_seat = [str(place.score).replace("-", "−") for place in sorted(places, key=lambda place: place.seat)]
        by_rank = [str(place.score).replace("-", "−") for place in places]
        if phone is night.screen:
            night.waits(phone, SHOWN, by_seat)
        elif night.play.position.is_finished:
            expect(phone.page.locator(".ranking .points")).to_have_text(by_rank)
        else:
            expect(phone.page.locator("table.players td.points")).to_have_text(by_seat)

    return shows


def next_move(night: Night, chance: Random) -> dict[str, Any] | None:
    """Bid in turn, then let somebody take the trick, or everyone count."""
    position = night.play.position
    if position.is_finished:
        return None
    if not position.are_bids_in:
        return {"move": "bid", "seat": position.to_move, "tricks": chance.randint(0, position.cards)}
    if night.is_long or position.cards <= FEW:
        return {"move": "trick", "seat": chance.randrange(3)}
    told = [count.tricks for count in position.counts if count]
    rest = position.cards - sum(told)
    tricks = rest if len(told) == len(NAMES) - 1 else chance.randint(0, rest)
    return {"move": "count", "seat": position.counts.index(None), "tricks": tricks}


@pytest.mark.promise(3, 16)
def test_three_phones_play_ten_rounds_trick_by_trick_and_everything_agrees(
    server: Server, phone: Callable[..., Phone], is_long: bool
) -> None:
    night = Night(
        server, phone, "rage", NAMES, {"bid": bids, "trick": takes_trick, "count": counts}, plain=1, is_long=is_long
    )
    chance = Random(5)
    night.plays(shows_points(night), lambda: next_move(night, chance), away=(25, 7), undo=9, retake=15)


@pytest.mark.parametrize("width", [360, 320])
def test_the_score_sheet_of_eight_is_seen_whole(phone: Callable[..., Phone], width: int) -> None:
    host = phone(viewport={"width": width, "height": 640})
    code = laid(host, Setting("rage", 8, ()), 1)
    host.opens(f"/t/{code}/0")
    host.page.locator("table.sheet").scroll_into_view_if_needed()
    assert list(cut(host.page)) == []
