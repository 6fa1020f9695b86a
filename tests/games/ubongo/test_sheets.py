"""Ubongo's score sheet: every round as it was, and the gems of the end."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Any

from companion.game import Accepted
from companion.games import GAMES
from companion.games.ubongo.moves import Count
from companion.printing.items import filling
from companion.record import read_data, replay
from companion.testing.kit import SOME_LEGAL, Table
from tests.proofs import sheet

GAME = GAMES["ubongo"]
NAMES = ["Anna", "Bohouš", "Žofie"]


def laid_out(moves: list[dict[str, Any]], players: int = 2, **options: Any) -> Any:
    """Lay out the sheet of a play."""
    data = {"format": "companion-record", "version": 1, "game": "ubongo", "options": options, "moves": moves}
    play = replay(read_data(data | {"players": NAMES[:players]})).play
    assert len(play.moves()) == len(moves)
    return GAME.sheets["score_sheet"](options, NAMES[:players], filling(GAME, play.positions()), {})


def takes(seat: int, row: int, *gems: str) -> list[dict[str, Any]]:
    """Call, move and take."""
    return [
        {"move": "ubongo", "seat": seat},
        {"move": "place", "seat": seat, "row": row},
        {"move": "take", "seat": seat, "gems": list(gems)},
    ]


ROLL, TIME_UP = {"move": "roll", "symbol": 3}, {"move": "time_up"}
THREE_ROUNDS = [
    *[ROLL, *takes(1, 2, "red", "red"), *takes(0, 1, "green", "blue")],
    *[ROLL, TIME_UP, TIME_UP],
    *[ROLL, *takes(0, 2, "red", "yellow")],
]


def test_every_round_stands_as_it_was_and_the_game_goes_on_in_the_next_row() -> None:
    on_paper = laid_out(THREE_ROUNDS, first_seat=1)
    nothing, blank = ("0",) * 6, ("",) * 6
    first, second, third, *others = on_paper["rounds"]
    assert first["cells"] == [("1", "0", "1", "0", "0", "0"), ("0", "2", "0", "0", "0", "0")]
    assert second["cells"] == [nothing, nothing]
    assert third["cells"] == [("0", "1", "0", "0", "0", "1"), blank]
    assert [row["cells"] for row in others] == [[blank, blank]] * 6
    assert [(row["number"], row["starter"]) for row in on_paper["rounds"]] == [
        (number, number % 2) for number in range(1, 10)
    ]
    assert [seat["gems"] for seat in on_paper["seats"]] == [
        ["1", "1", "1", "0", "0", "1"],
        ["0", "2", "0", "0", "0", "0"],
    ]
    assert [seat["sorted"] for seat in on_paper["seats"]] == [
        ["1", "1", "1", "1", "0", "0"],
        ["2", "0", "0", "0", "0", "0"],
    ]
    assert [seat["rank"] for seat in on_paper["seats"]] == ["2", "1"]
    assert (on_paper["finished"], on_paper["is_counted"]) == (2, False)


def test_the_cell_of_who_has_called_is_blank_until_the_gems_are_taken() -> None:
    blank, taken = ("",) * 6, ("0", "2", "0", "0", "0", "0")
    moves = takes(1, 2, "red", "red")
    cells = [laid_out([ROLL, *moves[:many]])["rounds"][0]["cells"] for many in range(4)]
    assert cells == [[blank, blank]] * 3 + [[blank, taken]]


def test_a_round_in_which_nobody_took_anything_is_full_of_noughts_when_the_glass_has_ended_it() -> None:
    first, second, *_others = laid_out([ROLL, TIME_UP, TIME_UP])["rounds"]
    assert first["cells"] == [("0",) * 6] * 2
    assert second["cells"] == [("",) * 6] * 2


def test_a_game_in_which_nobody_took_a_gem_is_shared_on_its_sheet_too() -> None:
    whole = [ROLL, TIME_UP, TIME_UP] * 9
    assert [(seat["rank"], seat["has_won"]) for seat in laid_out(whole)["seats"]] == [("1", True)] * 2
    assert [seat["sorted"] for seat in laid_out(whole)["seats"]] == [["0"] * 6] * 2
    assert [seat["rank"] for seat in laid_out(whole[:-1])["seats"]] == ["", ""]


def test_gems_that_are_only_counted_stand_in_no_round() -> None:
    counts = [[6, 4, 2, 2, 2, 2], [2, 2, 0, 1, 2, 3]]
    on_paper = laid_out([*THREE_ROUNDS, {"move": "count", "gems": counts}])
    assert on_paper["rounds"][0]["cells"][1] == ("0", "2", "0", "0", "0", "0")
    assert [seat["gems"] for seat in on_paper["seats"]] == [[str(count) for count in row] for row in counts]
    assert on_paper["is_counted"]
    alone = laid_out([{"move": "count", "gems": counts}])
    assert {cell for row in alone["rounds"] for cells in row["cells"] for cell in cells} == {""}
    assert "as counted" in sheet("ubongo", "score_sheet", alone)


def test_the_rounds_add_up_to_the_gems_of_the_end() -> None:
    chance, positions = Random(1), [Table(GAME, {}, 3).begin().position]
    while not positions[-1].is_finished:
        open_ = [move for seat in (None, 0, 1, 2) for move in islice(GAME.legal(positions[-1], seat), SOME_LEGAL)]
        ruling = GAME.judge(positions[-1], chance.choice([move for move in open_ if not isinstance(move, Count)]))
        assert isinstance(ruling, Accepted)
        positions.append(ruling.position)
    on_paper = GAME.sheets["score_sheet"]({}, NAMES, filling(GAME, positions), {})
    assert (on_paper["finished"], on_paper["is_counted"]) == (9, False)
    for seat in on_paper["seats"]:
        cells = [row["cells"][seat["seat"]] for row in on_paper["rounds"]]
        assert [str(sum(map(int, column))) for column in zip(*cells, strict=True)] == seat["gems"]
    assert "1–9" not in sheet("ubongo", "score_sheet", on_paper)
