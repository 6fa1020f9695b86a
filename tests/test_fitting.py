"""Letters as large as fit: on cards, and in a booklet."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.printing import FORMS, LARGE, PAPERS, Printer, Sheet
from companion.printing import __main__ as press
from companion.printing.fitting import fitted
from companion.settings import PRINTABLES
from companion.words import LANGUAGES
from tests.proofs import bare, sizes_mm, sizes_pt, words_mm

NAMED = '<meta name="letters" content="8 10 12 14 16 18 20">'
STYLE = "<style>body { font-size: var(--letters) } section { width: 200pt; height: 100pt; padding: 10pt; line-height: 1 }</style>"
WITH_CARDS = [key for key in GAMES if key != "tally"]


def card(inside: str, named: str = NAMED) -> str:
    return bare(f"<section>{inside}</section>").replace("</head>", f"{named}{STYLE}</head>")


def laid_out(html: str) -> tuple[float, int]:
    """Give the size that is taken, 0 for none, and how often the sheet was laid out."""
    renderer, times = press.Renderer(PRINTABLES), list[str]()
    sheet, _document = fitted(html, lambda each: times.append(each) or renderer._rendered(each, []))
    found = re.search(r"--letters: ([\d.]+)pt", sheet)
    return float(found[1]) if found else 0, len(times)


@pytest.mark.parametrize(
    ("inside", "size"),
    [
        ("<div>one line</div>", 20),
        ("<div>one<br>two<br>three<br>four<br>five<br>six<br>seven<br>eight</div>", 12),
        ("<div>one<br>two<br>three<br>four<br>five<br>six<br>seven<br>eight<br>nine<br>ten</div>", 10),
        (f"<div>{'one<br>' * 20}</div>", 8),
        ("<div>Rindfleischetikettierungsüberwachung</div>", 10),
        ("<table><tr><td>Rindfleischetikettierungsüberwachung</td></tr></table>", 10),
    ],
)
def test_the_largest_letters_that_fit_are_taken(inside: str, size: float) -> None:
    taken, times = laid_out(card(inside))
    assert taken == size
    assert times <= 4, "not every size is laid out"


def test_a_card_as_large_as_its_page_does_not_go_on_upon_the_next() -> None:
    """Two cards in large print did."""
    parts = card(f'<div style="break-inside: avoid">{"one two three " * 20}</div>' * 6)
    assert laid_out(parts.replace("height: 100pt", "height: 255mm"))[0] == 12


def test_a_page_that_holds_the_largest_is_laid_out_once() -> None:
    """A booklet was laid out twice at least, and everything for tonight took half as long again for it."""
    page = bare("<p>one</p>").replace("</head>", f"{NAMED}{STYLE}</head>")
    assert laid_out(page) == (20, 1)


@pytest.mark.parametrize(("beyond", "size"), [("0.1px", 20), ("0.5px", 8)])
def test_what_stands_out_by_less_than_can_be_seen_does_not(beyond: str, size: float) -> None:
    """A line that ended 0.04 mm beyond its column took a card half a point of its letters."""
    assert laid_out(card(f'<div style="margin-right: -{beyond}; text-align: right">one</div>'))[0] == size


def test_a_sheet_that_names_no_letters_is_laid_out_as_it_is() -> None:
    assert laid_out(card("<div>one line</div>", named="")) == (0, 1)


def test_larger_letters_take_no_page_more() -> None:
    pages = bare("<p>one</p>" * 40).replace(
        "</head>", f"{NAMED}<style>p {{ font-size: var(--letters) }}</style></head>"
    )
    taken, _times = laid_out(pages)
    assert taken == 14


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", WITH_CARDS)
def test_a_card_for_tarot_sleeves_has_letters_of_ten_points(
    printer: Printer, tmp_path: Path, key: str, language: str
) -> None:
    """Two fifths of Rage's card were left empty."""
    pdf = printer.pdf(Sheet(GAMES[key], "reference_cards", language, form="tarot").html())
    assert (
        min(size for word, size in sizes_pt(pdf, tmp_path) if size > 2 and word not in {"100", "%", "=", "50", "mm"})
        >= 9.9
    )


@pytest.mark.parametrize(
    ("key", "form"),
    [(key, form) for key, form in product(WITH_CARDS, FORMS["reference_cards"]) if form != LARGE],
)
def test_a_card_has_one_face_and_keeps_its_page(printer: Printer, key: str, form: str) -> None:
    pdf = printer.pdf(Sheet(GAMES[key], "reference_cards", "es", "letter", form).html())
    assert len(sizes_mm(pdf)) == (2 if "edge" in form else 1)


@pytest.mark.parametrize(("key", "language"), [*zip(WITH_CARDS, LANGUAGES, strict=False)])
def test_a_card_in_large_print_fills_its_page(printer: Printer, tmp_path: Path, key: str, language: str) -> None:
    """Half of it was left empty."""
    pdf = printer.pdf(Sheet(GAMES[key], "reference_cards", language, form=LARGE).html())
    ((_width, height),) = sizes_mm(pdf)
    assert max(bottom for _word, _left, _top, _right, bottom in words_mm(pdf, tmp_path)) >= 0.75 * height


@pytest.mark.parametrize("paper", PAPERS)
def test_a_booklet_fills_its_page(printer: Printer, tmp_path: Path, paper: str) -> None:
    """A third of it was left empty."""
    pdf = printer.pdf(Sheet(GAMES["hanabi"], "rule_card", "de", paper, "booklet").html())
    assert len(sizes_mm(pdf)) == 1
    assert ("Hinweis", 12) in [(word, round(size, 1)) for word, size in sizes_pt(pdf, tmp_path)]
