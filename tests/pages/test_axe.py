"""No barriers: axe finds none on any page, in light and dark, at three widths, in five languages; nor do the laws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, groupby, product
from random import Random
from typing import Any, Literal

import pytest
from playwright.sync_api import Page

from companion.games import GAMES
from companion.testing import laws
from companion.words import LANGUAGES
from tests.pages.places import ALONE, SETTINGS, Setting, laid, places
from tests.phones import ROOT, Phone, Server

AXE = ROOT / ".venv/tools/axe-core/node_modules/axe-core/axe.min.js"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WIDTHS = (320, 390, 430)
Look = tuple[str, int, Literal["light", "dark"]]
LOOK = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(" | ")}`);
}"""
SMALL = """() => {
  const seen = (part) => part.checkVisibility({ visibilityProperty: true }) && !part.closest(".vh, .skip");
  const target = (part) => (part.matches("input[type=radio], input[type=checkbox]") ? part.closest("label") ?? part : part);
  // A number that only the keys beside it change takes no touch.
  const isTouched = (part) => getComputedStyle(target(part)).pointerEvents !== "none";
  // A link in a sentence is as high as its line.
  const isInText = (part) => part.matches("p > a:not([class])");
  // What was seen then is only looked at.
  const isThen = (part) => part.closest("fieldset.then:disabled");
  // Below 360 px of width keys of six to a row are as wide as there is room.
  const least = innerWidth < 360 ? 42.5 : 47.5;
  return [...document.querySelectorAll("a, button, input:not([type=hidden]), select, summary, textarea")]
    .filter((part) => seen(part) && isTouched(part) && !isInText(part) && !isThen(part))
    .map((part) => [part.outerHTML.slice(0, 100), target(part).getBoundingClientRect()])
    .filter(([, { width, height }]) => width > 2 && (width < least || height < 47.5))
    .map(([html, { width, height }]) => `${Math.round(width)} × ${Math.round(height)}: ${html}`);
}"""


COMMON = (
    "book", "evening", "help", "history", "people", "print", "result", "seats", "statistics", "step-of-a-seat",
    "seats-then", "paused-seat", "broken_off-seat", "paused-screen", "broken_off-screen", "taught-screen",
)  # fmt: skip
"""The pages of a table that every game draws alike."""


def is_in_turn(what: str) -> bool:
    """Tell whether the gate looks at a page: of those that are alike in every game, at each in one game."""
    game, kind = what.split("-", 1)
    kind = kind.lstrip("-0123456789")
    return kind not in COMMON or game == [*GAMES][COMMON.index(kind) % len(GAMES)]


KEYS = {"button", "checkbox", "radio", "textbox", "spinbutton", "DisclosureTriangle"}
AROUND = {"group", "list", "row", "Date"}
"""What is read aloud as somebody comes into it, by its name."""


def namesakes(page: Page) -> list[str]:
    """Name the keys that nobody could tell from others by what is read aloud of them, and of what they stand in."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    known = {node["nodeId"]: node for node in nodes}

    def said(node: dict[str, Any], of: set[str]) -> str:
        is_read = not node["ignored"] and node["role"]["value"] in of
        return str(node.get("name", {}).get("value", "")) if is_read else ""

    def heard(node: dict[str, Any]) -> str:
        lines = [f"{node['role']['value']} {said(node, KEYS)}"]
        while node := known.get(node.get("parentId", ""), {}):
            lines += filter(None, [said(node, AROUND)])
        return ", ".join(lines)

    keys = Counter(heard(node) for node in nodes if not node["ignored"] and node["role"]["value"] in KEYS)
    return [key for key, count in keys.items() if count > 1]


@pytest.fixture
def reader(phone: Callable[..., Phone]) -> Phone:
    """A phone whose page policy lets axe in."""
    return phone(bypass_csp=True, viewport={"width": 320, "height": 740})


def looks(what: str, is_long: bool) -> Iterator[Look]:
    """Yield (language, width, theme): all of them in the long trial; else one, another from page to page.

    Where it is narrowest most goes wrong, so that half of the pages are looked at there.
    """
    if is_long:
        yield from product(LANGUAGES, WIDTHS, THEMES)
        return
    chance = Random(what)
    yield chance.choice([*LANGUAGES]), chance.choice((WIDTHS[0], *WIDTHS)), chance.choice(THEMES)


def problems(page: Page, what: str, path: str, is_long: bool) -> Iterator[str]:
    """Look at a page from all sides; in each language once at the size of what is tapped, and for what is dead."""
    for language, sides in groupby(looks(what, is_long), lambda look: look[0]):
        page.context.add_cookies([{"name": "language", "value": language, "url": page.url}])
        page.goto(path)
        page.evaluate(AXE.read_text())
        page.evaluate("document.querySelectorAll('details:not(.menu)').forEach((fold) => { fold.open = true; })")
        for place, (_language, width, theme) in enumerate(sides):
            page.set_viewport_size({"width": width, "height": 740})
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            yield from (f"{language} {theme} {width}: {found}" for found in page.evaluate(LOOK))
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                yield f"{language}: {wide} px wide at {width}"
            yield from (f"{language} {width}: {found}" for found in chain(laws.broken(page), laws.cut(page)))
            if place == 0:
                yield from page.evaluate(SMALL)
                yield from laws.shown_though_hidden(page)
                yield from laws.in_line(page)
                yield from laws.dead(page)


@pytest.mark.parametrize("path", ALONE)
def test_a_page_without_a_table_has_no_barrier(server: Server, reader: Phone, path: str, is_long: bool) -> None:
    reader.opens("/")
    assert list(problems(reader.page, path, server.address + path, is_long)) == []


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.game}-{setting.seats}")
def test_every_key_of_a_seat_can_be_told_by_ear_from_the_others(reader: Phone, setting: Setting) -> None:
    """The places of all hands of Hanabi, and eight folds of Rage in which a bid is written anew, were all called alike."""
    found = {}
    for far in setting.far:
        code = laid(reader, setting, far)
        for path in (f"/t/{code}/0", *([f"/t/{code}/history/1"] if far == 1 else [])):
            reader.opens(path)
            reader.page.locator("html[data-script]").wait_for()
            if here := namesakes(reader.page):
                found[path] = here
    assert found == {}


def test_who_is_taken_away_from_a_question_is_told_by_ear(reader: Phone) -> None:
    reader.opens("/judge/rage?about=score&words=A%3D3,3,0,1+B%3D2,1,1,0&bid=2&tricks=2")
    assert namesakes(reader.page) == []


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.game}-{setting.seats}")
def test_no_page_of_a_table_has_a_barrier(server: Server, reader: Phone, setting: Setting, is_long: bool) -> None:
    reader.opens("/")
    found = {}
    for what, path in places(reader, setting):
        if not is_long and not is_in_turn(what):
            continue
        if here := list(problems(reader.page, what, server.address + path, is_long)):
            found[what] = here
    assert found == {}
