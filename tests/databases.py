"""The databases that the tests use, looked at past the app: files of SQLite, and a PostgreSQL server of our own."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import psycopg
from sqlalchemy import event
from sqlalchemy.engine import Engine, make_url

from tests.waiting import PATIENCE_S, wait_until


class Database(Protocol):
    """What a test asks of the database under an app."""

    @property
    def address(self) -> str:
        """Where the app finds it."""

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask it; each `?` stands for a value."""

    def change(self, *statements: str) -> None:
        """Change it, as nobody else would."""

    def copy(self, file: Path) -> Database:
        """Open a copy of it, elsewhere."""

    def content(self) -> bytes:
        """Read the bytes on the disk, but for the journal of PostgreSQL."""

    def locked(self) -> Any:
        """Keep everybody else from writing, as another program would."""

    def hurry(self, engine: Engine, patience_ms: int) -> None:
        """Let an engine's new connections wait for a lock only so long."""


@dataclass(frozen=True)
class Lite:
    """The file in a folder."""

    folder: Path

    @property
    def file(self) -> Path:
        return self.folder / "companion.sqlite"

    @property
    def address(self) -> str:
        return f"sqlite:///{self.file}"

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.file, timeout=PATIENCE_S)) as connection:
            return connection.execute(query, values).fetchall()

    def change(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.file, timeout=PATIENCE_S)) as connection, connection:
            for statement in statements:
                connection.execute(statement)

    def copy(self, file: Path) -> Lite:
        folder = Path(tempfile.mkdtemp(dir=file.parent))
        shutil.copy(file, folder / "companion.sqlite")
        return Lite(folder)

    def content(self) -> bytes:
        return b"".join(file.read_bytes() for file in self.folder.glob(f"{self.file.name}*"))

    @contextmanager
    def locked(self) -> Iterator[None]:
        with closing(sqlite3.connect(self.file, timeout=PATIENCE_S, isolation_level=None)) as connection:
            connection.execute("BEGIN EXCLUSIVE")
            yield
            connection.execute("ROLLBACK")

    @contextmanager
    def held(self) -> Iterator[HeldLite]:
        """Keep a connection open that sees what is committed."""
        with closing(sqlite3.connect(self.file, timeout=PATIENCE_S)) as connection:
            yield HeldLite(self.folder, connection)

    def hurry(self, engine: Engine, patience_ms: int) -> None:
        @event.listens_for(engine, "connect")
        def _connected(connection: sqlite3.Connection, record: object) -> None:
            connection.execute(f"PRAGMA busy_timeout={patience_ms}")


@dataclass(frozen=True)
class HeldLite(Lite):
    """A file that is looked at again and again, by one connection."""

    connection: sqlite3.Connection

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self.connection.execute(query, values).fetchall()


_numbers = count(1)


@dataclass(frozen=True)
class Postgres:
    """A database of the server that the tests have started."""

    address: str

    def _connected(self) -> psycopg.Connection[Any]:
        return psycopg.connect(
            make_url(self.address).set(drivername="postgresql").render_as_string(hide_password=False)
        )

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._connected() as connection:
            return connection.execute(query.replace("?", "%s"), values or None).fetchall()

    def change(self, *statements: str) -> None:
        """Change it, its own constraints notwithstanding."""
        with self._connected() as connection:
            connection.execute("SET session_replication_role = replica")
            for statement in statements:
                connection.execute(statement)

    @contextmanager
    def held(self) -> Iterator[Held]:
        """Keep a connection open that sees what is committed."""
        with self._connected() as connection:
            connection.autocommit = True
            yield Held(self.address, connection)

    def set(self, name: str, value: str) -> None:
        """Change a setting of the whole server; "" for all of them back."""
        with self._connected() as connection:
            connection.autocommit = True
            connection.execute(f"ALTER SYSTEM SET {name} = {value}" if name else "ALTER SYSTEM RESET ALL")
        self.reload()

    def reload(self) -> None:
        """Let the server read its settings again, and wait until new connections have them."""
        before, give_up = self.rows("SELECT pg_conf_load_time()"), time.monotonic() + PATIENCE_S
        self.rows("SELECT pg_reload_conf()")
        while self.rows("SELECT pg_conf_load_time()") == before:
            assert time.monotonic() < give_up

    def another(self) -> Postgres:
        """Make an empty database on the same server."""
        name = f"test{next(_numbers)}"
        with self._connected() as connection:
            connection.autocommit = True
            connection.execute(f"CREATE DATABASE {name}")
        return Postgres(make_url(self.address).set(database=name).render_as_string(hide_password=False))

    def copy(self, file: Path) -> Postgres:
        another = self.another()
        subprocess.run(["pg_restore", "--exit-on-error", "--dbname", another.address, file], check=True)
        return another

    def content(self) -> bytes:
        self.change("CHECKPOINT")
        ((folder, oid),) = self.rows(
            "SELECT current_setting('data_directory'), oid FROM pg_database WHERE datname = current_database()"
        )
        return b"".join(file.read_bytes() for file in Path(folder, "base", str(oid)).iterdir())

    @contextmanager
    def locked(self) -> Iterator[None]:
        with self._connected() as connection:
            connection.execute("LOCK TABLE tables, seatings, entries IN SHARE MODE")
            yield
            connection.rollback()

    def empty(self) -> None:
        """Leave the tables, and nothing in them: quicker than a new database."""
        tables = self.rows("SELECT relname, relkind FROM pg_class WHERE relnamespace = 'public'::regnamespace")
        words = {"r": "DELETE FROM {}", "S": "ALTER SEQUENCE {} RESTART"}
        self.change(*(words[kind].format(name) for name, kind in tables if kind in words and name != "alembic_version"))

    def hurry(self, engine: Engine, patience_ms: int) -> None:
        @event.listens_for(engine, "connect")
        def _connected(connection: psycopg.Connection[Any], record: object) -> None:
            connection.execute(f"SET lock_timeout = {patience_ms}")
            connection.commit()


