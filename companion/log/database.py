"""The database under the log: made and migrated at the start, and refused unless it keeps what it confirms."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import flask_migrate
from flask import Flask
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import OperationalError

from companion.errors import NotSaved, StartError
from companion.log.rows import db

migrate = flask_migrate.Migrate()


def init_app(app: Flask) -> None:
    """Give an app its database, with the migrations that made it, and its readings."""
    db.init_app(app)
    migrate.init_app(app, db, directory=str(Path(__file__).parents[1] / "migrations"), render_as_batch=True)
    with app.app_context():
        _make_durable(db.engine)


def upgrade() -> None:
    """Bring the database to the newest schema, or make it."""
    flask_migrate.upgrade()


def check() -> None:
    """Refuse to go on with a database that may lose what it confirmed.

    Raises:
        StartError: what does not hold.
    """
    if db.engine.dialect.name != "sqlite":
        raise StartError(f"COMPANION_DATABASE: {db.engine.dialect.name} is not served yet; use sqlite.")
    with db.engine.connect() as connection:
        for pragma, wanted in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
            found = connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()
            if found != wanted:
                raise StartError(f"The database is not safe: {pragma} is {found}, not {wanted}.")


def _make_durable(engine: Engine) -> None:
    """Make every connection to SQLite durable, and every writing transaction take its lock at the start."""
    if engine.dialect.name != "sqlite":
        return

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, record: object) -> None:
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        is_writing = connection.get_execution_options().get("is_writing")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


@contextmanager
def writing() -> Iterator[None]:
    """Hold a transaction that writes, and commit it. Raises: NotSaved."""
    db.session.commit()
    try:
        db.session.connection(execution_options={"iswriting": True})
        yield
        db.session.commit()
    except OperationalError as error:
        db.session.rollback()
        raise NotSaved from error
    except BaseException:
        db.session.rollback()
        raise
