"""Everything that can be printed, in every form and language and on every paper: the proofs of one sheet.

Each is proved blank, after a game by the usual rules, and with the rules that need the most room; a score sheet so for
every number of players. The gate proves one sheet of each form, with languages, papers and rules in turn, and the score
sheets that have been too long; of each item of the family it proves one sheet, chosen by a seed that is printed.
`--long` proves all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import cache
from html import unescape
from io import BytesIO
from itertools import chain, product
from pathlib import Path
from random import Random, randrange
from typing import Any

import pytest
from PIL import Image, ImageChops
from pypdf import PdfReader

from companion import printing
from companion.desk.wifi import Wifi
from companion.drawing.qr import qr_svg
from companion.game import AnyGame
from companion.games import GAMES
from companion.play import Play
from companion.printing import (
    EVENING,
    FORMS,
    ITEMS,
    JOINING,
    LARGE,
    LINKED,
    NOWHERE,
    PAPERS,
    Printer,
    Sheet,
    every_sheet,
    forms,
    items,
)
from companion.printing.around import AROUND, Won
from companion.printing.cuts import BOTH_SIDES, SLEEVES, SMALL
from companion.printing.items import filling
from companion.settings import PRINTABLES, TEMPLATES
from companion.words import ALONE, LANGUAGES
from tests.proofs import (
    MM,
    PAPERS_MM,
    boxes_mm,
    check,
    codes,
    fonts,
    ink_box_mm,
    ink_percent,
    lines_that_go_on,
    measured_pdf,
    picture,
    sizes_mm,
    sizes_pt,
    text,
    words_mm,
)
from tests.test_sheets import finished

ROOT = Path(__file__).parents[1]
LINK = "http://192.168.178.20:8000/t/K7QX2M"
INVITED = f"{LINK}0123456789ABC"
"""What leads newcomers to a table: with its invitation, so that the code has more squares."""
ABOUT = {"code": "K7QX2M", "link": LINK, "date": "2026-11-20", "title": "Friday", "place": "Anna’s kitchen"}
NAMES = ["<b>W</b>&amp;{{ 7 }}", "W" * 24, "Žofie Ďurková", "Łukasz Żółć", "Ñuño Gutiérrez", "漢字 😀", "Bo", "Maximilian the Great"]  # fmt: skip
COMBINED = list(product(LANGUAGES, PAPERS))
LEAVES_MM = {"a4": (148.0, 210.0), "letter": (139.7, 215.9)}
UPRIGHT = {"leaf", "nine", "sheet", "tarot"}
CARDS = {
    "nine": (3, 3, 0),
    **dict.fromkeys(("folded", "european", "bridge", "square"), (4, 2, 0)),
    "tarot": (2, 2, 0),
    **dict.fromkeys(("bleed", *BOTH_SIDES), (4, 2, 6)),
}
"""Columns, rows and the gap in mm; on Letter one column less has bleed or is square."""
CARDS_MM = {"european": (59, 92), "bridge": (57, 87), "tarot": (70, 120), "square": (70, 70)}
"""Width and height of a card; elsewhere 63 × 88."""
EDGES_MM = {
    ("nine", "a4"): (10.5, 16.5),
    ("nine", "letter"): (13.45, 7.7),
    **{(form, "a4"): (10.5, 11.0) for form in ("bleed", *BOTH_SIDES)},
    **{(form, "letter"): (36.2, 11.95) for form in ("bleed", *BOTH_SIDES)},
    ("folded", "a4"): (22.5, 17.0),
    ("folded", "letter"): (13.7, 19.95),
    ("european", "a4"): (30.5, 13.0),
    ("european", "letter"): (21.7, 15.95),
    ("bridge", "a4"): (34.5, 18.0),
    ("bridge", "letter"): (25.7, 20.95),
    ("tarot", "a4"): (35.0, 28.5),
    ("tarot", "letter"): (37.95, 19.7),
    ("square", "a4"): (8.5, 35.0),
    ("square", "letter"): (34.7, 37.95),
}
"""Where the block of cards begins: left and top."""
EDGE_MM = 5
"""What printers reach, and no more."""
LABEL_MM = (70, 37)
INK_PERCENT = {"leaf": 12, "booklet": 8, LARGE: 7, EVENING: 8, "stickers": 12, "place_cards": 7}
"""Of a form, or of an item with many QR codes or a booklet. A leaf is half a page of paper and nothing but text, and a booklet is two of them in larger letters, and large print has the largest; elsewhere 6."""
CODES = {"score_sheet": 1, "join_card": 4, "join_tent": 2, EVENING: 2}
"""How many are on the first page."""
FAMILY = (EVENING, "score_pad", "game_log", LARGE, "trump_tracker", "board_plan", *BOTH_SIDES, *SLEEVES, *AROUND)
"""Items and forms that stand beside those of every evening: the gate proves one sheet of each."""
FEWEST_LINES = 3
"""On the last page of several."""
LARGE_PT = 14
"""The smallest letters of large print."""
CARD_PT = 8.5
"""The smallest letters of a card, and of a leaf."""
SHEET_PT = 9
"""The smallest letters of everything else: but for what people wrote, where it is longer than its place."""
READ_OUT_PT = 1
"""The letters of what is there to be read out alone."""


BLANK, USUAL, FULL = "blank", "usual", "full"
FULLEST: dict[str, dict[str, Any]] = {
    "hanabi": {"edition": "pl", "multicolour": 10, "black_powder": True, "flamboyants": True, "hint_tokens": 10},
    "ikebana": {"final_bouquet": True, "wild": "colour_and_value"},
    "rage": {
        "edition": "amigo_1985",
        "plus_minus_one": True,
        "durch": True,
        "tie": "most_exact_bids",
        "joker_tie": "earlier",
        "joker_anytime": True,
        "nt_then_ct": "nt_dominates",
    },
    "tally": {"called": "W" * 40, "rounds": 100},
    "ubongo": {"long_game": True, "side": 4},
}
"""The rules that need the most room on paper."""
CHOSEN = {
    *(
        ("rage", seats, FULL, *way)
        for seats, way in zip((7, 8, 8), (("es", "a4"), ("es", "letter"), ("pl", "letter")), strict=True)
    ),
    *(("rage", 8, BLANK, "pl", "a4"), ("rage", 6, FULL, "es", "a4"), ("rage", 3, USUAL, "en", "letter")),
    *(("hanabi", 5, FULL, "pl", "letter"), ("hanabi", 2, BLANK, "es", "a4")),
    *(("ikebana", 5, FULL, "es", "letter"), ("ikebana", 2, USUAL, "cs", "a4")),
    *(("ubongo", 2, FULL, "pl", "letter"), ("ubongo", 4, USUAL, "cs", "a4"), ("ubongo", 4, FULL, "de", "a4")),
    *(("tally", 8, FULL, "pl", "letter"), ("tally", 3, USUAL, "de", "letter")),
}
"""The score sheets of the gate."""


def in_the_gate() -> list[Any]:
    """List the sheets with their players and how they are filled; those that are not in the gate are long."""
    found = []
    ways = list(product((USUAL, FULL), COMBINED))
    for number, (key, item, form) in enumerate(_kinds_of_sheets()):
        game = GAMES[key]
        turn = 5 * number + [*GAMES].index(key)
        for state, way in product((BLANK, USUAL, FULL), COMBINED):
            sheet = Sheet(game, item, *way, form)
            for seats in _players(game, item):
                is_chosen = (state, way) == ways[turn % len(ways)]
                if item == "score_sheet":
                    is_chosen = (key, seats, state, *way) in CHOSEN
                elif {item, form} & {*FAMILY}:
                    is_chosen = False
                marks = () if is_chosen else pytest.mark.long
                found.append(pytest.param(sheet, seats, state, id=f"{key}-{sheet.name}-{seats}-{state}", marks=marks))
    return found


def _kinds_of_sheets() -> list[tuple[str, str, str]]:
    """List game, item and form of all; those of the family last, so that they move nobody's turn."""
    every = [(key, item, form) for key, game in GAMES.items() for item in items(game) for form in forms(game, item)]
    return sorted(every, key=lambda kind: bool({*kind} & {*FAMILY}))


