"""An earlier move becomes one of another kind by the keys that it was made with, at 360 × 640."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.places import NAMES
from tests.phones import Phone

MOST_TAPS = 4
"""From the history to the entry that is another one."""
KEYS = """() => {
  const { top, height } = document.querySelector(".hand").getBoundingClientRect();
  const seen = (key) => key.checkVisibility({ visibilityProperty: true });
  const keys = [...document.querySelectorAll(".hand :is(button:not([type=button]), label)")].filter(seen);
  const faults = keys.map((key) => key.getBoundingClientRect())
    .filter(({ width, height, bottom }) => width < 47.9 || height < 47.9 || bottom > innerHeight);
  return { area: `${Math.round(top)}, ${Math.round(height)}`, faults: faults.length, keys: keys.length };
}"""
"""Where the key area lies, and how many of its keys are too small or out of sight."""
Play = tuple[str, dict[str, Any], list[dict[str, Any]]]
CASES = {
    "that was a discard, not a hint (tokens)": (
        ("hanabi", {"detail": "tokens"}, [{"move": "hint", "seat": 0}, {"move": "hint", "seat": 1}]),
        2,
        ["button[value=discard]"],
        {"move": "discard", "seat": 1},
    ),
    "that was a discard, not a hint (cards)": (
        (
            "hanabi",
            {"detail": "cards"},
            [
                {"move": "hint", "seat": 0, "to": 1, "value": 3, "slots": [1]},
                {"move": "hint", "seat": 1, "to": 0, "value": 2, "slots": [0]},
            ],
        ),
        2,
        ["label:has([name=slot][value='0'])", "#lay button[value=B2]"],
        {"move": "discard", "seat": 1, "slot": 0, "card": "B2"},
    ),
    "that was refused, not kept": (
        ("ikebana", {"detail": "payments"}, [{"move": "keep", "seat": 0}]),
        1,
        ["button[value=refuse]"],
        {"move": "refuse", "seat": 0},
    ),
    "they did not count, they took a trick": (
        (
            "rage",
            {},
            [{"move": "bid", "seat": seat, "tricks": 2} for seat in range(4)] + [{"move": "count", "seat": 0, "tricks": 2}],
        ),
        5,
        ["#fold-trick summary", "#fold-trick button[value='0']"],
        {"move": "trick", "seat": 0, "plus": 0, "minus": 0},
    ),
    "that was a false call, no gems": (
        (
            "ubongo",
            {},
            [
                {"move": "roll", "symbol": 3},
                {"move": "ubongo", "seat": 1},
                {"move": "take", "seat": 1, "gems": ["red", "blue"]},
            ],
        ),
        3,
        ["form[data-key='void-1'] button"],
        {"move": "void", "seat": 1},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("play", "number", "taps", "after"), CASES.values(), ids=CASES.keys())
def test_a_move_becomes_one_of_another_kind(
    phone: Callable[..., Phone], play: Play, number: int, taps: Sequence[str], after: dict[str, Any]
) -> None:
    host = phone(viewport={"width": 360, "height": 640})
    code = bring(host, *play)
    game, options, moves = play
    here = bring(host, game, options, moves[: number - 1])
    host.opens(f"/t/{here}/{moves[number - 1]['seat']}")
    host.is_live()
    usual = host.page.evaluate(KEYS)
    host.opens(f"/t/{code}/history")
    host.changes(host.page.locator(f"#entry-{number} a.quiet"))
    shown = host.page.evaluate(KEYS)
    if game != "rage":  # where the counts of one seat stand in the place of everybody's
        assert shown["area"] == usual["area"]
    assert (shown["faults"], shown["keys"] > 0) == (0, True)
    for key in taps:
        host.page.locator(key).first.tap()
    host.page.wait_for_url("**/history")
    assert len(taps) + 2 <= MOST_TAPS
    made = host.server.record(code)["moves"][number - 1]
    assert {name: made.get(name) for name in after} == after


def test_what_would_no_longer_hold_is_asked_for_and_a_second_tap_is_not_meant_for_it(
    phone: Callable[..., Phone],
) -> None:
    host = phone(viewport={"width": 360, "height": 640})
    code = bring(
        host,
        "hanabi",
        {"detail": "tokens"},
        [{"move": "hint", "seat": 0}, {"move": "discard", "seat": 1}, {"move": "hint", "seat": 2}],
    )
    host.page.clock.install()
    host.opens(f"/t/{code}/history")
    host.changes(host.page.locator("#entry-1 a.quiet"))
    error = host.page.locator(".act-play")
    box = error.bounding_box()
    assert box is not None
    # However late this machine is, the page's own time stands still until the second tap.
    host.page.clock.pause_at(time.time() + 1)
    host.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(host.page.locator("#amending")).to_contain_text("Instead of entry 2")
    expect(host.page.locator("#refusal")).to_contain_text("would no longer hold")
    host.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(host.page.locator("#amending")).to_contain_text("Instead of entry 2")
    host.page.clock.resume()
    host.tap("Hint given")
    host.page.wait_for_url("**/history")
    assert [move["move"] for move in host.server.record(code)["moves"]] == ["play", "hint", "hint"]


def bring(host: Phone, game: str, options: dict[str, Any], moves: list[dict[str, Any]]) -> str:
    """Open a table with a play that was made so far; all seats are the host's."""
    evening = {"format": "companion-record", "version": 1, "game": game, "options": options, "moves": moves}
    return str(host.asks("POST", "/records", {**evening, "players": list(NAMES[:4])})["table"]["code"])


def test_who_began_and_the_order_of_seats_are_put_right_by_keys(phone: Callable[..., Phone]) -> None:
    host = phone(viewport={"width": 360, "height": 640})
    moves = [{"move": "keep", "seat": 0}, {"move": "refuse", "seat": 1}]
    code = bring(host, "ikebana", {"detail": "payments"}, moves)
    host.opens(f"/t/{code}/history")
    host.page.get_by_role("link", name="What was wrong from the start?").tap()
    host.page.locator("button[name=up][value='2']").tap()
    expect(host.page.locator(".list bdi")).to_have_text([NAMES[0], NAMES[2], NAMES[1], NAMES[3]])
    host.page.get_by_role("button", name="Begin so").last.tap()
    for _entry in range(2):  # whoever it was then is asked about: the second to move sits elsewhere
        expect(host.page.locator("#amending, .page-history h1").first).to_be_visible()
        if host.page.url.endswith("/history"):
            break
        host.page.locator("html[data-script]").wait_for()
        assert host.page.evaluate(KEYS)["faults"] == 0
        host.is_awake()
        host.page.locator("button[value=refuse]").tap()
    host.page.wait_for_url("**/history")
    written = host.server.record(code)
    assert written["players"] == [NAMES[0], NAMES[2], NAMES[1], NAMES[3]]
    assert [(move["move"], move["seat"]) for move in written["moves"]] == [("keep", 0), ("refuse", 1)]
