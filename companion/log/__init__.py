"""The log: every table's entries, append-only; the only module that knows SQLAlchemy.

The play of a table is folded from its log. A process keeps the plays of its busy tables in memory together with
their numbers, so that position and number always come from one reading, and folds on from there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial, reduce
from typing import Any

from flask import Flask, current_app
from sqlalchemy import ColumnElement, and_, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from companion import metrics
from companion.errors import LogRefused
from companion.games import GAMES
from companion.intake import written
from companion.log import database, makings
from companion.log.database import check, is_ready, place, writing
from companion.log.folding import after, game_of, move_of, start
from companion.log.makings import Post
from companion.log.readings import Reading, Readings
from companion.log.rows import Entry, Seating, Table, db
from companion.log.together import Clash, Together
from companion.play import Play
from companion.record import write

__all__ = [
    "Changes",
    "Clash",
    "Entry",
    "Post",
    "Reading",
    "Readings",
    "Seating",
    "Table",
    "after",
    "check",
    "game_of",
    "is_ready",
    "move_of",
    "place",
    "start",
    "upgrade",
    "written",
]


TRIES = 50
"""How often a request reads again because another process was quicker."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Columns that change together with an entry."""

    table: Mapping[str, Any] = field(default_factory=dict)
    seats: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """By seat."""


def now() -> str:
    """Tell the time, as the log writes it."""
    return written(datetime.now(UTC))


def find(code: str) -> Table | None:
    """Find a table by its code."""
    return db.session.scalar(select(Table).where(Table.code == code))


def remembered(code: str) -> tuple[Table, Reading] | None:
    """Give a table and its reading as this process remembers them together; None unless they were read lately.

    Another process may have gone on since: who enters something upon them is told so by the clash of its number, and
    who is refused upon them asks again upon what `find` and `read` give. The table is nobody's to change.
    """
    return _readings().remembered(code)


def add(table: Table, entries: Sequence[Mapping[str, Any]] = (), post: Post | None = None) -> bool:
    """Store a new table, with its log at once if it has one, and the post that asks for it.

    False when its code is taken, or the post was heard already. Raises: NotSaved.
    """
    try:
        with writing():
            db.session.add(table)
            db.session.flush()
            makings.note(post, table=table)
            if entries:
                db.session.execute(insert(Entry), [{"table_id": table.id, **entry} for entry in entries])
    except IntegrityError:
        return False
    return True


def read(table: Table) -> Reading:
    """Read a table: its play and number, folded on from what is in memory.

    What is in memory may be newer than what this transaction sees of the table. Then another one is begun, so that
    the table's columns and its seats are never older than its log.

    Raises:
        GameMissing, LogRefused: nobody can say how it stands.
    """
    reading = _readings().get(table.id) or Reading(0, start(table))
    found = entries(table, after=reading.number - 1)
    if reading.number and not found:
        _forget()
        found = entries(table, after=reading.number - 1)
    for entry in found:
        if entry.number > reading.number:
            reading = Reading(entry.number, after(table, reading.play, entry))
    _readings().keep(table.id, reading, table)
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


def append(table: Table, entry: Mapping[str, Any], reading: Reading, changes: Changes | None = None) -> None:
    """Write an entry durably, and keep the reading that it leads to.

    Args:
        table: whose log it is.
        entry: the columns of `Entry` but the table's id.
        reading: the play after it.
        changes: what changes with it.

    Raises:
        Clash: the number or the key was taken meanwhile; nothing is written.
        NotSaved: the database could not keep it; nothing is written.
    """
    if changes is None:
        (problem,) = append_all([(table, entry, reading)])
        if problem:
            raise problem
        return
    table_id, code, game = table.id, table.code, table.game
    with metrics.COMMIT.time():
        _append_changing(table_id, entry, changes)
    _readings().keep(table_id, reading)
    metrics.entered(game, entry["kind"], code, reading.number)


def append_all(drafts: Sequence[tuple[Table, Mapping[str, Any], Reading]]) -> list[Exception | None]:
    """Write entries of different tables, that change no column, by one commit; why each is not written, or None."""
    together: Together = current_app.extensions["companion.together"]
    with metrics.COMMIT.time():
        problems = together.write_all([{"table_id": table.id, **entry} for table, entry, _ in drafts])
    readings = _readings()
    for (table, entry, reading), problem in zip(drafts, problems, strict=True):
        if problem is None:
            readings.follow(table.id, reading)
            metrics.entered(table.game, entry["kind"], table.code, reading.number)
    return problems


def _append_changing(table_id: int, entry: Mapping[str, Any], changes: Changes) -> None:
    try:
        with writing():
            db.session.execute(insert(Entry).values(table_id=table_id, **entry))
            _change(table_id, changes)
    except IntegrityError as error:
        raise Clash from error


def _change(table_id: int, changes: Changes) -> None:
    if changes.table:
        db.session.execute(update(Table).where(Table.id == table_id).values(**changes.table))
    for seat, values in changes.seats.items():
        place = (Seating.table_id == table_id) & (Seating.seat == seat)
        db.session.execute(update(Seating).where(place).values(**values))


@contextmanager
def turn(table: Table) -> Iterator[None]:
    """Let one request at a time change a table; other processes are kept apart by the log's own numbers.

    Who waits holds no connection: the one whose turn it is needs another for writing. And whatever was read before
    the turn has come is forgotten, for it may have changed meanwhile.
    """
    table_id = table.id
    _forget()
    with _readings().turn(table_id):
        yield


def _forget() -> None:
    """End the transaction, if there is one; whatever it has read is read again when it is needed."""
    if db.session.registry.has():
        db.session.rollback()
        db.session.expire_all()


def rest() -> None:
    """Give the connection back, before waiting for long."""
    db.session.remove()


def close() -> None:
    """Give all connections back."""
    db.session.remove()
    db.engine.dispose()


def upgrade() -> None:
    """Bring the database to the newest schema, or make it. Raises: StartError."""
    database.upgrade()
    uncounted = select(Seating.table_id).join(Table, Table.id == Seating.table_id).where(_uncounted())
    for table in db.session.scalars(select(Table).where(Table.id.in_(uncounted))).all():
        # An older release did not count them all; what it did count stays. Where the rules of today do not take the
        # log, the rest stays uncounted.
        try:
            counted = fold(table).figures()
        except LogRefused:
            continue
        with writing():
            for seating in table.seatings:
                seating.figures = {**counted[seating.seat], **(seating.figures or {})}
    rest()


def _uncounted() -> ColumnElement[bool]:
    """Choose the finished tables of which some figures are missing."""
    missing = [
        and_(Table.game == game.key, *(Seating.figures[bar.figure].as_integer().is_(None) for bar in statistic.bars))
        for game in GAMES.values()
        for statistic in game.statistics
        if statistic.is_of_all
    ]
    is_known = and_(Table.game.in_(list(GAMES)), Seating.rank.is_not(None))
    return and_(is_known, or_(Seating.figures.is_(None), *missing))


def init_app(app: Flask) -> None:
    """Give an app its database, its readings, and the way in which it writes."""
    database.init_app(app)
    app.extensions["companion.readings"] = Readings()
    app.extensions["companion.together"] = Together()


def _readings() -> Readings:
    readings: Readings = current_app.extensions["companion.readings"]
    return readings