def _players(game: AnyGame, item: str) -> Sequence[int]:
    """Tell for how many an item is to be proved: what has another shape for every number."""
    return game.players if item in {"score_sheet", "score_pad", "place_cards"} else game.players[-1:]


@cache
def table_of(key: str, seats: int = 0, state: str = USUAL) -> dict[str, Any]:
    """Fill a sheet from a finished game with so many, whose names are long and hostile; 0 are as many as can play."""
    options = FULLEST[key] if state == FULL else {}
    play: Play[Any] = finished(key, seats or GAMES[key].players[-1], **options)
    return {
        "about": ABOUT,
        "options": options,
        "players": NAMES[: play.seats],
        "facts": filling(play.game, play.positions()),
        "standing": [
            Won(rank=place.rank, seat=place.seat, score=place.score)
            for place in play.game.standing(play.position).places
        ],
    }


def filled(sheet: Sheet, seats: int, state: str) -> dict[str, Any]:
    """Say what stands on a sheet; a blank one is of no table, and leads to the companion where it leads anywhere."""
    if state != BLANK:
        known = table_of(sheet.game.key, seats, state)
        return known | {"about": ABOUT | {"link": INVITED}} if sheet.item in JOINING else known
    link = INVITED if sheet.item in JOINING else LINK if sheet.item in LINKED else ""
    return {"players": [""] * seats, "about": {**NOWHERE, "link": link}}


