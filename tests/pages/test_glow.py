"""What a move has changed is underlined for a moment, and moves on the screen; where nothing may move, it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.phones import POINTS, Phone

MOVING: Any = {"reduced_motion": "no-preference"}
OURS = "document.getAnimations().filter(({ constructor }) => constructor === Animation)"
"""Those that no style has set going."""
GLOWING = f"{OURS}.map((each) => each.effect.target.innerText.trim())"
WATCHED = """() => {
  window.moved = [];
  document.addEventListener("animationstart", ({ animationName }) => window.moved.push(animationName));
}"""


def test_a_move_glows_where_it_changed_something_and_not_where_nothing_may_move(phone: Callable[..., Phone]) -> None:
    anna, wall = phone(**MOVING), phone("Desktop Chrome", **MOVING)
    still = phone()
    code = anna.opens_table(["Anna", "Bohdan", "Katka"])
    still.sits(code, "Bohdan")
    wall.opens(f"/t/{code}/screen")
    anna.opens(f"/t/{code}/0")
    for one in (anna, wall):
        one.is_live()
    assert anna.page.evaluate(GLOWING) == []
    wall.page.evaluate(WATCHED)
    anna.chooses(3)
    anna.page.wait_for_function(f"() => {GLOWING}.join() === '3'")
    anna.page.evaluate(f"{OURS}.forEach((each) => each.finish())")
    wall.page.wait_for_function("() => window.moved.includes('stamp')")
    expect(still.page.locator("#undo")).to_contain_text("Anna bids 3.")
    assert still.page.evaluate(GLOWING) == []
    number = int(anna.page.locator("#part").get_attribute("data-number") or 0)
    wall.page.evaluate("() => { window.moved = []; }")
    anna.tap("Take back")
    for one in (anna, wall):
        expect(one.page.locator("#part")).to_have_attribute("data-number", str(number + 1))
    assert anna.page.evaluate(GLOWING) == []
    assert wall.page.evaluate("window.moved") == []


def test_each_of_two_purchases_in_a_row_moves_on_the_screen(phone: Callable[..., Phone]) -> None:
    """The second one draws no card, either: its payment stood there as if it had been made long ago."""
    anna, wall = phone(), phone("Desktop Chrome", **MOVING)
    body = {"game": "ikebana", "players": ["Anna", "Bohdan"], "options": {}}
    code = anna.asks("POST", "/tables", body)["table"]["code"]
    for seat, refused, kept in ((0, "B3", "K1"), (1, "R2", "K2")):
        for move, card in (("refuse", refused), ("keep", kept)):
            anna.asks("POST", f"/tables/{code}/moves", {"move": move, "seat": seat, "card": card})
    wall.opens(f"/t/{code}/screen")
    wall.is_live()
    wall.page.evaluate(WATCHED)
    for seat in range(2):
        wall.page.wait_for_function("() => document.getAnimations().length === 0")
        wall.page.evaluate("() => { window.moved = []; }")
        anna.asks("POST", f"/tables/{code}/moves", {"move": "buy", "seat": seat, "from": 1 - seat})
        wall.page.wait_for_function("() => window.moved.filter((name) => name === 'stamp').length === 2")


def test_a_reveal_is_held_until_it_is_tapped_and_not_told_again(phone: Callable[..., Phone]) -> None:
    """Bid, took, brought: the screen shows it when the round is counted, and to who opens it until the next bid."""
    anna, wall = phone(**MOVING), phone("Desktop Chrome", **MOVING)
    code = anna.opens_table(["Anna", "Bohdan", "Katka"])
    wall.opens(f"/t/{code}/screen")
    wall.is_live()
    for seat, tricks in enumerate((3, 3, 4)):
        anna.asks("POST", f"/tables/{code}/moves", {"move": "bid", "seat": seat, "tricks": tricks})
    wall.page.evaluate(WATCHED)
    for seat, tricks in enumerate((3, 3, 4)):
        anna.asks("POST", f"/tables/{code}/moves", {"move": "count", "seat": seat, "tricks": tricks})
    expect(wall.page.locator(".reveal")).to_be_visible()
    assert wall.page.evaluate(POINTS) == {"0": "13", "1": "13", "2": "14"}, "right at once"
    wall.page.wait_for_function("() => window.moved.filter((name) => name === 'run').length === 3")
    expect(wall.page.locator(".play")).to_be_hidden()
    wall.page.locator(".reveal").click()
    expect(wall.page.locator(".play")).to_be_visible()
    expect(wall.page.locator(".reveal")).to_be_hidden()
    wall.page.reload()
    expect(wall.page.locator(".reveal")).to_be_visible()
    anna.asks("POST", f"/tables/{code}/moves", {"move": "bid", "seat": 1, "tricks": 2})
    expect(wall.page.locator(".play")).to_be_visible()
    expect(wall.page.locator(".reveal")).to_have_count(0)
