"""What holds evenings is migrated once that has gone well on a copy; where it does not, nothing is changed, and nothing starts."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from click.testing import CliRunner

from companion import __version__, create_app, log
from companion.commands import companion
from companion.errors import StartError
from companion.log import database as schema
from companion.log import keeping
from companion.log.migrating import UNTOUCHED
from companion.settings import Settings
from tests.databases import Lite
from tests.house import House, bid, environment, free_port
from tests.log.test_database import NEWEST, SCHEMAS, dumped

ROOT = Path(__file__).parents[2]
Further = Callable[[str], None]
CHANGES = """
op.add_column("tables", sa.Column("more", sa.Text()))
op.execute("UPDATE tables SET more = 'more', location = 'elsewhere'")
"""
MIGRATION = f"""
import sqlite3
import sqlalchemy as sa
from alembic import op

revision = "0099"
down_revision = "{NEWEST}"


def upgrade():
"""


@pytest.fixture
def further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Further:
    """Let a release have one migration more, which does this."""

    def add(body: str) -> None:
        folder = tmp_path / "migrations"
        shutil.copytree(schema.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "versions" / "0099_more.py").write_text(MIGRATION + indent(CHANGES + body, "    "))
        monkeypatch.setattr(schema, "MIGRATIONS", folder)

    return add


def start(house: House) -> None:
    """Begin as whatever opens the database does."""
    app = create_app(Settings(data=house.folder, database=house.database.address, secret=b"s" * 32))
    with app.app_context():
        try:
            log.upgrade()
            log.check()
        finally:
            log.close()


def everything(house: House) -> list[Any]:
    """Read all that evenings consist of, whatever columns there are, and the schema."""
    names = ("tables", "seatings", "entries", "alembic_version")
    return [sorted(map(str, house.rows(f"SELECT * FROM {name}"))) for name in names]


def beside(house: House) -> set[str]:
    """Name what lies beside the database; but not what SQLite has there while it is used."""
    return {file.name for file in house.folder.glob("companion.sqlite?*")} - {
        "companion.sqlite-wal",
        "companion.sqlite-shm",
    }


def old(folder: Path) -> Path:
    """Lay a database of the first schema."""
    folder.mkdir(exist_ok=True)
    with closing(sqlite3.connect(folder / "companion.sqlite")) as connection:
        connection.executescript(dumped(SCHEMAS / "0001.sql"))
    return folder / "companion.sqlite"


WRONG = {
    "what is there already": ('op.add_column("tables", sa.Column("more", sa.Text()))', "more"),
    "no SQL": ('op.execute("Dear diary")', "Dear"),
    "loses an entry": ('op.execute("DELETE FROM entries WHERE number = 1")', "1 of 2 entries would go"),
    "loses all entries": ('op.execute("DELETE FROM entries")', "2 of 2 entries would go"),
    "loses all seats": ('op.drop_table("seatings")', "4 of 4 seatings would go"),
    "leaves rows of nothing": ('op.execute("UPDATE entries SET table_id = 999")', "belongs to nothing|foreign key"),
}


@pytest.mark.promise(24)
@pytest.mark.on_both
@pytest.mark.parametrize("wrong", WRONG)
def test_a_migration_that_fails_leaves_the_evenings_as_they_were(house: House, further: Further, wrong: str) -> None:
    code = house.open()
    house.move(code, "host", bid(0, 3), "one")
    house.move(code, "host", bid(1, 3), "two")
    before = everything(house)
    body, said = WRONG[wrong]
    further(body)
    with pytest.raises(StartError, match=said) as told:
        start(house)
    assert str(told.value).endswith(UNTOUCHED)
    assert everything(house) == before
    assert beside(house) == set()
    house.move(code, "host", bid(2, 3), "the release before goes on with it")
    assert house.read(code).number == 3


@pytest.mark.on_both
def test_a_mistake_in_a_migration_is_no_sentence_but_the_evenings_are_as_they_were(
    house: House, further: Further
) -> None:
    house.open()
    before = everything(house)
    further('{}["nobody"]')
    with pytest.raises(KeyError, match="nobody") as told:
        start(house)
    assert told.value.__notes__ == [UNTOUCHED]
    assert everything(house) == before
    assert beside(house) == set()


def test_what_goes_well_on_the_copy_and_fails_afterwards_is_taken_back(house: House, further: Further) -> None:
    house.open()
    before = everything(house)
    further('if not op.get_bind().engine.url.database.endswith(".rehearsal"): op.execute("Dear diary")')
    with pytest.raises(StartError, match=r"Dear.* as it was: the release that it is of goes on with it"):
        start(house)
    assert everything(house) == before
    assert beside(house) == {f"companion.sqlite.before-{__version__}"}


def test_a_table_may_go_once_there_is_nothing_in_it(house: House, further: Further) -> None:
    """The last of its rows may not."""
    further('op.drop_table("entries")')
    code = house.open()
    house.move(code, "host", bid(0, 3), "one")
    with pytest.raises(StartError, match="1 of 1 entries would go"):
        start(house)
    house.database.change("DELETE FROM entries")
    start(house)
    assert house.rows("SELECT code, more FROM tables") == [(code, "more")]


def test_a_schema_that_no_release_has_made_is_refused_and_left_alone(house: House) -> None:
    house.database.change("UPDATE alembic_version SET version_num = '0000'")
    with pytest.raises(StartError, match=r"does not fit this release of the companion: .*0000"):
        start(house)
    assert house.rows("SELECT version_num FROM alembic_version") == [("0000",)]
    assert beside(house) == set()


def test_who_finds_that_another_start_has_migrated_meanwhile_keeps_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look without the lock and the lock."""
    monkeypatch.setattr("companion.log.migrating.is_ready", lambda: False)
    start(house)
    assert beside(house) == set()


