"""What can be is laid out once: the sheet is, byte for byte, what it is when all of it is laid out."""

import pytest

from companion.games import GAMES
from companion.printing import Printer, Sheet
from companion.printing import __main__ as press
from companion.printing.alike import AGAIN, FIRST, once
from companion.printing.press import DONE
from companion.settings import PRINTABLES
from tests.proofs import bare, text

ABOUT = {"code": "K7QX2M", "link": "http://192.168.178.20:8000/t/K7QX2M", "date": "", "title": "", "place": ""}
ALIKE = [
    ("hanabi", "reference_cards", "nine"),
    ("ikebana", "reference_cards", "short_edge"),
    ("ubongo", "rule_cards", "long_edge"),
    ("rage", "score_pad", "four"),
    ("rage", "trump_tracker", "sheet"),
    ("rage", "stickers", "sheet"),
    ("tally", "join_card", "sheet"),
    ("hanabi", "tournament_sheet", "sheet"),
]
"""What is there more than once on a page: beside and beneath itself, on other pages, turned, with codes and tables."""


def _watched(monkeypatch: pytest.MonkeyPatch) -> tuple[press.Renderer, list[str]]:
    """Give a renderer, and what it lays out."""
    renderer, rendered = press.Renderer(PRINTABLES), []
    laid_out = renderer._rendered
    monkeypatch.setattr(renderer, "_rendered", lambda html, linked: rendered.append(html) or laid_out(html, linked))
    return renderer, rendered


@pytest.mark.parametrize(("key", "item", "form"), ALIKE)
def test_a_sheet_is_the_very_same(monkeypatch: pytest.MonkeyPatch, key: str, item: str, form: str) -> None:
    html = Sheet(GAMES[key], item, "cs", "letter", form).html(about=ABOUT, players=["Anna", "", "Žofie"])
    assert any(f'{AGAIN}="0"' in once(part) for part in html.split("\f"))
    renderer, rendered = _watched(monkeypatch)
    kind, pdf = renderer.answer(html)
    assert kind == DONE
    assert all(f'{AGAIN}="0"' in each for each in rendered), "nothing had to be laid out in full"
    monkeypatch.setattr(press, "once", lambda whole: whole)
    assert renderer.answer(html) == (DONE, pdf)


def test_letters_that_no_font_has_are_known_when_the_next_sheet_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer, rendered = _watched(monkeypatch)
    sheet, marked = Sheet(GAMES["rage"], "season_sheet"), Sheet(GAMES["tally"], "season_sheet")
    kind, pdf = renderer.answer(sheet.html(about=ABOUT, players=["漢 A", "Bo"]))
    assert (kind, len(rendered)) == (DONE, 2)
    assert renderer.answer(sheet.html(about=ABOUT, players=["漢 A", "Bo"])) == (DONE, pdf)
    assert len(rendered) == 3
    assert renderer.answer(sheet.html(about=ABOUT, players=["? A", "Bo"])) == (DONE, pdf)
    kind, pdf = renderer.answer(marked.html(about=ABOUT, players=["漢字", "Bo"]))
    assert (kind, len(rendered), text(pdf).count("??")) == (DONE, 6, 1)


def test_what_stands_there_once_stays() -> None:
    html = bare("<section>one</section><section class='a'>one</section><section>two</section>")
    assert once(html) == html


def test_of_what_stands_there_again_the_frame_is_left() -> None:
    html = '<section class="a"><p>one</p></section>' * 2
    assert once(html) == (
        f'<section {FIRST}="0" class="a"><p>one</p></section><section {AGAIN}="0" class="a"></section>'
    )


@pytest.mark.parametrize(
    "style",
    [
        "",  # as high as its text
        "section { height: 20mm; background: #ddd }",
        "section { height: 20mm } section + section { width: 50mm }",
    ],
)
def test_what_cannot_be_copied_is_laid_out_whole(printer: Printer, style: str) -> None:
    pdf = printer.pdf(bare(f"<style>{style}</style>" + "<section><p>A card</p></section>" * 3))
    assert text(pdf).split() == ["A", "card"] * 3
