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
    first: str = ""
    """What is touched before it, if anything."""


SHUT = [
    Shut(
        "rage",
        {"plus_minus_one": True},
        [{"move": "bid", "seat": 0, "tricks": 4}, {"move": "bid", "seat": 1, "tricks": 4}],
        "button[name=tricks][value='2']",
        "with 2 the bids would add up to the 10 tricks",
    ),
    Shut("hanabi", {"detail": "tokens"}, [], ".hand button[value=discard]", "All 8 hint tokens are available"),
    Shut("hanabi", {"detail": "hints"}, [], ".acts [value=discard]", "All 8 hint tokens are available"),
    Shut(
        "hanabi",
        {"detail": "hints"},
        [{"move": "hint", "seat": turn % 3, "to": (turn + 1) % 3, "value": 1} for turn in range(8)]
        + [{"move": "play", "seat": 2, "card": "R1"}],
        ".whom [value='1']",
        "A hint costs a hint token, and none is available.",
    ),
    Shut(
        "hanabi",
        {"detail": "cards"},
        [],
        "button[form=discard-barred]",
        "All 8 hint tokens are available",
        ".own-hand label >> nth=1",
    ),
    Shut(
        "hanabi",
        {"detail": "cards"},
        [{"move": "hint", "seat": turn % 3, "to": (turn + 1) % 3, "value": 1, "slots": [0]} for turn in range(8)]
        + [{"move": "play", "seat": 2, "slot": 0, "card": "R1"}],
        ".table-hands > :first-child li:first-child button",
        "A hint costs a hint token, and none is available.",
    ),
    Shut(
        "ikebana",
        {"detail": "payments"},
        [{"move": "refuse", "seat": 0}] * 3,
        "button[value=refuse]",
        "4 prestige points",
    ),
    Shut("ikebana", {"detail": "payments"}, [], "button[name=from][value='1']", "The discard pile of Bohdan is empty."),
    Shut(
        "ubongo",
        {"pawns": [0, 0, 0]},
        [{"move": "roll", "symbol": 1}, {"move": "ubongo", "seat": 0}],
        "button[name=row][value='5']",
        "from row 1 the pawn reaches rows 1, 2, 3, and 4",
    ),
]


@pytest.mark.parametrize("shut", SHUT, ids=lambda shut: f"{shut.game}-{shut.key}")
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
    if shut.first:
        host.page.locator(shut.first).tap()
    key = host.page.locator(shut.key)
    expect(key).to_have_attribute("aria-disabled", "true")
    before = host.page.locator("#part").get_attribute("data-number")
    place = key.bounding_box()
    for _ in range(2):
        key.tap(force=True)
        expect(host.page.locator("#refusal")).to_contain_text(shut.why)
    assert host.page.locator("#part").get_attribute("data-number") == before
    expect(host.page.locator(":active:is(button, label)")).to_have_count(0)  # One that is pressed gives way by a pixel.
    assert key.bounding_box() == place
    assert len(host.asks("GET", f"/tables/{code}/record")["moves"]) == len(shut.moves)


def laid(phone: Callable[..., Phone], shut: Shut) -> tuple[Phone, str]:
    """Lay a table whose host acts for all, at the moment when the key is struck out."""
    host = phone(viewport={"width": 360, "height": 640})
    body = {"game": shut.game, "players": NAMES, "options": shut.options}
    code = host.asks("POST", "/tables", body)["table"]["code"]
    for move in shut.moves:
        host.asks("POST", f"/tables/{code}/moves", move)
    host.opens(f"/t/{code}/0")
    host.is_live()
    host.is_awake()
    return host, code


HEARD = """() => {
  window.heard = [];
  const said = document.getElementById("said");
  new MutationObserver(() => said.textContent && window.heard.push(said.textContent)).observe(said, { childList: true });
}"""
"""Notes what is read aloud from now on; what stands there and is not touched is not."""


def test_the_reason_is_read_aloud_each_time_that_somebody_asks(phone: Callable[..., Phone]) -> None:
    """Who does not see the notice touched the key again, and heard nothing."""
    host, _code = laid(phone, SHUT[1])
    host.page.evaluate(HEARD)
    for times in (1, 2):
        host.is_awake()
        host.page.locator(SHUT[1].key).press("Enter")
        host.page.wait_for_function("times => window.heard.length === times", arg=times)
    assert all(SHUT[1].why in heard for heard in host.page.evaluate("window.heard"))


