"""What games send and get is described kind by kind, and is as it is described."""

from __future__ import annotations

from dataclasses import replace
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
from tests.api.shapes import unsaid
from tests.neighbours import cairn, installed
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


OPEN = {
    "/channels/socket/messages/problem/payload/properties/key": "a message that is wrong may have anything for its key"
}
"""Where something may be anything, and why."""


def test_nothing_is_left_open_but_what_says_why(described: Any, house: House) -> None:
    spoken = house.app.test_client().get("/api/asyncapi.json").get_json()
    found = {place: shape for each in (described, spoken) for place, shape in unsaid(each)}
    assert set(found) == set(OPEN)
    assert all(shape["description"] for shape in found.values())


@pytest.mark.parametrize(
    "shape",
    [
        {},
        {"description": "Anything."},
        {"type": "object"},
        {"type": "object", "additionalProperties": {}},
        {"type": ["object", "null"], "additionalProperties": True},
        {"type": "array", "items": {}},
        {"type": "object", "properties": {"data": {}}},
        {"anyOf": [{"type": "string"}, {}]},
    ],
)
def test_what_is_left_open_is_found(shape: Any) -> None:
    for within in ({"schema": shape}, {"schemas": {"One": {"type": "object", "properties": {"it": shape}}}}):
        assert len([*unsaid(within)]) == 1


QUESTIONS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "hanabi": (
        ("FireworksScored", "", "fireworks=W3,R4"),
        ("Fitted", "W4", "fireworks=W3"),
        ("HintCounted", "", "hand=B1,B4,W2 hint=B"),
        ("HintCounted", "", "hand=B1,B4,W2 hint=R empty_hint=no"),
        ("Possible", "", "is=R,3 seen=R3"),
        ("Rated", "", "points=18"),
    ),
    "ikebana": (
        ("Bouquet", "K3 R3 G3 B2 Y2", ""),
        ("Refusals", "", "players=3"),
        ("Purchase", "", "buy=K3"),
        ("Purchase", "", "buy=K5 points=1"),
    ),
    "rage": (
        ("TrickWon", "Y8 R4 NT", "trump=R"),
        ("TrickWon", "NT", ""),
        ("Followed", "Y8 R4", "hand=R4,B2"),
        ("RoundScored", "A=3,3,0,1 B=2,4", ""),
        ("LastBid", "", "cards=4 bids=1,2"),
        ("LastBid", "", "cards=4 bids=4,4"),
    ),
    "tally": (("Brings", "7 12", ""),),
    "ubongo": (
        ("GemsRanked", "A=6,4,2,2,2,2 C=4,3,2,6,1,0", ""),
        ("GemsRanked", "A=6,4,2,2,2,2 C=6,4,2,2,2,2", ""),
        ("PawnMoves", "", "from=2 rank=2"),
        ("PawnMoves", "", "from=2 rank=2 to=3"),
        ("GemsTaken", "", "left=1"),
        ("GemsTaken", "", "left=4 late=yes"),
    ),
}
"""Of each game: the kind of verdict, the words and the options of a question."""


@pytest.mark.parametrize("key", GAMES)
def test_every_verdict_is_as_its_kind_is_described(described: Any, house: House, key: str) -> None:
    client, verdict, kinds = house.app.test_client(), validator(described, "Verdict"), set()
    for kind, words, options in QUESTIONS[key]:
        asked = {"words": words.split(), "options": dict(each.split("=") for each in options.split())}
        said = client.post(f"/api/games/{key}/verdict", json=asked).get_json()
        verdict.validate(said)
        name = f"{key.title()}Verdict{kind}"
        validator(described, name).validate(said["data"])
        shape = described["components"]["schemas"][name]
        assert {*shape["required"]} <= said["data"].keys() <= shape["properties"].keys()
        for other in ({}, {name: each for name, each in said["data"].items() if name != shape["required"][0]}):
            assert not verdict.is_valid({**said, "data": other})
        assert not verdict.is_valid({**said, "game": "chess"})
        kinds.add(kind)
    assert kinds == {kind.__name__ for kind in GAMES[key].question.data}


