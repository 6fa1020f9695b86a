"""A page is drawn anew around what stays: what a hand or an eye holds on to is not touched."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

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


def test_a_block_that_a_style_lets_run_on_in_a_line_is_found(phone: Callable[..., Phone]) -> None:
    page = phone().page
    page.set_content("<ul><li>one</li><li>two</li></ul><p>one<br>two <span>three</span></p>")
    assert list(in_line(page)) == []
    page.add_style_tag(content="li { display: inline-block }")
    assert list(in_line(page)) == ["in a line: <li>one</li>", "in a line: <li>two</li>"]