@dataclass(frozen=True)
class Held(Postgres):
    """A database that is looked at again and again, by one connection."""

    connection: psycopg.Connection[Any]

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        return self.connection.execute(query.replace("?", "%s"), values or None).fetchall()


@dataclass
class Cluster:
    """A PostgreSQL server with its data in a folder, reached through a socket there; as durable as a real one."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="companion-pg-")))
    process: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Make the data, and start."""
        habits = ["-U", "postgres", "-A", "trust", "-N", "--locale=C.UTF-8", "-E", "UTF8"]
        assert self._begin("initdb", "-D", self.data, *habits).wait() == 0, self.said()
        self.start()

    def copied(self) -> Cluster:
        """Copy the data of a server that is stopped."""
        other = Cluster()
        subprocess.run(["cp", "-a", self.data, other.data], check=True)
        return other

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def start(self, *settings: str) -> None:
        """Start the server, and wait until it answers."""
        habits = [
            f"unix_socket_directories={self.folder}",
            "listen_addresses=",
            "max_connections=300",
            "autovacuum=off",
        ]
        more = [word for setting in [*habits, *settings] for word in ("-c", setting)]
        self.process = self._begin("postgres", "-D", self.data, *more)
        postgres = self.database("postgres")
        wait_until(lambda: postgres.rows("SELECT 1"), self.process, self.said, psycopg.OperationalError)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: SIGINT cuts everybody off, SIGQUIT leaves it as a power cut would."""
        if self.process:
            self.process.send_signal(how)
            self.process.wait()
            self.process = None

    @contextmanager
    def away(self, how: signal.Signals = signal.SIGINT) -> Iterator[None]:
        """Stop the server for a while; whatever happens meanwhile, it is there again for the next test."""
        self.stop(how)
        try:
            yield
        finally:
            self.start()

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Let every process of the server keep its connections, and answer nothing."""
        assert self.process is not None
        own = self.process.pid
        of_it = [own, *map(int, Path(f"/proc/{own}/task/{own}/children").read_text().split())]
        for process in of_it:
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in reversed(of_it):
                os.kill(process, signal.SIGCONT)

    def remove(self) -> None:
        """Stop the server, and delete all of it."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)

    def said(self) -> str:
        """Read what the server has said."""
        return (self.folder / "log").read_text(errors="replace")

    def database(self, name: str) -> Postgres:
        """Name a database of the server."""
        return Postgres(f"postgresql://postgres@/{name}?host={self.folder}")

    def guard(self, name: str, password: str) -> None:
        """Add a user who has to say a password."""
        rules = self.data / "pg_hba.conf"
        rules.write_text(f"local all {name} scram-sha-256\n{rules.read_text()}")
        self.database("postgres").change(f"CREATE ROLE {name} LOGIN PASSWORD '{password}'")
        self.database("postgres").reload()

    def _begin(self, program: str, *words: object) -> subprocess.Popen[bytes]:
        """Start a program of the server; it refuses to be root."""
        found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))
        path = str(found[-1]) if found else shutil.which(program)
        assert path, f"{program} of PostgreSQL is not here; bin/test installs it."
        nobody: dict[str, Any] = {}
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            nobody = {"user": "postgres", "group": "postgres", "extra_groups": []}
        with (self.folder / "log").open("ab") as output:
            return subprocess.Popen([path, *map(str, words)], cwd="/", stdout=output, stderr=output, **nobody)