def test_a_tally_that_does_not_add_up_says_what_is_missing_and_keeps_what_was_counted(
    phone: Callable[..., Phone],
) -> None:
    bids = [{"move": "bid", "seat": seat, "tricks": 3} for seat in range(3)]
    host, code = laid(phone, Shut("rage", {}, bids, "#tally button", ""))
    more = host.page.locator(".counts-row").nth(1).locator("[data-add='1']").first
    for total in (10, 11):
        more.tap()
        expect(host.page.locator("#tally .sum")).to_contain_text(str(total))
    key = host.page.locator("#tally button")
    expect(key).to_have_attribute("aria-disabled", "true")
    key.tap(force=True)
    expect(host.page.locator("#refusal")).to_contain_text("11")
    expect(host.page.locator("#tally .sum")).to_contain_text("11")
    assert len(host.asks("GET", f"/tables/{code}/record")["moves"]) == len(bids)
    host.page.locator(".counts-row").nth(0).locator("[data-add='-1']").first.tap()
    expect(key).not_to_have_attribute("aria-disabled", "true")
    host.is_awake()
    key.tap()
    expect(host.page.locator("#part")).to_have_attribute("data-number", "4")


def test_a_hint_that_cannot_be_true_says_which_one_it_contradicts(phone: Callable[..., Phone]) -> None:
    hints = [
        {"move": "hint", "seat": 0, "to": 1, "colour": "R", "slots": [0]},
        *({"move": "hint", "seat": seat, "to": 0, "value": 1, "slots": [0]} for seat in (1, 2)),
    ]
    host, code = laid(phone, Shut("hanabi", {"detail": "cards"}, hints, "", ""))
    host.page.locator(".hand-of").first.locator(".lying").first.tap()
    key = host.page.locator("#hint button[value=B]")
    expect(key).to_have_attribute("aria-disabled", "true")
    key.tap(force=True)
    expect(host.page.locator("#refusal")).to_contain_text("“This card is red.”")
    expect(host.page.locator(".hand-of").first.locator("input[name=slots]").first).to_be_checked()
    assert len(host.asks("GET", f"/tables/{code}/record")["moves"]) == len(hints)


def test_a_hint_by_a_tile_that_cannot_be_true_says_which_one_it_contradicts(phone: Callable[..., Phone]) -> None:
    moves: Moves = [{"move": "hint", "seat": 0, "to": 1, "colour": "R", "slots": [0]}]
    reds = [{"move": "play", "seat": value % 3, "slot": 4, "card": f"R{value}"} for value in range(1, 6)]
    moves += [*reds[:2], {"move": "hint", "seat": 0, "to": 2, "value": 1, "slots": [0]}]
    moves += [{**red, "seat": (turn + 1) % 3} for turn, red in enumerate(reds[2:])]
    options = {"detail": "cards", "edition": "pl", "flamboyants": True}
    host, code = laid(phone, Shut("hanabi", options, moves, "", ""))
    host.page.locator("label:has(#opens-T3)").tap()
    host.page.locator(".hand-of").first.locator(".lying").first.tap()
    key = host.page.locator("#hint button[value=B]")
    expect(key).to_have_attribute("aria-disabled", "true")
    key.tap(force=True)
    expect(host.page.locator("#refusal")).to_contain_text("“This card is red.”")
    assert len(host.asks("GET", f"/tables/{code}/record")["moves"]) == len(moves)


def test_where_wrong_hints_are_not_noticed_every_hint_can_be_given(phone: Callable[..., Phone]) -> None:
    """Keys were shut that the referee would have taken, and nobody was told why."""
    hints = [
        {"move": "hint", "seat": 0, "to": 1, "colour": "R", "slots": [0]},
        *({"move": "hint", "seat": seat, "to": 0, "value": 1, "slots": [0]} for seat in (1, 2)),
    ]
    host, code = laid(phone, Shut("hanabi", {"detail": "cards", "aid_contradictions": False}, hints, "", ""))
    host.page.locator(".hand-of").first.locator(".lying").first.tap()
    host.page.locator("#hint button[value=B]").tap()
    expect(host.page.locator("#part")).to_have_attribute("data-number", "4")
    assert host.asks("GET", f"/tables/{code}/record")["moves"][-1]["colour"] == "B"
