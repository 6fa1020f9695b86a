"""What games send and get is described kind by kind, and is as it is described."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import Any

import jsonschema_rs
import pytest

from companion.api.encoding import as_json
from companion.api.typed import _Shapes
from companion.games import GAMES
from companion.record import write, write_move
from companion.testing import kit
from tests.web.conftest import House

PLAYS, MOVES = 6, 12
BY = ("host", 0, 1)


@pytest.fixture
def described(house: House) -> Any:
    return house.app.test_client().get("/api/openapi.json").get_json()


def validator(described: Any, name: str) -> Any:
    """Give what holds data to a schema of the description."""
    schema = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
    return jsonschema_rs.validator_for(schema)


@pytest.mark.parametrize("key", GAMES)
def test_every_view_summary_and_move_of_random_plays_is_as_it_is_described(described: Any, key: str) -> None:
    game = GAMES[key]
    view, summary, move, amend = (
        validator(described, f"{key.title()}{what}") for what in ("View", "Summary", "Move", "Amend")
    )
    kinds = set()
    for seed in range(PLAYS):
        table = kit.Table(game, {}, game.players[seed % len(game.players)])
        for play in kit.play_on(table, Random(seed)):
            for seat in (None, seed % table.seats):
                view.validate(as_json(game.view(play.position, seat)))
            summary.validate(as_json(game.summary(play.position)))
            if play.last:
                written = write_move(game, table.seats, play.last.asked.move)
                move.validate(written)
                amend.validate({**written, "later": [{"number": 3, "move": written}, {"number": 4, "move": None}]})
                kinds.add(written["move"])
    assert len(kinds) >= 2


def test_another_summary_is_not(described: Any) -> None:
    game = GAMES["rage"]
    told = as_json(game.summary(kit.Table(game, {}, 3).begin().position))
    summary, standing = validator(described, "RageSummary"), validator(described, "Standing")
    assert summary.is_valid(told)
    assert not summary.is_valid({**told, "dealer": "Ann"})
    assert not summary.is_valid({**told, "rounds": [{"cards": 10}]})
    assert not summary.is_valid({name: told[name] for name in told if name != "to_move"})
    about = {"number": 1, "is_finished": False, "standing": [], "winners": [], "reasons": []}
    assert standing.is_valid({**about, "game": "rage", "summary": told})
    assert not standing.is_valid({**about, "game": "hanabi", "summary": told})


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


def test_an_amendment_is_a_move_or_none(described: Any) -> None:
    amend, bid = validator(described, "Amend"), {"move": "bid", "seat": 0, "tricks": 3}
    for right in (bid, {"move": None}, {"move": None, "later": [{"number": 7, "move": bid}]}):
        assert amend.is_valid(right)
    for wrong in ({}, {"move": "dance"}, {"move": "bid", "seat": 0}, {**bid, "later": [{"number": 7, "move": {}}]}):
        assert not amend.is_valid(wrong)


def test_options_are_described_game_by_game(described: Any, house: House) -> None:
    opening, start = validator(described, "Opening"), validator(described, "Start")
    for game in house.app.test_client().get("/api/games").get_json()["games"]:
        players = ["Ann"] * game["fewest_players"]
        for option in game["options"]:
            for value in option["choices"]:
                chosen = {option["name"]: value}
                opening.validate({"game": game["key"], "players": players, "options": chosen})
                start.validate({"options": chosen})
        for wrong in ({"lunch": True}, {option["name"]: {}}):
            assert not opening.is_valid({"game": game["key"], "players": players, "options": wrong})
        assert not opening.is_valid({"game": game["key"], "players": players * 9})
    assert not start.is_valid({"options": {"lunch": True}})


@pytest.mark.parametrize("key", GAMES)
def test_records_are_described_game_by_game(described: Any, key: str) -> None:
    game, shape = GAMES[key], validator(described, "Record")
    for name, part in game.options.fields.items():
        for value in kit.option_values(part, game.players[0]):
            table = kit.Table(game, {name: value}, game.players[0])
            if kit.begins(game, table.options, table.seats):
                shape.validate(write(table.begin(), table.options, table.players))
    table = kit.Table(game, {}, game.players[0])
    *_, play = kit.play_on(table, Random(7), MOVES)
    data = write(play, {}, table.players, {"opened": "2026-11-21T20:00:00.000Z", "title": "Anna’s"})
    timed = [
        {**move, "at": "2026-11-21T20:00:00.000Z", "by": by} for move, by in zip(data["moves"], cycle(BY), strict=False)
    ]
    assert timed
    shape.validate(data)
    shape.validate({**data, "moves": timed})
    assert not shape.is_valid({**data, "options": {"lunch": True}})
    assert not shape.is_valid({**data, "moves": [*timed, {"move": "dance"}]})


def objects(part: Any, schemas: Any, seen: set[str]) -> Iterator[Any]:
    """Find every object in a shape, and in those that it refers to."""
    if isinstance(part, dict):
        name = part.get("$ref", "").rpartition("/")[2]
        if name and name not in seen:
            seen.add(name)
            yield from objects(schemas[name], schemas, seen)
        if part.get("type") == "object":
            yield part
        part = [value for key, value in part.items() if key != "discriminator"]
    for each in part if isinstance(part, list) else ():
        yield from objects(each, schemas, seen)


def test_no_operation_takes_an_object_of_which_nothing_is_said(described: Any) -> None:
    bodies = [
        operation["requestBody"]
        for methods in described["paths"].values()
        for operation in methods.values()
        if "requestBody" in operation
    ]
    assert len(bodies) >= 20
    found = list(objects(bodies, described["components"]["schemas"], set()))
    assert len(found) >= 60
    for one in found:
        assert "properties" in one or one["additionalProperties"] not in (True, {}), one


def unsaid(schemas: Any) -> set[tuple[str, str]]:
    """Find every object of which nothing is said, by the schema and the field in which it stands."""
    return {
        (name, field)
        for name, schema in schemas.items()
        for field, part in schema.get("properties", {}).items()
        for one in (part, part.get("items", {}))
        if one.get("type") == "object"
        and "properties" not in one
        and one.get("additionalProperties", True) in (True, {})
    }


def test_no_answer_has_an_object_of_which_nothing_is_said_but_these(described: Any) -> None:
    """A step of a play shows the view of a game that it does not name; the others are facts, of each rule its own."""
    open_ = {("Then", "view"), ("Verdict", "data"), ("HanabiViewRefused", "facts")}
    assert unsaid(described["components"]["schemas"]) == open_


def test_games_and_moves_are_told_apart_by_name(described: Any) -> None:
    schemas = described["components"]["schemas"]
    for name in ("View", "Table", "Standing", "End"):
        assert set(schemas[name]["discriminator"]["mapping"]) == set(GAMES)
    for key, game in GAMES.items():
        apart = schemas[f"{key.title()}Move"]["discriminator"]
        assert (apart["propertyName"], set(apart["mapping"])) == ("move", set(game.moves(game.players[-1])))
        for name in apart["mapping"].values():
            assert name.removeprefix("#/components/schemas/") in schemas


def test_a_game_that_does_not_say_what_its_view_is_has_an_object() -> None:
    def summary(position: Any) -> dict[str, Any]:
        return {}

    for untold in (summary, lambda position, seat: {}):
        assert _Shapes(None, "Untold").given_by(untold) == {"type": "object"}  # type: ignore[arg-type]
