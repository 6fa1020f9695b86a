"""The sheets of every game on paper: one page, room to write, nothing outside its cell, the summary's own numbers."""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.drawing.paper import typeset
from companion.games import GAMES
from companion.games.hanabi.scoring import Tier
from companion.play import Play
from companion.printing import PAPERS, Printer, Sheet, sheet_html
from companion.printing.items import filling
from companion.settings import PRINTABLES
from companion.testing.kit import Table, play_on
from companion.words import LANGUAGES, translations
from tests.proofs import PAPERS_MM, boxes_mm, codes, ink_percent, measured_pdf, picture, sheet, sizes_mm, text, words_mm

ROOT = Path(__file__).parents[1]
NAMES = ["Anna", "Bohouš", "Žofie Ďurková", "Łukasz", "Ñuño", "W" * 24, "<b>bold</b>", "Maximilian the Great"]
ABOUT = {"code": "K7QX2M", "link": "http://192.168.178.20:8000/t/K7QX2M", "date": "2026-11-20", "title": "Friday"}
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "hanabi": [
        {"edition": "es", "hint_tokens": 10, "errors_allowed": 1, "multicolour": 5},
        {"edition": "pl", "multicolour": 10, "black_powder": True, "flamboyants": True},
        {"endless": True},
    ],
    "ikebana": [{"final_bouquet": True}],
    "ubongo": [{"long_game": True}],
}
"""What changes the shape of a game's sheet, beside its players."""
SHEETS = [
    pytest.param(key, options, players, id=f"{key}-{players}-{number}")
    for key, game in GAMES.items()
    for number, options in enumerate([{}, *VARIANTS.get(key, [])])
    for players in game.players
    # How many play shapes Rage's page, and the rounds of a long game of Ubongo; elsewhere the fewest and the most do.
    if key in {"rage", "ubongo"} or players == game.players[-1] or (not options and players == game.players[0])
]
HALF = [
    pytest.param(*sheet.values, paper, id=f"{sheet.id}-{paper}", marks=() if (number + place) % 2 else pytest.mark.long)
    for number, sheet in enumerate(SHEETS)
    for place, paper in enumerate(PAPERS)
]
"""Every sheet; the gate looks at each on one of the papers, in turn; the fullest are on Letter besides."""
LARGEST = [
    (key, VARIANTS.get(key, [{}])[-1 if key != "hanabi" else 1], game.players[-1]) for key, game in GAMES.items()
]
IN_TURN = [
    pytest.param(*largest, language, id=f"{largest[0]}-{language}", marks=() if (row + place) % 2 else pytest.mark.long)
    for row, largest in enumerate(LARGEST)
    for place, language in enumerate(LANGUAGES)
]
"""The fullest in every language; the gate looks at each game in half of the languages, in turn."""
EVERY_GAME = pytest.mark.parametrize("key", GAMES)


def context(key: str, options: dict[str, Any], names: list[str], summary: dict[str, Any] | None = None) -> Any:
    return GAMES[key].sheets["score_sheet"](options, names, summary, ABOUT)


def finished(key: str, seats: int = 0, **options: Any) -> Play[Any]:
    """Play a game at random to its end, with so many; 0 are as many as can play."""
    return _finished(key, seats or GAMES[key].players[-1], tuple(options.items()))


@cache
def _finished(key: str, seats: int, options: tuple[tuple[str, Any], ...]) -> Play[Any]:
    game = GAMES[key]
    for seed in range(20):
        for play in play_on(Table(game, dict(options), seats), Random(seed), most=2_000):
            if game.standing(play.position).is_finished:
                return play
    raise AssertionError(f"no random evening of {key} ends")


def filled(key: str) -> Any:
    play = finished(key)
    return context(key, {}, NAMES[: play.seats], filling(play.game, play.positions()))


# Every sheet


@pytest.mark.parametrize(("key", "options", "players", "paper"), HALF)
def test_a_sheet_is_one_page_with_cells_to_write_in(
    tmp_path: Path, key: str, options: dict[str, Any], players: int, paper: str
) -> None:
    html = sheet(key, "score_sheet", context(key, options, ["W" * 24] * players), paper)
    pdf = measured_pdf(html)
    ((width, height),) = sizes_mm(pdf)
    assert sorted((width, height)) == sorted(PAPERS_MM[paper])
    for left, top, right, bottom in boxes_mm(html, "td"):
        assert right - left >= 8
        assert bottom - top >= 7.5
        assert 6 <= left < right <= width - 6
        assert 6 <= top < bottom <= height - 6
    cells = boxes_mm(html, "th", "name")
    # Further down a W may be the letter of a colour.
    end = max(cell[3] for cell in cells)
    pieces = [box for box in words_mm(pdf, tmp_path) if set(box[0]) == {"W"} and box[2] < end]
    assert sum(len(piece) for piece, *_ in pieces) == 24 * len(cells)
    for _, left, top, right, bottom in pieces:
        assert any(c[0] <= left and c[1] <= top and right <= c[2] and bottom <= c[3] for c in cells)


