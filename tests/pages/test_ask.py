"""Ask the referee, on a phone of 360 × 640: every kind of question of every game, by its keys alone.

The language is another each time, and printed; `--long` asks in all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from random import choice

import pytest
from playwright.sync_api import Page, expect

from companion.games import GAMES
from companion.words import LANGUAGES
from tests.phones import Phone

LEAST_PX = 47.5
"""The smallest key, less what a browser may round."""
VISIBLE = """(least) => {
  const box = document.documentElement;
  const inside = (key) => {
    const at = key.getBoundingClientRect();
    const top = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);
    return at.left >= 0 && at.right <= box.clientWidth && at.top >= 0 && at.bottom <= box.clientHeight
      && Math.min(at.width, at.height) >= least && (key === top || key.contains(top) || top?.contains(key));
  };
  const keys = [...document.querySelectorAll(".hand button, .hand label")];
  return { count: keys.length, wrong: keys.filter((key) => !inside(key)).map((key) => key.textContent.trim()),
    isWide: box.scrollWidth > box.clientWidth, isLong: box.scrollHeight > box.clientHeight };
}"""

TAPS: dict[str, list[str]] = {
    "rage.trick": ["trump=R", "Y", "words=*8", "R", "words=*4", "words=NT"],
    "rage.follow": ["Y", "hand=*8", "G", "hand=*2", "row=words", "Y", "words=*3", "G", "words=*2"],
    "rage.score": ["bid=3", "tricks=3", "plus=0", "minus=1", "next=1", "bid=2", "tricks=1", "plus=1"],
    "rage.bids": ["bids=1", "bids=2", "bids=1", "row=cards", "cards=5"],
    "hanabi.score": ["fireworks=Y3", "fireworks=R4", "row=discards", "discards=B1"],
    "hanabi.fits": ["words=R3", "fireworks=R1"],
    "hanabi.hint": ["hand=B1", "hand=B4", "row=hint", "hint=B"],
    "hanabi.card": ["is=R", "row=seen", "seen=R3"],
    "hanabi.rating": ["points=22"],
    "ikebana.bouquet": ["words=K3", "words=R3", "words=G3", "words=B2", "words=Y2"],
    "ikebana.refusals": ["points=10"],
    "ikebana.purchase": ["buy=G4", "points=3"],
    "ubongo.gems": ["green=6", "red=4", "blue=2", "next=1", "green=3"],
    "ubongo.pawn": ["from=0", "rank=1", "to=3"],
    "ubongo.taken": ["left=1"],
}
"""What is touched for each kind of question; one letter is a colour.

Only colours that every box has: without a table the one that is sold in the language is asked about, and the Spanish
box of Hanabi has black instead of white.
"""
VALUES = {
    "rage.trick": "8",
    "rage.score": "8",
    "hanabi.rating": "22",
    "ikebana.bouquet": "39",
    "ikebana.refusals": "4",
}
"""What the answer says in any language."""


def touch(page: Page, what: str) -> None:
    """Touch a key where it is seen: a colour, or a word of a part."""
    name, _, word = what.partition("=")
    if not word:
        page.locator(f'.hand label:has(input[name="colour"][value="{name}"])').tap()
        return
    with page.expect_navigation():
        page.locator(f'button[name="{name}"][value="{word}"]').first.tap()


def look(page: Page, where: str) -> None:
    """Every key is wholly seen, uncovered and large enough, and nothing goes beyond the screen."""
    seen = page.evaluate(VISIBLE, LEAST_PX)
    assert seen["count"] > 1, where
    assert (seen["wrong"], seen["isWide"], seen["isLong"]) == ([], False, False), where


def ask(phone: Phone, language: str, question: str) -> None:
    game, _, topic = question.partition(".")
    phone.opens(f"/judge/{game}")
    with phone.page.expect_navigation():
        phone.page.locator(f'a[href*="about={topic}"]').tap()
    for what in TAPS[question]:
        look(phone.page, f"{question} in {language}, before {what}")
        touch(phone.page, what)
    look(phone.page, f"{question} in {language}")
    said = phone.page.locator(".ask-said")
    expect(said).to_have_attribute("role", "status")
    assert phone.page.locator(".notice").count() == 1, f"{question} in {language} has no answer"
    assert VALUES.get(question, "") in said.inner_text()


def test_every_kind_of_question_is_tried() -> None:
    assert set(TAPS) == {f"{game.key}.{topic.key}" for game in GAMES.values() for topic in game.question.topics}


@pytest.mark.parametrize("question", TAPS)
def test_every_question_is_asked_by_keys_alone(phone: Callable[..., Phone], is_long: bool, question: str) -> None:
    for language in LANGUAGES if is_long else [choice([*LANGUAGES])]:
        print(language)
        ask(phone(locale=language, viewport={"width": 360, "height": 640}), language, question)


def test_every_gem_is_a_key_beside_the_others(phone: Callable[..., Phone]) -> None:
    """Two of six were seen where four players were told of."""
    asker = phone(viewport={"width": 360, "height": 640})
    asker.opens("/judge/ubongo?about=gems")
    boxes = [key.bounding_box() for key in asker.page.locator(".asked-name").all()]
    assert len({box["y"] for box in boxes if box}) == 1
    assert min(min(box["width"], box["height"]) for box in boxes if box) >= LEAST_PX
