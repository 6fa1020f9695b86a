"""Where the people of a table go on: the next table, and their seats there."""

from __future__ import annotations

from companion import log
from companion.errors import CompanionError
from companion.game import N_
from companion.log import Table
from companion.tables.halting import BROKEN_OFF
from companion.tables.seating import Asker, check_there, find_table, note, sit_down


class GoneOn(CompanionError):
    """Somebody new sits down where a game is over, and its people have gone on at another table."""

    status, key = 409, "gone_on"
    title = N_("The game has gone on")
    message = N_("The next game: table %(code)s.")


def go_on(asker: Asker, following: Table, key: str) -> None:
    """Lead everyone at a table to the next one; whose name stands there sits there already.

    Raises:
        NotYours, KeyReused.
    """
    check_there(asker)
    there = find_table(following.code)
    free = [seating for seating in there.seatings if seating.name and seating.phone is None]
    sitting = {seating.phone for seating in there.seatings}
    for seating in asker.table.seatings:
        namesakes = [place for place in free if place.name == seating.name]
        if seating.phone and seating.phone not in sitting and namesakes:
            place = next((place for place in namesakes if place.seat == seating.seat), namesakes[0])
            free.remove(place)
            sit_down(Asker(there, seating.phone), place.seat, seating.name, f"{key}.{seating.seat}")
    note(asker, {"act": "next", "code": following.code}, key)


def next_code(table: Table) -> str | None:
    """Name the table where the same people went on; None while there is none, or where this game goes on after all."""
    following: str | None = None
    for entry in log.entries(table, kind="table"):
        if entry.data["act"] in {"next", log.RESUMED}:
            following = entry.data.get("code")
    return following


def check_here(asker: Asker) -> None:
    """Let nobody new sit down where the people of the table are not any more. Raises: GoneOn."""
    code = following(asker.table)
    if code is not None and asker.seat is None:
        raise GoneOn(code=code)


def following(table: Table) -> str | None:
    """Name the table where the people of a game went on that is over, or was broken off; None while there is none."""
    return next_code(table) if table.closed or table.halt == BROKEN_OFF else None
