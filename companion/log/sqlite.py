"""SQLite: a file, one writer at a time, nothing to set up."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from glob import escape
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import create_engine, event
from sqlalchemy.engine import URL, Connection, Engine
from sqlalchemy.exc import OperationalError

from companion.errors import StartError
from companion.log import kind, writers
from companion.log.kind import OURS, Meanwhile, Statement, StillRead, Untouched, write_whole

NAME = "SQLite"
MARK = b"SQLite format 3\0"
OTHERS = 0o077
"""What others may do with a file."""
NEAR_S = 0.001
"""A disk that confirms within that is near: an SSD does, a memory card or a disk that turns does not."""
MAKING_S = 2
"""So long a start may take from making the file to its first bytes."""
BEFORE, REHEARSAL = "before-", "rehearsal"
"""What the names of copies end with, after the database's own: that of a release, and the one to try a migration on."""
BESIDE = ("-wal", "-shm")
"""What SQLite puts beside a file while it is used."""
PLACE = "?"
NO_ROOM = {sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE}
"""What it calls errors of the disk, where that is full and nobody else has the file open."""
OPENED: WeakKeyDictionary[Engine, int] = WeakKeyDictionary()
"""Which file each engine has open, by its number on the disk: what is written into one without a name is lost."""
UNWRITTEN = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE}
"""With what it says that there is no room: then the end of the transaction is not written either."""


def checked(url: URL) -> URL:
    """Refuse what is no file. Raises: StartError."""
    if url.drivername not in {"sqlite", "sqlite+pysqlite"}:
        raise StartError(f"COMPANION_DATABASE: {url.drivername} is not served; write sqlite:////a/file.")
    if url.database in (None, "", ":memory:") or url.query:
        raise StartError('The database must be a file; one in memory keeps nothing. A "?" in its path is written %3F.')
    _check_file(Path(str(url.database)))
    return url


def _check_file(file: Path) -> None:
    """Refuse a file that is there and not ours, before anything is written into it. Raises: StartError."""
    if not file.is_file():
        return
    if _stays_empty(file):
        raise StartError(
            f"{file} is empty: it has no byte in it. Move it away; then put a copy back (companion restore), "
            "or a new database is made."
        )
    try:
        with closing(_read_only(file)) as found:
            names = _names(found)
    except sqlite3.Error:
        return  # Opened to be written, it tells more.
    if names and not names >= OURS:
        raise StartError(f"{file} is no database of the companion.")


def _stays_empty(file: Path) -> bool:
    """Say whether a file has no byte in it; what another start has made a moment ago is about to have some."""
    made = file.stat().st_mtime
    while not file.stat().st_size:
        if not 0 <= time.time() - made <= MAKING_S:
            return True
        time.sleep(0.02)
    return False


def options() -> dict[str, Any]:
    """Leave the engine as it is."""
    return {}


def make_durable(engine: Engine, forget: Callable[[], None]) -> None:
    """Make every connection durable, and every writing transaction take its lock at the start; the file stays."""
    writers.watch(engine)
    event.listen(engine, "engine_disposed", lambda _engine: OPENED.pop(engine, None))

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, record: object) -> None:
        connection.isolation_level = None
        _check_there(engine)
        _keep_to_owner(_place(engine))
        for pragma in (f"busy_timeout={kind.PATIENCE_MS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")
        with suppress(OSError):  # it is named in another way
            OPENED.setdefault(engine, _place(engine).stat().st_ino)
        # SQLite's own knows the letters of English alone.
        connection.create_function("lower", 1, lambda text: text and text.lower(), deterministic=True)

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        is_writing = connection.get_execution_options().get("is_writing")
        if is_writing:
            _check_there(engine)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def _check_there(engine: Engine) -> None:
    """Refuse to go on when the file has been moved away, or another one has its name. Raises: OperationalError."""
    opened = OPENED.get(engine)
    with suppress(OSError):
        if opened is None or os.stat(engine.url.database or "").st_ino == opened:
            return
    gone = sqlite3.OperationalError(f"{engine.url.database} has been moved away while it is used")
    raise OperationalError(None, None, gone) from gone


