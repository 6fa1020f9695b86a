"""What a process remembers of its busy tables: how far each has come, and who sits there."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any
from weakref import WeakValueDictionary

from companion.log.rows import Seating, Table
from companion.play import Play

FRESH_S = 30.0
"""So long a table's columns are believed: a command may change a name without an entry."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The play of a table and the number of the last entry that it contains: one reading."""

    number: int
    play: Play[Any]


@dataclass(frozen=True, slots=True)
class Known:
    """A reading, and the table's columns and seats as they were with it."""

    reading: Reading
    table: Table | None
    """Belongs to no transaction; None where an entry has changed it since."""
    until: float

    @property
    def is_fresh(self) -> bool:
        """Whether the table is to be believed."""
        return self.table is not None and time.monotonic() < self.until


class Readings:
    """The readings of busy tables, kept in memory by the table's id; the least used are dropped."""

    def __init__(self, most: int = 2048) -> None:
        """Start empty."""
        self._most = most
        self._known: OrderedDict[int, Known] = OrderedDict()
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
        return (known.table, known.reading) if known and known.table and known.is_fresh else None

    def keep(self, table_id: int, reading: Reading, table: Table | None = None) -> None:
        """Keep a reading, unless a newer one is known; and the table, if it was read together with it."""
        with self._lock:
            known = self._known.get(table_id)
            is_newer = known is None or known.reading.number < reading.number
            if is_newer or (table and known and known.reading.number == reading.number and not known.is_fresh):
                self._put(table_id, Known(reading, _detached(table) if table else None, time.monotonic() + FRESH_S))
            self._known.move_to_end(table_id)

    def follow(self, table_id: int, reading: Reading, has_changed: bool = False) -> None:
        """Keep the reading after an entry; the table's columns stay known, unless the entry has changed them."""
        with self._lock:
            known = self._known.get(table_id)
            if known is None or known.reading.number < reading.number:
                stays = known is not None and known.reading.number == reading.number - 1 and not has_changed
                table, until = (known.table, known.until) if known and stays else (None, 0.0)
                self._put(table_id, Known(reading, table, until))

    def _put(self, table_id: int, known: Known) -> None:
        self._known[table_id] = known
        if known.table:
            self._ids[known.table.code] = table_id
        while len(self._known) > self._most:
            _, dropped = self._known.popitem(last=False)
            if dropped.table:
                self._ids.pop(dropped.table.code, None)

    def turn(self, table_id: int) -> threading.Lock:
        """Give the lock of a table: one request at a time changes it in this process."""
        with self._lock:
            return self._turns.setdefault(table_id, threading.Lock())


def _detached(table: Table) -> Table:
    """Copy a table and its seats out of their transaction, for all threads to read."""
    seatings = [Seating(**_columns(seating)) for seating in table.seatings]
    return Table(**_columns(table), seatings=seatings)


def _columns(row: Table | Seating) -> dict[str, Any]:
    return {column.key: getattr(row, column.key) for column in row.__table__.columns}
