"""The file of SQLite by itself, without an app: refused, kept to its owner, locked, rehearsed, checked and copied."""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import create_engine, event, text
from sqlalchemy.engine import URL, Connection, Engine, make_url
from sqlalchemy.exc import IntegrityError

from companion.errors import StartError
from companion.log import kind, sqlite
from tests.databases import PATIENCE_S, Lite
from tests.log.test_database import NEWEST, SCHEMAS

DIARY = b"Dear diary, we played Rage. " * 400


def filled(file: Path, *statements: str) -> Path:
    """Make a file of these."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(";".join(statements))
    return file


@pytest.fixture
def database(tmp_path: Path) -> Lite:
    """Give a test a database with an evening in it."""
    (tmp_path / "data").mkdir()
    database = Lite(tmp_path / "data")
    filled(database.file, (SCHEMAS / f"{NEWEST}.sql").read_text())
    return database


def durable(address: str) -> Engine:
    engine = create_engine(address)
    sqlite.make_durable(engine, forget=lambda: None)
    return engine


@pytest.fixture
def engine(database: Lite) -> Iterator[Engine]:
    """Give a test what the companion reaches the database by."""
    engine = durable(database.address)
    yield engine
    engine.dispose()


def names(connection: Connection) -> list[str]:
    return list(connection.exec_driver_sql("SELECT name FROM seatings ORDER BY seat").scalars())


def rename(name: str) -> str:
    return f"UPDATE seatings SET name = '{name}' WHERE seat = 0"


def is_locked(database: Lite) -> bool:
    """Say whether somebody writes."""
    with closing(sqlite3.connect(database.file, timeout=0, isolation_level=None)) as other:
        try:
            other.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        return False


# What is refused, and what is let in


@pytest.mark.parametrize("driver", ["sqlite", "sqlite+pysqlite"])
def test_an_address_of_a_file_is_taken_as_it_is(database: Lite, driver: str) -> None:
    url = make_url(database.address).set(drivername=driver)
    assert sqlite.checked(url) == url


@pytest.mark.parametrize("place", [None, "", ":memory:"])
def test_an_address_of_no_file_is_refused(place: str | None) -> None:
    with pytest.raises(StartError, match="must be a file"):
        sqlite.checked(URL.create("sqlite", database=place))


@pytest.mark.parametrize(
    ("tables", "is_ours"),
    [
        ({"recipes"}, False),
        ({"tables", "entries"}, False),
        (kind.OURS, True),
        (kind.OURS | {"recipes"}, True),
    ],
    ids=["recipes", "some of ours", "ours", "ours and more"],
)
def test_a_file_is_told_by_the_tables_in_it(tmp_path: Path, tables: set[str], is_ours: bool) -> None:
    file = filled(tmp_path / "file", *(f"CREATE TABLE {name} (id)" for name in sorted(tables)))
    before = file.read_bytes()
    for look in (lambda: sqlite.checked(make_url(f"sqlite:///{file}")), lambda: sqlite.check_copy(file)):
        if is_ours:
            look()
        else:
            with pytest.raises(StartError, match="no database of the companion"):
                look()
    assert file.read_bytes() == before


@dataclass
class Clock:
    """A clock for a start that waits for another one, which writes into the file when it is time."""

    now: float
    file: Path
    filled_at: float

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        if self.now >= self.filled_at:
            self.file.write_bytes(DIARY)


@pytest.mark.parametrize(
    ("age", "is_waited_for"), [(-0.5, False), (0, True), (1.5, True), (2, True), (2.5, False), (60, False)]
)
def test_an_empty_file_is_waited_for_as_long_as_another_start_may_take(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, age: float, is_waited_for: bool
) -> None:
    """One that was made a while ago stays as it is, and so does one of a time that has not been yet."""
    file = tmp_path / "companion.sqlite"
    file.touch()
    os.utime(file, (1000, 1000))
    clock = Clock(1000 + age, file, filled_at=1000 + age + 0.01)
    monkeypatch.setattr(time, "time", lambda: clock.now)
    monkeypatch.setattr(time, "sleep", clock.sleep)
    url = make_url(f"sqlite:///{file}")
    if is_waited_for:
        assert sqlite.checked(url) == url
        assert clock.now - clock.filled_at < 0.1, "nobody waits any longer"
    else:
        with pytest.raises(StartError, match="is empty"):
            sqlite.checked(url)
        assert file.stat().st_size == 0


# Its owner alone


@pytest.mark.parametrize("mode", [0o640, 0o620, 0o610, 0o604, 0o602, 0o601, 0o777])
def test_a_file_that_others_may_use_is_closed_to_them(database: Lite, engine: Engine, mode: int) -> None:
    """What SQLite has put beside it, too."""
    with closing(sqlite3.connect(database.file)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute(rename("Bea"))
        files = [database.file, *(database.file.with_name(database.file.name + name) for name in ("-wal", "-shm"))]
        for file in files:
            file.chmod(mode)
        with engine.connect():
            assert [stat.S_IMODE(file.stat().st_mode) for file in files] == [0o600] * 3


def test_a_file_that_is_closed_to_others_keeps_what_its_owner_may(database: Lite, engine: Engine) -> None:
    database.file.chmod(0o700)
    with engine.connect():
        assert stat.S_IMODE(database.file.stat().st_mode) == 0o700


# Transactions


def test_who_writes_has_the_lock_from_the_start_and_who_reads_has_none(database: Lite, engine: Engine) -> None:
    with engine.connect() as reader, engine.connect().execution_options(is_writing=True) as writer:
        with reader.begin():
            assert names(reader)
            assert not is_locked(database)
        with writer.begin():
            assert is_locked(database)
        assert not is_locked(database)


def test_who_reads_sees_all_as_it_was_at_one_moment(database: Lite, engine: Engine) -> None:
    with engine.connect() as reader:
        before = names(reader)
        database.change(rename("Bea"))
        assert names(reader) == before
        reader.rollback()
        assert "Bea" in names(reader)


def test_who_migrates_has_the_lock_from_the_start(database: Lite, engine: Engine) -> None:
    with sqlite.migrating(engine):
        assert is_locked(database)
    assert not is_locked(database)


# Whether it can be written


def test_a_database_that_can_only_be_read_is_refused(database: Lite, engine: Engine) -> None:
    with engine.connect():
        pass  # It has the journal that is wanted.
    reading = durable(f"sqlite:///file:{database.file}?mode=ro&uri=true")
    with reading.connect() as connection, pytest.raises(StartError, match=r"cannot be written: .*readonly"):
        sqlite.check(connection)
    reading.dispose()


def test_what_writes_stays_connected_until_it_fails_or_all_connections_are_given_back(engine: Engine) -> None:
    connected: list[object] = []
    event.listen(engine, "connect", lambda *_: connected.append(None))
    change: list[kind.Statement] = [("UPDATE seatings SET name = ? WHERE seat = ?", [("Nora", 0)])]
    for _time in range(2):
        sqlite.write(engine, change, kind.nothing)
    assert len(connected) == 1
    with pytest.raises(sqlite3.OperationalError):
        sqlite.write(engine, [*change, ("UPDATE nothing SET name = ?", [("Nora",)])], kind.nothing)
    sqlite.write(engine, change, kind.nothing)
    assert len(connected) == 2
    engine.dispose()
    sqlite.write(engine, change, kind.nothing)
    assert len(connected) == 3


def test_what_fails_is_not_written_and_holds_no_lock(database: Lite, engine: Engine) -> None:
    before = database.rows("SELECT name FROM seatings ORDER BY seat")
    changes: list[kind.Statement] = [
        ("UPDATE seatings SET name = ?", [("Nora",)]),
        ("UPDATE nothing SET name = 1", [()]),
    ]
    with pytest.raises(sqlite3.OperationalError):
        sqlite.write(engine, changes, kind.nothing)
    assert database.rows("SELECT name FROM seatings ORDER BY seat") == before
    assert not is_locked(database)


def test_who_is_checked_holds_nobody_up_afterwards(database: Lite, engine: Engine) -> None:
    with engine.connect() as connection:
        sqlite.check(connection)
        assert not is_locked(database)


def test_a_check_does_not_wait_for_who_writes(database: Lite, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kind, "PATIENCE_MS", 10 * PATIENCE_S * 1000)

    def check() -> None:
        with engine.connect() as connection:
            sqlite.check(connection)

    check()
    with ThreadPoolExecutor() as pool, database.locked():
        pool.submit(check).result(timeout=5)


# The rehearsal of a migration


def rehearse(engine: Engine, migrate: str = "SELECT 1") -> list[str]:
    """Rehearse a migration; gives the names that were there."""
    seen: list[str] = []

    def change(tried: Engine) -> None:
        with sqlite.migrating(tried) as connection:
            seen.extend(names(connection))
            connection.execute(text(migrate), {"name": "Anna"})

    sqlite.rehearse(engine, "1.0", change)
    return seen


def test_what_was_cut_off_in_an_earlier_rehearsal_is_not_taken_for_this_one_s(
    database: Lite, engine: Engine, tmp_path: Path
) -> None:
    with engine.connect() as connection:
        before = names(connection)
    tried = database.file.with_name("companion.sqlite.rehearsal")
    tried.write_bytes(database.file.read_bytes())
    with closing(sqlite3.connect(tried)) as earlier:
        earlier.execute("PRAGMA journal_mode=WAL")
        earlier.execute(rename("Bea"))
        earlier.commit()
        journal = tried.with_name(f"{tried.name}-wal")
        left = journal.read_bytes()
    journal.write_bytes(left)
    assert rehearse(engine) == before
    assert not list(tmp_path.glob("**/*rehearsal*"))


def test_a_migration_that_fails_on_the_copy_tells_nobody_s_name(engine: Engine) -> None:
    with pytest.raises(IntegrityError) as told:
        rehearse(engine, "UPDATE entries SET number = 1, key = :name")
    assert "Anna" not in str(told.value)


def test_a_copy_is_migrated_as_durably_as_the_database_and_then_let_go(engine: Engine) -> None:
    seen: list[Engine] = []

    def change(tried: Engine) -> None:
        with tried.connect() as connection:
            sqlite.check(connection)
        seen.append(tried)

    sqlite.rehearse(engine, "1.0", change)
    (tried,) = seen
    assert tried.pool.checkedin() == 0, "an open file would keep its room on the disk"  # type: ignore[attr-defined]


# The disk


@pytest.mark.parametrize(
    ("took", "is_near"),
    [
        ([0.0005] * 5, True),
        ([0.01] * 5, False),
        ([0.0009765625] * 5, True),
        ([0.001, 0, 0, 5, 5], True),
        ([5, 5, 0, 0, 0], True),
        ([0, 0, 5, 5, 5], False),
    ],
    ids=["memory", "card", "just so", "to the edge", "busy at first", "busy most of the time"],
)
def test_a_disk_is_near_when_it_mostly_confirms_within_a_millisecond(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, took: list[float], is_near: bool
) -> None:
    """A disk that takes so long each time that there is something to write."""
    now, written, left = 0.0, 0, iter(took)

    def sync(file: int) -> None:
        nonlocal now, written
        assert os.fstat(file).st_size > written, "there is nothing to confirm"
        written = os.fstat(file).st_size
        now += next(left)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    assert sqlite.is_near(engine) is is_near


# What is damaged, wiped and copied


def lose_a_page(file: Path) -> None:
    """Let a page belong to nothing, as after a crash of a disk that lies."""
    lost = "DELETE FROM sqlite_master WHERE name = 'lost'"
    filled(file, "CREATE TABLE lost (page)", "PRAGMA writable_schema=ON", lost)


def test_a_damaged_file_is_named_with_what_sqlite_says_of_it(database: Lite, engine: Engine) -> None:
    with engine.connect() as connection:
        assert list(sqlite.damage(connection)) == []
    lose_a_page(database.file)
    with engine.connect() as connection:
        (said,) = sqlite.damage(connection)
    assert said.startswith("The database is damaged: ")
    assert "never used" in said


def test_a_damaged_copy_is_refused_with_what_sqlite_says_of_it(database: Lite) -> None:
    sqlite.check_copy(database.file)
    lose_a_page(database.file)
    with pytest.raises(StartError, match=r"companion\.sqlite is damaged: (?s:.*)never used"):
        sqlite.check_copy(database.file)


def test_what_is_wiped_is_nowhere_in_the_file(database: Lite, engine: Engine) -> None:
    """Whatever the SQLite at hand does with what is deleted, if nobody asks."""
    event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA secure_delete=OFF"))
    database.change(rename("Anna Nováková"))
    with engine.connect() as connection:
        sqlite.begin_wiping(connection)
        connection.exec_driver_sql("DELETE FROM seatings")
        connection.commit()
    sqlite.end_wiping(engine)
    assert "Nováková".encode() not in database.content()


def test_a_copy_is_one_file_that_opens_without_a_journal(engine: Engine, tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "copy"
    copy.parent.mkdir()
    with engine.connect() as connection:
        sqlite.copy(engine, copy)
        with closing(sqlite3.connect(copy)) as copied:
            found = copied.execute("SELECT name FROM seatings ORDER BY seat").fetchall()
            assert [name for (name,) in found] == names(connection)
            assert list(copy.parent.iterdir()) == [copy]


def test_what_cannot_be_copied_or_put_back_is_an_error_in_words(database: Lite, engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(StartError, match="nowhere/copy cannot be written: unable to open"):
        sqlite.copy(engine, tmp_path / "nowhere" / "copy")
    before = database.file.read_bytes()
    (tmp_path / "copy").write_bytes(DIARY)
    with pytest.raises(StartError, match="copy cannot be put back: file is not a database"):
        sqlite.put_back(engine, tmp_path / "copy")
    assert database.file.read_bytes() == before


def test_a_copy_is_put_back_when_who_writes_has_ended_and_not_waited_for_for_ever(
    database: Lite, engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite.copy(engine, tmp_path / "copy")
    monkeypatch.setattr(kind, "PATIENCE_MS", 300)
    with closing(sqlite3.connect(database.file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(
            StartError, match=r"copy cannot be put back: another program writes into \S+/companion\.sqlite\."
        ):
            sqlite.put_back(engine, tmp_path / "copy")
        monkeypatch.setattr(kind, "PATIENCE_MS", 60_000)
        with ThreadPoolExecutor(1) as threads:
            restoring = threads.submit(sqlite.put_back, engine, tmp_path / "copy")
            time.sleep(0.1)
            assert not restoring.done()
            other.execute("COMMIT")
            restoring.result(PATIENCE_S)
