"""What a process remembers of its busy tables: how far each has come, and who sits there."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from flask import current_app

from companion.game import Standing
from companion.kernel.frozen import replace
from companion.log.rows import Seating, Table, db
from companion.play import Play

R = TypeVar("R", Table, Seating)

FRESH_S = 30.0
"""So long a table's columns are believed: a command may change a name without an entry."""
MOST = 2048
"""So many tables are remembered, or one for each phone that may be connected, if these are more."""
KEPT_S = 900.0
"""So long a table is remembered that nobody asks for."""
MARK = 100
"""At the beginning, and at every so many entries, the reading is kept, too: what came after is told again without all
that was before."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The play of a table and the number of the last entry that it contains: one reading."""

    number: int
    play: Play[Any]
    standing: Standing | None = field(default=None, compare=False)
    """How it was last noted to stand; None where that was not looked for."""


@dataclass(frozen=True, slots=True)
class Changes:
    """Columns that change together with an entry."""

    table: Mapping[str, Any] = field(default_factory=dict)
    seats: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """By seat."""

    @property
    def is_of_names(self) -> bool:
        """Whether it says how anybody is called."""
        return any("name" in columns for columns in self.seats.values())


UNCHANGED = Changes()


@dataclass(frozen=True, slots=True)
class Known:
    """A reading, and the table's columns and seats as they were with it."""

    reading: Reading
    table: Table | None
    """Belongs to no transaction; None where it has not been read with this reading."""
    until: float
    marks: tuple[Reading, ...] = ()
    """Readings on the way to it; the first ones may lack where the table was dropped meanwhile."""

    @property
    def is_fresh(self) -> bool:
        """Whether the table is to be believed."""
        return self.table is not None and time.monotonic() < self.until


class Readings:
    """The readings of busy tables, kept in memory by the table's id; those that nobody asks for are dropped."""

    def __init__(self, most: int = MOST, kept_s: float = KEPT_S) -> None:
        """Start empty."""
        self._most, self._kept_s = most, kept_s
        self._known: dict[int, Known] = {}
        """The one that was asked for last is the last one."""
        self._asked: dict[int, float] = {}
        self._ids: dict[str, int] = {}
        """By code, of the tables whose columns are known."""
        # A lock that nobody holds or waits for is forgotten.
        self._turns: WeakValueDictionary[int, threading.Lock] = WeakValueDictionary()
        self._lock = threading.Lock()

    def get(self, table_id: int) -> Reading | None:
        """Look up what is known of a table."""
        with self._lock:
            known = self._known.get(table_id)
            return known.reading if known else None

    def remembered(self, code: str) -> tuple[Table, Reading] | None:
        """Look up a table with its reading, where both are known and fresh."""
        with self._lock:
            known = self._known.get(self._ids.get(code, 0))
        is_fresh = known is not None and time.monotonic() < known.until
        return (known.table, known.reading) if known and known.table and is_fresh else None

    def before(self, table_id: int, number: int) -> Reading | None:
        """Look up the last mark before an entry."""
        with self._lock:
            known = self._known.get(table_id)
        return max((mark for mark in known.marks if mark.number < number), key=_number, default=None) if known else None

    def keep(self, table_id: int, reading: Reading, table: Table | None = None, marks: Sequence[Reading] = ()) -> None:
        """Keep a reading, unless a newer one is known.

        Args:
            table_id: whose it is.
            reading: the newest.
            table: its columns and seats, where these were read together with it.
            marks: readings on the way to it that are to be kept, too, the lowest number first.
        """
        with self._lock:
            known = self._known.get(table_id)
            if known is None or _is_news(known, reading, table):
                copy, until = detached(table) if table else None, time.monotonic() + FRESH_S
                known = Known(reading, copy, until, _marked(known, marks))
            self._put(table_id, known)

    def follow(self, table_id: int, reading: Reading, changes: Changes | None = None) -> None:
        """Keep the reading after an entry that this process has written.

        Where the one before it is known, so stay the table's columns, with what the entry has changed of them.
        """
        with self._lock:
            known = self._known.get(table_id)
            if known is None or known.reading.number < reading.number:
                stays = known is not None and known.reading.number == reading.number - 1
                table, until = (known.table, known.until) if known and stays else (None, 0.0)
                if table and changes:
                    table = detached(table, changes)
                marks = _marked(known, [reading] if is_mark(reading.number) else [])
                self._put(table_id, Known(reading, table, until, marks))

    def doubt_all(self) -> None:
        """Believe no table's columns any more: names have changed without an entry."""
        with self._lock:
            self._known = {table_id: replace(known, until=0.0) for table_id, known in self._known.items()}

    def forget_all(self) -> None:
        """Forget every table: another database answers, which may know less than was seen."""
        with self._lock:
            self._known.clear()
            self._asked.clear()
            self._ids.clear()

    def _put(self, table_id: int, known: Known) -> None:
        self._drop(table_id)
        self._known[table_id] = known
        self._asked[table_id] = now = time.monotonic()
        if known.table:
            self._ids[known.table.code] = table_id
        while len(self._known) > self._most or now - self._asked[next(iter(self._known))] > self._kept_s:
            self._drop(next(iter(self._known)))

    def _drop(self, table_id: int) -> None:
        known = self._known.pop(table_id, None)
        self._asked.pop(table_id, None)
        if known and known.table:
            self._ids.pop(known.table.code, None)

    def turn(self, table_id: int) -> threading.Lock:
        """Give the lock of a table: one request at a time changes it in this process."""
        with self._lock:
            return self._turns.setdefault(table_id, threading.Lock())


