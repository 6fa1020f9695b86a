"""Rage's score sheet: what stands in it, and how it looks on paper."""

import random
import re
from pathlib import Path
from typing import Any

import pytest

from companion.drawing.paper import name_size
from companion.games import GAMES
from companion.games.rage.pads import score_pad
from companion.games.rage.sheets import LAYOUTS, score_sheet
from companion.printing import Printer, Sheet
from tests.proofs import (
    PAPERS_MM,
    check,
    codes,
    fonts,
    picture,
    sheet,
    sizes_mm,
    text,
)

ROOT = Path(__file__).parents[3]
NAMES = ["Anna", "Bohouš", "Žofie Ďurková", "Łukasz", "Ñuño", "W" * 24, "<b>bold</b>", "Maximilian the Great"]
ABOUT = {"code": "K7QX2M", "link": "http://192.168.178.20:8000/t/K7QX2M", "date": "20 November 2026", "title": "Friday"}
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=//127.0.0.1/x>",
    "{{ 7 * 7 }}{% raise %}",
    "\u202egnp.ebircs\u202c",
    "Z" + "\u0351\u036b\u0343" * 8 + "algo",
    "漢字 😀 👩‍👩‍👧",
    "שלום مرحبا",
    "&lt;&amp;\"'`",
]


def row(bid: int, tricks: int, action: int = 0) -> dict[str, int]:
    """Write a seat's row as the table record does."""
    c = 10 if bid == tricks else -5
    return {"a": bid, "b": tricks, "c": c, "d": action, "n": tricks + c + action, "tricks": tricks}


def played(players: int, rounds: int) -> dict[str, Any]:
    """Play rounds of which every trick goes somewhere."""
    chance = random.Random(players * 100 + rounds)
    finished = []
    for index in range(rounds):
        cards = 10 - index
        tricks = [0] * players
        for _ in range(cards):
            tricks[chance.randrange(players)] += 1
        rows = [
            row(chance.choice([won, chance.randrange(cards + 1)]), won, chance.choice([0, 0, 5, -5])) for won in tricks
        ]
        finished.append({"cards": cards, "dealer": (players - 1 + index) % players, "rows": rows})
    return {"rounds": finished}


FIRST_ROUND = {"rounds": [{"cards": 10, "dealer": 3, "rows": [row(3, 3, -5), row(2, 1, 5), row(2, 2), row(0, 4)]}]}
"""The rulebook's four players: 8, 1, 12 and −1."""


def filled(players: int, rounds: int = 10) -> dict[str, Any]:
    return score_sheet({}, NAMES[:players], played(players, rounds), ABOUT)


def blank(players: int) -> dict[str, Any]:
    return score_sheet({}, [""] * players, None, {})


# What stands in it


def test_a_round_is_written_as_it_was_ruled() -> None:
    context = score_sheet({}, NAMES[:4], FIRST_ROUND, ABOUT)
    first, second = context["bands"][0]["rounds"][:2]
    assert first["cells"][0] == {"n": "8", "a": "3", "b": "3", "c": "10", "d": "−5", "tricks": "3"}
    assert first["cells"][3] == {"n": "−1", "a": "0", "b": "4", "c": "−5", "d": "", "tricks": "4"}
    assert (first["tricks"], first["cards"]) == ("10", 10)
    assert second["tricks"] == ""
    assert not any(value for cells in second["cells"] for value in cells.values())


def test_the_pad_says_how_many_tricks_were_won_and_not_what_they_count() -> None:
    durch = {**row(10, 10), "b": 20, "n": 30}
    summary = {"rounds": [{"cards": 10, "dealer": 2, "rows": [durch, row(0, 0), row(0, 0)]}]}
    rows = score_pad({"durch": True}, NAMES[:3], summary, ABOUT)["rows"]
    assert rows[0]["cells"][0] == {"bid": "10", "tricks": "10", "total": "30"}
    assert rows[1]["cells"][0] == {"bid": "", "tricks": "", "total": ""}


