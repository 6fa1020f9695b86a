"""A play looked at again: one of its moments, with the eyes of everybody or of a seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion import log
from companion.errors import NotThere, NotYours
from companion.play import Play
from companion.tables.seating import Asker


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a play."""

    at: int
    """How many moves had been made."""
    last: int
    """How many there are to look at."""
    play: Play[Any]
    seat: int | None
    """Whose view it is; None for everybody's."""
    asker: Asker
    """Whoever sat there."""


def moment_of(asker: Asker, at: int | None, seat: int | None) -> Moment:
    """Find a moment of a play; the last one where none is named.

    While something is secret, the moments end where all was open; and until the play is over, a phone sees the views
    of its own seats alone.

    Raises:
        NotThere: there is no such moment or seat.
        NotYours: the play is not over, and the phone does not act for that seat.
    """
    table = asker.table
    play = log.read(table).play.unsealed()
    played = play.moves()
    at = len(played) if at is None else at
    if not 0 <= at <= len(played) or (seat is not None and seat not in range(len(table.seatings))):
        raise NotThere
    if seat is not None and seat not in seats_of(asker):
        raise NotYours
    then = play.until(played[at - 1] if at else None)
    who = asker if seat is None else Asker(table, table.seatings[seat].phone or table.host)
    return Moment(at, len(played), then, seat, who)


def seats_of(asker: Asker) -> list[int]:
    """List the seats whose views a phone may look back at: its own, and after the end all."""
    return list(range(len(asker.table.seatings))) if asker.table.closed else asker.seats
