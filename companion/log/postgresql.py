"""PostgreSQL: a server that many processes and machines write to at once.

Transactions see everything as it was at one moment (REPEATABLE READ), as those of SQLite do: a table's log, columns and
seats always belong together. Who comes second with a number of the log is told so by the number being taken, and reads
again; who would change a row that has changed meanwhile is refused, and nothing is saved.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from sqlalchemy import Table, event, exists, func, select
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import DatabaseError

from companion.errors import StartError
from companion.log import kind, writers
from companion.log.kind import OURS, Meanwhile, Statement
from companion.log.rows import Base

if TYPE_CHECKING:
    from companion.log import standby

log = logging.getLogger("companion")

NAME = "PostgreSQL"
MARK = b"PGDMP"
PLACE = "%s"

DRIVER = "postgresql+psycopg"
LOCK = 0x636F6D70
"""The lock of migrations: any number that no other program takes in the same database."""

REACHING = {
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": str(kind.PATIENCE_MS),
}
"""After how many seconds a server that does not answer is given up; the last one, in milliseconds, is for what was sent
to a machine that is gone: without it the system would try for a quarter of an hour."""

SEVERAL = {"target_session_attrs": "read-write", "connect_timeout": "2"}
"""What an address of several hosts leaves open: the one that takes entries is meant, and no dead one holds up long."""
ENSURE = "SELECT pg_logical_emit_message(true, 'companion', '')"
"""Writes something that nobody reads: its commit waits for all that was written before."""


def checked(url: URL) -> URL:
    """Refuse what names no database; what the address leaves open is ours to say. Raises: StartError."""
    if url.drivername not in {"postgresql", DRIVER}:
        raise StartError(f"COMPANION_DATABASE: {url.drivername} is not served; write postgresql://host/name.")
    if not url.database:
        raise StartError("COMPANION_DATABASE names no database; write postgresql://host/name.")
    if not find_spec("psycopg"):
        raise StartError("COMPANION_DATABASE needs the package psycopg: pip install 'companion[postgres]'.")
    usual = REACHING | (SEVERAL if _is_several(url) else {})
    left_open = {name: value for name, value in usual.items() if name not in url.query}
    return url.set(drivername=DRIVER).update_query_dict(left_open)


def _is_several(url: URL) -> bool:
    """Say whether an address names more than one host."""
    more = url.query.get("host", "")
    return "," in (url.host or "") or isinstance(more, tuple) or "," in more


def options() -> dict[str, Any]:
    """See the database as it is at one moment; and find out that a connection is dead before it is used.

    Asking costs a tenth of a millisecond. Without it every restart of the server would cost somebody a page.
    """
    return {"isolation_level": "REPEATABLE READ", "pool_pre_ping": True}


def make_durable(engine: Engine, forget: Callable[[], None]) -> None:
    """Let nobody wait for ever; durable the server is by itself, or `check` refuses it."""
    from companion.log import standby  # noqa: PLC0415 (it needs the driver, which `checked` has looked for)

    writers.watch(engine)
    timelines: set[str] = set()
    event.listen(engine, "do_connect", standby.connect)

    @event.listens_for(engine, "connect")
    def _connected(connection: standby.Connection, record: object) -> None:
        connection.execute(f"SET statement_timeout = {kind.PATIENCE_MS}; SET lock_timeout = {kind.PATIENCE_MS}")
        connection.commit()
        if (now := connection.timeline()) and now not in timelines:
            timelines.add(now)
            forget()


def check(connection: Connection) -> None:
    """Refuse a server that may lose what it confirmed, or takes nothing. Raises: StartError."""
    for name, wanted in {"fsync": "on", "full_page_writes": "on", "transaction_read_only": "off"}.items():
        found = _setting(connection, name)
        if found != wanted:
            raise StartError(f"The database is not safe: {name} is {found}, not {wanted}. Set it in postgresql.conf.")
    _check_waiting(connection)
    for name in ("statement_timeout", "lock_timeout"):
        if _setting(connection, name) == "0":
            raise StartError(f"The database is not safe: {name} is 0, and a request would wait for ever.")


def _check_waiting(connection: Connection) -> None:
    """Refuse a server that confirms too soon. Raises: StartError."""
    url, found = connection.engine.url, _setting(connection, "synchronous_commit")
    # What else it may be (remote_write, remote_apply; local, where one is alone) waits for this server's disk, too.
    if found in {"off", "local"} if _is_several(url) else found == "off":
        raise StartError(
            f"The database is not safe: synchronous_commit is {found}. "
            f"Set it: ALTER DATABASE {url.database} SET synchronous_commit = on"
        )
    if _is_several(url) and not _setting(connection, "synchronous_standby_names"):
        log.warning("No standby confirms what is entered now: synchronous_standby_names is empty.")


def _setting(connection: Connection, name: str) -> str:
    return str(connection.exec_driver_sql(f"SHOW {name}").scalar())


@contextmanager
def migrating(engine: Engine) -> Iterator[Connection]:
    """Hold a transaction with the lock of migrations; it may take long, and sees what another one did meanwhile."""
    with engine.connect().execution_options(isolation_level="READ COMMITTED") as connection, connection.begin():
        _take_time(connection)
        connection.exec_driver_sql("SET LOCAL lock_timeout = '60s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
        yield connection


def _take_time(connection: Connection, scope: str = "LOCAL") -> None:
    """Let what follows take as long as it takes, until the transaction has ended."""
    connection.exec_driver_sql(f"SET {scope} statement_timeout = 0")
    own: Any = connection.connection.dbapi_connection
    own.is_patient = True


def rehearse(engine: Engine, release: str, migrate: Callable[[Engine], None]) -> None:
    """Do nothing: all migrations are one transaction, in which a change of the schema is taken back like any other."""


def is_near(engine: Engine) -> bool:
    """Deny it: there is a network between."""
    return False


def ensure(engine: Engine) -> None:
    """Let a commit of nothing wait for the standby, and so for all that was committed before."""
    with engine.begin() as connection:
        connection.exec_driver_sql(ENSURE)


def write(engine: Engine, statements: Sequence[Statement], meanwhile: Meanwhile) -> None:
    """Send the rows of each statement on without waiting for one after the other."""
    connection = writers.KEPT.pop(engine, None) or writers.fresh(engine)
    try:
        try:
            _send(connection, statements)
        except engine.dialect.loaded_dbapi.OperationalError:
            if not connection.broken:
                raise
            # It has been cut off since it was last used, and nothing is written yet.
            connection = writers.fresh(engine)
            _send(connection, statements)
        meanwhile()
        connection.commit()
    except BaseException:
        connection.close()
        raise
    writers.KEPT[engine] = connection


def _send(connection: Any, statements: Sequence[Statement]) -> None:
    with connection.cursor() as cursor:
        for statement, rows in statements:
            cursor.executemany(statement, rows)


def damage(connection: Connection) -> Iterator[str]:
    """Read every row; look for those without the one that they belong to, and for indexes that are not whole."""
    _take_time(connection)
    broken = "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid ORDER BY 1"
    try:
        for table in Base.metadata.sorted_tables:
            # Written out, so that long values are fetched, too.
            every = f'SELECT sum(length(line::text)) FROM "{table.name}" AS line'  # noqa: S608 (a table of ours)
            connection.exec_driver_sql(every)
            if _orphans(connection, table):
                yield f"The database is damaged: a row of {table.name} belongs to nothing."
        for (name,) in connection.exec_driver_sql(broken):
            yield f"The database is damaged: the index {name} is not whole."
    except DatabaseError as error:
        yield f"The database is damaged: {error.orig}"


def _orphans(connection: Connection, table: Table) -> int:
    count = 0
    for key in table.foreign_keys:
        parent = key.column.table.alias()
        is_there = exists().where(parent.c[key.column.name] == key.parent)
        count += connection.scalar(select(func.count()).where(key.parent.is_not(None), ~is_there)) or 0
    return count


def begin_wiping(connection: Connection) -> None:
    """Let it take as long as it takes."""
    _take_time(connection)


def end_wiping(engine: Engine) -> None:
    """Write the tables anew, and what the server has noted of their commonest values.

    The write-ahead log of the server keeps what was written until it comes round, and so does every copy.
    """
    tables = ", ".join(f'"{name}"' for name in Base.metadata.tables)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.detach()
        _take_time(connection, "SESSION")
        connection.exec_driver_sql(f"VACUUM (FULL, ANALYZE) {tables}")
        # Only the owner of the database may; for anybody else this is a warning.
        connection.exec_driver_sql("VACUUM FULL pg_statistic")


def is_own(engine: Engine, file: Path) -> bool:
    """Deny it: the server keeps its files to itself."""
    return False


def copy(engine: Engine, file: Path) -> None:
    """Copy our tables by `pg_dump`, as they are at one moment. Raises: StartError."""
    tables = [f"--table={name}" for name in [*Base.metadata.tables, "alembic_version"]]
    _run(engine.url, "pg_dump", "--format=custom", "--no-owner", "--no-privileges", *tables, f"--file={file}")


def check_copy(file: Path) -> None:
    """Look whether `pg_restore` can read the whole of a file, and whether it is ours. Raises: StartError."""
    with file.open("rb") as found:
        if found.read(len(MARK)) != MARK:
            raise StartError(f"{file} is no database: pg_dump has not written it.")
    try:
        said = _run(None, "pg_restore", "--list", str(file))
        _run(None, "pg_restore", "--file=/dev/null", str(file))
    except StartError as error:
        raise StartError(f"{file} is damaged: {error}") from None
    if not set(re.findall(r"^\d+; \d+ \d+ TABLE \S+ (\S+) ", said, re.MULTILINE)) >= OURS:
        raise StartError(f"{file} is no database of the companion.")


def put_back(engine: Engine, file: Path) -> None:
    """Let `psql` put a copy in the place of our tables, in one transaction. Raises: StartError."""
    names = ", ".join(f'"{name}"' for name in [*Base.metadata.tables, "alembic_version"])
    once = ["--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1"]
    with TemporaryFile() as script:
        # Written out before it is begun: what breaks off in the middle must not be committed.
        _run(None, "pg_restore", "--no-owner", "--no-privileges", "--file=-", str(file), output=script)
        script.seek(0)
        drop = f"SET lock_timeout = {kind.PATIENCE_MS}; DROP TABLE IF EXISTS {names} CASCADE"
        _run(engine.url, "psql", *once, f"--command={drop}", "--file=-", script=script)


def aside(url: URL, folder: Path) -> Path:
    """Name a file in our own folder."""
    return folder / f"{url.database}.before-restore"


def _run(
    url: URL | None, *command: str, script: IO[bytes] | None = None, output: IO[bytes] | int = subprocess.PIPE
) -> str:
    """Run a client program of PostgreSQL's. Gives what it says, unless that goes elsewhere. Raises: StartError."""
    surroundings = {**os.environ, "PGOPTIONS": "-c client_min_messages=warning", **(_said(url) if url else {})}
    quiet = subprocess.DEVNULL if script is None else script
    try:
        done = subprocess.run(
            command, env=surroundings, stdin=quiet, stdout=output, stderr=subprocess.PIPE, check=False
        )
    except FileNotFoundError:
        raise StartError(
            f"{command[0]} is not here: install PostgreSQL's client programs (postgresql-client)."
        ) from None
    if done.returncode:
        wrong = " ".join(done.stderr.decode(errors="replace").split())
        raise StartError(wrong.removeprefix(f"{command[0]}: ").removeprefix("error: "))
    return (done.stdout or b"").decode(errors="replace")


def _said(url: URL) -> dict[str, str]:
    """Write an address as variables of the environment: others can read the arguments of a process."""
    from psycopg.pq import Conninfo  # noqa: PLC0415 (at home it would take a tenth of every start)

    _, said = make_url(url).get_dialect()().create_connect_args(url)
    names = {option.keyword.decode(): (option.envvar or b"").decode() for option in Conninfo.get_defaults()}
    return {names[word]: str(value) for word, value in said.items() if names.get(word)}