def is_mark(number: int) -> bool:
    """Say whether the reading at an entry is kept as a mark."""
    return number % MARK == 0


def _marked(known: Known | None, further: Sequence[Reading]) -> tuple[Reading, ...]:
    """Add marks to those that are known."""
    marks = known.marks if known else ()
    last = marks[-1].number if marks else -1
    return (*marks, *(mark for mark in further if mark.number > last))


def _is_news(known: Known, reading: Reading, table: Table | None) -> bool:
    """Say whether a reading goes beyond what is known, or brings the columns that are due."""
    if known.reading.number == reading.number:
        return table is not None and not known.is_fresh
    return known.reading.number < reading.number


def _number(reading: Reading) -> int:
    return reading.number


def readings() -> Readings:
    """Give what this process remembers of its tables."""
    known: Readings = current_app.extensions["companion.readings"]
    return known


def remembered(code: str) -> tuple[Table, Reading] | None:
    """Give a table and its reading as this process remembers them together; None unless they were read lately.

    Another process may have gone on since: who enters something upon them is told so by the clash of its number, and
    who is refused upon them asks again upon what `find` and `read` give. The table is nobody's to change.
    """
    return readings().remembered(code)


@contextmanager
def turn(table: Table) -> Iterator[None]:
    """Let one request at a time change a table; other processes are kept apart by the log's own numbers.

    Who waits holds no connection: the one whose turn it is needs another for writing. And whatever was read before
    the turn has come is forgotten, for it may have changed meanwhile.
    """
    table_id = table.id
    forget()
    with readings().turn(table_id):
        yield


def forget() -> None:
    """End the transaction, if there is one; whatever it has read is read again when it is needed."""
    if db.session.registry.has():
        db.session.rollback()
        db.session.expire_all()


def detached(table: Table, changes: Changes = UNCHANGED) -> Table:
    """Copy a table and its seats out of their transaction, for all threads to read; as they are after changes."""
    seatings = [_copy(seating, changes.seats.get(seating.seat, {})) for seating in table.seatings]
    return _copy(table, {**changes.table, "seatings": seatings})


def _copy(row: R, changes: Mapping[str, Any]) -> R:
    columns = {column.key: getattr(row, column.key) for column in row.__table__.columns}
    return type(row)(**{**columns, **changes})
