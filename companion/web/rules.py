"""The rules of a game to read: of the game as such, and of a table with its edition and options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, render_template

from companion import log
from companion.desk.asking import find_game, find_table
from companion.desk.guard import limited
from companion.desk.language import language
from companion.desk.wording import card_of
from companion.game import AnyGame, Section
from companion.games import GAMES
from companion.words import Voice, read_out

pages = Blueprint("rules", __name__)
limited(pages)


@pages.get("/help")
def all_games() -> str:
    """List the games whose rules can be read."""
    return render_template("rules/games.html", games=list(GAMES.values()))


@pages.get("/help/<game>")
def of_game(game: str) -> str:
    """Show the rules of a game, with every variant."""
    chosen = find_game(game)
    return render_template("rules/game.html", game=chosen, sections=_said(chosen, chosen.rule_card(None)))


@pages.get("/t/<code>/rules")
def of_table(code: str) -> str:
    """Show the rules of a table, as its edition and options have them."""
    table = find_table(code)
    game = log.game_of(table)
    return render_template("rules/table.html", game=game, code=table.code, sections=_said(game, card_of(game, table)))


def _said(game: AnyGame, card: Sequence[Section]) -> list[dict[str, Any]]:
    return read_out(card, Voice(game.words, (), language()))