def size_mm(sheet: Sheet) -> tuple[float, float]:
    if sheet.form == "leaf":
        return LEAVES_MM[sheet.paper]
    return PAPERS_MM[sheet.paper]


@pytest.mark.parametrize(("sheet", "seats", "state"), in_the_gate())
def test_the_proofs_of_a_sheet(printer: Printer, tmp_path: Path, sheet: Sheet, seats: int, state: str) -> None:
    _prove(printer, tmp_path, sheet, seats, state)


@pytest.mark.parametrize("member", FAMILY)
def test_the_proofs_of_one_of_the_family(printer: Printer, tmp_path: Path, member: str) -> None:
    seed = randrange(1 << 32)
    chance = Random(seed)
    key, item, form = chance.choice([kind for kind in _kinds_of_sheets() if member in kind])
    sheet = Sheet(GAMES[key], item, *chance.choice(COMBINED), form)
    seats, state = chance.choice(_players(GAMES[key], item)), chance.choice((BLANK, USUAL, FULL))
    print(f"seed {seed}: {key} {sheet.name} {seats} {state}")
    _prove(printer, tmp_path, sheet, seats, state)


def _prove(printer: Printer, tmp_path: Path, sheet: Sheet, seats: int, state: str) -> None:
    known = filled(sheet, seats, state)
    pdf = printer.pdf(sheet.html(**known))  # a warning of the layout engine would end it
    sizes = sizes_mm(pdf)
    assert all(sorted(size) == pytest.approx(sorted(size_mm(sheet)), abs=0.2) for size in sizes)
    assert 1 <= len(sizes) <= sheet.most_pages
    if sheet.form == "leaf" and state == BLANK:
        assert len(sizes) == 1
    assert len(pdf) <= 250_000
    assert "No syntax or stream encoding errors found" in check(pdf, tmp_path)
    assert {embedded for _font, embedded in fonts(pdf, tmp_path)} == {"yes"}
    bears_name = sheet.item in {*JOINING, *AROUND, EVENING}
    _tagged(sheet, pdf, sheet.game.called(known.get("options", {})) if bears_name else sheet.game.name)
    alone = ALONE.get(sheet.language, "")
    for page in range(1, len(sizes) + 1):
        goes_on = [line for line in lines_that_go_on(pdf, tmp_path, page) if len(line) > 1]
        assert [line for line in goes_on if len(line[-1]) == 1 and line[-1] in alone] == []
    assert len(sizes) == 1 or len(_lines(pdf, tmp_path, len(sizes))) >= FEWEST_LINES
    pages = [picture(pdf, tmp_path, 150, page, coloured=True) for page in range(1, len(sizes) + 1)]
    for page, (width, height) in enumerate(sizes, start=1):
        boxes = [box for _, *box in words_mm(pdf, tmp_path, page)]
        for left, top, right, bottom in [*boxes, ink_box_mm(pages[page - 1], 150)]:
            assert EDGE_MM <= left < right <= width - EDGE_MM
            assert EDGE_MM <= top < bottom <= height - EDGE_MM
    most = INK_PERCENT.get(sheet.item, INK_PERCENT.get(sheet.form, 6))
    for page, shown in enumerate(pages, start=1):
        # A fine picture, which takes longer, shows thin lines as thin as they are printed.
        assert ink_percent(shown) <= most or ink_percent(picture(pdf, tmp_path, 300, page)) <= most
        assert ImageChops.difference(shown, shown.convert("L").convert("RGB")).getbbox() is None
    # A phone is held over one of two dozen labels: all of them at once are too small for a reader.
    views = _labels(sheet, picture(pdf, tmp_path, 300)) if sheet.item == "stickers" else [pages[0].convert("L")]
    expected = 0 if state == BLANK and sheet.item not in LINKED else _codes(sheet, seats)
    link = INVITED if sheet.item in JOINING else LINK
    for view, turned in product(views, (0, 180)):
        assert codes(view.rotate(turned)) == [link.upper()] * expected
    _legible(sheet, [word for page in range(1, len(sizes) + 1) for word in sizes_pt(pdf, tmp_path, page)])
    if sheet.form in CARDS:
        _within_cards(sheet, pdf, tmp_path)


