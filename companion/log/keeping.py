"""Looking after the database: copies, checks, what is too old, and names that shall be forgotten."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, select, true, update

from companion import log
from companion.errors import StartError
from companion.log.database import PATIENCE_MS, writing
from companion.log.rows import Entry, Seating, Table, db
from companion.record import RecordError, result

OURS = {"tables", "seatings", "entries", "alembic_version"}
"""What a database of ours holds."""


def backup(file: Path) -> None:
    """Copy the database while it is used; the file is there whole, or not at all. Raises: OSError, sqlite3.Error."""
    unfinished = file.with_name(f"{file.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with closing(_connected(_place())) as source, closing(sqlite3.connect(unfinished)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
    with unfinished.open("rb") as written:
        os.fsync(written.fileno())
    unfinished.replace(file)


def restore(file: Path) -> Path | None:
    """Put a copy in the place of the database, which is copied aside first.

    Returns:
        The copy of what was there; None where nothing was.

    Raises:
        StartError: the file is no sound database of ours; nothing is changed.
    """
    check_copy(file)
    place, aside = _place(), None
    if place.exists() and place.stat().st_size:
        aside = place.with_name(f"{place.name}.before-restore")
        backup(aside)
    db.session.remove()
    db.engine.dispose()
    with closing(_connected(file)) as source, closing(_connected(place)) as target:
        source.backup(target)
    log.upgrade()
    return aside


def check_copy(file: Path) -> None:
    """Look whether a file is a sound database of ours. Raises: StartError."""
    if not file.is_file():
        raise StartError(f"{file} is not there.")
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as copy:
            names = {name for (name,) in copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            said = [str(line) for (line,) in copy.execute("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:
        raise StartError(f"{file} is no database: {error}.") from None
    if not names >= OURS:
        raise StartError(f"{file} is no database of the companion.")
    if said != ["ok"]:
        raise StartError(f"{file} is damaged: {said[0]}")


def problems() -> Iterator[str]:
    """Look at everything: the file itself, every log, every stored result. Yields what is wrong, a sentence each."""
    with db.engine.connect() as connection:
        for (line,) in connection.exec_driver_sql("PRAGMA integrity_check"):
            if line != "ok":
                yield f"The database is damaged: {line}"
        for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
            yield f"The database is damaged: a row of {row[0]} belongs to nothing."
    for table in db.session.scalars(select(Table).order_by(Table.id)):
        yield from (f"Table {table.code}: {problem}" for problem in _problems(table))


def _problems(table: Table) -> Iterator[str]:
    numbers = [entry.number for entry in log.entries(table)]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "its entries are not numbered one by one."
        return
    try:
        play = log.start(table)
        for entry in log.entries(table):
            play = log.after(play, entry)
    except (KeyError, ValueError, RecordError) as error:
        yield f"its log does not replay: {error}."
        return
    is_finished = play.game.standing(play.position).is_finished
    if is_finished != (table.result is not None):
        yield "it is over, and has no result." if is_finished else "it has a result, and is not over."
    elif table.result is not None:
        ruled = result(play, [""] * play.seats)
        if _ranks(ruled) != _ranks(table.result) or ruled["summary"] != table.result["summary"]:
            yield "its result was ruled otherwise when it ended."


def _ranks(ruled: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(place["seat"], place["rank"], place["score"]) for place in ruled["standing"]]


def older_than(day: str) -> list[str]:
    """List the codes of tables where nothing has happened since a day (ISO 8601)."""
    last = select(func.max(Entry.at)).where(Entry.table_id == Table.id).scalar_subquery()
    quiet = select(Table.code).where(Table.opened < day, func.coalesce(last, "") < day)
    return list(db.session.scalars(quiet.order_by(Table.id)))


def purge(codes: list[str]) -> None:
    """Delete tables with their logs, so that nothing of them is left in the file. Raises: NotSaved."""
    with _wiping():
        for code in codes:
            db.session.execute(delete(Table).where(Table.code == code))


def counts() -> list[dict[str, Any]]:
    """Count tables, finished ones and entries, game by game."""
    finished = func.count(Table.closed)
    rows = db.session.execute(select(Table.game, func.count(), finished).group_by(Table.game).order_by(Table.game))
    lines = select(Table.game, func.count()).join(Entry, Entry.table_id == Table.id).group_by(Table.game)
    entries: dict[str, int] = {game: count for game, count in db.session.execute(lines)}
    return [
        {"game": game, "tables": tables, "finished": done, "entries": entries.get(game, 0)}
        for game, tables, done in rows
    ]


def rename(name: str, to: str, host: str | None = None) -> int:
    """Call somebody otherwise wherever the name stands, or with "" nothing at all; return at how many seats.

    The logs keep the numbers of seats; the name stands at the seat, in the stored results, and in the entries that
    say how a seat was called.

    Args:
        name: as it stands.
        to: as it shall be.
        host: the phone whose tables are changed, hashed; None for all tables.

    Raises:
        NotSaved: nothing was changed.
    """
    theirs = select(Table.id).where(Table.host == host if host else true())
    with _wiping():
        named = (Seating.name == name) & Seating.table_id.in_(theirs)
        seats = list(db.session.scalars(select(Seating).where(named)))
        db.session.execute(update(Seating).where(named).values(name=to))
        for table in db.session.scalars(select(Table).where(Table.result.is_not(None), Table.id.in_(theirs))):
            assert table.result is not None
            standing = [{**place, "name": to} if place["name"] == name else place for place in table.result["standing"]]
            if standing != table.result["standing"]:
                table.result = {**table.result, "standing": standing}
        for entry in db.session.scalars(select(Entry).where(Entry.kind == "seat", Entry.table_id.in_(theirs))):
            if entry.data.get("name") == name:
                entry.data = {**entry.data, "name": to}
    return len(seats)


@contextmanager
def _wiping() -> Iterator[None]:
    """Hold a transaction after which what was deleted is overwritten, in the journal too. Raises: NotSaved."""
    with writing():
        db.session.connection().exec_driver_sql("PRAGMA secure_delete=ON")
        yield
    with db.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def _place() -> Path:
    """Find the file of the database."""
    return Path(str(db.engine.url.database))


def _connected(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=PATIENCE_MS / 1000)
