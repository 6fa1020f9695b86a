"""No start without durability: the database is checked, migrated, and refused when it may lose what it confirmed."""

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import current_app
from sqlalchemy import event, insert
from sqlalchemy.exc import DataError, IntegrityError, OperationalError

from companion import create_app, log
from companion.errors import NotSaved, StartError
from companion.log import database, keeping, kind
from companion.log.rows import Base, db
from companion.settings import Settings
from companion.tables.seating import hashed
from tests.databases import Lite
from tests.house import House, a_round, bid, companion, fresh_database, secret

SCHEMAS = Path(__file__).parent / "schemas"
"""A dump of the database of every released schema, with a table in it."""
NEWEST = max(file.stem for file in SCHEMAS.glob("*.sql"))


def dumped(file: Path) -> str:
    """Read a dump. The phone of its host is asked for by the secret of today, which bears a sign."""
    return file.read_text().replace(hashed(b"host".hex().ljust(32, "0")), hashed(secret("host")))


def pragma(house: House, name: str) -> object:
    with house.app.app_context(), db.engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (sqlite3.DataError, DataError),
        (sqlite3.IntegrityError, IntegrityError),
        (sqlite3.OperationalError, NotSaved),
        (sqlite3.InterfaceError, NotSaved),
    ],
)
def test_what_no_database_keeps_is_told_apart_from_what_is_not_saved(
    house: House, monkeypatch: pytest.MonkeyPatch, problem: type[Exception], told: type[Exception]
) -> None:
    def fails(*_about: object) -> None:
        raise problem

    monkeypatch.setattr("companion.log.sqlite.write", fails)
    with house.app.app_context(), pytest.raises(told):
        database.append([])


def test_what_cannot_be_ensured_is_not_saved(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_engine: object) -> None:
        raise OperationalError("", None, sqlite3.OperationalError())

    monkeypatch.setattr("companion.log.sqlite.ensure", fails)
    with house.app.app_context(), pytest.raises(NotSaved):
        database.ensure()


def test_who_waits_until_what_was_read_is_safe_holds_no_connection(house: House) -> None:
    house.open()
    with house.app.app_context():
        assert db.session.query(log.Table).count() == 1
        assert db.engine.pool.checkedout() == 1  # type: ignore[attr-defined]
        database.ensure()
        assert db.engine.pool.checkedout() == 0  # type: ignore[attr-defined]


def test_a_connection_that_breaks_at_the_end_of_a_request_does_not_take_the_answer_with_it(house: House) -> None:
    """Who comes next has another one."""
    broken = []

    def breaks(_connection: object) -> None:
        broken.append(True)
        raise OperationalError("", None, sqlite3.OperationalError("the server is gone"))

    with house.app.app_context():
        event.listen(db.engine, "rollback", breaks)
        db.session.query(log.Table).count()
    assert broken
    with house.app.app_context():
        event.remove(db.engine, "rollback", breaks)
        assert db.session.query(log.Table).count() == 0


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"SQLite format 3\0", "is a copy of SQLite, and COMPANION_DATABASE is PostgreSQL"), (b"Dear diary", "pg_dump")],
)
def test_a_server_does_not_take_the_copy_of_a_file(tmp_path: Path, content: bytes, said: str) -> None:
    """Nobody is asked for that: a copy tells by how it begins."""
    (tmp_path / "copy").write_bytes(content)
    settings = Settings(data=tmp_path, database="postgresql://127.0.0.1:1/evenings", secret=b"s" * 32)
    with create_app(settings).app_context(), pytest.raises(StartError, match=said):
        keeping.check_copy(tmp_path / "copy")


def test_a_server_is_named_without_its_password_and_reached_as_its_kind_wants(tmp_path: Path) -> None:
    """Nobody answers there: it is asked for nothing yet."""
    address = "postgresql://ann:hush@127.0.0.1:1/evenings"
    with create_app(Settings(data=tmp_path, database=address, secret=b"s" * 32)).app_context():
        assert log.place().startswith("postgresql+psycopg://ann:***@127.0.0.1:1/evenings?")
        assert db.engine.url.query["connect_timeout"] == "5"
        assert current_app.config["SQLALCHEMY_ENGINE_OPTIONS"]["isolation_level"] == "REPEATABLE READ"
        assert not log.is_ready()