def _lines(pdf: bytes, folder: Path, page: int) -> set[int]:
    """Find where lines of a page stand, in mm from above."""
    return {round(top) for _word, _left, top, _right, _bottom in words_mm(pdf, folder, page)}


def _legible(sheet: Sheet, words: Sequence[tuple[str, float]]) -> None:
    """Hold the words of a sheet to the size that can be read; those of cards are held to it on their cards.

    The evening set is made of other sheets, cards among them, each of which is proved by itself.
    """
    if sheet.form in CARDS or sheet.item == EVENING:
        return
    least = {LARGE: LARGE_PT, "leaf": CARD_PT}.get(sheet.form, SHEET_PT)
    written = " ".join([*NAMES, *ABOUT.values(), "W" * 40, "??"])
    small = [(word, size) for word, size in words if READ_OUT_PT + 0.1 < size < least - 0.1]
    assert [(word, size) for word, size in small if sheet.form == LARGE or not _is_part(unescape(word), written)] == []


def _is_part(word: str, written: str) -> bool:
    """Whether a word, or what is left of one that is broken, stands in a text; of single letters only a W is left so."""
    return word in (written if len(word) > 1 else [*written.split(), "W"])


def _codes(sheet: Sheet, seats: int) -> int:
    """Count the QR codes of the first page, or of one label."""
    by_form = {"place_cards": seats, "stickers": 1, "score_pad": int(sheet.form == LARGE)}
    return (CODES | by_form).get(sheet.item, 0)


def _labels(sheet: Sheet, page: Image.Image) -> list[Image.Image]:
    """Cut a page of stickers along its labels, which stand edge to edge in the middle."""
    width, height = (round(edge * 300 / MM) for edge in LABEL_MM)
    across, down = 3, {"a4": 8, "letter": 7}[sheet.paper]
    left, top = (page.width - across * width) // 2, (page.height - down * height) // 2
    corners = product(range(left, left + across * width, width), range(top, top + down * height, height))
    return [page.crop((x, y, x + width, y + height)) for x, y in corners]


def _tagged(sheet: Sheet, pdf: bytes, called: str) -> None:
    reader = PdfReader(BytesIO(pdf))
    root = reader.root_object
    assert root["/Lang"] == sheet.language
    assert root["/MarkInfo"]["/Marked"]
    assert b"pdfuaid:part" in root["/Metadata"].get_object().get_data()
    assert reader.metadata
    assert called in str(reader.metadata.title)
    elements = list(_elements(root["/StructTreeRoot"]))
    kinds = {element.get("/S") for element in elements}
    assert all(element.get("/Alt") for element in elements if element.get("/S") == "/Figure")
    assert "/H1" in kinds
    assert ("/Figure" in kinds) >= (sheet.item in {"score_sheet", *LINKED})
    assert ("/TH" in kinds) >= (sheet.item == "score_sheet")


def _elements(element: Any) -> Iterator[Any]:
    """Yield every element of the structure; its `/S` is its kind: /H1, /P …"""
    element = element.get_object()
    if isinstance(element, dict):
        yield element
        children = element.get("/K", ())
        for child in children if isinstance(children, list) else [children]:
            if not isinstance(child, int):
                yield from _elements(child)


