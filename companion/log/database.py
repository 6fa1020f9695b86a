"""The database under the log: made and migrated at the start, and refused unless it keeps what it confirms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import flask_migrate
from alembic import command
from alembic.util import CommandError
from flask import Flask, current_app
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError

from companion.errors import NotSaved, StartError
from companion.log.rows import db

migrate = flask_migrate.Migrate()

PATIENCE_MS = 5000
"""How long a connection waits for another one to finish writing."""


def init_app(app: Flask) -> None:
    """Give an app its database, with the migrations that made it. Raises: StartError."""
    _check_address(app.config["SQLALCHEMY_DATABASE_URI"])
    db.init_app(app)
    migrate.init_app(app, db, directory=str(Path(__file__).parents[1] / "migrations"), render_as_batch=True)
    with app.app_context():
        _make_durable(db.engine)


def upgrade() -> None:
    """Bring the database to the newest schema, or make it.

    Raises:
        StartError: it cannot be used, or comes from a newer release.
    """
    try:
        command.upgrade(current_app.extensions["migrate"].migrate.get_config(), "head")
    except CommandError as error:
        raise StartError(f"The database does not fit this release of the companion: {error}") from error
    except DatabaseError as error:
        raise StartError(f"The database cannot be used: {error.orig}.") from error


def check() -> None:
    """Refuse to go on with a database that may lose what it confirmed.

    Raises:
        StartError: what does not hold.
    """
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": PATIENCE_MS}
    with db.engine.connect() as connection:
        for pragma, value in wanted.items():
            found = connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()
            if found != value:
                raise StartError(f"The database is not safe: {pragma} is {found}, not {value}.")


def _check_address(address: str) -> None:
    """Refuse what is no file of SQLite's."""
    try:
        url = make_url(address)
    except ArgumentError:
        raise StartError("COMPANION_DATABASE is no address of a database, as sqlite:////a/file is.") from None
    if url.get_backend_name() != "sqlite":
        raise StartError(f"COMPANION_DATABASE: {url.get_backend_name()} is not served yet; use sqlite.")
    if url.database in (None, "", ":memory:") or url.query:
        raise StartError('The database must be a file, without "?" in its path; one in memory keeps nothing.')


def _make_durable(engine: Engine) -> None:
    """Make every connection durable, and every writing transaction take its lock at the start."""

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, record: object) -> None:
        connection.isolation_level = None
        for pragma in (f"busy_timeout={PATIENCE_MS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
        # SQLite's own knows the letters of English alone.
        connection.create_function("lower", 1, lambda text: text and text.lower(), deterministic=True)

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        is_writing = connection.get_execution_options().get("is_writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


@contextmanager
def writing() -> Iterator[None]:
    """Hold a transaction that writes, and commit it. Raises: NotSaved."""
    db.session.commit()
    try:
        db.session.connection(execution_options={"is_writing": True})
        yield
        db.session.commit()
    except OperationalError as error:
        db.session.rollback()
        raise NotSaved from error
    except BaseException:
        db.session.rollback()
        raise
