"""The demonstration: four phantoms play one game after the other, and everybody may look over the shoulder of one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from secrets import token_hex

from flask import Flask, current_app

from companion import log
from companion.games import GAMES
from companion.log import EVERYBODY, PHANTOMS, Table
from companion.phantoms.playing import Phantoms
from companion.phantoms.practice import NAMES, can_be_tried, seat
from companion.settings import Settings
from companion.tables import onward, opening
from companion.tables.seating import Asker

END_S = 20.0
"""So long the end of a game is shown."""


class Demonstration:
    """The table that is shown now, and the games that come.

    Args:
        app: where it is.
        phantoms: who play.
        games: the keys of the games, in turn.
    """

    def __init__(self, app: Flask, phantoms: Phantoms, games: Sequence[str]) -> None:
        """Begin with no table."""
        self.code = ""
        self._app, self._phantoms, self._games = app, phantoms, cycle(games)
        self._ended: list[str] = []
        """The tables that were shown, the newest last."""
        phantoms.at_the_end = self.at_the_end

    def begin(self) -> None:
        """Open the first table. Raises: NotSaved."""
        with self._app.app_context():
            self.code = self._open().code
        self._phantoms.wake(self.code)

    def at_the_end(self, table: Table) -> float | None:
        """Show the end of a game for a while, then lead everybody to the next one."""
        if table.code != self.code:
            return None
        if table.code not in self._ended:
            self._ended.append(table.code)
            return END_S
        following = self._open()
        onward.go_on(Asker(table, PHANTOMS), following, "next")
        self.code = following.code
        self._phantoms.wake(self.code)
        log.forget_tables(self._ended[:-1])
        del self._ended[:-1]
        return None

    def _open(self) -> Table:
        game = GAMES[next(self._games)]
        table = opening.open_table(game, dict(game.suggested), ["", *NAMES[1 : game.usual_players]], PHANTOMS)
        seat(table, EVERYBODY, NAMES[0], token_hex(8))
        return table


def init_app(app: Flask) -> None:
    """Give an app the demonstration that it is started for, if it is."""
    settings: Settings = app.config["COMPANION"]
    if settings.demo:
        phantoms = app.extensions["companion.phantoms"]
        app.extensions["companion.demonstration"] = Demonstration(app, phantoms, settings.demo)


def is_shown() -> bool:
    """Say whether this companion is a demonstration."""
    return "companion.demonstration" in current_app.extensions


def demonstration() -> Demonstration:
    """Give the app's demonstration, where there is one."""
    known: Demonstration = current_app.extensions["companion.demonstration"]
    return known


def games_shown() -> list[str]:
    """List the keys of the games that can be shown."""
    return [game.key for game in GAMES.values() if can_be_tried(game)]
