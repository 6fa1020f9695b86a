"""Score sheets without a game's own paper: rows to write in on as many pages as it takes, and what decides ties."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.game import AnyGame
from companion.games import GAMES
from companion.games.tally import game_of
from companion.games.tally.reading import read
from companion.printing import NOWHERE, PAPERS, Printer, Sheet
from tests.proofs import boxes_mm, measured_pdf, sizes_mm, text, words_mm

ROOT = Path(__file__).parents[3]
NUMBER = re.compile(r"\d+")


def game(key: str) -> AnyGame:
    """Give a game of a score sheet of ours, or the one that is described by its host."""
    if key in GAMES:
        return GAMES[key]
    return game_of(read(key, (ROOT / f"docs/score-sheets/{key}.toml").read_text(), f"{key}.toml"))


def counted(rounds: int, seats: int, *, is_finished: bool) -> dict[str, Any]:
    """Tell of rounds in which each seat made as many points as its number says, from 1."""
    own = range(1, seats + 1)
    return {
        "rounds": [
            {"rows": [[n] for n in own], "totals": [n * number for n in own]} for number in range(1, rounds + 1)
        ],
        "totals": [n * rounds for n in own],
        "ranks": [seats - seat for seat in range(seats)],
        "is_finished": is_finished,
        "is_lost": False,
    }


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("rounds", "pages"), [(15, 1), (24, 1), (25, 2), (48, 2), (100, 5)])
def test_no_row_is_too_low_to_write_in_whatever_the_number_of_rounds(paper: str, rounds: int, pages: int) -> None:
    options = {"called": "W" * 40, "rounds": rounds}
    html = Sheet(GAMES["tally"], "score_sheet", "de", paper).html(players=["W" * 24] * 8, options=options)
    assert len(sizes_mm(measured_pdf(html))) == pages
    cells = boxes_mm(html, "td")
    assert len(cells) == 8 * (rounds + 2 * (pages - 1) + 2)
    assert min(bottom - top for _, top, _, bottom in cells) >= 7.5
    assert min(right - left for left, _, right, _ in cells) >= 8


@pytest.mark.parametrize("paper", PAPERS)
def test_every_page_has_its_names_and_what_there_was_before(tmp_path: Path, paper: str) -> None:
    html = Sheet(GAMES["tally"], "score_sheet", "en", paper).html(
        players=["Anna", "Bo"], options={"rounds": 50}, facts=counted(50, 2, is_finished=True)
    )
    pdf = measured_pdf(html)
    assert len(sizes_mm(pdf)) == 3
    pages = [" ".join(word for word, *_ in words_mm(pdf, tmp_path, page)) for page in (1, 2, 3)]
    assert ["Anna" in page and "Bo" in page for page in pages] == [True] * 3
    assert ["2/3" in pages[1], "3/3" in pages[2]] == [True, True]
    assert [page.count("after 17") for page in pages] == [1, 1, 0]
    assert [page.count("after 34") for page in pages] == [0, 1, 1]
    assert [re.findall(r"Total(?: after \d+)? (\d+) (\d+)", page) for page in pages] == [
        [("17", "34")],
        [("17", "34"), ("34", "68")],
        [("34", "68"), ("50", "100")],
    ]


def test_what_is_not_counted_yet_is_left_open_on_the_next_page(tmp_path: Path) -> None:
    facts = counted(10, 2, is_finished=False)
    html = Sheet(GAMES["tally"], "score_sheet").html(players=["Anna", "Bo"], options={"rounds": 50}, facts=facts)
    first, second = (" ".join(word for word, *_ in words_mm(measured_pdf(html), tmp_path, page)) for page in (1, 2))
    assert first.endswith("16 17 Total after 17")
    assert "Total after 17 18 19" in second


@pytest.mark.parametrize(
    ("rounds", "facts", "numbered", "left_open"),
    [
        (0, None, 12, 3),
        (0, counted(20, 2, is_finished=False), 20, 3),
        (0, counted(98, 2, is_finished=False), 97, 3),
        (0, counted(20, 2, is_finished=True), 20, 0),
        (10, None, 10, 0),
    ],
)
def test_a_few_rows_are_open_where_nobody_knows_how_many_rounds_there_are(
    tmp_path: Path, rounds: int, facts: dict[str, Any] | None, numbered: int, left_open: int
) -> None:
    html = Sheet(GAMES["tally"], "score_sheet").html(players=["Anna", "Bo"], options={"rounds": rounds}, facts=facts)
    pdf, heads = measured_pdf(html), boxes_mm(html, "th", "round")
    assert len(heads) == numbered + left_open
    found = [
        int(word)
        for page in range(1, len(sizes_mm(pdf)) + 1)
        for word, left, _, right, _ in words_mm(pdf, tmp_path, page)
        if NUMBER.fullmatch(word) and heads[0][0] <= left < right <= heads[0][2]
    ]
    assert [number for number in range(1, numbered + 1) if number not in found] == []
    assert numbered + 1 not in found


@pytest.mark.parametrize(
    ("key", "decides"), [("tally", ""), ("hearts", ""), ("cities", "Coins"), ("bids", "count(earlier.points > 0)")]
)
def test_the_sheet_and_the_rules_say_what_decides_between_equal_totals(
    printer: Printer, key: str, decides: str
) -> None:
    said = "Equal totals share the place, unless the sheet says what else decides."
    blank, rules = Sheet(game(key), "score_sheet").html(players=["", "", ""]), Sheet(game(key), "rule_card").html()
    for html in (blank, rules):
        read_back = " ".join(text(printer.pdf(html)).split())
        assert said in read_back
        assert decides in read_back.partition(said)[2]
    # Where nothing else decides, there is room to write what does.
    assert ('class="line"' in blank) == (not decides)


def test_where_all_play_for_one_score_nobody_is_told_of_ties(printer: Printer) -> None:
    assert "Equal totals" not in text(printer.pdf(Sheet(game("levels"), "score_sheet").html(players=["", ""])))


@pytest.mark.parametrize(
    ("key", "rounds", "pages"), [("bids", 10, 2), ("levels", 8, 1), ("hearts", 12, 1), ("race", 8, 1)]
)
def test_no_round_is_broken_and_each_column_has_its_row(key: str, rounds: int, pages: int) -> None:
    one = game(key)
    html = Sheet(one, "score_sheet", "en", "letter").html(players=["W" * 24] * one.players[-1])
    assert len(sizes_mm(measured_pdf(html))) == pages
    heads, columns = boxes_mm(html, "th", "round"), boxes_mm(html, "th", "column")
    assert len(heads) == rounds
    assert len(columns) == rounds * (len(one.words.names) + 1)
    assert min(bottom - top for _, top, _, bottom in columns) >= 7.5


@pytest.mark.parametrize(("rounds", "labels"), [(7, ["1", "2", "3", "4", "5", "6", "7"]), (11, [""] * 10)])
def test_a_pad_of_more_rounds_than_it_holds_has_no_numbers_for_it_goes_on_upon_another(
    rounds: int, labels: list[str]
) -> None:
    html = Sheet(GAMES["tally"], "score_pad", "en", "a4", "wide").html(options={"rounds": rounds}, players=["", ""])
    assert re.findall(r'scope="row">\s*<b>(.*?)</b>', html) == labels


def test_where_all_have_one_score_there_are_no_pads_to_write_each_ones_on() -> None:
    assert [set(game(key).sheets) for key in ("levels", "hearts")] == [{"score_sheet"}, {"score_sheet", "score_pad"}]


def test_large_print_has_what_each_seat_made_and_came_to_and_frames_who_has_won() -> None:
    known = {
        "facts": counted(12, 3, is_finished=True),
        "options": {"called": "Pinball"},
        "players": ["Anna", "Bo", "Cy"],
    }
    about = {**NOWHERE, "code": "K7QX2M", "date": "2026-11-20"}
    html = Sheet(GAMES["tally"], "score_sheet", form="large").html(**known, about=about)
    assert re.findall(r'<td class="first" colspan="1">\s*(\d+)', html) == ["10", "20", "30", "12", "24", "36"]
    assert html.count(' won"') == 2, "on each page"
    assert "Pinball" in html