def test_running_totals_end_in_the_total() -> None:
    summary = played(5, 10)
    band = score_sheet({}, NAMES[:5], summary, {})["bands"][0]
    for seat in band["seats"]:
        ns = [finished["rows"][seat["seat"]]["n"] for finished in summary["rounds"]]
        running = [round_["running"][seat["seat"]].replace("−", "-") for round_ in band["rounds"]]
        assert [int(points) for points in running] == [sum(ns[: index + 1]) for index in range(10)]
        assert seat["total"] == band["rounds"][-1]["running"][seat["seat"]]


def test_equal_totals_share_a_place_unless_exact_bids_decide() -> None:
    summary = {"rounds": [{"cards": 10, "dealer": 2, "rows": [row(0, 5, 5), row(3, 0, 10), row(5, 5, -10)]}]}
    places = {
        tie: [seat["rank"] for seat in score_sheet({"tie": tie}, NAMES[:3], summary, {})["bands"][0]["seats"]]
        for tie in ("shared", "most_exact_bids")
    }
    assert places == {"shared": ["1", "1", "1"], "most_exact_bids": ["2", "2", "1"]}


def test_a_blank_sheet_holds_no_number_of_anybody() -> None:
    for band in blank(8)["bands"]:
        assert not any(seat[key] for seat in band["seats"] for key in ("name", "total", "exact", "rank"))
        assert not any(value for round_ in band["rounds"] for cells in round_["cells"] for value in cells.values())


def test_the_deal_goes_round_from_the_first_dealer() -> None:
    assert [r["dealer"] for r in blank(3)["bands"][0]["rounds"]] == [2, 0, 1, 2, 0, 1, 2, 0, 1, 2]
    context = score_sheet({"first_dealer": 1}, [""] * 4, None, {})
    assert [r["dealer"] for r in context["bands"][0]["rounds"]][:4] == [1, 2, 3, 0]


def test_seven_and_eight_players_stand_in_two_tables() -> None:
    assert {n: [len(band["seats"]) for band in blank(n)["bands"]] for n in LAYOUTS} == {
        3: [3],
        4: [4],
        5: [5],
        6: [6],
        7: [4, 3],
        8: [4, 4],
    }
    assert [band["has_check"] for band in blank(8)["bands"]] == [False, True]


def test_a_name_of_24_wide_letters_is_set_small() -> None:
    assert [name_size(name) for name in ("Bo", "W" * 8, "W" * 24, "漢" * 24)] == ["large", "large", "small", "small"]


def test_seats_wear_the_same_shapes_on_paper_as_on_screens() -> None:
    """Both take them from one list."""
    drawn = [(ROOT / folder / "marks.html").read_text() for folder in ("printables", "templates")]
    assert all('shapes.html" import SEAT_SHAPES' in marks and "SEAT_SHAPES[seat]" in marks for marks in drawn)
    shapes = re.findall(r'"(M[^"]*)"', (ROOT / "printables" / "shapes.html").read_text())
    assert len(shapes) == len(set(shapes)) == 8
    on_paper = sheet("rage", "score_sheet", blank(8))
    assert all(shape in on_paper for shape in shapes)


# How it looks


@pytest.mark.parametrize("players", LAYOUTS)
def test_every_sheet_has_a_cell_for_every_number(players: int) -> None:
    html = sheet("rage", "score_sheet", blank(players))
    assert len(re.findall(r"<td\b", html)) == 10 * (5 * players + 1) + 3 * players + 1


@pytest.mark.in_turn(of=3)
@pytest.mark.parametrize(("players", "paper"), [*((n, "a4") for n in LAYOUTS), (6, "letter"), (8, "letter")])
def test_the_paper_says_what_the_summary_says(printer: Printer, tmp_path: Path, paper: str, players: int) -> None:
    pdf = printer.pdf(sheet("rage", "score_sheet", filled(players), paper))
    size = PAPERS_MM[paper]
    assert sizes_mm(pdf) == [size if LAYOUTS[players] != "wide" else size[::-1]]
    read = text(pdf)
    seats = [seat for band in filled(players)["bands"] for seat in band["seats"]]
    feet = re.findall(r"(−?\d+)\s+exact bids\s+(\d+)\s+place\s+(\d+)", read)
    assert feet == [(seat["total"], seat["exact"], seat["rank"]) for seat in seats]
    unbroken = "".join(read.split())
    for name in NAMES[:players]:
        assert "".join(name.split()) in unbroken
    assert codes(picture(pdf, tmp_path, 150)) == [ABOUT["link"].upper()]
    assert len(pdf) <= 250_000


