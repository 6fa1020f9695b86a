"""The rules on paper: on a leaf and on small cards, whole, in every language, and nothing beyond the edge."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from companion.game import AnyGame, Paragraph
from companion.games import GAMES
from companion.printing import Printer, Sheet
from companion.words import LANGUAGES, Voice, numbered, sold_in, translations, whole_card
from tests.proofs import boxes_mm, measured_pdf, sizes_mm, text
from tests.test_rule_cards import options_of

ABOUT = {"code": "K7QX2M", "link": "http://192.168.178.20:8000/t/K7QX2M", "date": "2026-11-20", "title": "Friday"}
LEAVES = {"a4": (148.0, 210.0), "letter": (139.7, 215.9)}
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
every_sheet = pytest.mark.parametrize(("language", "paper"), [*((one, "a4") for one in LANGUAGES), ("es", "letter")])
"""Every language, and the longest one on the narrower paper."""


def on_paper(game: AnyGame, options: Mapping[str, Any]) -> list[tuple[str, Paragraph]]:
    """Give the paragraphs that a rule card has; how the companion is used stands on none."""
    card = game.rule_card(game.options.load(dict(options)), False)
    ours = {str(number) for number, section in enumerate(card, 1) if section.is_of_companion}
    return [(number, paragraph) for number, paragraph in numbered(card) if number.split(".")[0] not in ours]


def printed(printer: Printer, game: AnyGame, item: str, language: str, paper: str, **table: Any) -> bytes:
    return printer.pdf(Sheet(game, item, language, paper).html(**table))


@pytest.mark.in_turn(of=3)
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
    for number, paragraph in on_paper(game, sold_in(game, language)):
        assert f"{number} " in said
        # A line may break a word nowhere, so that every word is found as it is.
        assert set(speak.paragraph(paragraph).split()) <= set(said.split()), number


@pytest.mark.in_turn(of=3)
@every_game
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_rules_stand_on_small_cards(game: AnyGame, language: str) -> None:
    """Nothing is hidden below a card's lower edge: the words of a PDF are there even where they are not seen."""
    html = Sheet(game, "rule_cards", language).html()
    cards = boxes_mm(html, "section")
    paragraphs = boxes_mm(html, "p")[: html.count("<p><b>")]
    assert len(paragraphs) == len(on_paper(game, sold_in(game, language)))
    for left, top, right, bottom in paragraphs:
        assert any(c[0] < left and c[1] < top and right < c[2] and bottom < c[3] - 1 for c in cards)
    said = " ".join(text(measured_pdf(html)).split())
    assert all(f"{number} " in said for number, _paragraph in on_paper(game, sold_in(game, language)))


@pytest.mark.in_turn(of=2)
@every_game
def test_the_card_of_a_table_is_its_own(printer: Printer, game: AnyGame) -> None:
    for seed in range(3):
        chance = Random(seed)
        options = game.options.dump(options_of(game, chance))
        said = text(printed(printer, game, "rule_card", "en", "a4", about=ABOUT, options=options))
        assert "K7QX2M" in said
        for number, paragraph in on_paper(game, options):
            assert f"{number} " in " ".join(said.split())
            assert set(Voice(game.words, ()).paragraph(paragraph).split()) <= set(said.split())


@pytest.mark.parametrize(
    ("language", "white", "may_say_none"), [("cs", 1, 0), ("es", 0, 1), ("pl", 1, 1), ("en", 1, 0)]
)
def test_the_language_chooses_the_box(printer: Printer, language: str, white: int, may_say_none: int) -> None:
    """A Spanish box has black instead of white; in a Spanish and a Polish game a hint may say that there is none."""
    game, words = GAMES["hanabi"], translations(language)
    said = " ".join(text(printed(printer, game, "rule_card", language, "a4")).split())
    assert said.count(words.gettext("white")) == white
    assert said.count(words.gettext("A hint may also say that there is no such card in that hand.")) == may_say_none
    table = " ".join(text(printed(printer, game, "rule_card", language, "a4", about=ABOUT, options={})).split())
    assert words.gettext("A hint must point at one card or more.") in table, "a table has the box that it has"


@every_game
def test_a_card_teaches_the_game_and_the_tent_the_companion(printer: Printer, game: AnyGame) -> None:
    ours = [section for section in whole_card(game, "en") if section.is_of_companion]
    told = [Voice(game.words, ()).paragraph(part) for section in ours for part in section.paragraphs if part]
    card, tent = (text(printed(printer, game, item, "en", "a4")).split() for item in ("rule_card", "join_tent"))
    assert told
    assert any(set(one.split()) <= set(tent) for one in told)
    assert "companion" not in " ".join(card)


@every_game
def test_what_is_read_in_rows_is_in_rows(printer: Printer, game: AnyGame) -> None:
    card = game.rule_card(game.options.load({}), False)
    tables = [paragraph.table for _, paragraph in numbered(card) if paragraph.table]
    said = " ".join(text(printed(printer, game, "rule_card", "en", "a4")).split())
    assert tables
    for row in (row for table in tables for row in table):
        assert " ".join(" ".join(map(Voice(game.words, ()).cell, row)).split()) in said