def _within_cards(sheet: Sheet, pdf: bytes, folder: Path) -> None:
    """Hold every word to its card, a millimetre and more from the cut, in letters to be read."""
    wide, high = CARDS_MM.get(sheet.form, (63, 88))
    columns, rows, gap = CARDS[sheet.form]
    columns -= sheet.form in {"bleed", "square", *BOTH_SIDES} and sheet.paper == "letter"
    left_edge, top_edge = EDGES_MM[sheet.form, sheet.paper]
    # What is behind a card, turned, is proved by itself.
    pages = len(sizes_mm(pdf)) if sheet.form in SLEEVES else 1
    for word, left, top, right, bottom in chain(*(words_mm(pdf, folder, page) for page in range(1, pages + 1))):
        if bottom - top < 2 * READ_OUT_PT * MM / 72:
            continue
        column, row = int((left - left_edge) // (wide + gap)), int(((top + bottom) / 2 - top_edge) // (high + gap))
        assert (bottom - top) / MM * 72 >= CARD_PT - 0.1, word
        if row == rows:
            continue  # the ruler, and how to fold
        assert 0 <= column < columns
        start, upper = left_edge + column * (wide + gap) + gap / 2, top_edge + row * (high + gap) + gap / 2
        assert start + 2.5 <= left < right <= start + wide - 2.5, word
        assert upper + 2.5 <= top < bottom <= upper + high - 1, word


def test_rules_that_stand_on_one_card_have_no_other_side(printer: Printer) -> None:
    sides = [
        sizes_mm(printer.pdf(Sheet(GAMES[key], "rule_cards", form="long_edge").html())) for key in ("tally", "rage")
    ]
    assert [len(pages) for pages in sides] == [1, 2]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("form", BOTH_SIDES)
def test_what_is_printed_on_both_sides_meets(printer: Printer, tmp_path: Path, form: str, paper: str) -> None:
    """The second card is behind the first one, on its feet for whoever turns the card sideways; 3 mm off do not hurt."""
    pdf = printer.pdf(Sheet(GAMES["rage"], "rule_cards", "es", paper, form).html())
    (width, height), _behind = sizes_mm(pdf)
    left_edge, top_edge = EDGES_MM[form, paper]
    cards: list[dict[int, list[tuple[int, int]]]] = [{}, {}]
    for page, found in enumerate(cards, start=1):
        for word, left, top, right, bottom in words_mm(pdf, tmp_path, page):
            # Turned on the long edge, what was above is below, and the other way round; the letters stand on their heads.
            is_turned = page == 2 and form == "long_edge"
            x, y = (left + right) / 2, (top + bottom) / 2
            x, y = (x, height - y) if is_turned else (width - x, y) if page == 2 else (x, y)
            column, x = divmod(x - left_edge, 69)
            row, y = divmod(y - top_edge, 94)
            if row < 2:
                assert (right - left) / 2 + 6 <= x <= 63 - (right - left) / 2, word
                assert (bottom - top) / 2 + 6 <= y <= 91 - (bottom - top) / 2, word
            if re.fullmatch(r"\d+/\d+", word):
                found.setdefault(int(word.partition("/")[0]), []).append((int(column), int(row)))
    fronts, backs = cards
    count = len(fronts) + len(backs)
    assert set(fronts) == set(range(1, count + 1, 2))
    assert {number - 1: sorted(places) for number, places in backs.items()} == {
        number: sorted(places) for number, places in fronts.items() if number < count
    }


def test_a_reference_card_has_the_turn_on_its_back_or_another_language() -> None:
    def backs(also: str) -> str:
        html = Sheet(GAMES["hanabi"], "reference_cards", "cs", form="short_edge", also=also).html()
        return html.partition("\f")[2]

    assert backs("").count("Tvůj tah") == 8
    assert '<html lang="pl"' in backs("pl")
    assert backs("pl").count("<h1>Hanabi") == 8


def tables() -> list[Any]:
    """List what is looked at for crossed lines: everything, and in the gate the most players on the narrower paper.

    The wider paper is there in one language with Rage for eight, and for six, whose columns are the narrowest.
    """
    found = []
    for key, game in GAMES.items():
        for seats, (language, paper) in product(game.players, COMBINED):
            is_fullest = seats == game.players[-1] and paper == "a4"
            is_chosen = is_fullest or ((key, language, paper) == ("rage", "en", "letter") and seats in {6, 8})
            marks = () if is_chosen else pytest.mark.long
            found.append(pytest.param(key, seats, paper, language, marks=marks, id=f"{key}-{seats}-{paper}-{language}"))
    return found


@pytest.mark.parametrize(("key", "seats", "paper", "language"), tables())
def test_no_word_of_a_table_crosses_a_line(tmp_path: Path, key: str, seats: int, paper: str, language: str) -> None:
    """Heads are translated, and the columns are the narrower the more play."""
    assert crossing(Sheet(GAMES[key], "score_sheet", language, paper).html(**table_of(key, seats)), tmp_path) == []


@pytest.mark.parametrize(
    ("key", "form", "language"),
    [
        # German and Polish have the longest heads, and four a page the narrowest columns.
        pytest.param(
            *way, marks=() if way[1:] in {("four", "de"), ("four", "pl")} else pytest.mark.long, id="-".join(way)
        )
        for way in product(GAMES, FORMS["score_pad"], LANGUAGES)
    ],
)
def test_no_word_of_a_pad_crosses_a_line(tmp_path: Path, key: str, form: str, language: str) -> None:
    known = {**table_of(key, state=FULL), "players": ["Anna"] * GAMES[key].players[-1]}
    assert crossing(Sheet(GAMES[key], "score_pad", language, "a4", form).html(**known), tmp_path) == []


@pytest.mark.parametrize(("form", "seats"), [("two", 8), ("wide", 8), (LARGE, 4), (LARGE, 8)])
def test_no_line_of_a_long_name_is_cut_through_on_a_pad(tmp_path: Path, form: str, seats: int) -> None:
    """What is too long ends after a line; it ended in the middle of the letters of one."""
    html = Sheet(GAMES["rage"], "score_pad", "en", "letter", form).html(players=["W" * 24] * seats)
    pdf, heads = measured_pdf(html), boxes_mm(html, "th", "name")
    lines = [box[1:] for box in words_mm(pdf, tmp_path) if set(box[0]) == {"W"}]
    assert len(lines) >= seats
    within = [(line, head) for line, head in product(lines, heads) if head[0] <= line[0] < head[2]]
    assert [line for line, head in within if head[1] <= line[1] < head[3] - 0.8 and line[3] > head[3]] == []


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("key", "form"), [("rage", "two"), ("hanabi", "four"), ("tally", "two"), ("tally", "four")])
def test_the_fullest_pad_ends_above_the_ruler(key: str, form: str, paper: str) -> None:
    names = ["W" * 24] * GAMES[key].players[-1]
    html = Sheet(GAMES[key], "score_pad", "pl", paper, form).html(players=names, options=FULLEST[key])
    ((_left, top, _right, _bottom),) = boxes_mm(html, "p", "ruler")
    assert max(bottom for _, _, _, bottom in [*boxes_mm(html, "p", "legend"), *boxes_mm(html, "td")]) <= top


