"""Looking after the database: copies, checks, what is too old, and names that shall be forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, count, groupby
from pathlib import Path
from typing import Any

from flask import current_app
from sqlalchemy import delete, func, select, true, update
from sqlalchemy.exc import DatabaseError

from companion import log
from companion.errors import CompanionError, StartError
from companion.games import GAMES, TURNED_AWAY
from companion.log.database import KINDS, kind, writing
from companion.log.kind import StillRead, Untouched, write_whole
from companion.log.names import renamed
from companion.log.readings import readings
from companion.log.rows import PHANTOMS, Entry, Seating, Table, db
from companion.log.unruled import UNRULED, GameMissing, LogRefused, RuledOtherwise
from companion.record import result

NAMED = 10
"""As many tables are named in a sentence."""


def backup(file: Path) -> None:
    """Copy the database while it is used; the file is there whole, or not at all. Raises: StartError, OSError."""
    if kind().is_own(db.engine, file):
        raise StartError(f"{file} cannot be written: it is the database itself.")
    if str(file) == "-" or (file.exists() and not file.is_file() and not file.is_dir()):
        raise StartError(f"{file} cannot be written: it is no file.")
    write_whole(file.resolve(), partial(kind().copy, db.engine))


def restore(file: Path) -> Path:
    """Put a copy in the place of the database, which is copied aside first.

    Returns:
        The copy of what was there.

    Raises:
        StartError: the file is no sound copy of ours, or cannot be put back; nothing is changed.
        OSError: what is there cannot be copied aside.
    """
    check_copy(file)
    aside = _free(kind().aside(db.engine.url, current_app.config["COMPANION"].data))
    backup(aside)
    db.session.remove()
    db.engine.dispose()
    try:
        kind().put_back(db.engine, file)
    except Untouched:
        aside.unlink()
        raise
    try:
        log.upgrade()
    except Exception as error:
        log.close()
        kind().put_back(db.engine, aside)
        aside.unlink()
        if isinstance(error, StartError):
            raise StartError(f"{file} cannot be put back: {error}") from error
        raise
    return aside


def _free(file: Path) -> Path:
    """Name a file that is not there yet: what an earlier restore has kept stays."""
    numbered = (file.with_name(f"{file.name}-{number}") for number in count(2))
    return next(name for name in chain([file], numbered) if not name.exists())


def check_copy(file: Path) -> None:
    """Look whether a file is a sound copy of a database of ours. Raises: StartError."""
    if not file.is_file():
        raise StartError(f"{file} is not there.")
    own = kind()
    with file.open("rb") as copy:
        head = copy.read(16)
    for other in (load() for load in KINDS.values()):
        if other is not own and head.startswith(other.MARK):
            raise StartError(f"{file} is a copy of {other.NAME}, and COMPANION_DATABASE is {own.NAME}.")
    own.check_copy(file)


def problems() -> Iterator[str]:
    """Look at everything: games, the file, every log, every stored result. Yields what is wrong, a sentence each."""
    yield from TURNED_AWAY
    with db.engine.connect() as connection:
        yield from kind().damage(connection)
    for table in db.session.scalars(select(Table).order_by(Table.id)):
        yield from (f"Table {table.code}: {problem}" for problem in wrong_with(table))


def wrong_with(table: Table) -> Iterator[str]:
    """Look at a table: its numbers, its log, its stored result. Yields what is wrong, a sentence each."""
    numbers = [entry.number for entry in log.entries(table)]
    if numbers != list(range(1, len(numbers) + 1)):
        yield "its entries are not numbered one by one."
        return
    try:
        with log.as_ruled(table):
            play = log.rule_again(table)
            is_finished, ruled = play.game.standing(play.position).is_finished, result(play, [""] * play.seats)
    except UNRULED as error:
        yield why_unruled(error)
        return
    if is_finished != (table.result is not None):
        yield "it is over, and has no result." if is_finished else "it has a result, and is not over."
    elif table.result is not None and not _is_as_ruled(table.result, ruled):
        yield "its result was ruled otherwise when it ended."


def why_unruled(error: CompanionError) -> str:
    """Say for who runs the companion why a table cannot be ruled on here."""
    match error:
        case GameMissing():
            return f"its game, {error.facts['game']}, is not installed."
        case LogRefused():
            return f"its log does not replay: {error.facts['reason']}"
        case RuledOtherwise():
            return f"it is frozen: {error.facts['game']} scores it otherwise by now ({error.facts['reason']})."
        case _:
            return f"it is frozen. {error}"


def ruled_as_begun() -> Iterator[str]:
    """Name the tables that are ruled by older versions of the rules, a sentence for each game and version."""
    stamps = select(Table.game, Table.rules, Table.code).order_by(Table.game, Table.rules, Table.id)
    for (key, rules), rows in groupby(db.session.execute(stamps), lambda row: (row.game, row.rules)):
        game, codes = GAMES.get(key), [row.code for row in rows]
        if game and rules in game.older:
            named = ", ".join(codes[:NAMED]) + (f" and {len(codes) - NAMED} more" if len(codes) > NAMED else "")
            yield f"{game.name}: ruled by version {rules} of its rules, as begun; today's is {game.version}: {named}."


def _is_as_ruled(stored: dict[str, Any], now: dict[str, Any]) -> bool:
    """Compare a stored result with a ruling of today; where an older release told other things, by the places alone."""
    is_older = set(stored["summary"]) != set(now["summary"])
    return _ranks(stored) == _ranks(now) and (is_older or stored["summary"] == now["summary"])


def _ranks(ruled: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(place["seat"], place["rank"], place["score"]) for place in ruled["standing"]]


def older_than(day: str) -> list[str]:
    """List the codes of tables where nothing has happened since a day (ISO 8601)."""
    last = select(func.max(Entry.at)).where(Entry.table_id == Table.id).scalar_subquery()
    quiet = select(Table.code).where(Table.opened < day, func.coalesce(last, "") < day)
    return list(db.session.scalars(quiet.order_by(Table.id)))


def purge(codes: list[str]) -> None:
    """Delete tables with their logs, so that nothing of them is left. Raises: NotSaved, StillRead."""
    with _wiping():
        for code in codes:
            db.session.execute(delete(Table).where(Table.code == code))


def counts() -> list[dict[str, Any]]:
    """Count tables, finished ones and entries, game by game; those of phantoms are no evenings."""
    finished = func.count(Table.closed)
    known = select(Table.game, func.count(), finished).where(Table.host != PHANTOMS)
    rows = db.session.execute(known.group_by(Table.game).order_by(Table.game))
    lines = select(Table.game, func.count()).join(Entry, Entry.table_id == Table.id).where(Table.host != PHANTOMS)
    entries: dict[str, int] = {game: number for game, number in db.session.execute(lines.group_by(Table.game))}
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
        StillRead: it was; what was there can still be found in the files.
    """
    theirs = select(Table.id).where(Table.host == host if host else true())
    with _wiping():
        named = (Seating.name == name) & Seating.table_id.in_(theirs)
        seats = list(db.session.scalars(select(Seating).where(named)))
        db.session.execute(update(Seating).where(named).values(name=to))
        for table in db.session.scalars(select(Table).where(Table.closed.is_not(None), Table.id.in_(theirs))):
            if table.result:
                table.result = renamed(table.result, [seating.name for seating in table.seatings])
        for entry in db.session.scalars(select(Entry).where(Entry.kind == "seat", Entry.table_id.in_(theirs))):
            if entry.data.get("name") == name:
                entry.data = {**entry.data, "name": to}
    return len(seats)


@contextmanager
def _wiping() -> Iterator[None]:
    """Hold a transaction after which nothing is left of what it deletes. Raises: NotSaved, StillRead."""
    with writing():
        kind().begin_wiping(db.session.connection())
        yield
    readings().doubt_all()
    try:
        kind().end_wiping(db.engine)
    except DatabaseError as error:
        raise StillRead(str(error.orig)) from error
