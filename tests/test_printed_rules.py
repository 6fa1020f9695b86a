"""The rules on paper: on a leaf and on small cards, whole, in every language, and nothing beyond the edge."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.game import AnyGame, numbered
from companion.games import GAMES
from companion.printing import Printer, Sheet
from companion.words import LANGUAGES, Voice
from tests.proofs import boxes_mm, measured_pdf, sizes_mm, text
from tests.test_rule_cards import options_of

ABOUT = {"code": "K7QX2M", "link": "http://192.168.178.20:8000/t/K7QX2M", "date": "2026-11-20", "title": "Friday"}
LEAVES = {"a4": (148.0, 210.0), "letter": (139.7, 215.9)}
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
every_sheet = pytest.mark.parametrize(("language", "paper"), [*((one, "a4") for one in LANGUAGES), ("es", "letter")])
"""Every language, and the longest one on the narrower paper."""


def printed(printer: Printer, game: AnyGame, item: str, language: str, paper: str, **table: Any) -> bytes:
    return printer.pdf(Sheet(game, item, language, paper).html(**table))


@every_game
@every_sheet
def test_the_whole_rules_stand_on_a_leaf_of_two_pages_at_most(
    printer: Printer, game: AnyGame, language: str, paper: str
) -> None:
    pdf = printed(printer, game, "rule_card", language, paper)
    sizes = sizes_mm(pdf)
    assert len(sizes) <= 2
    assert all(size == pytest.approx(LEAVES[paper], abs=0.2) for size in sizes)
    said = " ".join(text(pdf).replace("-\n", "-").split())  # a line may end within je-li
    speak = Voice(game.words, (), language)
    for number, paragraph in numbered(game.rule_card(None)):
        assert f"{number} " in said
        # A line may break a word nowhere, so that every word is found as it is.
        assert set(speak.paragraph(paragraph).split()) <= set(said.split()), number


@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_rules_stand_on_small_cards(game: AnyGame, language: str) -> None:
    """Nothing is hidden below a card's lower edge: the words of a PDF are there even where they are not seen."""
    html = Sheet(game, "rule_cards", language).html()
    cards = boxes_mm(html, "section")
    paragraphs = boxes_mm(html, "p")[: html.count("<p><b>")]
    assert len(paragraphs) == len(list(numbered(game.rule_card(None))))
    for left, top, right, bottom in paragraphs:
        assert any(c[0] < left and c[1] < top and right < c[2] and bottom < c[3] - 1 for c in cards)
    said = " ".join(text(measured_pdf(html)).split())
    assert all(f"{number} " in said for number, _paragraph in numbered(game.rule_card(None)))


@every_game
def test_the_card_of_a_table_is_its_own(printer: Printer, game: AnyGame) -> None:
    for seed in range(3):
        chance = Random(seed)
        options = game.options.dump(options_of(game, chance))
        said = text(printed(printer, game, "rule_card", "en", "a4", about=ABOUT, options=options))
        assert "K7QX2M" in said
        for number, paragraph in numbered(game.rule_card(game.options.load(options))):
            assert f"{number} " in " ".join(said.split())
            assert set(Voice(game.words, ()).paragraph(paragraph).split()) <= set(said.split())
