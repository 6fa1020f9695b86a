"""Moves that are no moves: each is a schema error or a refusal, never a traceback."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion import record
from companion.game import Accepted, Refused
from companion.games import GAMES
from companion.record import RecordError
from companion.testing import kit
from companion.testing.kit import Table

JUNK = (
    *(
        None,
        True,
        False,
        0,
        -1,
        3,
        7,
        10**40,
        0.5,
        float("inf"),
        "",
        "0",
        "Y8",
        "J",
        "J:",
        "J:Z",
        "NT",
        "M5",
        "T9",
        "W0",
    ),
    *("\x00", "🂡", "x" * 5000, [], [[]], [1, 2, 3], ["R1"] * 5, [0] * 6, {}, {"seat": 0}, "2026-11-20T20:00:00.000Z"),
    *("red", "green", "host", "own", -0.0, [None], [True], {"move": "bid"}),
)


def junk_move(table: Table, rng: Random) -> Any:
    """Make something that a phone might send when it is broken, or in bad hands."""
    kinds = [*table.game.moves(table.seats), "nothing", ""]
    kind = rng.choice(kinds)
    schema = table.game.moves(table.seats).get(kind)
    names = [*(schema.fields if schema else ()), *rng.sample(["seat", "card", "at", "by", "extra", "move"], 2)]
    data = {name: rng.choice(JUNK) for name in names if rng.random() < 0.9}
    if rng.random() < 0.5 and schema and "seat" in schema.fields:
        data["seat"] = rng.randrange(table.seats)
    return data | {"move": kind} if rng.random() < 0.97 else data


def judge_junk(key: str, amount: int) -> dict[str, int]:
    """Judge so many malformed moves in positions of random plays; count the answers."""
    rng, game = Random(amount), GAMES[key]
    answers = {"malformed": 0, "refused": 0, "accepted": 0}
    while sum(answers.values()) < amount:
        table = Table(game, {}, rng.choice(game.players))
        position = kit.played(table, rng, 40).position
        for _ in range(250):
            try:
                move = record.read_move(game, table.seats, junk_move(table, rng))
            except RecordError:
                answers["malformed"] += 1
                continue
            ruling = game.judge(position, move)
            assert isinstance(ruling, Accepted | Refused)
            answers["refused" if isinstance(ruling, Refused) else "accepted"] += 1
    return answers


@pytest.mark.promise(20)
@pytest.mark.parametrize("key", GAMES)
def test_a_malformed_move_is_answered_and_never_breaks_anything(key: str) -> None:
    answers = judge_junk(key, 2_000)
    assert answers["malformed"] > 0
    assert answers["refused"] > 0


@pytest.mark.promise(20)
@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_a_hundred_thousand_malformed_moves_are_answered(key: str) -> None:
    answers = judge_junk(key, 100_000)
    assert sum(answers.values()) >= 100_000
