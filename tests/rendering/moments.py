"""Moments that the tables of examples lead to, for both renderers to draw."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from marshmallow import ValidationError

from companion.game import AnyGame, Refused
from companion.games import GAMES
from companion.log import Table as DbTable
from companion.play import Asked, Play, begin
from companion.record import read_move
from companion.testing.kit import Table
from companion.testing.moments import Moment, looked_at, opened
from tests.games.hanabi import test_examples as hanabi
from tests.house import House

FOLDER = Path(__file__).parents[1] / "games"
IN_ROWS = {"players", "moves"}


def examples(house: House, key: str, every: int = 1) -> Iterator[Moment]:
    """Look at what the tables of examples lead to, which chance seldom does; at one row of so many."""
    rng, game = Random(key), GAMES[key]
    found: dict[str, tuple[Table, DbTable]] = {}
    files = sorted((FOLDER / key / "examples").glob("*.json"))
    rows = [row for file in files for row in json.loads(file.read_text()) if row.keys() >= IN_ROWS]
    for row in [row for row in rows if all(isinstance(move, dict) for move in row["moves"])][::every]:
        try:
            play = hanabi.opened(row) if key == "hanabi" else _begun(game, row)
        except (AssertionError, ValidationError):  # a row about what cannot be opened
            continue
        about = json.dumps([row["players"], row.get("options")])
        if about not in found:
            table = Table(game, row.get("options", {}), row["players"])
            found[about] = table, opened(house, table, rng)
        table, there = found[about]
        for data in row["moves"]:
            ruling = play.judge(Asked(len(play.moves()) + 1, read_move(game, table.seats, data)))
            if isinstance(ruling, Refused):
                break
            play = ruling
        yield looked_at(house, there, table, play, rng)


def _begun(game: AnyGame, row: dict[str, Any]) -> Play[Any]:
    play = begin(game, game.options.load(row.get("options", {})), row["players"])
    assert isinstance(play, Play)
    return play