@pytest.mark.parametrize("players", [3, 5, 8])
def test_a_blank_sheet_is_one_sound_page(printer: Printer, tmp_path: Path, players: int) -> None:
    pdf = printer.pdf(sheet("rage", "score_sheet", blank(players)))
    assert len(sizes_mm(pdf)) == 1
    assert "No syntax or stream encoding errors found" in check(pdf, tmp_path)
    assert all(embedded == "yes" for _, embedded in fonts(pdf, tmp_path))
    assert codes(picture(pdf, tmp_path, 150)) == []


def test_hostile_names_are_only_names(printer: Printer, tmp_path: Path) -> None:
    html = sheet("rage", "score_sheet", score_sheet({}, HOSTILE, None, ABOUT | {"title": HOSTILE[0]}))
    pdf = printer.pdf(html)
    read = text(pdf).replace("\n", "")
    assert len(sizes_mm(pdf)) == 1
    assert "<script>alert(1)</script>" in read
    assert "{{ 7 * 7 }}" in read
    assert "&lt;&amp;" in read
    assert "<script" not in html
    assert "No syntax or stream encoding errors found" in check(pdf, tmp_path)


def test_a_sheet_in_the_middle_of_a_game_says_so(printer: Printer) -> None:
    read = text(printer.pdf(sheet("rage", "score_sheet", filled(4, rounds=6))))
    assert "after 6" in read
    assert "after" not in text(printer.pdf(sheet("rage", "score_sheet", filled(4))))


def test_the_edition_stands_on_the_sheet_of_a_table_and_is_ticked_on_a_blank_one() -> None:
    editions = [filled(4, rounds=0)["edition"], filled(4)["edition"], blank(4)["edition"]]
    assert editions == ["amigo_2000", "amigo_2000", ""]


def test_house_rules_are_printed_where_they_differ() -> None:
    options = {"edition": "us", "joker_tie": "earlier", "nt_then_ct": "ct_wins", "joker_anytime": True, "durch": True}
    html = sheet("rage", "score_sheet", score_sheet(options, [""] * 4, None, {}))
    for words in ("US, 110 cards", "The first joker beats the second.", "A joker may be played even", "2 each for who"):
        assert words in html
    assert "Change of trump after no trump" not in html


def test_a_us_table_where_the_second_joker_wins_reads_so_on_its_sheet() -> None:
    printed = sheet("rage", "score_sheet", score_sheet({"edition": "us", "joker_tie": "later"}, NAMES[:4], None, ABOUT))
    assert "The second joker beats the first." in printed
    usual = sheet("rage", "score_sheet", score_sheet({"edition": "us"}, NAMES[:4], None, ABOUT))
    assert "joker beats" not in usual


def test_names_are_written_from_the_left_of_the_first_dealer_unless_a_seat_has_the_first_deal() -> None:
    told = [
        "Write the names clockwise" in sheet("rage", "score_sheet", score_sheet(options, [""] * 4, None, {}))
        for options in ({}, {"first_dealer": 1})
    ]
    assert told == [True, False]


@pytest.mark.parametrize("bidding", ["open", "hidden", "secret"])
def test_nobody_bids_first_where_all_write_at_once(bidding: str) -> None:
    printed = sheet("rage", "score_sheet", score_sheet({"bidding": bidding}, NAMES[:4], None, ABOUT))
    told = [sentence in printed for sentence in ("bids first and leads", "The dealer’s left neighbour leads first")]
    assert told == ([True, False] if bidding == "open" else [False, True])


def test_the_fullest_sheet_of_a_table_with_hidden_bids_is_one_page(printer: Printer) -> None:
    options = {
        "bidding": "hidden",
        "durch": True,
        "joker_tie": "earlier",
        "joker_anytime": True,
        "nt_then_ct": "nt_dominates",
    }
    for language, seats in (("es", 8), ("pl", 7), ("cs", 6)):
        html = Sheet(GAMES["rage"], "score_sheet", language, "letter").html(options=options, players=NAMES[:seats])
        assert len(sizes_mm(printer.pdf(html))) == 1