def test_nobody_enters_anything_between_the_rehearsal_and_the_migration(house: House, further: Further) -> None:
    code = house.open()
    further(f"""
other = sqlite3.connect({str(house.folder / "companion.sqlite")!r}, timeout=0, isolation_level=None)
try:
    other.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as problem:
    assert "locked" in str(problem)
else:
    raise AssertionError("somebody else could write")
finally:
    other.close()
""")
    start(house)
    assert house.rows("SELECT code, more FROM tables") == [(code, "more")]


@pytest.mark.promise(24)
def test_what_was_there_is_kept_beside_the_database_until_the_next_release(tmp_path: Path) -> None:
    file = old(tmp_path)
    for ending in ("before-0.0.9", "before-restore"):
        file.with_name(f"{file.name}.{ending}").write_text("copied")
    House(tmp_path).close()
    kept = file.with_name(f"{file.name}.before-{__version__}")
    assert {path.name for path in tmp_path.glob("companion.sqlite?*")} == {kept.name, f"{file.name}.before-restore"}
    assert kept.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(kept)) as copy, closing(sqlite3.connect(":memory:")) as first:
        first.executescript(dumped(SCHEMAS / "0001.sql"))
        assert list(copy.iterdump()) == list(first.iterdump())


def test_a_new_database_has_nothing_to_lose_and_nothing_is_kept(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, database=Lite(tmp_path).address, secret=b"s" * 32))
    with app.app_context():
        log.upgrade()
        log.close()
    assert [file.name for file in tmp_path.iterdir()] == ["companion.sqlite"]


def test_what_a_pulled_plug_left_of_a_rehearsal_does_no_harm_and_goes(tmp_path: Path) -> None:
    old(tmp_path)
    for ending in ("", "-wal", "-shm", ".unfinished"):
        (tmp_path / f"companion.sqlite.rehearsal{ending}").write_bytes(b"Dear diary, " * 1000)
    House(tmp_path).close()
    assert not list(tmp_path.glob("*rehearsal*"))


def test_what_was_wrong_before_holds_no_migration_up(tmp_path: Path) -> None:
    """It is for `companion check` to name, which needs the schema of its own release."""
    with closing(sqlite3.connect(old(tmp_path))) as connection, connection:
        connection.execute("INSERT INTO seatings (table_id, seat, name) VALUES (999, 0, 'Nobody')")
    house = House(tmp_path)
    with house.app.app_context():
        assert [problem for problem in keeping.problems() if "belongs to nothing" in problem]
    house.close()


def test_whoever_is_forgotten_is_not_in_what_was_kept(tmp_path: Path) -> None:
    old(tmp_path)
    house = House(tmp_path)
    ((name,),) = house.rows("SELECT name FROM seatings WHERE seat = 0")
    assert beside(house)
    with house.app.app_context():
        keeping.rename(name, "")
    assert beside(house) == set()
    assert name.encode() not in house.database.content()
    house.close()


def test_a_copy_is_put_back_over_a_database_of_a_newer_release(
    house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """So one goes back to the release before."""
    code = house.open()
    monkeypatch.setenv("COMPANION_DATA", str(house.folder))
    monkeypatch.delenv("COMPANION_DATABASE", raising=False)
    copy = str(tmp_path / "evenings.copy")
    with house.app.app_context():
        keeping.backup(Path(copy))
        log.close()
    house.database.change("UPDATE alembic_version SET version_num = '9999'", "DELETE FROM entries")
    refused = CliRunner().invoke(companion, ["stats"])
    assert refused.exit_code == 1
    assert "of a newer release" in refused.stderr
    assert "9999" in refused.stderr
    done = CliRunner().invoke(companion, ["restore", copy, "--yes"])
    assert (done.exit_code, house.rows("SELECT version_num FROM alembic_version")) == (0, [(NEWEST,)]), done.output
    assert house.rows("SELECT code FROM tables") == [(code,)]


def test_a_server_whose_migration_fails_says_so_and_ends(tmp_path: Path) -> None:
    """A whole release of its own, of which nothing but one migration is other than here."""
    (tmp_path / "companion").mkdir()
    for place in ("templates", "printables"):
        (tmp_path / place).symlink_to(ROOT / place)
    for part in (ROOT / "companion").iterdir():
        if part.name not in {"migrations", "__pycache__"}:
            (tmp_path / "companion" / part.name).symlink_to(part)
    migrations = tmp_path / "companion" / "migrations"
    shutil.copytree(ROOT / "companion" / "migrations", migrations)
    (migrations / "versions" / "0099_more.py").write_text(
        MIGRATION + indent(CHANGES + 'op.execute("Dear diary")', "    ")
    )
    file = old(tmp_path / "data")
    before = file.read_bytes()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "companion",
            "serve",
            "--host=127.0.0.1",
            f"--port={free_port()}",
            "--no-browser",
        ],
        cwd=tmp_path,
        env=environment(tmp_path / "data", PYTHONPATH=str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode != 0
    assert done.stderr.count(UNTOUCHED) == 1
    assert "Dear" in done.stderr
    assert "Traceback" not in done.stderr
    with closing(sqlite3.connect(file)) as now, closing(sqlite3.connect(":memory:")) as then:
        then.deserialize(before)
        assert list(now.iterdump()) == list(then.iterdump())
    assert {path.name for path in file.parent.glob("companion.sqlite*")} <= {
        file.name,
        f"{file.name}.lock",
        f"{file.name}-wal",
        f"{file.name}-shm",
    }