@pytest.mark.parametrize(
    ("seats", "paper", "item", "form"),
    [
        *((*way, "score_sheet", "") for way in ((4, "a4"), (6, "letter"), (7, "a4"), (8, "letter"))),
        *((seats, "letter", "score_pad", LARGE) for seats in (4, 8)),
    ],
)
def test_a_total_below_minus_a_hundred_crosses_no_line(
    tmp_path: Path, seats: int, paper: str, item: str, form: str
) -> None:
    """Who misses every bid and takes the −5 has it; it crossed the line to the next column."""
    missed = {"a": 1, "b": 0, "c": -5, "d": -15, "n": -20, "tricks": 0}
    rounds = [{"cards": 10 - index, "dealer": index % seats, "rows": [missed] * seats} for index in range(10)]
    known = {"about": ABOUT, "players": ["Anna"] * seats, "facts": {"rounds": rounds}, "options": {}}
    assert crossing(Sheet(GAMES["rage"], item, "pl", paper, form).html(**known), tmp_path) == []


@pytest.mark.parametrize("seats", [6, 7, 8])
def test_thousands_of_millions_keep_to_their_columns(tmp_path: Path, seats: int) -> None:
    """Pinball has them; where eight count, their totals stood in one row of digits."""
    rows = [[-1_234_567_890, -1_234_567_890]] * seats
    facts = {"rounds": [{"rows": rows}], "totals": [-1_234_567_890] * seats, "ranks": [1] * seats}
    known = {"facts": {**facts, "is_finished": True, "is_lost": False}, "players": ["Anna"] * seats, "options": {}}
    assert crossing(Sheet(GAMES["tally"], "score_sheet", "en", "letter").html(**known), tmp_path) == []


def crossing(html: str, folder: Path) -> list[str]:
    """Find the words of a sheet that cross a line of its tables."""
    cells = [*boxes_mm(html, "th"), *boxes_mm(html, "td")]
    found = []
    for word, left, top, right, bottom in words_mm(measured_pdf(html), folder):
        # What stands in a line of letters is lower than the line.
        middle = (top + bottom) / 2
        touched = [c for c in cells if c[1] < middle < c[3] and c[0] < right - 0.1 and left + 0.1 < c[2]]
        if len(touched) > 1 and not any(c[0] <= left and right <= c[2] for c in touched):
            found.append(word)
    return found


