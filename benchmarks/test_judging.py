"""How fast the referees are: moves judged a second, and what a late move costs beside an early one.

.venv/bin/python -m pytest benchmarks --benchmark-only
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion.game import Accepted
from companion.games import GAMES
from companion.testing import kit
from companion.testing.kit import Table
from tests.test_soak import random_table


def longest(key: str, tries: int = 12) -> tuple[Table, list[Any]]:
    """Play some games at random and keep the longest: its positions before each move, and the moves."""
    table = Table(GAMES[key], {}, GAMES[key].players[-1])
    plays = max((list(kit.play_on(table, Random(seed))) for seed in range(tries)), key=len)
    return table, plays


@pytest.mark.parametrize("key", GAMES)
def test_a_whole_game_is_judged(benchmark: Callable[..., Any], key: str) -> None:
    table, plays = longest(key)
    moves = [play.last.asked.move for play in plays]

    def judge_all() -> Any:
        position = table.begin().position
        for move in moves:
            ruling = table.game.judge(position, move)
            assert isinstance(ruling, Accepted)
            position = ruling.position
        return position

    benchmark.extra_info["moves"] = len(moves)
    assert benchmark(judge_all) == plays[-1].position


def drawn_out(key: str, moves: int = 1_000, tries: int = 12) -> list[tuple[Any, Any]]:
    """Find positions and legal moves in them: around move 10 of a play, and at move 1,000 of the same play.

    Cards put in order, counts told again, calls made void draw an evening out. A game that has no such moves
    (Ikebana) gives move 10 and the last of its longest evening.
    """
    for seed in range(tries):
        rng = Random(seed)
        table = random_table(GAMES[key], rng)
        play = kit.played(table, rng, 12)
        position, asked = play.position, idle(table, play.position)
        early = (position, asked)
        for _ in range(moves if asked else 0):
            position = table.game.judge(position, asked).position
            asked = idle(table, position, type(asked))
            if asked is None:
                break
        else:
            if asked:
                return [early, (position, asked)]
    _, plays = longest(key)
    steps = plays[-1].moves()
    late = [step for step in steps if isinstance(step.asked.move, type(steps[9].asked.move))][-1]
    return [(step.was, step.asked.move) for step in (steps[9], late)]


def idle(table: Table, position: Any, kind: type[Any] = object) -> Any:
    """Find a legal move of a kind after which the same seat is to move and everyone stands as before."""
    game = table.game
    before = (game.summary(position).get("to_move"), game.standing(position))
    for actor in kit.actors(table):
        for move in islice(game.legal(position, actor), 60):
            after = game.judge(position, move).position
            if isinstance(move, kind) and (game.summary(after).get("to_move"), game.standing(after)) == before:
                return move
    return None


@pytest.mark.parametrize("when", ["move 10", "move 1000"])
@pytest.mark.parametrize("key", GAMES)
def test_one_move_is_judged(benchmark: Callable[..., Any], key: str, when: str) -> None:
    early, late = drawn_out(key)
    position, move = early if when == "move 10" else late
    assert isinstance(benchmark(GAMES[key].judge, position, move), Accepted)