def test_a_database_is_named_by_its_place(house: House) -> None:
    with house.app.app_context():
        assert log.place() == f"sqlite:///{house.folder / 'companion.sqlite'}"


@pytest.mark.promise(2)
@pytest.mark.parametrize(
    ("name", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 5000)]
)
def test_every_connection_is_durable(house: House, name: str, value: object) -> None:
    assert pragma(house, name) == value


@pytest.mark.promise(2)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("journal_mode", "DELETE"),
        ("synchronous", "NORMAL"),
        ("synchronous", "OFF"),
        ("foreign_keys", "OFF"),
        ("busy_timeout", "100"),
    ],
)
def test_a_connection_that_may_lose_something_is_refused_by_name(house: House, name: str, value: str) -> None:
    with house.app.app_context():
        db.engine.dispose()
        event.listen(db.engine, "connect", lambda connection, _: connection.execute(f"PRAGMA {name}={value}"))
        with pytest.raises(StartError, match=name):
            log.check()


@pytest.mark.promise(2)
@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("sqlite://", "file"),
        ("sqlite:///:memory:", "file"),
        ("sqlite:////tmp/a?mode=memory", "file"),
        ("sqlite:////tmp/what?/a", "%3F"),
        ("postgresql://localhost/companion?sslmode", "nothing of an address"),
        ("mysql://localhost/companion", "COMPANION_DATABASE: mysql is not served"),
        ("sqlite+aiosqlite:////tmp/a", "sqlite\\+aiosqlite is not served"),
        ("postgres://localhost/companion", "use sqlite or postgresql"),
        ("postgresql+psycopg2://localhost/companion", "write postgresql://"),
        ("postgresql://localhost", "names no database"),
        ("postgresql:///", "names no database"),
        ("somewhere", "COMPANION_DATABASE"),
    ],
)
def test_an_address_that_cannot_be_served_is_refused(tmp_path: Path, address: str, said: str) -> None:
    with pytest.raises(StartError, match=said):
        create_app(Settings(data=tmp_path, database=address, secret=b"s"))


def opened(folder: Path) -> None:
    House(folder).close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "companion.sqlite").write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(StartError, match="not a database"):
        opened(tmp_path)


def test_a_folder_in_the_place_of_the_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "companion.sqlite").mkdir()
    with pytest.raises(StartError, match="unable to open"):
        opened(tmp_path)


@pytest.mark.promise(24)
def test_a_database_of_a_newer_release_is_refused_and_left_alone(house: House) -> None:
    with closing(sqlite3.connect(house.folder / "companion.sqlite")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StartError, match="9999"):
        opened(house.folder)
    assert house.rows("SELECT version_num FROM alembic_version") == [("9999",)]


@pytest.fixture
def migrating(house: House) -> Iterator[House]:
    with house.app.app_context():
        yield house


def differences() -> list[object]:
    with db.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, Base.metadata))


def tables(house: House) -> set[str]:
    return {name for (name,) in house.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}


@pytest.mark.usefixtures("migrating")
def test_a_fresh_database_is_what_the_models_say() -> None:
    assert differences() == []


def test_the_schema_can_be_taken_down_and_put_up_again(migrating: House) -> None:
    config = current_app.extensions["migrate"].migrate.get_config()
    assert {"tables", "seatings", "entries"} <= tables(migrating)
    command.downgrade(config, "base")
    assert not {"tables", "seatings", "entries"} & tables(migrating)
    log.upgrade()
    assert differences() == []
    log.check()


def test_migrating_again_changes_nothing(migrating: House) -> None:
    code = migrating.open()
    before = list(sqlite3.connect(migrating.folder / "companion.sqlite").iterdump())
    log.upgrade()
    assert list(sqlite3.connect(migrating.folder / "companion.sqlite").iterdump()) == before
    assert migrating.read(code).number == 0


