"""Letters twice as large on a small phone: all of it can be read, and nothing is pushed sideways."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.testing import laws
from companion.words import LANGUAGES
from tests.pages.places import ALONE, SETTINGS, Setting, places, written
from tests.phones import Phone

TWICE = """() => {
  const root = document.documentElement;
  root.style.fontSize = `${2 * Number.parseFloat(getComputedStyle(root).fontSize)}px`;
  document.querySelectorAll("details:not(.menu)").forEach((fold) => { fold.open = true; });
}"""
"""As the settings of a phone do it, without a larger page."""
PILED = """() => {
  const found = [];
  const places = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  for (let node = places.nextNode(); node; node = places.nextNode()) {
    const said = node.data.trim();
    if (node.parentElement.closest(".vh, svg, script, style, textarea, option")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => Math.round(bottom)));
    if (lines.size > said.split(/\\s+/).length && said.length / lines.size < 4) found.push(said);
  }
  return found;
}"""
"""Which words are broken into lines of fewer than four letters."""


@pytest.fixture
def reader(phone: Callable[..., Phone]) -> Phone:
    return phone(viewport={"width": 360, "height": 640})


def faults(page: Page) -> Iterator[str]:
    """Find what is pushed sideways, cut off, piled up, or lies on something else."""
    page.evaluate(TWICE)
    if (wide := page.evaluate("document.documentElement.scrollWidth")) > 360:
        yield f"{wide} px wide"
    yield from (f"piled up: {text}" for text in page.evaluate(PILED))
    yield from laws.cut(page)
    yield from laws.overlapping(page)


@pytest.mark.parametrize("path", ALONE)
def test_a_page_without_a_table_has_room_for_large_letters(reader: Phone, path: str) -> None:
    reader.page.context.add_cookies([{"name": "language", "value": language_of(path), "url": reader.server.address}])
    reader.opens(path)
    assert list(faults(reader.page)) == []


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: f"{setting.game}-{setting.seats}")
def test_a_page_of_a_table_has_room_for_large_letters(reader: Phone, setting: Setting) -> None:
    found = {}
    for what, path in places(reader, setting):
        if what.endswith("screen"):
            continue
        language = language_of(what)
        reader.page.context.add_cookies([{"name": "language", "value": language, "url": reader.server.address}])
        reader.opens(path)
        if here := list(faults(reader.page)):
            found[f"{what} {language}"] = here
        reader.page.goto("about:blank")  # what follows a table would load itself again when that is halted
    assert found == {}


TOLD = Setting("ikebana", 3, (), (("detail", "payments"),))
"""Where the bouquets of the first round are told when everybody has kept five cards."""


@pytest.mark.parametrize(
    ("setting", "moves"),
    [
        (Setting("hanabi", 3, (), (("detail", "tokens"),)), [{"move": "play", "card": "W1"}]),
        (Setting("hanabi", 3, (), (("detail", "hints"),)), [{"move": "play", "card": "W1"}]),
        (Setting("hanabi", 5, (), (("detail", "cards"),)), [{"move": "play", "slot": 0, "card": "W1"}]),
        (TOLD, [{"move": "keep"}] * 15),
    ],
    ids=lambda one: one.game if isinstance(one, Setting) else "",
)
def test_the_table_ends_above_the_keys(reader: Phone, setting: Setting, moves: list[dict[str, Any]]) -> None:
    """Hanabi's discards went on behind the keys and what was said last, and the cards of a bouquet beyond the side."""
    evening = written(setting, [])
    evening["players"] = ["Maksymilianna", "Wolfensteinová", "Przemysław Jan", "Dalibor", "Ester"][: setting.seats]
    evening["moves"] = [{**move, "seat": turn % setting.seats} for turn, move in enumerate(moves)]
    code = reader.asks("POST", "/records", evening)["table"]["code"]
    reader.opens(f"/t/{code}/0")
    reader.is_live()
    assert list(faults(reader.page)) == []
    ends = "(box) => Math.max(...[...box.children].map((child) => child.getBoundingClientRect().bottom))"
    foot, keys = reader.page.locator(".table-top").evaluate(ends), reader.page.locator(".hand").bounding_box()
    assert keys
    assert foot <= keys["y"] + 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_head_is_one_row_and_leaves_the_page_to_the_table(reader: Phone, language: str) -> None:
    """It took a quarter of a small phone: its keys stood in a row of their own."""
    reader.page.context.add_cookies([{"name": "language", "value": language, "url": reader.server.address}])
    code = reader.asks("POST", "/tables", {"game": "ikebana", "players": ["Anna", "Bo"]})["table"]["code"]
    reader.opens(f"/t/{code}/0")
    reader.is_live()
    reader.page.evaluate(TWICE)
    assert reader.page.locator(".top").evaluate("({ offsetHeight }) => offsetHeight") <= 90
    targets = reader.page.locator(".top :is(.top-link, summary)")
    assert [box for key in targets.all() if (box := key.bounding_box()) and min(box["width"], box["height"]) < 48] == []
    assert list(laws.broken(reader.page)) == []


OVERFULL = """() => [...document.querySelectorAll(".lying .face, .card-keys .key")]
  .filter((part) => part.checkVisibility())
  .filter((part) => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.innerText)"""
"""What stands on a card, or a key for one, and has no room there."""


@pytest.mark.parametrize("times", [1, 1.5, 2])
@pytest.mark.parametrize("seats", [2, 5])
def test_what_is_told_of_a_card_of_hanabi_has_room_on_it(reader: Phone, times: float, seats: int) -> None:
    """Of a 1 that is no 2 but half could be read, and the keys for cards lay upon one another."""
    evening = written(Setting("hanabi", seats, (), (("detail", "cards"),)), [])
    evening["players"] = ["Maksymilianna", "Wolfensteinová", "Przemysław Jan", "Dalibor", "Ester"][:seats]
    said = [{"to": 1, "value": 1, "slots": [0, 1]}, *[{"to": 0, "value": 4, "slots": [0]}] * (seats - 1)]
    hints = [*said, {"to": 1, "colour": "G", "slots": [0, 2]}]
    evening["moves"] = [{"move": "hint", "seat": turn % seats, **hint} for turn, hint in enumerate(hints)]
    code = reader.asks("POST", "/records", evening)["table"]["code"]
    reader.opens(f"/t/{code}/1")
    reader.is_live()
    reader.is_awake()
    reader.page.evaluate(TWICE.replace("2 *", f"{times} *"))
    assert reader.page.evaluate(OVERFULL) == []
    reader.page.locator(".own-hand label").last.tap()
    expect(reader.page.locator("#lay .played-or-not")).to_be_visible()
    assert reader.page.evaluate(OVERFULL) == []
    assert list(laws.cut(reader.page)) == []
    reader.page.locator("#lay [data-cancel]").tap()
    reader.page.locator(".hand-of label").last.tap()
    assert list(laws.cut(reader.page)) == []


def language_of(what: str) -> str:
    """Choose another language from page to page."""
    return Random(what).choice([*LANGUAGES])