def _keep_to_owner(file: Path) -> None:
    """Let nobody else read the file; what SQLite puts beside it is as open as the file itself."""
    for each in _files(file):
        with suppress(OSError):  # another's file, or none
            if each.stat().st_mode & OTHERS:
                each.chmod(0o600)


def check(connection: Connection) -> None:
    """Refuse a connection that may lose something, or write nothing. Raises: StartError."""
    wanted = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": kind.PATIENCE_MS}
    for pragma, value in wanted.items():
        found = connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()
        if found != value:
            raise StartError(f"The database is not safe: {pragma} is {found}, not {value}.")
    _check_writing(connection)


def _check_writing(connection: Connection) -> None:
    """Refuse a file that cannot be written; who writes just now is not waited for. Raises: StartError."""
    own: Any = connection.connection.driver_connection
    own.execute("PRAGMA busy_timeout=0")
    try:
        connection.exec_driver_sql("PRAGMA user_version=0")  # takes the lock by itself
    except OperationalError as error:
        if str(getattr(error.orig, "sqlite_errorname", "")).startswith("SQLITE_READONLY"):
            raise StartError(f"The database cannot be written: {error.orig}.") from None
    finally:
        connection.rollback()
        own.execute(f"PRAGMA busy_timeout={kind.PATIENCE_MS}")