@pytest.mark.promise(24)
def test_the_schema_of_every_migration_is_kept_here() -> None:
    versions = Path(log.__file__).parents[1] / "migrations" / "versions"
    assert {file.stem[:4] for file in versions.glob("*.py")} == {file.stem for file in SCHEMAS.glob("*.sql")}


@pytest.mark.promise(24)
@pytest.mark.parametrize("dump", sorted(SCHEMAS.glob("*.sql")), ids=lambda path: path.stem)
def test_a_database_of_every_schema_opens_and_replays(tmp_path: Path, dump: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "companion.sqlite")) as connection:
        connection.executescript(dumped(dump))
    house = House(tmp_path)
    reading = house.read("K7QX2M")
    assert reading.number == 8
    assert [row.n for row in reading.play.position.sheet[0].rows] == [5, 10, 10, 10]
    assert not isinstance(house.take_back("K7QX2M", "host", "new"), BaseException)
    with house.app.app_context():
        assert differences() == []
    house.close()


def test_first_starts_at_once_all_find_the_same_database(tmp_path: Path) -> None:
    with ThreadPoolExecutor() as pool:
        starts = list(pool.map(lambda _: companion(tmp_path, "export", "000000"), range(2)))
    for start in starts:
        assert b"There is no table with this code" in start.stderr
        assert start.returncode == 1
    assert Lite(tmp_path / "data").rows("SELECT version_num FROM alembic_version") == [(NEWEST,)]


def test_a_file_that_another_start_has_just_made_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "companion.sqlite"
    file.touch()
    threading.Timer(0.2, file.write_bytes, [fresh_database()]).start()
    opened(tmp_path)


def test_a_start_that_has_to_migrate_while_another_program_writes_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(tmp_path / "companion.sqlite")) as connection:
        connection.executescript((SCHEMAS / "0001.sql").read_text())
        connection.execute("PRAGMA journal_mode=WAL")
    monkeypatch.setattr(kind, "PATIENCE_MS", 50)
    with Lite(tmp_path).locked(), pytest.raises(StartError, match="database is locked"):
        opened(tmp_path)
    opened(tmp_path)


def test_a_start_that_has_nothing_to_migrate_does_not_wait_for_who_writes(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "PATIENCE_MS", 50)
    with house.database.locked():
        opened(house.folder)


def test_the_newest_schema_is_the_last_of_the_migrations(migrating: House) -> None:
    migrations = ScriptDirectory.from_config(current_app.extensions["migrate"].migrate.get_config())
    assert log.database.newest() == migrations.get_current_head() == NEWEST
    assert migrating.rows("SELECT version_num FROM alembic_version") == [(NEWEST,)]


def test_writing_takes_the_lock_before_it_reads(house: House) -> None:
    code = house.open()
    house.impatient()
    with house.asks(code, "host") as asker, log.writing():
        asker.table.is_locked = True
        seen: list[BaseException] = []

        def write() -> None:
            try:
                house.move(code, "host", bid(0, 1), "k")
            except NotSaved as error:
                seen.append(error)

        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
        assert len(seen) == 1
    assert house.entries(code) == []


def test_who_writes_rows_past_the_session_has_the_lock_from_the_start(house: House) -> None:
    with (
        closing(sqlite3.connect(house.folder / "companion.sqlite", timeout=0)) as other,
        house.app.app_context(),
        database.writing_rows(),
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("BEGIN IMMEDIATE")


def test_entries_and_seats_belong_to_a_table(house: House) -> None:
    with house.app.app_context(), pytest.raises(log.database.DatabaseError, match="FOREIGN KEY"), log.writing():
        db.session.execute(insert(log.Seating).values(table_id=99, seat=0, name=""))


def make_dump(folder: Path) -> str:
    """Write the dump that a release keeps; run by hand for a new schema."""
    house = House(folder)
    code = house.open(phones={1: "bo"})
    for place, move in enumerate(a_round(1, 4)):
        house.move(code, "bo" if move.get("seat") == 1 else "host", move, f"k{place}")
    house.take_back(code, "host", "back")
    house.put_back(code, "host", "again")
    house.close()
    with closing(sqlite3.connect(folder / "companion.sqlite")) as connection:
        return "\n".join(connection.iterdump()).replace(code, "K7QX2M") + "\n"