@pytest.mark.parametrize("key", GAMES)
def test_every_moment_of_a_play_is_as_it_is_described(described: Any, house: House, key: str) -> None:
    client, then, game = house.app.test_client(), validator(described, "Then"), GAMES[key]
    table = kit.Table(game, {}, game.players[0])
    *_, play = kit.play_on(table, Random(7), MOVES)
    brought = client.post("/api/records", json=write(play, {}, table.players))
    code = brought.get_json()["table"]["code"]
    last = client.get(f"/api/tables/{code}/steps/0").get_json()["last"]
    for step in range(last + 1):
        said = client.get(f"/api/tables/{code}/steps/{step}").get_json()
        then.validate(said)
        assert not then.is_valid({**said, "view": {}})
        assert not then.is_valid({**said, "game": "tally" if key != "tally" else "rage"})


def test_why_something_is_barred_in_hanabi_is_as_it_is_described(described: Any) -> None:
    game = GAMES["hanabi"]
    shape, facts = validator(described, "HanabiViewBarred"), set()
    for seed in range(PLAYS):
        table = kit.Table(game, {}, game.players[seed % len(game.players)])
        for play in kit.play_on(table, Random(seed)):
            choices = as_json(game.view(play.position, seed % table.seats))["choices"]
            for barred in (choices[f"{kind}_barred"] for kind in ("hint", "discard", "play")):
                if barred:
                    shape.validate(barred)
                    facts |= barred["facts"].keys()
    assert facts == described["components"]["schemas"]["HanabiViewMentioned"]["properties"].keys()
    for wrong in ({"rule": ["hanabi.no_token", "…"], "facts": {"tokens": "many"}}, {"rule": [], "facts": {}}):
        assert not shape.is_valid(wrong)


def test_games_and_moves_are_told_apart_by_name(described: Any) -> None:
    schemas = described["components"]["schemas"]
    for name in ("View", "Then", "Verdict", "Table", "Standing", "End"):
        assert set(schemas[name]["discriminator"]["mapping"]) == set(GAMES)
    for key, game in GAMES.items():
        apart = schemas[f"{key.title()}Move"]["discriminator"]
        assert (apart["propertyName"], set(apart["mapping"])) == ("move", set(game.moves(game.players[-1])))
        for name in apart["mapping"].values():
            assert name.removeprefix("#/components/schemas/") in schemas


@pytest.mark.parametrize(
    "kind",
    [
        "amend",
        "end",
        "look",
        "move",
        "opening",
        "options",
        "record",
        "standing",
        "summary",
        "table",
        "then",
        "verdict",
        "view",
    ],
)
def test_a_kind_of_move_may_be_called_as_anything_else_of_its_game(house: House, kind: str) -> None:
    game = cairn()
    with installed(
        replace(game, moves=lambda seats: {kind: game.moves(seats)["lay"], "put": game.moves(seats)["lay"]})
    ):
        described = house.app.test_client().get("/api/openapi.json").get_json()
        assert house.app.test_client().get("/api").status_code == 200
    move, amend = (validator(described, f"Cairn{what}") for what in ("Move", "Amend"))
    for said in ({"move": kind, "seat": 0, "die": 5}, {"move": "put", "seat": 0, "die": 5}):
        assert move.is_valid(said)
        assert amend.is_valid(said)
    assert not move.is_valid({"move": kind, "seat": 0})
    assert validator(described, "CairnOptions").is_valid({"is_gentle": True})
    view = as_json(game.view(kit.Table(game, {}, 2).begin().position, 0))
    about = {"game": "cairn", "number": 0, "seat": 0, "is_finished": False, "to_move": [0]}
    assert validator(described, "View").is_valid({**about, "view": view})


def test_games_of_keys_that_are_written_alike_are_described_each_by_itself(house: House) -> None:
    other = replace(cairn(), key="ca_irn")
    with installed(replace(other, key="ca__irn", players=range(3, 4))), installed(other):
        schemas = house.app.test_client().get("/api/openapi.json").get_json()["components"]["schemas"]
    assert set(schemas["Opening"]["discriminator"]["mapping"]) == {*GAMES, "ca_irn", "ca__irn"}
    fewest = [schemas[f"CaIrn{number}Opening"]["properties"]["players"]["minItems"] for number in ("", 2)]
    assert sorted(fewest) == [2, 3]


def test_a_game_that_does_not_say_what_its_view_is_has_an_object() -> None:
    def summary(position: Any) -> dict[str, Any]:
        return {}

    for untold in (summary, lambda position, seat: {}):
        told = _Shapes(None, "Untold").given_by(untold)  # type: ignore[arg-type]
        assert told["type"] == "object"
        assert "does not say" in told["description"]
