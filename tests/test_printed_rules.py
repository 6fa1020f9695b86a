"""The rules on paper: on a leaf and on small cards, whole, in every language, and nothing beyond the edge."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pypdf import PdfReader

from companion.game import AnyGame, numbered
from companion.games import GAMES
from companion.printing import PAPERS, Printer, contents, printables, sheet_html
from companion.printing.items import RULES
from companion.words import LANGUAGES, Voice, translations
from tests.proofs import PAPERS_MM, check, codes, fonts, ink_percent, picture, sizes_mm, text, words_mm
from tests.test_rule_cards import options_of

ABOUT = {"code": "K7QX2M", "link": "http://192.168.178.20:8000/t/K7QX2M", "date": "2026-11-20", "title": "Friday"}
LEAVES = {"a4": (148.0, 210.0), "letter": (139.7, 215.9)}
CARD_MM = (63.0, 88.0)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
every_sheet = pytest.mark.parametrize(("language", "paper"), [*((one, "a4") for one in LANGUAGES), ("es", "letter")])
"""Every language, and the longest one on the narrower paper."""
every_paper = pytest.mark.parametrize("paper", PAPERS)


@pytest.fixture(scope="module")
def printer() -> Iterator[Printer]:
    printer = Printer(printables(), patience_s=60)
    yield printer
    printer.close()


def printed(printer: Printer, game: AnyGame, item: str, language: str, paper: str, **table: Any) -> bytes:
    filled = contents(game, item, language, **table)
    return printer.pdf(
        sheet_html(game.key, item, filled, language=language, paper=paper, translations=translations(language))
    )


@every_game
@every_sheet
def test_the_whole_rules_stand_on_a_leaf_of_two_pages_at_most(
    printer: Printer, game: AnyGame, language: str, paper: str
) -> None:
    pdf = printed(printer, game, "rule_card", language, paper)
    sizes = sizes_mm(pdf)
    assert len(sizes) <= 2
    assert all(size == pytest.approx(LEAVES[paper], abs=0.2) for size in sizes)
    said = " ".join(text(pdf).split())
    speak = Voice(game.words, (), language)
    for number, paragraph in numbered(game.rule_card(None)):
        assert f"{number} " in said
        # A line may break a word nowhere, so that every word is found as it is.
        assert set(speak.paragraph(paragraph).split()) <= set(said.split()), number


@every_game
@every_paper
def test_no_word_leaves_its_page_and_every_letter_is_there(
    printer: Printer, game: AnyGame, paper: str, tmp_path: Path
) -> None:
    pdf = printed(printer, game, "rule_card", "cs", paper)
    width, height = LEAVES[paper]
    for _word, left, top, right, bottom in words_mm(pdf, tmp_path):
        assert 5 < left < right < width - 5
        assert 5 < top < bottom < height - 5
    assert {embedded for _font, embedded in fonts(pdf, tmp_path)} == {"yes"}
    assert "No syntax or stream encoding errors found" in check(pdf, tmp_path)
    assert ink_percent(pdf, tmp_path) <= 12  # a leaf of text: half the paper, so 6 % of the sheet that it is cut from


@every_game
@pytest.mark.parametrize(("language", "paper"), [("es", "a4"), ("pl", "letter")])
def test_small_cards_keep_their_words(
    printer: Printer, game: AnyGame, language: str, paper: str, tmp_path: Path
) -> None:
    """Every word of a card lies within its 63 × 88 mm; what would not fit is dealt to the next one."""
    pdf = printed(printer, game, "rule_cards", language, paper)
    width, height = PAPERS_MM[paper]
    sizes = sizes_mm(pdf)
    assert sizes == [pytest.approx((width, height), abs=0.2)] * len(sizes)
    said = " ".join(text(pdf).split())
    assert all(f"{number} " in said for number, _paragraph in numbered(game.rule_card(None)))
    left_edge, top_edge = (width - 3 * CARD_MM[0]) / 2, {"a4": 16.5, "letter": 7.7}[paper]
    for word, left, top, right, bottom in words_mm(pdf, tmp_path):
        if top > top_edge + 3 * CARD_MM[1]:
            continue  # the ruler
        column, row = (left - left_edge) // CARD_MM[0], (top - top_edge) // CARD_MM[1]
        assert right <= left_edge + (column + 1) * CARD_MM[0] - 1, word
        assert bottom <= top_edge + (row + 1) * CARD_MM[1] - 1, word


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


@every_game
@pytest.mark.parametrize("item", RULES)
def test_the_leaf_is_tagged_for_who_listens(printer: Printer, game: AnyGame, item: str) -> None:
    pdf = PdfReader(_stream(printed(printer, game, item, "pl", "a4")))
    root = pdf.trailer["/Root"]
    assert root["/Lang"] == "pl"
    assert root["/MarkInfo"]["/Marked"]
    assert pdf.metadata
    assert game.name in str(pdf.metadata.title)


@every_sheet
def test_a_tent_leads_to_its_table_from_both_sides(printer: Printer, language: str, paper: str, tmp_path: Path) -> None:
    pdf = printed(printer, GAMES["rage"], "join_tent", language, paper, about=ABOUT)
    assert len(sizes_mm(pdf)) == 1
    assert codes(picture(pdf, tmp_path, 150)) == [ABOUT["link"].upper()] * 2
    assert text(pdf).count("K7QX2M") == 2


def _stream(pdf: bytes) -> BytesIO:

    return BytesIO(pdf)
