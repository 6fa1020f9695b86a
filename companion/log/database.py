"""The database under the log: refused unless it keeps what it confirms, and has the schema of this release."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any

from flask import Flask, current_app
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DatabaseError,
    DataError,
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
)
from sqlalchemy.exc import TimeoutError as NoneFree
from werkzeug.exceptions import BadRequest

from companion.errors import Away, NotSaved, StartError
from companion.log import sqlite
from companion.log.kind import ENTRY, Kind, Meanwhile, Row, Statement, appending, changing, nothing
from companion.log.readings import Changes, Readings
from companion.log.rows import db

MIGRATIONS = Path(__file__).parents[1] / "migrations"


def _postgresql() -> Kind:
    from companion.log import postgresql  # noqa: PLC0415 (at home nobody waits for its driver)

    return postgresql


KINDS: dict[str, Callable[[], Kind]] = {"sqlite": lambda: sqlite, "postgresql": _postgresql}
"""By what their addresses begin with."""
_row = itemgetter(*ENTRY)


class Migrate:
    """Flask-Migrate, made when something is asked of it: Alembic is a tenth of a start that has nothing to migrate."""

    def __init__(self, app: Flask) -> None:
        """Take whose migrations they are."""
        self._app = app

    def __getattr__(self, name: str) -> Any:
        """Put the real one in the place of this one."""
        import flask_migrate  # noqa: PLC0415

        flask_migrate.Migrate(self._app, db, directory=str(MIGRATIONS), render_as_batch=True)
        return getattr(self._app.extensions["migrate"], name)


def init_app(app: Flask) -> None:
    """Give an app its database, with the migrations that made it. Raises: StartError."""
    served, url = _served(app.config["SQLALCHEMY_DATABASE_URI"])
    app.config["SQLALCHEMY_DATABASE_URI"] = url
    app.config["SQLALCHEMY_ENGINE_OPTIONS"] |= served.options()
    db.init_app(app)
    app.teardown_appcontext(rest)
    app.extensions["migrate"] = Migrate(app)
    for problem in (OperationalError, InterfaceError, NoneFree):
        app.register_error_handler(problem, _away)
    app.register_error_handler(DataError, _unkept)
    readings: Readings = app.extensions["companion.readings"]
    with app.app_context():
        served.make_durable(db.engine, readings.forget_all)
        app.extensions["companion.store"] = db.engine, served


def kind() -> Kind:
    """Say which kind of database the app has."""
    _engine, found = _store()
    return found


def _store() -> tuple[Engine, Kind]:
    store: tuple[Engine, Kind] = current_app.extensions["companion.store"]
    return store


def check() -> None:
    """Refuse to go on with a database that may lose what it confirmed.

    Raises:
        StartError: what does not hold.
    """
    with in_words(), db.engine.connect() as connection:
        kind().check(connection)


@contextmanager
def in_words() -> Iterator[None]:
    """Say in words what the database complains of at the start. Raises: StartError."""
    try:
        yield
    except DatabaseError as error:
        raise StartError(complaint(error)) from error


def complaint(problem: BaseException) -> str:
    """Say in words what a database complains of."""
    cause = getattr(problem, "orig", problem)
    is_full = getattr(cause, "sqlite_errorcode", None) in sqlite.NO_ROOM
    words = "database or disk is full" if is_full else str(cause)
    return f"The database cannot be used: {' '.join(words.split())}."


def is_ready() -> bool:
    """Say whether the database answers, and has the schema of this release."""
    try:
        with db.engine.connect() as connection:
            found = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalars().all()
    except (DatabaseError, NoneFree):
        return False
    return list(found) == [newest()]


def newest() -> str:
    """Name the newest schema: each migration is a file that begins with its number."""
    return max(file.name for file in (MIGRATIONS / "versions").glob("[0-9]*.py"))[:4]


def place() -> str:
    """Name the database for people, without its password."""
    return db.engine.url.render_as_string(hide_password=True)


def _served(address: str) -> tuple[Kind, URL]:
    """Find the kind of database that an address names, and complete the address. Raises: StartError."""
    try:
        url = make_url(address)
    except ArgumentError:
        raise StartError("COMPANION_DATABASE is no address of a database, as sqlite:////a/file is.") from None
    except ValueError:
        raise StartError(
            "COMPANION_DATABASE has a port that is no number; several hosts with ports are written so: "
            "postgresql://user:password@/name?host=one,two&port=5432,5433"
        ) from None
    if url.get_backend_name() not in KINDS:
        raise StartError(f"COMPANION_DATABASE: {url.get_backend_name()} is not served; use sqlite or postgresql.")
    if "?" in address and not url.query:
        raise StartError('COMPANION_DATABASE: behind its "?" is nothing of an address. In a path, it is written %3F.')
    served = KINDS[url.get_backend_name()]()
    return served, served.checked(url)


def _away(problem: Exception) -> Any:
    """Answer a request that could not read: the server restarts, or all connections are taken."""
    away = Away()
    away.__cause__ = problem
    return current_app.handle_user_exception(away)


def rest(_problem: BaseException | None = None) -> None:
    """Give the connection back: at the end of a request, or before waiting; one that has broken breaks nothing else."""
    if not db.session.registry.has():
        return
    try:
        db.session.remove()
    except (OperationalError, InterfaceError):
        db.session.registry.clear()


def _unkept(problem: Exception) -> Any:
    """Answer a request with something that no database keeps, as a zero byte in a text: no page of ours sends it."""
    return current_app.handle_user_exception(BadRequest())


@contextmanager
def writing() -> Iterator[None]:
    """Hold a transaction that writes, and commit it.

    A connection may break while it commits, and then nobody knows whether it has. Whoever asked comes again with the
    same key, and finds the entry or makes it.

    Raises:
        NotSaved: the disk is full, the server is away or takes nothing, somebody else was quicker or is too slow.
    """
    db.session.commit()
    try:
        with _saving():
            db.session.connection(execution_options={"is_writing": True})
            yield
            db.session.commit()
    except BaseException:
        db.session.rollback()
        raise


@contextmanager
def writing_rows() -> Iterator[Connection]:
    """Hold a transaction that writes rows past the session, and commit it, as `writing` does. Raises: NotSaved."""
    with _saving(), db.engine.connect() as connection, connection.execution_options(is_writing=True).begin():
        yield connection


def append(
    entries: Sequence[Mapping[str, Any]],
    changes: Sequence[tuple[int, Changes]] = (),
    meanwhile: Meanwhile = nothing,
) -> None:
    """Write entries (columns of `Entry`), with what changes of tables by their ids, past the session; and commit them.

    What begins `meanwhile` goes on while the disk is waited for.

    Raises:
        NotSaved: as `writing`.
        IntegrityError: a number or a key is taken.
        DataError: no database keeps one of them.
    """
    engine, served = _store()
    rows = [_row({**entry, "data": json.dumps(entry["data"])}) for entry in entries]
    statements: list[Statement] = [(appending(served.PLACE), rows)]
    for table_id, changed in changes:
        statements += _changing(table_id, changed, served.PLACE)
    problems = engine.dialect.loaded_dbapi
    try:
        served.write(engine, statements, meanwhile)
    except problems.IntegrityError as error:
        raise IntegrityError(None, None, error) from error
    except problems.DataError as error:
        raise DataError(None, None, error) from error
    except (problems.OperationalError, problems.InternalError, problems.InterfaceError) as error:
        raise NotSaved from error
    except (OperationalError, NoneFree) as error:  # it was not even tried
        raise NotSaved from error


def _changing(table_id: int, changes: Changes, place: str) -> Iterator[Statement]:
    """Change columns of a table and of its seats; seats of which the same changes share a statement."""
    if changes.table:
        values = (*map(_kept, changes.table.values()), table_id)
        yield changing("tables", tuple(changes.table), ("id",), place), [values]
    alike: dict[tuple[str, ...], list[Row]] = {}
    for seat, of_seat in changes.seats.items():
        alike.setdefault(tuple(of_seat), []).append((*map(_kept, of_seat.values()), table_id, seat))
    for columns, rows in alike.items():
        yield changing("seatings", columns, ("table_id", "seat"), place), rows


def _kept(value: Any) -> Any:
    """Write a value of a column as the driver takes it."""
    return json.dumps(value) if isinstance(value, dict) else value


def ensure() -> None:
    """Wait until what was read is as safe as what is confirmed: a commit may have broken off. Raises: NotSaved."""
    let_go()
    with _saving():
        kind().ensure(db.engine)


def is_near() -> bool:
    """Say whether the database confirms so soon that who serves many phones may wait for it; tried once.

    Where it cannot be tried, as on a full disk, it is not near, and is tried again the next time.
    """
    known: dict[str, Any] = current_app.extensions
    if "companion.is_near" not in known:
        try:
            known["companion.is_near"] = kind().is_near(db.engine)
        except OSError:
            return False
    return bool(known["companion.is_near"])


def let_go() -> None:
    """Give the session's connection back; what it has read stays."""
    if db.session.registry.has():
        db.session.commit()


@contextmanager
def _saving() -> Iterator[None]:
    try:
        yield
    except (OperationalError, InternalError, InterfaceError, NoneFree) as error:
        raise NotSaved from error
