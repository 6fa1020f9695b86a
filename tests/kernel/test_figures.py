"""What every game leaves for the book of evenings: numbers of every seat, and pictures that know them."""

from __future__ import annotations

import json
from random import Random

from hypothesis import given, settings

from companion import record
from companion.games import GAMES
from companion.kernel.figures import LOST
from companion.testing import kit
from companion.testing.kit import Table, randoms, tables


@given(tables(), randoms())
@settings(max_examples=12)
def test_every_seat_leaves_the_same_figures_as_whole_numbers(table: Table, rng: Random) -> None:
    *_, play = kit.play_on(table, rng, most=3_000)
    figures = play.figures()
    assert len(figures) == table.seats
    assert len({frozenset(counted) for counted in figures}) == 1
    assert all(type(number) is int for counted in figures for number in counted.values())
    if table.game.is_shared:
        assert all(counted == figures[0] for counted in figures)


@given(tables(), randoms())
@settings(max_examples=30)
def test_somebody_has_won_what_is_over_unless_all_have_lost_and_the_figures_say_so(table: Table, rng: Random) -> None:
    *_, play = kit.play_on(table, rng, most=3_000)
    standing = table.game.standing(play.position)
    if not standing.is_finished:
        return
    ruled = json.loads(json.dumps(record.result(play, table.players)))
    won, is_lost = record.winners(table.game, ruled), table.game.is_lost(ruled["summary"])
    assert won == (() if is_lost else tuple(place.seat for place in standing.places if place.rank == 1))
    assert bool(won) != is_lost
    assert {counted.get(LOST, 0) for counted in play.figures()} == {int(is_lost)}


def test_only_a_game_that_is_shared_draws_what_its_tables_have_in_common() -> None:
    for game in GAMES.values():
        assert len({statistic.title for statistic in game.statistics}) == len(game.statistics)
        for statistic in game.statistics:
            assert statistic.bars, game.name
            assert len({bar.figure for bar in statistic.bars}) == len(statistic.bars)
        assert {statistic.per.value == "table" for statistic in game.statistics} == {game.is_shared}