@pytest.mark.parametrize(
    "address", ["http://[fd12:3456:789a:bcde:f012:3456:789a:bcde]:8000", f"https://{'companion.' * 9}example.org:8443"]
)
def test_a_long_address_keeps_to_the_head_of_a_score_sheet(printer: Printer, tmp_path: Path, address: str) -> None:
    link = f"{address}/t/K7QX2M"
    html = Sheet(GAMES["rage"], "score_sheet").html(**table_of("rage", 4) | {"about": ABOUT | {"link": link}})
    ((_left, _top, _right, bottom),) = boxes_mm(html, "svg", "qr")
    assert bottom <= min(top for _left, top, _right, _bottom in boxes_mm(html, "th"))
    assert codes(picture(printer.pdf(html), tmp_path, 200)) == [link.upper()]


CUT = [
    *(("hanabi", "reference_cards", form) for form in FORMS["reference_cards"] if form != LARGE),
    *((key, "score_pad", form) for key in GAMES for form in ("two", "four")),
    *(("hanabi", "rule_cards", form) for form in ("folded", *SMALL)),
    ("hanabi", "join_card", "sheet"),
    ("rage", "place_cards", "sheet"),
    ("rage", "trump_tracker", "sheet"),
    ("ubongo", "board_plan", "sheet"),
]
"""Sheets that are cut; labels are cut already."""


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("key", "item", "form"), CUT)
def test_the_ruler_is_50_mm_long_and_on_the_paper(key: str, item: str, form: str, paper: str) -> None:
    sheet = Sheet(GAMES[key], item, "es", paper, form)
    width, height = size_mm(sheet) if form in {*UPRIGHT, "two", "four"} else size_mm(sheet)[::-1]
    html = sheet.html(about=ABOUT, players=["Anna"] * GAMES[key].players[-1])
    ((left, top, right, bottom),) = boxes_mm(html, "p", "ruler")
    assert all(
        box[3] <= top or box[1] >= bottom or box[0] >= right for tag in ("td", "li") for box in boxes_mm(html, tag)
    )
    assert right - left == pytest.approx(50, abs=0.05)
    assert EDGE_MM <= left < right <= width - EDGE_MM
    assert EDGE_MM <= top < bottom <= height - EDGE_MM


@pytest.mark.parametrize("wifi", [Wifi("Klub", "opensesame"), Wifi("Spieleabend am Marktplatz Nord 3", "k" * 63)])
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("item", "module_mm"), [("join_card", 0.8), ("join_tent", 1.2)])
def test_the_code_of_a_wifi_is_as_large_as_a_phone_needs_and_keeps_to_its_place(  # noqa: PLR0913, PLR0917
    tmp_path: Path, printer: Printer, item: str, module_mm: float, paper: str, wifi: Wifi
) -> None:
    about = {**ABOUT, "link": INVITED, "wifi": wifi.code, "network": wifi.name}
    html = Sheet(GAMES["rage"], item, "de", paper).html(about=about)
    modules = int(re.search(r'viewBox="0 0 (\d+)', str(qr_svg(wifi.code, keeps_case=True)))[1])
    # What stands head over ends above where it begins.
    faces, drawn, typed = (
        [(*sorted((left, right)), *sorted((top, bottom))) for left, top, right, bottom in boxes_mm(html, *kind)]
        for kind in (("section",), ("svg",), ("p", "code"))
    )
    assert len(drawn) == 2 * len(typed) == 2 * len(faces)
    for left, right, _, _ in drawn[1::2]:
        assert right - left >= module_mm * modules - 0.1
    for place, face in enumerate(faces):
        for left, right, top, bottom in (*drawn[2 * place :][:2], typed[place]):
            assert face[0] + 3 <= left < right <= face[1] - 3
            assert face[2] + EDGE_MM <= top < bottom <= face[3] - EDGE_MM
    assert all(box[3] <= ruler[1] for ruler in boxes_mm(html, "p", "ruler") for box in boxes_mm(html, "p", "code"))
    pdf = printer.pdf(html)
    assert len(sizes_mm(pdf)) == 1
    found = codes(picture(pdf, tmp_path, 200).convert("L"))
    assert sorted(set(found)) == sorted({INVITED.upper(), wifi.code})


@pytest.mark.parametrize(("about", "is_open"), [({"date": ""}, True), ({}, False)])
def test_a_certificate_of_no_evening_has_a_line_for_its_date(
    printer: Printer, about: dict[str, str], is_open: bool
) -> None:
    pdf = printer.pdf(Sheet(GAMES["rage"], "certificate").html(about={**ABOUT, **about}))
    said = PdfReader(BytesIO(pdf)).pages[0].extract_text()
    assert ("Date" in said, "2026" in said) == (is_open, not is_open)


