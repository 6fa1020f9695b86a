"""How fast the referees are: moves judged a second, and what a late move costs beside an early one.

.venv/bin/python -m pytest benchmarks --benchmark-only
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.game import Accepted
from companion.games import GAMES
from tests import kit
from tests.kit import Table


def longest(key: str, tries: int = 12) -> tuple[Table, list[Any]]:
    """Play some games at random and keep the longest: its positions before each move, and the moves."""
    table = Table(GAMES[key], {}, GAMES[key].players[-1])
    plays = max((list(kit.play_on(table, Random(seed))) for seed in range(tries)), key=len)
    return table, plays


@pytest.mark.parametrize("key", GAMES)
def test_a_whole_game_is_judged(benchmark: Callable[..., Any], key: str) -> None:
    table, plays = longest(key)
    moves = [play.asked.move for play in plays]

    def judge_all() -> Any:
        position = table.begin().position
        for move in moves:
            ruling = table.game.judge(position, move)
            assert isinstance(ruling, Accepted)
            position = ruling.position
        return position

    benchmark.extra_info["moves"] = len(moves)
    assert benchmark(judge_all) == plays[-1].position


@pytest.mark.parametrize("when", ["early", "late"])
@pytest.mark.parametrize("key", GAMES)
def test_one_move_is_judged(benchmark: Callable[..., Any], key: str, when: str) -> None:
    table, plays = longest(key)
    play = plays[min(10, len(plays) - 1)] if when == "early" else plays[-2]
    assert play.before is not None
    ruling = benchmark(table.game.judge, play.before.position, play.asked.move)
    assert isinstance(ruling, Accepted)
