"""Random plays without end: no exception, no play that does not stop, nothing lost on the way."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion import record
from companion.game import AnyGame
from companion.games import GAMES
from companion.testing import kit
from companion.testing.kit import Table
from tests import conserved

EVENINGS = 400
"""Within so many a kind of move that is due now and then has been made."""


def random_table(game: AnyGame, rng: Random) -> Table:
    """Choose seats and options that go together."""
    seats = rng.choice(game.players)
    options: dict[str, Any] = {}
    for name, field in game.options.fields.items():
        values = kit.option_values(field, seats)
        if values and rng.random() < 0.4:
            tried = options | {name: rng.choice(values)}
            options = tried if kit.begins(game, tried, seats) else options
    return Table(game, options, seats)


def soak(key: str, amount: int) -> tuple[int, int]:
    """Play whole games at random until so many moves are made; return the moves and the games."""
    rng, game = Random(amount), GAMES[key]
    moves = games = 0
    while moves < amount:
        table = random_table(game, rng)
        last = table.begin()
        for last in kit.play_on(table, rng):
            conserved.CHECKS[key](last)
            moves += 1
        assert game.standing(last.position).is_finished, (table, "did not end")
        game.summary(last.position)
        games += 1
    return moves, games


@pytest.mark.in_turn(of=3)
@pytest.mark.parametrize("key", GAMES)
def test_random_plays_of_every_game_end(key: str) -> None:
    moves, games = soak(key, 1_500)
    assert moves >= 1_500
    assert games > 1


@pytest.mark.in_turn(of=3)
@pytest.mark.parametrize("key", GAMES)
def test_every_kind_of_move_is_made_by_chance(key: str) -> None:
    rng, game = Random(0), GAMES[key]
    lacking = {*game.moves(game.players[0])}
    for _ in range(EVENINGS):
        table = random_table(game, rng)
        *_, last = kit.play_on(table, rng)
        lacking -= {record.write_move(game, table.seats, ruled.asked.move)["move"] for ruled in last.moves()}
        if not lacking:
            return
    assert not lacking


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_a_quarter_of_a_million_moves_of_every_game(key: str) -> None:
    assert soak(key, 250_000)[0] >= 250_000
