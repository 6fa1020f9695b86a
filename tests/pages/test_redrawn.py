"""A page is drawn anew around what stays: what a hand or an eye holds on to is not touched."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from companion.testing.laws import in_line
from tests.phones import Phone

SHOW = """const { show } = await import(new URL("morph.js", document.querySelector("script[type=module]").src));"""
MOVED = (
    "async ([before, after]) => {"
    + SHOW
    + """
  const root = document.body.appendChild(document.createElement("div"));
  root.innerHTML = before;
  const watch = new MutationObserver(() => {});
  watch.observe(root, { subtree: true, childList: true });
  show(root, after);
  const records = watch.takeRecords();
  const tell = (of) => records.flatMap((one) => [...one[of]].map((node) => node.outerHTML ?? node.data));
  return [root.innerHTML, tell("addedNodes"), tell("removedNodes")];
}"""
)
"""Shows HTML in the place of other HTML; gives what stands there, and what was put in and taken out for it."""

PLACED = """() => {
  document.body.insertAdjacentHTML("afterbegin", "<div id=probe><button type=button>probe</button> <p>0</p></div>");
}"""
DRAWN = (
    "async (number) => {"
    + SHOW
    + """
  show(document.getElementById("probe"), `<button type=button>probe</button> <p>${number}</p>`);
}"""
)


@pytest.mark.parametrize(
    ("before", "after", "put_in", "taken_out"),
    [
        ("<input><b>Anna</b><i>next</i>", "<b>Anna</b><i>next</i>", [], ["<input>"]),
        ("<b>Anna</b><i>next</i>", "<input><b>Anna</b><i>next</i>", ["<input>"], []),
        ("<p>once</p> <ul><li>one</li></ul>", "<ul><li>one</li></ul>", [], ["<p>once</p>", " "]),
        ('<p data-key="a"></p><p data-key="b"></p>', '<p data-key="b"></p>', [], ['<p data-key="a"></p>']),
        ("<b>one</b><i>two</i>", "<b>one</b><i>three</i>", [], []),
    ],
)
def test_what_stays_is_not_moved(
    phone: Callable[..., Phone], before: str, after: str, put_in: list[str], taken_out: list[str]
) -> None:
    one = phone()
    one.opens("/")
    assert one.page.evaluate(MOVED, [before, after]) == [after, put_in, taken_out]


def test_a_key_keeps_the_focus_of_a_keyboard_and_not_that_of_a_finger(phone: Callable[..., Phone]) -> None:
    one = phone()
    one.opens("/")
    page = one.page
    page.evaluate(PLACED)
    key = page.get_by_role("button", name="probe")
    key.tap()
    expect(key).to_be_focused()
    page.evaluate(DRAWN, 1)
    expect(key).not_to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(key).to_be_focused()
    page.evaluate(DRAWN, 2)
    expect(key).to_be_focused()


def presses(one: Phone, key: Locator, name: str = "Enter") -> None:
    """Press a key that the keyboard has come to."""
    one.is_awake()
    one.page.keyboard.press("Tab")
    key.focus()
    one.page.keyboard.press(name)


def test_the_focus_of_a_keyboard_goes_from_a_key_that_is_gone_to_its_like_or_to_the_table(
    phone: Callable[..., Phone],
) -> None:
    """It was lost with the key: whoever hears the page began again at its head, after every move."""
    keeper, guest = phone(), phone()
    tray = keeper.asks("POST", "/tables", {"game": "hanabi", "players": ["A", "B"], "options": {"detail": "tokens"}})
    keeper.opens(f"/t/{tray['table']['code']}/0")
    keeper.is_live()
    hint = keeper.page.get_by_role("button", name="Hint given")
    presses(keeper, hint)
    expect(keeper.page.locator("#undo")).to_contain_text("A gives a hint.")
    expect(hint).to_be_focused()

    code = keeper.asks("POST", "/tables", {"game": "rage", "players": ["A", "B", "C"]})["table"]["code"]
    keeper.asks("PUT", f"/tables/{code}/seats/0", {"name": ""})
    guest.asks("PUT", f"/tables/{code}/seats/1", {"name": ""})
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    presses(keeper, keeper.page.locator(".hand button[value='2']"))
    expect(keeper.page.get_by_role("heading", name="B bids")).to_be_visible()
    expect(keeper.page.locator("#table-top")).to_be_focused()
    # What is heard of it: the move, and whose turn it has become.
    expect(keeper.page.locator("#said")).to_have_text("A bids 2. B bids")


def test_who_cancels_is_at_the_card_that_was_chosen(phone: Callable[..., Phone]) -> None:
    one = phone()
    table = one.asks("POST", "/tables", {"game": "hanabi", "players": ["A", "B"], "options": {"detail": "cards"}})
    one.opens(f"/t/{table['table']['code']}/0")
    one.is_live()
    for card, form in (("slots", "#hint"), ("slot", "#lay")):
        chosen = one.page.locator(f"input[name={card}][value='2']")
        presses(one, chosen, "Space")
        expect(chosen).to_be_checked()
        presses(one, one.page.locator(f"{form} [data-cancel]"))
        expect(chosen).not_to_be_checked()
        expect(chosen).to_be_focused()


def test_who_wants_another_pile_is_at_the_one_that_was_chosen(phone: Callable[..., Phone]) -> None:
    one = phone()
    moves = [{"move": "refuse", "seat": 0}, {"move": "keep", "seat": 0}, {"move": "keep", "seat": 1}]
    evening = {
        "format": "companion-record",
        "version": 1,
        "game": "ikebana",
        "players": ["A", "B", "C"],
        "moves": moves,
    }
    code = one.asks("POST", "/records", {**evening, "options": {"detail": "payments"}})["table"]["code"]
    one.opens(f"/t/{code}/0")
    one.is_live()
    pile = one.page.locator(".hand input[name=from]").first
    presses(one, pile, "Space")
    presses(one, one.page.get_by_role("button", name="Another pile"))
    expect(pile).not_to_be_checked()
    expect(pile).to_be_focused()


def test_what_a_script_has_filled_keeps_the_focus_when_the_page_is_drawn_anew(phone: Callable[..., Phone]) -> None:
    """A bouquet is told, and another one meanwhile: the cards that were touched are keys that take them out again."""
    one = phone()
    moves = [{"move": "keep", "seat": seat % 2} for seat in range(10)]
    evening = {"format": "companion-record", "version": 1, "game": "ikebana", "players": ["A", "B"], "moves": moves}
    code = one.asks("POST", "/records", {**evening, "options": {"detail": "payments"}})["table"]["code"]
    one.opens(f"/t/{code}/0")
    one.is_live()
    for card in ("K3", "R3", "G3"):
        presses(one, one.page.locator(f"[data-card={card}] input").first, "Space")
    keys = one.page.locator("#slots button")
    presses(one, keys.nth(1))
    expect(keys).to_have_count(2)
    expect(keys.nth(1)).to_be_focused()
    five = [f"Y{value}" for value in range(1, 6)]
    one.asks("POST", f"/tables/{code}/moves", {"move": "bouquet", "seat": 1, "cards": five})
    expect(one.page.locator("#undo")).to_contain_text("B")
    expect(keys.nth(1)).to_be_focused()
    expect(keys.nth(1)).to_have_attribute("aria-label", "Take out: green 3")
    presses(one, keys.nth(1))
    expect(keys.first).to_be_focused()


def test_a_block_that_a_style_lets_run_on_in_a_line_is_found(phone: Callable[..., Phone]) -> None:
    page = phone().page
    page.set_content("<ul><li>one</li><li>two</li></ul><p>one<br>two <span>three</span></p>")
    assert list(in_line(page)) == []
    page.add_style_tag(content="li { display: inline-block }")
    assert list(in_line(page)) == ["in a line: <li>one</li>", "in a line: <li>two</li>"]
