"""What a move has changed is underlined for a moment, on phones and on the screen; where nothing may move, it is not."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.phones import Phone

OURS = "document.getAnimations().filter(({ constructor }) => constructor === Animation)"
"""Those that no style has set going."""
GLOWING = f"{OURS}.map((each) => each.effect.target.innerText.trim())"


def test_a_move_glows_where_it_changed_something_and_not_where_nothing_may_move(phone: Callable[..., Phone]) -> None:
    anna, still, wall = phone(), phone(reduced_motion="reduce"), phone("Desktop Chrome")
    code = anna.opens_table(["Anna", "Bohdan", "Katka"])
    still.sits(code, "Bohdan")
    wall.opens(f"/t/{code}/screen")
    anna.opens(f"/t/{code}/0")
    for one in (anna, wall):
        one.is_live()
        assert one.page.evaluate(GLOWING) == []
    anna.chooses(3)
    for one in (anna, wall):
        one.page.wait_for_function(f"() => {GLOWING}.join() === '3'")
        one.page.evaluate(f"{OURS}.forEach((each) => each.finish())")
    expect(still.page.locator("#undo")).to_contain_text("Anna bids 3.")
    assert still.page.evaluate(GLOWING) == []
    number = int(anna.page.locator("#part").get_attribute("data-number") or 0)
    anna.tap("Take back")
    for one in (anna, wall):
        expect(one.page.locator("#part")).to_have_attribute("data-number", str(number + 1))
        assert one.page.evaluate(GLOWING) == []
