"""What the log asks of a kind of database; SQLite and PostgreSQL are modules that answer, each in its own way."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy.engine import URL, Connection, Engine

from companion.errors import StartError

PATIENCE_MS = 5000
"""How long a connection waits for another one to finish writing."""

OURS = {"tables", "seatings", "entries", "alembic_version"}
"""What a database of ours holds, whichever release has made it."""


Meanwhile = Callable[[], object]
"""Lets something begin that another thread does while one waits for the disk; it waits for nothing itself."""
Row = tuple[Any, ...]
"""Values, as the driver takes them: of an entry in the order of `ENTRY`."""
Statement = tuple[str, Sequence[Row]]
"""What is written, and the values for each time that it is."""
ENTRY = ("table_id", "number", "kind", "seat", "by", "data", "key", "at", "standing")
_COLUMNS = ", ".join(f'"{name}"' for name in ENTRY)


class Untouched(StartError):
    """A copy was not put back, and whatever comes, the database is as it was."""


class StillRead(Exception):
    """What was deleted is gone for all who ask, and can still be found in the files of the database."""


def nothing() -> None:
    """Begin nothing meanwhile."""


@cache
def appending(place: str) -> str:
    """Write the statement that appends an entry; `place` stands for each value."""
    return f"INSERT INTO entries ({_COLUMNS}) VALUES ({', '.join([place] * len(ENTRY))})"  # noqa: S608 (names of ours)


@cache
def changing(table: str, columns: tuple[str, ...], own: tuple[str, ...], place: str) -> str:
    """Write the statement that changes columns of a row, which those of its own tell; `place` stands for each value."""
    changed = ", ".join(f'"{name}" = {place}' for name in columns)
    found = " AND ".join(f'"{name}" = {place}' for name in own)
    return f"UPDATE {table} SET {changed} WHERE {found}"  # noqa: S608 (names of ours)


def write_whole(file: Path, write: Callable[[Path], None]) -> None:
    """Write a file that its owner alone can read: it is there whole, or not at all. Raises: StartError, OSError."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    try:
        unfinished.touch(0o600, exist_ok=False)  # it holds the phones' tables as the database does
        write(unfinished)
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


class Kind(Protocol):
    """A kind of database."""

    NAME: str
    MARK: bytes
    """How a copy of it begins."""
    PLACE: str
    """What stands for a value in a statement, as its driver takes it."""

    def checked(self, url: URL) -> URL:
        """Complete an address. Raises: StartError, where it is none that is served."""

    def options(self) -> dict[str, Any]:
        """Say what its engine is made with."""

    def make_durable(self, engine: Engine, forget: Callable[[], None]) -> None:
        """Make every connection keep what it confirms, and wait only so long.

        `forget` is called when another server answers than before, which may never have had what was seen of that one.
        """

    def check(self, connection: Connection) -> None:
        """Refuse what may lose something that it confirmed. Raises: StartError."""

    def migrating(self, engine: Engine) -> AbstractContextManager[Connection]:
        """Hold the transaction that changes the schema: of two first starts at once, one waits and finds all done."""

    def rehearse(self, engine: Engine, release: str, migrate: Callable[[Engine], None]) -> None:
        """Try on a copy what is about to happen to the database, and keep what was there before a release.

        It is asked while `migrating` holds the database, so that nothing is entered between. Where a transaction that
        fails leaves nothing behind, and copies are made by others, there is nothing to do.

        Raises:
            what `migrate` does; StartError, OSError: there is no copy.
        """

    def is_near(self, engine: Engine) -> bool:
        """Say whether it confirms so soon that who serves many phones may wait for it."""

    def ensure(self, engine: Engine) -> None:
        """Wait until all that can be read is kept as safely as what is confirmed. Raises: OperationalError."""

    def write(self, engine: Engine, statements: Sequence[Statement], meanwhile: Meanwhile) -> None:
        """Write by the driver alone, which takes a third of the time, and commit. Raises: what the driver does.

        `meanwhile` is called when nothing is left to do but to wait until it is kept.
        """

    def damage(self, connection: Connection) -> Iterator[str]:
        """Look at the database itself. Yields what is wrong, a sentence each."""

    def begin_wiping(self, connection: Connection) -> None:
        """Prepare a transaction after which nothing may be left of what it deletes."""

    def end_wiping(self, engine: Engine) -> None:
        """Take away what such a transaction has left behind. Raises: StillRead, and what the driver does."""

    def is_own(self, engine: Engine, file: Path) -> bool:
        """Say whether a file is one of the database's own."""

    def copy(self, engine: Engine, file: Path) -> None:
        """Copy the database, as it is at one moment. Raises: StartError."""

    def check_copy(self, file: Path) -> None:
        """Look whether a file is a sound copy. Raises: StartError."""

    def put_back(self, engine: Engine, file: Path) -> None:
        """Put a copy in the place of the database: the whole of it or nothing. Raises: Untouched, StartError."""

    def aside(self, url: URL, folder: Path) -> Path:
        """Name the file for what was there before a copy was put back; `folder` has our data."""
