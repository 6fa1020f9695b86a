"""The rules of a game to read: of the game as such, and of a table with its edition and options."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint

from companion import log
from companion.desk.asking import find_game, table_at
from companion.desk.context import Context
from companion.desk.language import language
from companion.desk.wording import card_of
from companion.game import AnyGame, Section
from companion.games import GAMES
from companion.words import SpokenSection, Voice, read_out, whole_card

pages = Blueprint("rules", __name__)


class RulebooksPage(Context, template="rules/games.html"):
    """The games whose rules can be read."""

    games: list[AnyGame]


class RulesPage(Context, template="rules/game.html"):
    """The rules of a game."""

    game: AnyGame
    sections: list[SpokenSection]


class TableRulesPage(Context, template="rules/table.html"):
    """The rules of a table."""

    game: AnyGame
    code: str
    called: str
    """What the table calls its game."""
    sections: list[SpokenSection]


@pages.get("/help")
def all_games() -> str:
    """List the games whose rules can be read."""
    return RulebooksPage(games=list(GAMES.values())).html()


@pages.get("/help/<game>")
def of_game(game: str) -> str:
    """Show the rules of a game, with every variant."""
    chosen = find_game(game)
    return RulesPage(game=chosen, sections=_said(chosen, whole_card(chosen, language()))).html()


@pages.get("/t/<code>/rules")
def of_table(code: str) -> str:
    """Show the rules of a table, as its edition and options have them."""
    table = table_at(code)
    game = log.game_of(table)
    called = game.called(table.options)
    return TableRulesPage(game=game, code=table.code, called=called, sections=_said(game, card_of(game, table))).html()


def _said(game: AnyGame, card: Sequence[Section]) -> list[SpokenSection]:
    return read_out(card, Voice(game.words, (), language()))
