"""Ubongo's figures: every gem that was taken came with a finishing place."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings

from companion.games.ubongo.moves import Count
from companion.testing.kit import Table, play_on, randoms, tables
from tests.test_endings import played

PLACES = range(1, 5)
NOTHING = {"rounds": 0} | {f"{what}_{place}": 0 for place in PLACES for what in ("rounds", "gems")}


@given(tables(("ubongo",)), randoms())
@settings(max_examples=10)
def test_the_gems_of_all_places_are_those_that_were_taken(table: Table, rng: Random) -> None:
    *_, play = play_on(table, rng)
    assert play.last
    position = play.last.was if isinstance(play.last.asked.move, Count) else play.position
    for seat, counted in enumerate(play.figures()):
        assert sum(counted[f"gems_{place}"] for place in PLACES) == sum(position.gems[seat])
        assert sum(counted[f"rounds_{place}"] for place in PLACES) <= counted["rounds"] <= position.round
        assert all(counted[f"gems_{place}"] <= 2 * counted[f"rounds_{place}"] for place in PLACES)


def a_game(*rounds: list[dict[str, Any]], count: bool = True) -> list[dict[str, Any]]:
    moves = [move for calls in rounds for move in ({"move": "roll", "symbol": 1}, *calls)]
    return [*moves, {"move": "count", "gems": [[5, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]]}] if count else moves


def calls(*seats: int) -> list[dict[str, Any]]:
    return [{"move": "ubongo", "seat": seat} for seat in seats]


def takes(seat: int) -> dict[str, Any]:
    return {"move": "take", "seat": seat, "gems": ["red", "blue"]}


def test_a_false_call_gives_its_place_to_the_next_and_a_count_to_nobody() -> None:
    moves = a_game([*calls(0, 1), {"move": "void", "seat": 0}, takes(1), *calls(0), takes(0)], [*calls(1), takes(1)])
    first, second = played("ubongo", {}, moves, seats=2).figures()
    assert first == NOTHING | {"rounds": 2, "rounds_2": 1, "gems_2": 2}
    assert second == NOTHING | {"rounds": 2, "rounds_1": 2, "gems_1": 4}


def test_a_round_that_the_sand_ends_counts_for_who_finished() -> None:
    moves = a_game([*calls(1), takes(1), {"move": "time_up"}], [{"move": "time_up"}, {"move": "time_up"}])
    first, second = played("ubongo", {}, moves, seats=2).figures()
    assert first == NOTHING | {"rounds": 1}
    assert second == NOTHING | {"rounds": 1, "rounds_1": 1, "gems_1": 2}


def test_a_table_that_only_counts_leaves_nothing_to_divide_by() -> None:
    assert list(played("ubongo", {}, a_game(), seats=2).figures()) == [NOTHING, NOTHING]