@contextmanager
def migrating(engine: Engine) -> Iterator[Connection]:
    """Hold a transaction that took the file's lock at its start.

    A table is changed by making it anew; what refers to the old one must not be deleted with it.
    """
    with engine.connect().execution_options(is_writing=True) as connection:
        pragma = connection.connection.cursor().execute
        pragma("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                yield connection
        finally:
            pragma("PRAGMA foreign_keys=ON")


def rehearse(engine: Engine, release: str, migrate: Callable[[Engine], None]) -> None:
    """Migrate a copy beside the file; then keep another one, of what was there, in the place of the last such."""
    tried, kept = _beside(engine, REHEARSAL), _beside(engine, BEFORE + release)
    # What a pulled plug has left beside an earlier one would be taken for this one's.
    _remove(tried)
    try:
        write_whole(tried, partial(copy, engine))
        _try(tried, migrate)
    finally:
        _remove(tried)
    write_whole(kept, partial(copy, engine))
    for older in _kept(engine):
        if older != kept:
            older.unlink()


def _try(file: Path, migrate: Callable[[Engine], None]) -> None:
    """Migrate a file, as durably as if it mattered: so it takes room and time as it will."""
    engine = create_engine(URL.create("sqlite", database=str(file)), hide_parameters=True)
    make_durable(engine, forget=lambda: None)
    try:
        migrate(engine)
    finally:
        engine.dispose()


def is_near(engine: Engine) -> bool:
    """Try the disk that the file is on."""
    took = []
    with TemporaryFile(dir=_place(engine).parent, buffering=0) as beside:
        for _ in range(5):
            beside.write(bytes(4096))
            began = time.perf_counter()
            os.fsync(beside.fileno())
            took.append(time.perf_counter() - began)
    return median(took) <= NEAR_S


def ensure(engine: Engine) -> None:
    """Do nothing: what can be read is on the disk."""


def write(engine: Engine, statements: Sequence[Statement], meanwhile: Meanwhile) -> None:
    """Take the file's lock at the start; into a file that was moved away nothing is written."""
    is_there = False
    with suppress(OSError):
        is_there = os.stat(engine.url.database or "").st_ino == OPENED.get(engine)
    if not is_there:
        _check_there(engine)
    connection: sqlite3.Connection = writers.KEPT.pop(engine, None) or writers.fresh(engine)
    try:
        connection.execute("BEGIN IMMEDIATE")
        for statement, rows in statements:
            connection.executemany(statement, rows)
        meanwhile()
        connection.commit()
    except BaseException:
        connection.close()
        raise
    writers.KEPT[engine] = connection


def damage(connection: Connection) -> Iterator[str]:
    """Check the file's pages, and that no row is without the one that it belongs to."""
    for (line,) in connection.exec_driver_sql("PRAGMA integrity_check"):
        if line != "ok":
            yield f"The database is damaged: {line}"
    for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"The database is damaged: a row of {row[0]} belongs to nothing."


def begin_wiping(connection: Connection) -> None:
    """Overwrite what is deleted."""
    connection.exec_driver_sql("PRAGMA secure_delete=ON")


def end_wiping(engine: Engine) -> None:
    """Empty the journal; what was kept when a release came goes, too, because nobody asked for that copy."""
    with engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        is_read = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").scalar()
    for copied in _kept(engine):
        copied.unlink()
    if is_read:
        raise StillRead("somebody reads it just now")


def is_own(engine: Engine, file: Path) -> bool:
    """Look where the database lies, by whatever way the file is named."""
    return file.resolve() in _files(_place(engine).resolve())


def copy(engine: Engine, file: Path) -> None:
    """Copy the file, page by page, while it is used. Raises: StartError."""
    try:
        with closing(sqlite3.connect(_place(engine))) as source, closing(sqlite3.connect(file)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
    except sqlite3.Error as error:
        raise StartError(f"{file} cannot be written: {error}.") from None


def check_copy(file: Path) -> None:
    """Look whether a file is a sound database of ours. Raises: StartError."""
    try:
        with closing(_read_only(file)) as found:
            names = _names(found)
            said = [str(line) for (line,) in found.execute("PRAGMA integrity_check")]
    except sqlite3.DatabaseError as error:
        raise StartError(f"{file} is no database: {error}.") from None
    if not names >= OURS:
        raise StartError(f"{file} is no database of the companion.")
    if said != ["ok"]:
        raise StartError(f"{file} is damaged: {said[0]}")


def put_back(engine: Engine, file: Path) -> None:
    """Write a copy over the file as soon as nobody else writes; that has a bound. Raises: Untouched, StartError."""
    until = time.monotonic() + kind.PATIENCE_MS / 1000

    def look(status: int, _left: int, _all: int) -> None:
        if status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED} and time.monotonic() > until:
            raise Untouched(f"{file} cannot be put back: another program writes into {_place(engine)}. Stop it first.")

    try:
        # SQLite's own waiting would come before each look.
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(_place(engine), timeout=0)) as target:
            source.backup(target, progress=look)
    except sqlite3.Error as error:
        raise (Untouched if error.sqlite_errorcode in UNWRITTEN else StartError)(
            f"{file} cannot be put back: {error}."
        ) from None


def aside(url: URL, folder: Path) -> Path:
    """Name a file beside the database."""
    return Path(f"{url.database}.before-restore")


def _place(engine: Engine) -> Path:
    """Find the file of the database."""
    return Path(str(engine.url.database))


def _beside(engine: Engine, ending: str) -> Path:
    """Name a file beside the database."""
    return Path(f"{engine.url.database}.{ending}")


def _kept(engine: Engine) -> list[Path]:
    """Find what was kept when a release came."""
    file = _place(engine)
    return list(file.parent.glob(f"{escape(file.name)}.{BEFORE}[0-9]*"))


def _files(file: Path) -> list[Path]:
    """Name all files of a database."""
    return [file, *(file.with_name(file.name + ending) for ending in BESIDE)]


def _remove(file: Path) -> None:
    for each in _files(file):
        each.unlink(missing_ok=True)


def _read_only(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)


def _names(connection: sqlite3.Connection) -> set[str]:
    """Name the tables of a database."""
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
