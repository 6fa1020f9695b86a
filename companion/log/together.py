"""Entries that come while others are being committed share the next commit: on a slow disk, as many as wait.

Nobody is told that an entry is kept before the commit with it is done. Whoever finds nobody writing writes for all who
wait; there is no thread that could die unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Condition
from typing import Any, cast

from sqlalchemy import Table, insert
from sqlalchemy.exc import DataError, IntegrityError

from companion.errors import NotSaved
from companion.log.database import let_go, writing_rows
from companion.log.rows import Entry

_ENTER = insert(cast(Table, Entry.__table__))


class Clash(Exception):
    """The number or the key was taken by another process meanwhile: read again."""


@dataclass(slots=True)
class Waiting:
    """An entry on its way."""

    columns: Mapping[str, Any]
    is_done: bool = False
    problem: Exception | None = field(default_factory=NotSaved)
    """Why it is not written; None once it is."""


class Together:
    """The entries of a process on their way to its database."""

    def __init__(self) -> None:
        """Start with none."""
        self._changed = Condition()
        self._waiting: list[Waiting] = []
        self._is_writing = False

    def write(self, columns: Mapping[str, Any]) -> None:
        """Write an entry durably.

        Raises:
            Clash: the number or the key was taken meanwhile; nothing of it is written.
            NotSaved: the database could not keep it.
        """
        let_go()  # who waits holds no connection: whoever writes needs one
        own = Waiting(columns)
        with self._changed:
            self._waiting.append(own)
            self._changed.wait_for(lambda: own.is_done or not self._is_writing)
            batch: list[Waiting] = []
            if not own.is_done:
                self._is_writing = True
                batch, self._waiting = self._waiting, []
        if batch:
            try:
                _write_all(batch)
            finally:
                with self._changed:
                    self._is_writing = False
                    for each in batch:
                        each.is_done = True
                    self._changed.notify_all()
        if own.problem:
            raise own.problem


def _write_all(batch: Sequence[Waiting]) -> None:
    """Commit a batch; if one of it cannot be, each alone, so that nobody fails for another's sake."""
    try:
        with writing_rows() as connection:
            connection.execute(_ENTER, [each.columns for each in batch])
    except (IntegrityError, DataError) as problem:
        if len(batch) > 1:
            for each in batch:
                _write_all([each])
        else:
            batch[0].problem = Clash() if isinstance(problem, IntegrityError) else problem
    except Exception as problem:
        for each in batch:
            each.problem = problem
    else:
        for each in batch:
            each.problem = None
