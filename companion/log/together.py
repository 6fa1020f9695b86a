"""Entries that come while others are being committed share the next commit: on a slow disk, as many as wait.

Nobody is told that an entry is kept before the commit with it is done. Whoever finds nobody writing writes for all who
wait, and then wakes one of those that came meanwhile to do the same; there is no thread that could die unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, cast

from sqlalchemy import Table, insert
from sqlalchemy.exc import DataError, IntegrityError

from companion.errors import NotSaved
from companion.log.database import let_go, writing_rows
from companion.log.rows import Entry

_INSERT = insert(cast(Table, Entry.__table__))


class Clash(Exception):
    """The number or the key was taken by another process meanwhile: read again."""


@dataclass(slots=True)
class Line:
    """An entry on its way."""

    columns: Mapping[str, Any]
    problem: Exception | None = field(default_factory=NotSaved)
    """Why it is not written; None once it is."""


@dataclass(slots=True)
class Waiting:
    """Entries that one request has brought, and waits for."""

    lines: Sequence[Line]
    is_done: bool = False
    sleep: Lock = field(default_factory=Lock)
    """Held while there is nothing to do for who brought them."""


class Together:
    """The entries of a process on their way to its database."""

    def __init__(self) -> None:
        """Start with none."""
        self._lock = Lock()
        self._waiting: list[Waiting] = []
        self._is_writing = False

    def write(self, columns: Mapping[str, Any]) -> None:
        """Write an entry durably.

        Raises:
            Clash: the number or the key was taken meanwhile; nothing of it is written.
            NotSaved: the database could not keep it.
        """
        (problem,) = self.write_all([columns])
        if problem:
            raise problem

    def write_all(self, entries: Sequence[Mapping[str, Any]]) -> list[Exception | None]:
        """Write entries durably; why each is not written, or None."""
        if not entries:
            return []
        let_go()  # who waits holds no connection that the one who writes may need
        own = Waiting([Line(columns) for columns in entries])
        own.sleep.acquire()
        with self._lock:
            self._waiting.append(own)
            must_wait, self._is_writing = self._is_writing, True
        if must_wait:
            own.sleep.acquire()
        if not own.is_done:
            self._write_for_all()
        return [line.problem for line in own.lines]

    def _write_for_all(self) -> None:
        with self._lock:
            batch, self._waiting = self._waiting, []
        try:
            _write([line for each in batch for line in each.lines])
        finally:
            with self._lock:
                successor = self._waiting[0] if self._waiting else None
                self._is_writing = successor is not None
            for each in batch:
                each.is_done = True
                each.sleep.release()
            if successor:
                successor.sleep.release()


def _write(lines: Sequence[Line]) -> None:
    """Commit some lines; if one of them cannot be kept, each alone, so that nobody fails for another's sake."""
    try:
        with writing_rows() as connection:
            connection.execute(_INSERT, [line.columns for line in lines])
    except (IntegrityError, DataError) as problem:
        if len(lines) > 1:
            for line in lines:
                _write([line])
        else:
            lines[0].problem = Clash() if isinstance(problem, IntegrityError) else problem
    except Exception as problem:
        for line in lines:
            line.problem = problem
    else:
        for line in lines:
            line.problem = None
