"""Everything that can be printed, in every form and language and on every paper: the proofs of one sheet.

The gate proves two sheets of each form, which differ in language and paper; `--long` proves all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from pypdf import PdfReader

from companion import printing
from companion.game import AnyGame, filling
from companion.games import GAMES
from companion.play import Play
from companion.printing import JOINING, PAPERS, Printer, Sheet, every_sheet, forms, items, printables
from companion.words import LANGUAGES
from tests.proofs import PAPERS_MM, boxes_mm, check, codes, fonts, ink_percent, picture, sizes_mm, text, words_mm
from tests.test_sheets import finished

LINK = "http://192.168.178.20:8000/t/K7QX2M"
ABOUT = {"code": "K7QX2M", "link": LINK, "date": "2026-11-20", "title": "Friday"}
NAMES = ["<b>W</b>&amp;{{ 7 }}", "W" * 24, "Žofie Ďurková", "Łukasz Żółć", "Ñuño Gutiérrez", "漢字 😀", "Bo", "Maximilian the Great"]  # fmt: skip
COMBINED = list(product(LANGUAGES, PAPERS))
LEAVES_MM = {"a4": (148.0, 210.0), "letter": (139.7, 215.9)}
UPRIGHT = {"leaf", "nine", "sheet"}
CARDS = {"nine": (3, 3, 0), "bleed": (4, 2, 6), "folded": (4, 2, 0)}
"""Columns, rows and the gap in mm; on Letter one column less has bleed."""
EDGES_MM = {
    ("nine", "a4"): (10.5, 16.5),
    ("nine", "letter"): (13.45, 7.7),
    ("bleed", "a4"): (10.5, 9.0),
    ("bleed", "letter"): (36.2, 11.95),
    ("folded", "a4"): (22.5, 17.0),
    ("folded", "letter"): (13.7, 19.95),
}
"""Where the block of cards begins: left and top."""
CODES = {"score_sheet": 1, "join_card": 4, "join_tent": 2}


def in_the_gate() -> list[Any]:
    """List the sheets: of each form two, all eight ways over the forms of a game; the others are long."""
    found = []
    for key, game in GAMES.items():
        kinds = [(item, form) for item in items(game) for form in forms(item)]
        for number, (item, form) in enumerate(kinds):
            chosen = {number % len(COMBINED), (3 * number + 5) % len(COMBINED)}
            for place, (language, paper) in enumerate(COMBINED):
                sheet = Sheet(game, item, language, paper, form)
                marks = () if place in chosen else pytest.mark.long
                found.append(pytest.param(sheet, id=f"{key}-{sheet.name}", marks=marks))
    return found


@pytest.fixture(scope="module")
def printer() -> Iterator[Printer]:
    printer = Printer(printables(), patience_s=60)
    yield printer
    printer.close()


@cache
def table_of(key: str) -> dict[str, Any]:
    """Fill a sheet from a finished game with as many as can play, whose names are long and hostile."""
    play: Play[Any] = finished(key)
    return {
        "about": ABOUT,
        "options": {},
        "players": NAMES[: play.seats],
        "facts": filling(play.game, play.positions()),
    }


def size_mm(sheet: Sheet) -> tuple[float, float]:
    if sheet.form == "leaf":
        return LEAVES_MM[sheet.paper]
    return PAPERS_MM[sheet.paper]


@pytest.mark.parametrize("sheet", in_the_gate())
def test_the_proofs_of_a_sheet(printer: Printer, tmp_path: Path, sheet: Sheet) -> None:
    pdf = printer.pdf(sheet.html(**table_of(sheet.game.key)))  # a warning of the layout engine would end it
    sizes = sizes_mm(pdf)
    assert all(sorted(size) == pytest.approx(sorted(size_mm(sheet)), abs=0.2) for size in sizes)
    assert len(sizes) <= (2 if sheet.form == "leaf" else 1)
    assert len(pdf) <= 250_000
    assert "No syntax or stream encoding errors found" in check(pdf, tmp_path)
    assert {embedded for _font, embedded in fonts(pdf, tmp_path)} == {"yes"}
    _tagged(sheet, pdf)
    for page, (width, height) in enumerate(sizes, start=1):
        for word, left, top, right, bottom in words_mm(pdf, tmp_path, page):
            assert 2.5 < left < right < width - 2.5, word
            assert 2.5 < top < bottom < height - 2.5, word
    pages = [picture(pdf, tmp_path, 150, page, coloured=True) for page in range(1, len(sizes) + 1)]
    # A leaf is half a page of paper and nothing but text.
    most = 12 if sheet.form == "leaf" else 6
    for page, shown in enumerate(pages, start=1):
        # A fine picture, which takes longer, shows thin lines as thin as they are printed.
        assert ink_percent(shown) <= most or ink_percent(picture(pdf, tmp_path, 300, page)) <= most
        assert ImageChops.difference(shown, shown.convert("L").convert("RGB")).getbbox() is None
    for turned in (0, 180):
        assert codes(pages[0].convert("L").rotate(turned)) == [LINK.upper()] * CODES.get(sheet.item, 0)
    if sheet.form in CARDS:
        _within_cards(sheet, pdf, tmp_path)


def _tagged(sheet: Sheet, pdf: bytes) -> None:
    reader = PdfReader(BytesIO(pdf))
    root = reader.root_object
    assert root["/Lang"] == sheet.language
    assert root["/MarkInfo"]["/Marked"]
    assert b"pdfuaid:part" in root["/Metadata"].get_object().get_data()
    assert reader.metadata
    assert sheet.game.name in str(reader.metadata.title)
    kinds = set(_kinds(root["/StructTreeRoot"]))
    assert "/H1" in kinds
    assert ("/Figure" in kinds) >= (sheet.item in CODES)
    assert ("/TH" in kinds) >= (sheet.item == "score_sheet")


def _kinds(element: Any) -> Iterator[str]:
    """Yield the kind of every element of the structure: /H1, /P …"""
    element = element.get_object()
    if isinstance(element, dict):
        yield str(element.get("/S"))
        children = element.get("/K", ())
        for child in children if isinstance(children, list) else [children]:
            if not isinstance(child, int):
                yield from _kinds(child)


def _within_cards(sheet: Sheet, pdf: bytes, folder: Path) -> None:
    """Hold every word to its card of 63 × 88 mm, a millimetre and more from the cut."""
    columns, rows, gap = CARDS[sheet.form]
    columns -= sheet.form == "bleed" and sheet.paper == "letter"
    left_edge, top_edge = EDGES_MM[sheet.form, sheet.paper]
    for word, left, top, right, bottom in words_mm(pdf, folder):
        column, row = int((left - left_edge) // (63 + gap)), int((top - top_edge) // (88 + gap))
        if row == rows:
            continue  # the ruler, and how to fold
        assert 0 <= column < columns
        start, upper = left_edge + column * (63 + gap) + gap / 2, top_edge + row * (88 + gap) + gap / 2
        assert start + 2.5 <= left < right <= start + 60.5, word
        assert upper + 2.5 <= top < bottom <= upper + 87, word


NARROW = [
    pytest.param(paper, language, marks=() if paper == "a4" or language == "en" else pytest.mark.long)
    for language, paper in COMBINED
]
"""The gate looks at the narrower paper in every language, and at the wider one in one."""


@pytest.mark.parametrize(("paper", "language"), NARROW)
@pytest.mark.parametrize("key", GAMES)
def test_no_word_of_a_table_crosses_a_line(
    printer: Printer, tmp_path: Path, key: str, paper: str, language: str
) -> None:
    """Heads are translated, and the narrowest column is on the sheet for the most players."""
    html = Sheet(GAMES[key], "score_sheet", language, paper).html(**table_of(key))
    cells = [*boxes_mm(html, "th"), *boxes_mm(html, "td")]
    for word, left, top, right, bottom in words_mm(printer.pdf(html), tmp_path):
        # What stands in a line of letters is lower than the line.
        middle = (top + bottom) / 2
        touched = [c for c in cells if c[1] < middle < c[3] and c[0] < right - 0.1 and left + 0.1 < c[2]]
        assert len(touched) <= 1 or any(c[0] <= left and right <= c[2] for c in touched), word


@pytest.mark.parametrize("key", GAMES)
def test_every_sheet_is_in_the_list(key: str) -> None:
    sheets = every_sheet(GAMES[key])
    assert len({sheet.name for sheet in sheets}) == len(sheets)
    assert {sheet.item for sheet in sheets} == set(items(GAMES[key]))
    assert {(sheet.language, sheet.paper) for sheet in sheets} == set(COMBINED)


@pytest.mark.parametrize("item", JOINING)
@pytest.mark.parametrize("paper", PAPERS)
def test_without_a_table_the_code_opens_the_companion(printer: Printer, tmp_path: Path, item: str, paper: str) -> None:
    """And there is a line to write the table's code on."""
    about = {"code": "", "link": "http://192.168.178.20:8000", "date": "", "title": ""}
    pdf = printer.pdf(Sheet(GAMES["rage"], item, "pl", paper).html(about=about))
    assert codes(picture(pdf, tmp_path, 150)) == ["HTTP://192.168.178.20:8000"] * CODES[item]
    assert text(pdf).count("192.168.178.20:8000") == CODES[item]


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_pictures_are_drawn_from_the_document_itself(printer: Printer, tmp_path: Path, game: AnyGame) -> None:
    html = Sheet(game, "score_sheet").html(**table_of(game.key))
    drawn = [Image.open(BytesIO(png)) for png in printer.pictures(html)]
    pdf = printer.pdf(html)
    assert len(drawn) == len(sizes_mm(pdf))
    other = picture(pdf, tmp_path, 110)
    assert drawn[0].size == pytest.approx(other.size, abs=1)
    # Two engines differ at the edges of letters, and nowhere else.
    apart = ImageChops.difference(drawn[0].convert("L").resize(other.size), other).resize((40, 40)).getextrema()
    assert apart[1] < 60
    assert codes(drawn[0].convert("L").resize((other.width * 2, other.height * 2))) == [LINK.upper()]


def test_the_picture_is_not_drawn_twice_though_its_document_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printing, "KEPT", 1)
    html = Sheet(GAMES["rage"], "join_tent").html(about=ABOUT)
    with closing(Printer(printables(), patience_s=60)) as printer:
        assert printer.pictures(html) is printer.pictures(html)
        assert re.match(rb"\x89PNG", printer.pictures(html)[0])
