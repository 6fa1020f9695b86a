"""A table where one person tries a game alone: phantoms are its host, and play the other seats.

It stands in nobody's book and in no statistics, nobody else can sit down, and after a day it is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion import log
from companion.game import AnyGame
from companion.log import EVERYBODY, PHANTOMS, Post, Table
from companion.tables import opening, seating
from companion.tables.seating import Asker

NAMES = ("Ada", "Emil", "Nora", "Hugo", "Ida", "Olaf", "Vera", "Jan")
"""What phantoms are called, seat 0 first."""


def is_practice(table: Table) -> bool:
    """Say whether phantoms play at a table."""
    return table.host == PHANTOMS


def is_tried(table: Table) -> bool:
    """Say whether somebody tries a game alone at a table of phantoms, and it is not the demonstration's."""
    return is_practice(table) and all(seating.phone != EVERYBODY for seating in table.seatings)


def can_be_tried(game: AnyGame) -> bool:
    """Say whether phantoms can play a game."""
    return game.likely is not None


def open_practice(game: AnyGame, options: Mapping[str, Any], post: Post | None = None) -> Table:
    """Open a table of phantoms, where whoever takes seat 0 is taught the first round.

    Args:
        game: one that phantoms can play.
        options: as data.
        post: what asks for it; one that was heard already is given its table again.

    Raises:
        KeyReused, NotSaved.
        RecordError: the options cannot be.
    """
    log.forget_phantoms()
    names = ["", *NAMES[1 : game.usual_players]]
    return opening.open_table(game, options, names, PHANTOMS, is_taught=game.lesson is not None, post=post)


def seat(table: Table, phone: str, name: str, key: str) -> None:
    """Let a phone have seat 0, and nobody else sit down. Raises: BadName, NotSaved."""
    seating.sit_down(Asker(table, phone), 0, name, key)
    seating.lock(Asker(table, PHANTOMS), True, f"{key}.lock")
