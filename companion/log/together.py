"""Entries that come while others are being committed share the next commit: on a slow disk, as many as wait.

Nobody is told that an entry is kept before the commit with it is done. Whoever finds nobody writing writes for all who
wait, and then wakes one of those that came meanwhile to do the same; there is no thread that could die unseen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from sqlalchemy.exc import DataError, IntegrityError

from companion.errors import CompanionError, NotSaved
from companion.game import N_
from companion.log.database import append, let_go
from companion.log.kind import Meanwhile, nothing
from companion.log.readings import Changes


class Clash(Exception):
    """The number or the key was taken by another process meanwhile: read again."""


class Unkept(CompanionError):
    """What was sent holds something that no database keeps; nothing was entered."""

    status, key = 400, "bad_request"
    title = N_("That did not work")
    message = N_("The companion could not answer this request.")


@dataclass(slots=True)
class Coming:
    """An entry on its way."""

    columns: Mapping[str, Any]
    """Of `Entry`."""
    changes: Changes | None = None
    is_written: bool = False
    problem: Exception | None = None
    """Why it is not written, as far as that was seen."""


@dataclass(slots=True)
class Waiting:
    """Entries that one request has brought, and waits for."""

    entries: Sequence[Coming]
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

    def write_all(self, entries: Sequence[Coming], meanwhile: Meanwhile = nothing) -> list[Exception | None]:
        """Write entries durably, each with what changes with it; why each is not written, or None.

        What begins `meanwhile` goes on while the disk is waited for; it does not begin where another thread writes.
        A Clash tells that its number or its key was taken meanwhile, Unkept that no database keeps what it holds, and
        NotSaved that this one could not now.
        """
        if not entries:
            return []
        let_go()  # who waits holds no connection that the one who writes may need
        own = Waiting(entries)
        own.sleep.acquire()
        with self._lock:
            self._waiting.append(own)
            must_wait, self._is_writing = self._is_writing, True
        if must_wait:
            own.sleep.acquire()
        if not own.is_done:
            # Nothing is called before the `try`: should that find no memory, nobody would ever write again.
            with self._lock:
                batch, self._waiting = self._waiting, []
            try:
                _write([entry for each in batch for entry in each.entries], meanwhile)
            finally:
                with self._lock:
                    successor = self._waiting[0] if self._waiting else None
                    self._is_writing = successor is not None
                for each in batch:
                    each.is_done = True
                    each.sleep.release()
                if successor:
                    successor.sleep.release()
        return [None if entry.is_written else entry.problem or NotSaved() for entry in own.entries]


def _write(entries: Sequence[Coming], meanwhile: Meanwhile = nothing) -> None:
    """Commit some entries; if one of them cannot be kept, each alone, so that nobody fails for another's sake."""
    try:
        append(
            [entry.columns for entry in entries],
            [(entry.columns["table_id"], entry.changes) for entry in entries if entry.changes],
            meanwhile,
        )
    except (IntegrityError, DataError) as problem:
        if len(entries) > 1:
            for entry in entries:
                _write([entry])
        else:
            entries[0].problem = Clash() if isinstance(problem, IntegrityError) else Unkept()
    except Exception as problem:
        for entry in entries:
            entry.problem = problem
    else:
        for entry in entries:
            entry.is_written = True
