"""Who asks, and of what: a table by its code, a group by its key, a game; a wrong code counts as a guess."""

from __future__ import annotations

from flask import g

from companion.desk.phone import phone
from companion.errors import NoSuchGroup, NoSuchTable, NotThere, NotYours
from companion.game import AnyGame
from companion.games import GAMES
from companion.log import Table, groups
from companion.log.rows import Group
from companion.push.hearing import hearing
from companion.tables import seating
from companion.tables.seating import Asker


def find_table(code: str) -> Table:
    """Find a table by its code; a wrong one counts as a guess. Raises: NoSuchTable."""
    try:
        return g.pop("asker").table if "asker" in g else seating.find_table(code)
    except NoSuchTable:
        g.is_miss = True
        raise


def find_group(key: str) -> Group:
    """Find a group by its key; a wrong one counts as a guess. Raises: NoSuchGroup."""
    try:
        return groups.with_key(key)
    except NoSuchGroup:
        g.is_miss = True
        raise


def find_game(key: str) -> AnyGame:
    """Find a game by its key. Raises: NotThere."""
    if key not in GAMES:
        raise NotThere
    return GAMES[key]


def asker_at(code: str) -> Asker:
    """Find who asks, and at which table. Raises: NoSuchTable."""
    known: Asker | None = g.pop("asker", None)  # as the guard has found out already, once for each request
    asker = known or Asker(find_table(code), phone())
    if asker.is_host or asker.seat is not None:
        hearing().hear(asker.table.code, asker.phone)
    return asker


def own(asker: Asker, seat: int) -> int:
    """Let a phone see only the seats that it acts for."""
    if seat not in range(len(asker.table.seatings)):
        raise NotThere
    if seat not in asker.seats:
        raise NotYours
    return seat
