"""What is still to be told of games that have ended: derived from the tables, outside of the move that ended them.

Several servers share it: who takes a telling on has it for a while, and nobody else sends it then.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, fields
from datetime import datetime, timedelta

from sqlalchemy import CursorResult, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from companion.intake import written
from companion.kernel.frozen import replace
from companion.log.database import writing
from companion.log.rows import PHANTOMS, Table, Telling, db

PATIENCE = timedelta(days=1)
"""After so long it is given up."""
FIRST_PAUSE, LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=2)
"""Between tries; each pause is twice as long as the one before. The first is longer than a try can take."""
AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Untold:
    """What a receiver has not taken yet."""

    table_id: int
    receiver: str
    ended: str
    seen: str
    tries: int
    due: str | None


_COLUMNS = [getattr(Telling, part.name) for part in fields(Untold)]


def note(receiver: str, at: datetime) -> None:
    """Note the games that have ended within a day and of which a receiver does not know, but none of phantoms.

    Raises: NotSaved.
    """
    is_noted = exists().where(Telling.table_id == Table.id, Telling.receiver == receiver, Telling.ended == Table.closed)
    is_evening = Table.host != PHANTOMS
    fresh = select(Table.id, Table.closed).where(Table.closed >= written(at - PATIENCE), is_evening, ~is_noted)
    now = written(at)
    rows = [
        {"table_id": table_id, "receiver": receiver, "ended": ended, "seen": now, "tries": 0, "due": now}
        for table_id, ended in db.session.execute(fresh.order_by(Table.closed).limit(AT_ONCE))
    ]
    if rows:
        # Another server may note the same at once; what is then left out is found by the next look.
        with suppress(IntegrityError), writing():
            db.session.execute(insert(Telling), rows)


def first_due(receiver: str, at: datetime) -> Untold | None:
    """Find what has waited for longest."""
    waiting = select(*_COLUMNS).where(Telling.receiver == receiver, Telling.due <= written(at))
    row = db.session.execute(waiting.order_by(Telling.due).limit(1)).first()
    return Untold(*row) if row else None


def take_on(untold: Untold, at: datetime) -> Untold | None:
    """Take a try on; None where another server has. The last one within a day leaves nothing due. Raises: NotSaved."""
    then = at + min(FIRST_PAUSE * 2**untold.tries, LONGEST_PAUSE)
    is_last = then > datetime.fromisoformat(untold.seen) + PATIENCE
    return _keep(untold, replace(untold, tries=untold.tries + 1, due=None if is_last else written(then)))


def end(untold: Untold) -> None:
    """Be done with one that was taken on. Raises: NotSaved."""
    _keep(untold, replace(untold, due=None))


def table_of(untold: Untold) -> Table | None:
    """Find the table, while it is over as it was; None where the game goes on, or has ended anew."""
    table = db.session.get(Table, untold.table_id)
    return table if table and table.closed == untold.ended else None


def _keep(was: Untold, now: Untold) -> Untold | None:
    """Change a telling; None where somebody else has."""
    same = (Telling.table_id, Telling.receiver, Telling.ended, Telling.tries)
    is_it = [column == getattr(was, column.key) for column in same]
    with writing():
        changed = db.session.execute(update(Telling).where(*is_it).values(tries=now.tries, due=now.due))
        assert isinstance(changed, CursorResult)
    return now if changed.rowcount else None
