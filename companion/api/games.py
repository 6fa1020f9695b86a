"""The games: what can be chosen, asked and printed without a table."""

from __future__ import annotations

from typing import Any

from flask import Response

from companion.api.description import Blueprint
from companion.api.schemas import BlankPrintingSchema, GamesSchema, QuestionSchema, VerdictSchema
from companion.desk.asking import find_game
from companion.desk.language import language
from companion.desk.options import OptionField, fields_of
from companion.desk.paper import DOCUMENT, file_of, of_game
from companion.desk.verdict import answer
from companion.errors import Malformed, Told
from companion.game import AnyGame
from companion.games import GAMES
from companion.printing import ITEMS, items

pages = Blueprint("api-games", __name__, description="Games")

PDF = "application/pdf"
BINARY = {"type": "string", "format": "binary"}
GAME = {"in": "path", "name": "game", "schema": {"type": "string", "enum": list(GAMES)}}
ITEM = {"in": "path", "name": "item", "schema": {"type": "string", "enum": ITEMS}}


@pages.get("/games")
@pages.response(200, GamesSchema)
@pages.may_fail(is_counted=False)
def games() -> dict[str, Any]:
    """List the games, with their options and what can be printed."""
    return {"games": [_game(game) for game in GAMES.values()]}


@pages.route("/games/<game>/verdict", methods=["POST"], parameters=[GAME])
@pages.changes(QuestionSchema, VerdictSchema, by_anyone=True)
def judge(body: dict[str, Any], game: str) -> dict[str, Any]:
    """Ask the referee one question, without a table."""
    chosen = find_game(game)
    unknown = set(body["options"]) - set(chosen.question.options)
    if unknown:
        raise Malformed(place="options", reason=Told("Known: %(known)s.", known=", ".join(chosen.question.options)))
    try:
        said = answer(chosen, body["words"], body["options"], language())
    except ValueError as error:
        raise Malformed(place="words", reason=Told(str(error).replace("%", "%%"))) from None
    return {
        "game": game,
        "verdict": said.verdict,
        "reasons": said.reasons,
        "rule": said.rule.key,
        "source": said.rule.source,
        "data": dict(said.data),
    }


@pages.route("/games/<game>/sheets/<item>", methods=["GET"], parameters=[GAME, ITEM])
@pages.arguments(BlankPrintingSchema, location="query")
@pages.response(200, BINARY, content_type=PDF)
@pages.may_fail(404, 503)
def blank_sheet(query: dict[str, Any], game: str, item: str) -> Response:
    """Print something of a game: a blank score sheet, its rules."""
    return file_of(of_game(game, item), DOCUMENT)


def _option(field: OptionField) -> dict[str, Any]:
    """Tell an option, its values as data and in words."""
    values = [{"value": value, "label": label, "help": said} for value, label, said in field["choices"]]
    return {**field, "choices": [one["value"] for one in values], "values": values}


def _game(game: AnyGame) -> dict[str, Any]:
    return {
        "key": game.key,
        "name": game.name,
        "fewest_players": game.players[0],
        "most_players": game.players[-1],
        "options": [_option(field) for field in fields_of(game, {}, {})],
        "question": game.question.example,
        "sheets": items(game),
    }
