"""Reading tables: how far each has come, and how it stands.

The play of a table is folded from its log. A process keeps the plays of its busy tables in memory together with
their numbers, so that position and number always come from one reading, and folds on from there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from functools import partial, reduce
from typing import Any

from sqlalchemy import func, select

from companion.intake import written
from companion.log.folding import after, start
from companion.log.readings import Reading, forget, readings
from companion.log.rows import Entry, Table, db
from companion.play import Play
from companion.record import write


def now() -> str:
    """Tell the time, as the log writes it."""
    return written(datetime.now(UTC))


def find(code: str) -> Table | None:
    """Find a table by its code."""
    return db.session.scalar(select(Table).where(Table.code == code))


def read(table: Table) -> Reading:
    """Read a table: its play and number, folded on from what is in memory.

    What is in memory may be newer than what this transaction sees of the table. Then another one is begun, so that
    the table's columns and its seats are never older than its log.

    Raises:
        GameMissing, LogRefused: nobody can say how it stands.
    """
    reading = readings().get(table.id) or Reading(0, start(table))
    found = entries(table, after=reading.number - 1)
    if reading.number and not found:
        forget()
        found = entries(table, after=reading.number - 1)
    for entry in found:
        if entry.number > reading.number:
            reading = Reading(entry.number, after(table, reading.play, entry))
    readings().keep(table.id, reading, table)
    return reading


def read_at(table: Table, number: int) -> Reading:
    """Read a table as it was when its log had reached a number."""
    early = (entry for entry in entries(table) if entry.number <= number)
    return Reading(number, reduce(partial(after, table), early, start(table)))


def newest(codes: Collection[str]) -> dict[str, int]:
    """Read how far tables have come: the numbers of their last entries, by code."""
    last = select(Table.code, func.max(Entry.number)).join(Entry).where(Table.code.in_(codes)).group_by(Table.code)
    return {code: number for code, number in db.session.execute(last)}


def fold(table: Table) -> Play[Any]:
    """Fold a table's whole log, and keep nothing of it: for those that are over, and for all of a book.

    Raises:
        GameMissing, LogRefused: it does not hold here.
    """
    return reduce(partial(after, table), entries(table), start(table))


def entries(table: Table, after: int = 0, kind: str | None = None) -> Sequence[Entry]:
    """List a table's entries from a number on, in order; of one kind, if it is named."""
    later = select(Entry).where(Entry.table_id == table.id, Entry.number > after)
    if kind:
        later = later.where(Entry.kind == kind)
    return db.session.scalars(later.order_by(Entry.number)).all()


def kinds(table: Table, after: int) -> set[str]:
    """Name the kinds of a table's entries from a number on."""
    later = select(Entry.kind).where(Entry.table_id == table.id, Entry.number > after)
    return set(db.session.scalars(later.distinct()))


def entry_with_key(table: Table, key: str) -> Entry | None:
    """Find the entry that a key has made already."""
    return db.session.scalar(select(Entry).where(Entry.table_id == table.id, Entry.key == key))


def record_of(table: Table) -> dict[str, Any]:
    """Write the record of a table; while something is secret, it ends at the last moment when all was open.

    Raises:
        GameMissing, LogRefused: its log does not hold here; `raw.record` writes it as it was entered.
    """
    players = [seating.name for seating in table.seatings]
    return write(fold(table), table.options, players, about(table), table.rules)


def about(table: Table) -> dict[str, str]:
    """Say what a record says of the evening."""
    said = {"table": table.code, "opened": table.opened, "closed": table.closed}
    said |= {"location": table.location, "title": table.title}
    return {name: text for name, text in said.items() if text}


def rest() -> None:
    """Give the connection back, before waiting for long."""
    db.session.remove()


def close() -> None:
    """Give all connections back."""
    db.session.remove()
    db.engine.dispose()