@pytest.mark.parametrize(("key", "options", "players", "language"), IN_TURN)
def test_the_fullest_sheet_is_one_page_in_every_language(
    printer: Printer, key: str, options: dict[str, Any], players: int, language: str
) -> None:
    html = sheet_html(
        key,
        "score_sheet",
        context(key, options, NAMES[:players]),
        language=language,
        paper="letter",
        translations=translations(language, GAMES[key].words.catalogue),
    )
    pdf = printer.pdf(html)
    assert len(sizes_mm(pdf)) == 1
    year_first = {
        "en": "20 November 2026",
        "cs": "20. listopadu 2026",
        "de": "20. November 2026",
        "es": "20 de noviembre de 2026",
    }
    assert year_first.get(language, "20 listopada 2026") in text(pdf)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
@EVERY_GAME
def test_no_word_at_the_head_of_a_column_or_row_reaches_beyond_its_cell(
    tmp_path: Path, key: str, language: str, paper: str
) -> None:
    game = GAMES[key]
    for players in game.players if key == "rage" else (game.players[0], game.players[-1]):
        html = Sheet(game, "score_sheet", language, paper).html(players=[""] * players)
        pdf, heads = measured_pdf(html), boxes_mm(html, "th")
        words = [each for each in words_mm(pdf, tmp_path) if any(_begins_in(each, head) for head in heads)]
        assert len(words) >= players
        assert [
            each for each in words if not any(_begins_in(each, head) and each[3] <= head[2] for head in heads)
        ] == []


def _begins_in(word: tuple[str, float, float, float, float], box: tuple[float, float, float, float]) -> bool:
    _text, left, top, _right, bottom = word
    return box[0] <= left <= box[2] and box[1] <= (top + bottom) / 2 <= box[3]


@EVERY_GAME
def test_a_filled_sheet_says_who_played_and_how_it_ended(printer: Printer, tmp_path: Path, key: str) -> None:
    play = finished(key)
    pdf = printer.pdf(sheet(key, "score_sheet", filled(key)))
    read = text(pdf)
    words = read.split()
    for place in play.game.standing(play.position).places:
        assert typeset(place.score) in words
        assert "".join(NAMES[place.seat].split()) in "".join(words)
    assert codes(picture(pdf, tmp_path, 150)) == [ABOUT["link"].upper()]
    assert len(pdf) <= 250_000


@pytest.mark.parametrize("seats", [6, 8])
def test_a_name_is_not_broken_where_many_count(printer: Printer, tmp_path: Path, seats: int) -> None:
    names = ["Maximilian", "Žofie Ďurková", "Kateřina", "Bartholomew", "Gutiérrez", "Przemysław", "Konstantin", "Bo"]
    printed = printer.pdf(Sheet(GAMES["tally"], "score_sheet").html(players=names[:seats]))
    assert {word for name in names[:seats] for word in name.split()} <= {
        word for word, *_ in words_mm(printed, tmp_path)
    }


