"""Who asks, and of what: a table by its code, a group by its key, a game; a wrong code counts as a guess.

Guesses are counted here, where codes are looked up, and nowhere else.
"""

from __future__ import annotations

from flask import g, request

from companion.desk import invitation, renewal
from companion.desk.guard import limited
from companion.desk.phone import is_known, phone
from companion.errors import NoSuchGroup, NoSuchTable, NotThere, NotYours
from companion.game import AnyGame
from companion.games import GAMES
from companion.log import Table, groups
from companion.log.rows import Group
from companion.phantoms.playing import phantoms
from companion.phantoms.practice import is_practice
from companion.push.hearing import hearing
from companion.tables import seating
from companion.tables.seating import Asker

QUICK = {"table.move", "api-play.move"}
"""What needs no fresh look at the table, since the log's own numbers say whether the table has moved on."""


def table_at(code: str) -> Table:
    """Find a table by its code, for who is there or was invited; for anybody else a wrong one counts as a guess.

    Raises:
        NoSuchTable.
        TooManyRequests: too many wrong codes came from there, or from everywhere.
    """
    table = _at_hand(code)
    return table if table is not None and _is_let_in(table) else _guessed(code, table)


def find_group(key: str) -> Group:
    """Find a group by its key, which is too long to be guessed; a wrong one counts as a guess. Raises: NoSuchGroup."""
    try:
        return groups.with_key(key)
    except NoSuchGroup:
        _miss()
        raise


def _at_hand(code: str) -> Table | None:
    """Find the table for somebody who may be known there; strangers are not told so soon whether there is any."""
    if not (is_known() or invitation.has_any()):
        return None
    try:
        return seating.find_lately(code) if request.endpoint in QUICK else seating.find_table(code)
    except NoSuchTable:
        return None


def _is_let_in(table: Table) -> bool:
    """Say whether somebody has a seat, is the host, or was invited: whoever guesses cannot shut these out."""
    asker = Asker(table, phone()) if is_known() else None
    return (asker is not None and (asker.is_host or asker.seat is not None)) or invitation.is_invited(table)


@limited
def _guessed(code: str, table: Table | None) -> Table:
    try:
        return table or seating.find_table(code)
    except NoSuchTable:
        g.is_miss = True
        raise


@limited
def _miss() -> None:
    g.is_miss = True


def find_game(key: str) -> AnyGame:
    """Find a game by its key. Raises: NotThere."""
    if key not in GAMES:
        raise NotThere
    return GAMES[key]


def asker_at(code: str) -> Asker:
    """Find who asks, and at which table. Raises: as `table_at`."""
    asker = Asker(table_at(code), phone())
    renewal.awaited().has_come(asker.phone)
    if asker.is_host or asker.seat is not None:
        hearing().hear(asker.table.code, asker.phone)
        if is_practice(asker.table):
            phantoms().wake(asker.table.code)
    return asker


def own(asker: Asker, seat: int) -> int:
    """Let a phone see only the seats that it acts for. Raises: NotThere, NotYours."""
    if seat not in range(len(asker.table.seatings)):
        raise NotThere
    if seat not in asker.seats:
        raise NotYours
    return seat
