"""The rules of a game to read: of the game as such, and of a table with its edition and options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, url_for

from companion import log
from companion.desk.guard import find_game, find_table, limited
from companion.desk.language import language
from companion.game import AnyGame, Rule, Section, number_of
from companion.games import GAMES
from companion.log import Table
from companion.words import Voice, read_out

pages = Blueprint("rules", __name__)
limited(pages)


@dataclass(frozen=True, slots=True)
class Cited:
    """Where a rule that the referee names stands, for its reader."""

    number: str = ""
    """Of the paragraph that covers it; "" where the game brings no text."""
    link: str = ""


def cite(rule: Rule, game: AnyGame, table: Table | None = None) -> Cited:
    """Find a rule on the card of a table; what this table does not play stands on the card of the game."""
    own = number_of(rule, _card(game, table)) if table else ""
    number = own or number_of(rule, game.rule_card(None))
    if not number:
        return Cited()
    page = url_for("rules.of_table", code=table.code) if own and table else url_for("rules.of_game", game=game.key)
    return Cited(number, f"{page}#rule-{number}")


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
    return render_template("rules/table.html", game=game, code=table.code, sections=_said(game, _card(game, table)))


def _card(game: AnyGame, table: Table) -> tuple[Section, ...]:
    log.start(table)  # which says so where the options are none any more
    return game.rule_card(game.options.load(table.options))


def _said(game: AnyGame, card: Sequence[Section]) -> list[dict[str, Any]]:
    return read_out(card, Voice(game.words, (), language()))
