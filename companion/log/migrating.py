"""The schema of the database: made, or brought to that of this release, once that has been tried on a copy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from flask import current_app
from sqlalchemy import func, inspect, select, table

from companion import __version__
from companion.errors import StartError
from companion.log.database import in_words, is_ready, kind, newest
from companion.log.kind import OURS
from companion.log.rows import db

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection, Engine

EVENINGS = sorted(OURS - {"alembic_version"})
"""The tables of which no migration may lose a row."""
UNTOUCHED = "The database is as it was: the release that it is of goes on with it."


def migrate() -> None:
    """Bring the database to the newest schema, or make it; where there is anything in it, after a rehearsal.

    Raises:
        StartError: it cannot be used or migrated, or comes from a newer release; it is as it was.
        OSError: there is no room for a copy.
    """
    if is_ready():
        return
    with _told(), kind().migrating(db.engine) as connection:
        found = _schema(connection)
        if found is None:
            _upgrade(connection)
        elif found != newest():  # or somebody else was quicker
            _bring(connection, found)


def _schema(connection: Connection) -> str | None:
    """Name the schema that a database has; None where it has none yet."""
    from alembic.migration import MigrationContext  # noqa: PLC0415 (nothing to migrate, and nobody waits for it)

    return MigrationContext.configure(connection).get_current_revision()


def _bring(connection: Connection, found: str) -> None:
    """Migrate what holds evenings, and first a copy. Raises: StartError, OSError, and what is wrong in a migration."""
    if found > newest():
        raise StartError(
            f"The database is of a newer release of the companion: its schema is {found}, and {__version__} knows "
            f"those up to {newest()}. It is as it was: take that release, or put a copy back (companion restore)."
        )
    try:
        with _told():
            kind().rehearse(db.engine, __version__, _try)
            _upgrade(connection)
    except StartError as error:
        raise StartError(f"{error} {UNTOUCHED}") from error
    except Exception as error:
        error.add_note(UNTOUCHED)
        raise


def _try(engine: Engine) -> None:
    """Migrate a copy, and look at what came of it. Raises: StartError, and what the migrations do."""
    before = _damage(engine)
    with kind().migrating(engine) as connection:
        _upgrade(connection)
    # What was wrong before is no matter of a migration: `companion check` names it.
    for problem in _damage(engine):
        if problem not in before:
            raise StartError(problem)


def _damage(engine: Engine) -> list[str]:
    with engine.connect() as connection:
        return list(kind().damage(connection))


def _upgrade(connection: Connection) -> None:
    """Let Alembic change the schema within a transaction, and see that nobody's evening goes. Raises: StartError."""
    from alembic import command  # noqa: PLC0415 (as above)

    before = _rows(connection)
    config = current_app.extensions["migrate"].migrate.get_config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    after = _rows(connection)
    for name, rows in before.items():
        if after.get(name, 0) < rows:
            raise StartError(f"The database cannot be migrated: {rows - after.get(name, 0)} of {rows} {name} would go.")


def _rows(connection: Connection) -> dict[str, int]:
    """Count what evenings consist of."""
    there = set(inspect(connection).get_table_names())
    return {
        name: connection.scalar(select(func.count()).select_from(table(name))) or 0
        for name in EVENINGS
        if name in there
    }


@contextmanager
def _told() -> Iterator[None]:
    """Say in words what Alembic and the database complain of. Raises: StartError."""
    from alembic.util import CommandError  # noqa: PLC0415 (as above)

    try:
        with in_words():
            yield
    except CommandError as error:
        raise StartError(f"The database does not fit this release of the companion: {error}") from error