@pytest.mark.parametrize("key", ["rage", "ubongo", "ikebana"])
def test_whoever_has_won_is_framed_and_nobody_before_the_end(key: str) -> None:
    play = finished(key)
    winners = sum(place.rank == 1 for place in play.game.standing(play.position).places)
    assert winners
    frames = {"rage": 2, "ubongo": 2, "ikebana": 1}[key]
    assert len(re.findall(r'class="[^"]*\bwon\b', sheet(key, "score_sheet", filled(key)))) == frames * winners
    half = play.positions()[: len(play.positions()) // 2]
    begun = context(key, {}, NAMES[: play.seats], filling(play.game, half))
    assert not re.search(r'class="[^"]*\bwon\b', sheet(key, "score_sheet", begun))


@pytest.mark.parametrize("key", ["rage", "ubongo", "ikebana"])
def test_large_print_tells_how_it_ended(key: str) -> None:
    play = finished(key, 4)
    places = play.game.standing(play.position).places
    known = {"options": {}, "players": NAMES[: play.seats], "about": {**ABOUT, "place": ""}}

    def large(facts: Any) -> str:
        return Sheet(GAMES[key], "score_pad", form="large").html(**known, facts=facts)

    whole, half = (large(filling(play.game, play.positions()[: len(play.positions()) // part])) for part in (1, 2))
    assert [html.count(' won"') for html in (whole, half)] == [sum(place.rank == 1 for place in places), 0]
    if key == "ubongo":
        shown = re.findall(r'<td class="first" colspan="1">\s*([\d ]+?)\s*</td>', whole)
        assert shown == [" ".join(map(str, place.tiebreak)) for place in sorted(places, key=lambda place: place.seat)]


@pytest.mark.parametrize(("result", "frames"), [("won", 1), ("lost", 0), ("playing", 0)])
def test_the_rating_that_was_reached_is_framed(result: str, frames: int) -> None:
    play = finished("hanabi")
    told = filling(play.game, play.positions()) | {"result": result, "tier": Tier.LEGENDARY.value}
    assert sheet("hanabi", "score_sheet", context("hanabi", {}, NAMES[:5], told)).count(' won"') == frames


def test_another_process_prints_the_same_bytes(printer: Printer) -> None:
    other = Printer(PRINTABLES, patience_s=60)
    try:
        for key in GAMES:
            html = sheet(key, "score_sheet", filled(key))
            assert other.pdf(html) == printer.pdf(html), key
    finally:
        other.close()


@EVERY_GAME
def test_every_head_of_a_table_says_what_it_heads(key: str) -> None:
    for item in GAMES[key].sheets:
        html = sheet(key, item, GAMES[key].sheets[item]({}, [""] * GAMES[key].players[-1], None, ABOUT))
        assert "<h1>" in html
        assert [head for head in re.findall(r"<th\b[^>]*>", html) if "scope=" not in head] == []
        assert "<dl" not in html
        assert "style=" not in html


@pytest.mark.promise(17)
@EVERY_GAME
def test_hostile_names_are_only_names(printer: Printer, key: str) -> None:
    names = ["<script>alert(1)</script>", "{{ 7 * 7 }}{% raise %}", "漢字 😀 👩‍👩‍👧", "&lt;&amp;\"'`"]
    names = [names[seat % 4] for seat in range(max(GAMES[key].players[0], 4))]
    html = sheet(key, "score_sheet", context(key, {}, names))
    read = text(printer.pdf(html)).replace("\n", "").replace(" ", "")
    assert "{{7*7}}" in read
    assert "&lt;&amp;" in read
    assert "<script" not in html


@EVERY_GAME
def test_a_blank_sheet_holds_nothing_of_anybody(printer: Printer, tmp_path: Path, key: str) -> None:
    game = GAMES[key]
    blank = game.sheets["score_sheet"]({}, [""] * game.players[-1], None, {})
    pdf = printer.pdf(sheet(key, "score_sheet", blank))
    assert codes(picture(pdf, tmp_path, 150)) == []
    assert blank["date"] == blank["code"] == ""
    assert not any(seat["name"] for band in blank.get("bands", [blank]) for seat in band["seats"])


@pytest.mark.parametrize("key", ["", *GAMES])
def test_no_shape_is_written_for_screens_and_for_paper(key: str) -> None:
    paper, screens = (
        {
            shape
            for file in (ROOT / folder).glob("*.html")
            for shape in re.findall(r'"([Mm][^"]{19,})"', file.read_text())
        }
        for folder in (f"printables/{key}", f"templates/games/{key}" if key else "templates")
    )
    assert paper | screens
    assert paper & screens == set()


# Cards to cut


@pytest.mark.parametrize(("paper", "language"), [("letter", "pl"), ("a4", "es")])
@pytest.mark.parametrize(("key", "options", "players"), [one for one in LARGEST if one[0] != "tally"])
def test_nine_reference_cards_fill_a_page_and_keep_their_words(  # noqa: PLR0913, PLR0917
    tmp_path: Path, key: str, options: dict[str, Any], players: int, language: str, paper: str
) -> None:
    options = options | ({"durch": True} if key == "rage" else {})
    cards = GAMES[key].sheets["reference_cards"](options, [""] * players, None, {})
    spoken = translations(language, GAMES[key].words.catalogue)
    html = sheet_html(key, "reference_cards", cards, language=language, paper=paper, translations=spoken)
    boxes = boxes_mm(html, "section")
    assert [(round(right - left, 1), round(bottom - top, 1)) for left, top, right, bottom in boxes] == [(63, 88)] * 9
    lefts, tops = sorted({round(box[0], 1) for box in boxes}), sorted({round(box[1], 1) for box in boxes})
    assert [right - left for left, right in pairwise(lefts)] == pytest.approx([63, 63], abs=0.11)
    assert [lower - upper for upper, lower in pairwise(tops)] == pytest.approx([88, 88], abs=0.11)
    ((left, _, right, _),) = boxes_mm(html, "p", "ruler")
    assert round(right - left, 1) == 50
    pdf = measured_pdf(html)
    assert sizes_mm(pdf) == [PAPERS_MM[paper]]
    assert ink_percent(picture(pdf, tmp_path, 300)) <= 6
    end_of_cards = max(box[3] for box in boxes)
    for word, left, top, right, bottom in words_mm(pdf, tmp_path):
        inside = any(b[0] + 3 <= left and right <= b[2] - 3 and b[1] + 3 <= top and bottom <= b[3] - 2 for b in boxes)
        # Over digits a line is empty: they stand below the cards when their middle does.
        assert inside or (top + bottom) / 2 > end_of_cards + 1, word


def test_a_last_line_that_just_fits_is_not_broken() -> None:
    """It was broken after its first word, by the space that a template leaves at the end of a paragraph.

    In the smallest letters, in which it just fits.
    """
    html = Sheet(GAMES["rage"], "reference_cards", "de", form="european").html()
    assert text(measured_pdf(html)).count("\nFarbe; von Aktionskarten allein die erste.\n") == 8


def words(key: str, options: dict[str, Any]) -> str:
    """Read a table's reference cards."""
    html = sheet(key, "reference_cards", GAMES[key].sheets["reference_cards"](options, [""] * 4, None, {}))
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def test_reference_cards_take_their_numbers_from_the_table() -> None:
    assert "+5 −5 3 + 3 ×" in words("rage", {})
    assert "+5 −5 2 + 2 ×" in words("rage", {"edition": "us"})
    assert "Not while all 10 tokens are there." in words("hanabi", {"hint_tokens": 10})
    assert "Error number 3: lost." in words("hanabi", {})
    assert "The first error: lost." in words("hanabi", {"errors_allowed": 1})
    assert "black 5 5 5 4 4 3 3 2 2 1" in words("hanabi", {"edition": "pl", "black_powder": True})
    assert "Run 1 2 3 4 5 15 Run 2 3 4 5 12 Run 1 2 3 4 8" in words("ikebana", {})
    assert "1. up to 3 rows 2. up to 2 rows 3. up to 1 row 4. not at all" in words("ubongo", {})


def test_the_final_bouquet_is_not_among_the_multipliers_of_which_only_the_highest_counts() -> None:
    told = words("ikebana", {"final_bouquet": True})
    _, _, multipliers = told.partition("Multiplier: the highest that fits")
    apart = "In the last round every bouquet counts double."
    assert multipliers.startswith(
        f" × One colour × 4 Five colours × 3 Two colours × 2 Three or four colours × 1 {apart}"
    )
    assert apart not in words("ikebana", {})


def test_the_reference_card_says_where_a_joker_may_be_played_at_any_time() -> None:
    assert "Action cards Joker at any time 2 × Name any colour" in words("rage", {"joker_anytime": True})
    assert "Action cards Joker 2 × Name any colour" in words("rage", {})


def test_the_reference_card_promises_no_tile_for_the_black_powder_that_earns_a_token() -> None:
    every, five = "A complete firework reveals a reward tile.", "Tiles are for fireworks completed by a 5."
    told = [
        [sentence in words("hanabi", {"edition": "pl", "flamboyants": True, **more}) for sentence in (every, five)]
        for more in ({}, {"black_powder": True}, {"black_powder": True, "black_bonus": "tile"})
    ]
    assert told == [[True, False], [False, True], [True, False]]


# What stands in the sheets


def test_what_was_paid_in_ikebana_is_what_the_bouquets_do_not_explain() -> None:
    on_paper = filled("ikebana")
    summary = filling(GAMES["ikebana"], finished("ikebana").positions())
    for round_, after in zip(on_paper["rounds"], summary["after"], strict=True):
        payments = [int(row["payments"].replace("−", "-")) for row in round_["rows"]]
        assert sum(payments) == 0
        assert [int(row["prestige"]) for row in round_["rows"]] == after
    assert [row["prestige"] for row in on_paper["rounds"][-1]["rows"]] == [str(own) for own in summary["prestige"]]
