"""Why not: a key that is struck out says what the referee would, and enters nothing, however often it is touched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import expect

from tests.phones import Phone

NAMES = ["Anna", "Bohdan", "Katka"]
Moves = list[dict[str, Any]]


class Shut(NamedTuple):
    """A key that is struck out, and what the referee says of it."""

    game: str
    options: dict[str, Any]
    moves: Moves
    key: str
    why: str


SHUT = [
    Shut(
        "rage",
        {"plus_minus_one": True},
        [{"move": "bid", "seat": 0, "tricks": 4}, {"move": "bid", "seat": 1, "tricks": 4}],
        "button[name=tricks][value='2']",
        "with 2 the bids would add up to the 10 tricks",
    ),
    Shut("hanabi", {"detail": "tokens"}, [], ".hand button[value=discard]", "All 8 hint tokens are available"),
    Shut(
        "ikebana",
        {"detail": "payments"},
        [{"move": "refuse", "seat": 0}] * 3,
        "button[value=refuse]",
        "4 prestige points",
    ),
    Shut(
        "ubongo",
        {"pawns": [0, 0, 0]},
        [{"move": "roll", "symbol": 1}, {"move": "ubongo", "seat": 0}],
        "button[name=row][value='5']",
        "from row 1 the pawn reaches rows 1, 2, 3, and 4",
    ),
]


@pytest.mark.parametrize("shut", SHUT, ids=lambda shut: shut.game)
def test_a_key_that_is_struck_out_says_why_and_enters_nothing(phone: Callable[..., Phone], shut: Shut) -> None:
    host = phone(viewport={"width": 360, "height": 640})
    body = {"game": shut.game, "players": NAMES, "options": shut.options}
    code = host.asks("POST", "/tables", body)["table"]["code"]
    host.asks("PUT", f"/tables/{code}/seats/0", {"name": "Anna"})
    for move in shut.moves:
        host.asks("POST", f"/tables/{code}/moves", move)
    host.opens(f"/t/{code}/0")
    host.is_live()
    host.is_awake()
    key = host.page.locator(shut.key)
    expect(key).to_have_attribute("aria-disabled", "true")
    before = host.page.locator("#part").get_attribute("data-number")
    place = key.bounding_box()
    for _ in range(2):
        key.tap(force=True)
        expect(host.page.locator("#refusal")).to_contain_text(shut.why)
    assert host.page.locator("#part").get_attribute("data-number") == before
    assert key.bounding_box() == place
    assert len(host.asks("GET", f"/tables/{code}/record")["moves"]) == len(shut.moves)
