"""What games send and get is described kind by kind, and is as it is described."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from companion.api.encoding import as_json
from companion.api.typed import _Shapes
from companion.games import GAMES
from companion.record import write_move
from companion.testing import kit
from tests.web.conftest import House

PLAYS = 6


@pytest.fixture
def described(house: House) -> Any:
    return house.app.test_client().get("/api/openapi.json").get_json()


def validator(described: Any, name: str) -> Any:
    """Give what holds data to a schema of the description."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
    return jsonschema_rs.validator_for(schema)


@pytest.mark.parametrize("key", GAMES)
def test_every_view_and_every_move_of_random_plays_is_as_it_is_described(described: Any, key: str) -> None:
    game = GAMES[key]
    view, move = (validator(described, f"{key.title()}{what}") for what in ("View", "Move"))
    kinds = set()
    for seed in range(PLAYS):
        table = kit.Table(game, {}, game.players[seed % len(game.players)])
        for play in kit.play_on(table, Random(seed)):
            for seat in (None, seed % table.seats):
                view.validate(as_json(game.view(play.position, seat)))
            if play.last:
                written = write_move(game, table.seats, play.last.asked.move)
                move.validate(written)
                kinds.add(written["move"])
    assert len(kinds) >= 2


def test_another_view_or_move_is_not(described: Any) -> None:
    game = GAMES["rage"]
    seen = as_json(game.view(kit.Table(game, {}, 3).begin().position, 0))
    view, move = validator(described, "RageView"), validator(described, "RageMove")
    assert view.is_valid(seen)
    assert not view.is_valid({**seen, "phase": "lunch"})
    assert not view.is_valid({**seen, "players": [{**seen["players"][0], "score": "many"}]})
    assert not view.is_valid({name: seen[name] for name in seen if name != "trump"})
    assert move.is_valid({"move": "bid", "seat": 0, "tricks": 3, "after": 4})
    assert not move.is_valid({"move": "bid", "seat": 0})
    assert not move.is_valid({"move": "hint", "seat": 0, "to": 1})
    assert not move.is_valid({"move": "bid", "seat": -1, "tricks": 3})


def test_games_and_moves_are_told_apart_by_name(described: Any) -> None:
    schemas = described["components"]["schemas"]
    assert set(schemas["View"]["discriminator"]["mapping"]) == set(GAMES)
    for key, game in GAMES.items():
        apart = schemas[f"{key.title()}Move"]["discriminator"]
        assert (apart["propertyName"], set(apart["mapping"])) == ("move", set(game.moves(game.players[-1])))
        for name in apart["mapping"].values():
            assert name.removeprefix("#/components/schemas/") in schemas


def test_a_game_that_does_not_say_what_its_view_is_has_an_object() -> None:
    untold = replace(GAMES["rage"], view=lambda position, seat: {})
    assert _Shapes(None, "UntoldView").of_view(untold) == {"type": "object"}  # type: ignore[arg-type]