@pytest.mark.parametrize("form", FORMS["score_pad"])
def test_a_pad_of_no_evening_has_a_line_for_its_date(form: str) -> None:
    blank = Sheet(GAMES["ikebana"], "score_pad", form=form).html(players=[""] * 4)
    assert blank.count("Date <b></b>") == {"two": 2, "four": 4}.get(form, 1)


@pytest.mark.parametrize("key", GAMES)
def test_a_score_sheet_is_there_in_large_print(printer: Printer, tmp_path: Path, key: str) -> None:
    """Whoever looked for it among the score sheets did not find it; and what is filled in by hand can be typed back in."""
    assert LARGE in forms(GAMES[key], "score_sheet")
    sheet = Sheet(GAMES[key], "score_sheet", "pl", "letter", LARGE)
    pdf = printer.pdf(sheet.html(**table_of(key)))
    assert len(sizes_mm(pdf)) <= sheet.most_pages
    assert codes(picture(pdf, tmp_path, 150)) == [LINK.upper()]


def test_rounds_that_a_page_in_large_print_does_not_hold_go_on_upon_the_next(printer: Printer) -> None:
    known = table_of("tally", 4)
    pdf = printer.pdf(Sheet(GAMES["tally"], "score_sheet", form=LARGE).html(**known))
    rounds, totals = known["facts"]["rounds"], [str(total).replace("-", "−") for total in known["facts"]["totals"]]
    assert len(rounds) > 10
    pages = [page.extract_text().split() for page in PdfReader(BytesIO(pdf)).pages]
    assert len(pages) == -(-len(rounds) // 10)
    assert pages[-1][pages[-1].index("Total") + 1 :][:4] == totals


def test_everything_for_tonight_is_there_in_large_print(printer: Printer, tmp_path: Path) -> None:
    sheet = Sheet(GAMES["rage"], EVENING, "de", form=LARGE)
    pdf = printer.pdf(sheet.html(**table_of("rage", 4)))
    pages = len(sizes_mm(pdf))
    assert 1 < pages <= sheet.most_pages
    words = [each for page in range(1, pages + 1) for each in sizes_pt(pdf, tmp_path, page)]
    assert [word for word, size in words if READ_OUT_PT + 0.1 < size < LARGE_PT - 0.1] == []


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("key", "item"), [("rage", "join_tent"), ("ubongo", "tournament_sheet"), ("hanabi", "game_log")]
)
def test_in_large_print_long_names_keep_to_their_cells(tmp_path: Path, key: str, item: str, paper: str) -> None:
    seats = GAMES[key].players[-1]
    sheet = Sheet(GAMES[key], item, "pl", paper, LARGE)
    assert crossing(sheet.html(players=["W" * 24] * seats, about=ABOUT), tmp_path) == []
    assert len(sizes_mm(measured_pdf(sheet.html(players=["W" * 24] * seats, about=ABOUT)))) <= sheet.most_pages


@pytest.mark.parametrize("key", GAMES)
def test_every_sheet_is_in_the_list(key: str) -> None:
    sheets = every_sheet(GAMES[key])
    assert len({sheet.name for sheet in sheets}) == len(sheets)
    assert {sheet.item for sheet in sheets} == set(items(GAMES[key]))
    assert {(sheet.language, sheet.paper) for sheet in sheets} == set(COMBINED)


def test_the_pages_about_printing_tell_how_many_sheets_there_are_and_what_each_is_called() -> None:
    printed = [sheet for game in GAMES.values() for sheet in every_sheet(game) if sheet.item != EVENING]
    count = f"{len(printed):,} sheets"
    assert count in (ROOT / "README.md").read_text()
    page = (ROOT / "docs" / "printing.md").read_text()
    assert count in page
    names = re.findall(r'"(\w+)": _\("([^"]+)"\)', (TEMPLATES / "papers.html").read_text().partition("endmacro")[0])
    assert {item for item, _name in names} == set(ITEMS)
    assert [name for _item, name in names if f"**{name}**" not in page] == []


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
    with closing(Printer(PRINTABLES, patience_s=60)) as printer:
        assert printer.pictures(html) is printer.pictures(html)
        assert re.match(rb"\x89PNG", printer.pictures(html)[0])
