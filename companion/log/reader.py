"""Reading tables: how far each has come, and how it stands.

The play of a table is folded from its log. A process keeps the plays of its busy tables in memory together with
their numbers, so that position and number always come from one reading, and folds on from there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial, reduce
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import joinedload

from companion.log.clock import CLOCK
from companion.log.folding import RESUMED, after, as_ruled, begun, check_stands
from companion.log.readings import Reading, forget, is_mark, readings
from companion.log.rows import Entry, Table, db
from companion.play import OVER, Play
from companion.record import write

now = CLOCK.now

WITH_CODE = select(Table).where(Table.code == bindparam("code")).options(joinedload(Table.seatings))
LATER = (
    select(Entry).where(Entry.table_id == bindparam("table"), Entry.number > bindparam("after")).order_by(Entry.number)
)
LATER_OF_A_KIND = LATER.where(Entry.kind == bindparam("kind"))
"""What nearly every page asks is put into words once: that takes as long as the database takes to answer."""


def find(code: str) -> Table | None:
    """Find a table by its code, and its seats with it: nearly every page asks for them next."""
    return db.session.scalars(WITH_CODE, {"code": code}).unique().one_or_none()


def read(table: Table) -> Reading:
    """Read a table: its play and number, folded on from what is in memory.

    What is in memory may be newer than what this transaction sees of the table. Then another one is begun, so that
    the table's columns and its seats are never older than its log.

    Raises:
        UNRULED: nobody can say how it stands, or it would stand otherwise by now.
    """
    known = readings().get(table.id)
    since = known.number - 1 if known and known.number else 0
    found = entries(table, after=since)
    if since and not found:
        forget()
        found = entries(table, after=since)
    reading = known or Reading(0, begun(table, found))
    marks = [] if known else [reading]
    for entry in found:
        if entry.number > reading.number:
            reading = Reading(entry.number, after(table, reading.play, entry))
            if is_mark(entry.number):
                marks.append(reading)
    if not since:
        _check_result(table, reading.play)
    # A copy that memory has given may be older than the entries: who has just ended the game would not see it ended.
    readings().keep(table.id, reading, table if table in db.session else None, marks)
    return reading


def read_at(table: Table, number: int) -> Reading:
    """Read a table as it was when its log had reached a number."""
    return Reading(number, next(play for _entry, _was, play in entries_with_plays(table, range(number, number + 1))))


def entries_with_plays(table: Table, numbers: range) -> Iterator[tuple[Entry, Play[Any], Play[Any]]]:
    """Go through some entries, in order, each with the play before it and the play after it.

    Of what was before them, only what lies beyond the last mark is read.
    """
    reading = _before(table, max(numbers.start, 1))
    play = reading.play
    for entry in entries(table, reading.number, upto=numbers.stop - 1):
        was, play = play, after(table, play, entry)
        if entry.number in numbers:
            yield entry, was, play


def _before(table: Table, number: int) -> Reading:
    """Give the last reading before an entry that is kept, or the beginning."""
    return readings().before(table.id, number) or Reading(0, begun(table, entries(table, kind="start")))


def newest(codes: Collection[str]) -> dict[str, int]:
    """Read how far tables have come: the numbers of their last entries, by code."""
    last = select(Table.code, func.max(Entry.number)).join(Entry).where(Table.code.in_(codes)).group_by(Table.code)
    return {code: number for code, number in db.session.execute(last)}


def fold(table: Table) -> Play[Any]:
    """Fold a table's whole log, and keep nothing of it: for those that are over, and for all of a book.

    Raises:
        UNRULED: it does not hold here, or would stand otherwise by now.
    """
    play = rule_again(table)
    _check_result(table, play)
    return play


def rule_again(table: Table) -> Play[Any]:
    """Fold a table's whole log, whatever result is stored. Raises: one of UNRULED."""
    found = entries(table)
    return reduce(partial(after, table), found, begun(table, found))


def _check_result(table: Table, play: Play[Any]) -> None:
    """Look whether a table that is over ends as it ended. Raises: RuledOtherwise."""
    if table.result is not None:
        places = sorted(table.result["standing"], key=lambda place: int(place["seat"]))
        stood = " ".join([*(f"{place['rank']}:{place['score']}" for place in places), OVER])
        check_stands(table, play, stood, "result")


def entries(table: Table, after: int = 0, kind: str | None = None, upto: int | None = None) -> Sequence[Entry]:
    """List a table's entries after a number, in order; of one kind, and up to a number, if these are named."""
    later = LATER_OF_A_KIND if kind else LATER
    if upto is not None:
        later = later.where(Entry.number <= upto)
    return db.session.scalars(later, {"table": table.id, "after": after, "kind": kind}).all()


def kinds(table: Table, after: int) -> set[str]:
    """Name the kinds of a table's entries from a number on, and `RESUMED` where the game has gone on after a pause."""
    later = select(Entry.kind).where(Entry.table_id == table.id, Entry.number > after)
    found = set(db.session.scalars(later.distinct()))
    if "table" in found and any(entry.data["act"] == RESUMED for entry in entries(table, after, "table")):
        found.add(RESUMED)
    return found


def entry_with_key(table: Table, key: str) -> Entry | None:
    """Find the entry that a key has made already."""
    return db.session.scalar(select(Entry).where(Entry.table_id == table.id, Entry.key == key))


def record_of(table: Table) -> dict[str, Any]:
    """Write the record of a table; while something is secret, it ends at the last moment when all was open.

    Raises:
        UNRULED: its log does not hold here; `raw.record` writes it as it was entered.
    """
    players = [seating.name for seating in table.seatings]
    with as_ruled(table):
        return write(fold(table), table.options, players, about(table), table.rules)


def about(table: Table) -> dict[str, str]:
    """Say what a record says of the evening."""
    said = {"table": table.code, "opened": table.opened, "closed": table.closed}
    said |= {"location": table.location, "title": table.title}
    return {name: text for name, text in said.items() if text}


def close() -> None:
    """Give all connections back."""
    db.session.remove()
    db.engine.dispose()
