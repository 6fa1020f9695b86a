"""The database is copied while it is used, checked, restored, and made to forget."""

from __future__ import annotations

import hashlib
import json
import os
import re
import resource
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import event, update

from companion import create_app, log, record
from companion.commands import companion
from companion.errors import StartError
from companion.game import AnyGame
from companion.games import GAMES
from companion.log import keeping, kind, sqlite
from companion.log.rows import Table, db
from companion.tables import opening, seating
from companion.tables.starting import Meant, begin_again
from companion.testing import kit
from tests.databases import Database, Lite, Postgres
from tests.house import House, a_round, bid
from tests.log.test_database import SCHEMAS, dumped

NAMES = ["Anna Nováková", "Bo", "Cy"]


@pytest.fixture
def data(tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own, where commands run."""
    folder = tmp_path / "data"
    monkeypatch.setenv("COMPANION_DATA", str(folder))
    monkeypatch.setenv("COMPANION_DATABASE", database.address)
    monkeypatch.chdir(tmp_path)
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(companion, list(words))


@cache
def evening(seed: int, far: float) -> str:
    """Play an evening of Rage at random, so far; write its record."""
    plays = list(kit.play_on(kit.Table(GAMES["rage"], {}, 3), Random(seed)))
    return json.dumps(record.write(plays[min(len(plays) - 1, int(len(plays) * far))], {}, NAMES))


def lay(count: int = 1, far: float = 1.0) -> list[str]:
    """Open tables from such evenings; return their codes."""
    replayed = [record.replay(record.read(evening(seed, far))) for seed in range(count)]
    return [opening.open_from(one, "host").code for one in replayed]


@pytest.fixture
def codes(data: Path) -> list[str]:
    """Two finished evenings and one that is not."""
    app = create_app()
    with app.app_context():
        log.upgrade()
        laid = [*lay(2), *lay(1, far=0.5)]
        log.close()
    return laid


def log_rows(database: Database, most: int = 10**9) -> list[tuple[Any, ...]]:
    columns = "table_id, number, kind, seat, by, CAST(data AS TEXT), key, at, standing"
    return database.rows(f"SELECT {columns} FROM entries WHERE number <= {most} ORDER BY table_id, number")


def log_hash(database: Database) -> str:
    return hashlib.sha256(repr(log_rows(database)).encode()).hexdigest()


@pytest.mark.promise(23)
@pytest.mark.on_both
def test_a_backup_under_load_restores_to_the_same_log(
    data: Path, tmp_path: Path, database: Database, figure: Callable[[str], None]
) -> None:
    """Promise 23: while four threads enter moves, the copy is of one moment, and all before it is in it."""
    app = create_app()
    with app.app_context():
        log.upgrade()
    confirmed = [0] * 4

    def plays(number: int) -> None:
        client = app.test_client()
        opened = client.post("/api/tables", json={"game": "rage", "players": ["A", "B", "C"]}).get_json()
        path, headers = f"/api/tables/{opened['table']['code']}", {"Authorization": f"Bearer {opened['token']}"}
        for _ in range(60):
            for step, body in (("moves", {"move": "bid", "seat": 0, "tricks": 1}), ("take-back", {})):
                answer = client.post(f"{path}/{step}", json=body, headers=headers)
                assert answer.status_code == 200, answer.text
                confirmed[number] += 1

    copies = []
    with ThreadPoolExecutor(4) as people:
        playing = [people.submit(plays, number) for number in range(4)]
        while not all(one.done() for one in playing):
            before = sum(confirmed)
            file = tmp_path / f"copy-{len(copies)}"
            with app.app_context():
                keeping.backup(file)
            copies.append((before, file))
    assert [one.result() for one in playing] == [None] * 4
    with app.app_context():
        for _before, file in copies:
            keeping.check_copy(file)
        log.close()
    assert len(copies) >= 3
    before, file = copies[-2]
    copy = database.copy(file)
    assert copy.rows("SELECT count(*) FROM entries")[0][0] >= before
    assert run("restore", str(file), "--yes").exit_code == 0
    assert log_hash(database) == log_hash(copy)
    assert run("check").exit_code == 0
    figure(f"{len(copies)} copies while {sum(confirmed)} entries were made: all whole; the restored log is the same")


@pytest.mark.on_both
@pytest.mark.usefixtures("codes")
def test_restore_keeps_aside_what_was_there(data: Path, database: Database) -> None:
    assert run("backup", "copy").exit_code == 0
    whole = log_hash(database)
    database.change("DELETE FROM entries WHERE table_id = 1", "DELETE FROM seatings WHERE table_id = 1")
    now = log_hash(database)
    done = run("restore", "copy", "--yes")
    assert done.exit_code == 0, done.output
    assert log_hash(database) == whole
    aside = done.stderr.strip().rpartition(" ")[2]
    assert aside.endswith(".before-restore")
    assert log_hash(database.copy(Path(aside))) == now
    assert not list(Path.cwd().glob("**/*.unfinished"))


@pytest.mark.on_both
@pytest.mark.usefixtures("codes")
def test_what_a_restore_kept_aside_can_be_put_back(data: Path, database: Database) -> None:
    assert run("backup", "copy").exit_code == 0
    database.change("DELETE FROM entries WHERE table_id = 1", "DELETE FROM seatings WHERE table_id = 1")
    now = log_hash(database)
    aside = run("restore", "copy", "--yes").stderr.strip().rpartition(" ")[2]
    assert run("restore", "copy", "--yes").exit_code == 0
    assert log_hash(database.copy(Path(aside))) == now
    done = run("restore", aside, "--yes")
    assert done.exit_code == 0, done.output
    assert log_hash(database) == now


@pytest.mark.usefixtures("codes")
def test_a_restore_that_finds_no_room_leaves_no_copy_behind_that_takes_more_of_it(database: Lite) -> None:
    """Found on a full disk: what was kept aside of what had not changed stayed, and the next try had less room."""
    assert run("backup", "copy").exit_code == 0
    before = log_hash(database)
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # The journal has a head, and so has each page in it: what is kept aside has room, what is put back has not.
    resource.setrlimit(resource.RLIMIT_FSIZE, (Path("copy").stat().st_size, hard))
    try:
        done = run("restore", "copy", "--yes")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    assert done.exit_code == 1
    assert "copy cannot be put back: " in done.stderr
    assert log_hash(database) == before
    assert not list(Path.cwd().glob("**/*.before-restore*"))


@pytest.mark.on_both
@pytest.mark.usefixtures("codes", "data")
def test_a_copy_of_a_newer_release_is_not_restored(database: Database) -> None:
    before = log_hash(database)
    found = database.rows("SELECT version_num FROM alembic_version")[0][0]
    database.change("UPDATE alembic_version SET version_num = '9999'")
    app = create_app()
    with app.app_context():
        keeping.backup(Path("newer"))
        log.close()
    database.change(f"UPDATE alembic_version SET version_num = '{found}'", "DELETE FROM entries WHERE table_id = 1")
    assert log_hash(database) != before
    before = log_hash(database)
    done = run("restore", "newer", "--yes")
    assert done.exit_code == 1
    assert "newer cannot be put back: The database is of a newer release" in done.stderr
    assert database.rows("SELECT version_num FROM alembic_version") == [(found,)]
    assert log_hash(database) == before
    assert not list(Path.cwd().glob("**/*.before-restore"))


@pytest.mark.usefixtures("codes")
def test_a_copy_takes_the_place_of_a_damaged_database(data: Path, database: Lite) -> None:
    assert run("backup", "copy").exit_code == 0
    whole = log_hash(database)
    (page,) = database.rows("SELECT rootpage FROM sqlite_master WHERE name = 'seatings'")[0]
    (size,) = database.rows("PRAGMA page_size")[0]
    damaged = bytearray(database.file.read_bytes())
    damaged[(page - 1) * size : page * size] = b"\xff" * size
    database.file.write_bytes(damaged)
    for words in (["check"], ["stats"], ["export", "--all"]):
        done = run(*words)
        assert (done.exit_code, "The database cannot be used: " in done.stderr) == (1, True), (words, done.output)
    done = run("restore", "copy", "--yes")
    assert done.exit_code == 0, done.output
    assert log_hash(database) == whole
    assert run("check").exit_code == 0


@pytest.mark.on_both
@pytest.mark.parametrize("kind", ["absent", "text", "other database", "other kind", "damaged"])
def test_what_is_no_copy_of_ours_is_not_restored(codes: list[str], kind: str, database: Database) -> None:
    file = Path("copy")
    assert codes
    if kind == "text":
        file.write_text("Dear diary, we played Rage. " * 40)
    elif kind == "other database":
        cookbook(database, file)
    elif kind == "other kind":
        file.write_bytes((b"PGDMP" if isinstance(database, Lite) else b"SQLite format 3\0") + bytes(999))
    elif kind == "damaged":
        assert run("backup", str(file)).exit_code == 0
        content = bytearray(file.read_bytes())
        content[len(content) // 2 :] = b"\xff" * (len(content) - len(content) // 2)
        file.write_bytes(content)
    before = log_hash(database)
    done = run("restore", str(file), "--yes")
    assert done.exit_code == 1
    assert done.stderr.startswith("Error: copy is ")
    assert ("SQLite" in done.stderr and "PostgreSQL" in done.stderr) == (kind == "other kind")
    assert log_hash(database) == before
    assert not list(Path.cwd().glob("**/*.before-restore"))


def cookbook(database: Database, file: Path) -> None:
    """Make a copy of a database that is not ours."""
    if isinstance(database, Lite):
        with closing(sqlite3.connect(file)) as cakes, cakes:
            cakes.execute("CREATE TABLE recipes (cake TEXT)")
    elif isinstance(database, Postgres):
        other = database.another()
        other.change("CREATE TABLE recipes (cake TEXT)")
        subprocess.run(["pg_dump", "--format=custom", f"--file={file}", other.address], check=True)


@pytest.mark.usefixtures("codes")
def test_restore_asks_first(database: Database) -> None:
    assert run("backup", "copy").exit_code == 0
    database.change("DELETE FROM tables WHERE id = 1")
    now = log_hash(database)
    done = CliRunner().invoke(companion, ["restore", "copy"], input="n\n")
    assert done.exit_code == 1
    assert log_hash(database) == now


SCORE = {
    Lite: "json_set(result, '$.standing[0].score', 999)",
    Postgres: "jsonb_set(result::jsonb, '{standing,0,score}', '999')::json",
}


@pytest.mark.on_both
@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("DELETE FROM entries WHERE table_id = 1 AND number = 3", "not numbered one by one"),
        ("UPDATE entries SET data = '{\"move\": \"bid\", \"seat\": 0, \"tricks\": 99}' WHERE table_id = 1 AND number = 1", "does not replay: 1: A bid is a number from 0 to 10"),
        ("UPDATE entries SET data = '{}' WHERE table_id = 1 AND number = 1", "does not replay: 1: RecordError: "),
        ("UPDATE tables SET result = NULL WHERE id = 1", "it is over, and has no result"),
        ("UPDATE tables SET result = (score) WHERE id = 1", "was ruled otherwise"),
        ("UPDATE tables SET result = (SELECT result FROM tables WHERE id = 1) WHERE id = 3", "has a result, and is not over"),
        ("INSERT INTO entries SELECT 99, number, kind, seat, by, data, key, at, standing FROM entries WHERE table_id = 1", "belongs to nothing"),
    ],
)  # fmt: skip
def test_check_names_what_is_wrong(codes: list[str], sql: str, said: str, database: Database) -> None:
    assert (run("check").exit_code, run("check").stdout) == (0, "")
    database.change(sql.replace("(score)", SCORE[type(database)]))
    done = run("check")
    assert done.exit_code == 1
    assert said in done.stdout
    assert "belongs" in said or codes[0] in done.stdout or codes[2] in done.stdout


@pytest.mark.on_both
def test_purge_deletes_what_is_quiet_and_nothing_else(codes: list[str], database: Database) -> None:
    database.change(
        "UPDATE tables SET opened = '2020-01-01T00:00:00.000Z' WHERE id IN (1, 2)",
        # Opened long ago, and played on yesterday.
        "UPDATE entries SET at = '2999-01-01T00:00:00.000Z' WHERE table_id = 2 AND number = 4",
    )
    assert run("purge", "--older-than", "soon").exit_code == 2
    assert CliRunner().invoke(companion, ["purge", "--older-than", "2y"], input="n\n").exit_code == 1
    assert len(database.rows("SELECT id FROM tables")) == 3
    done = run("purge", "--older-than", "104w", "--yes")
    assert (done.exit_code, done.stderr) == (0, "1 tables deleted.\n")
    assert database.rows("SELECT code FROM tables ORDER BY id") == [(codes[1],), (codes[2],)]
    assert database.rows("SELECT count(*) FROM entries WHERE table_id = 1") == [(0,)]
    content = database.content()
    assert codes[0].encode() not in content
    assert codes[1].encode() in content


@pytest.mark.on_both
@pytest.mark.usefixtures("codes")
def test_a_forgotten_name_is_nowhere_in_the_files(database: Database) -> None:
    entry = "(1, 9999, 'seat', 0, 0, '{\"act\": \"rename\", \"name\": \"Anna Nov\\u00e1kov\\u00e1\"}', 'k', '', NULL)"
    database.change(f"INSERT INTO entries VALUES {entry}", "ANALYZE")
    before = log_rows(database, most=9998)
    assert "Anna Nováková".encode() in database.content()
    assert run("rename", "Anna Nováková", "Anička").exit_code == 0
    assert {name for (name,) in database.rows("SELECT name FROM seatings WHERE seat = 0")} == {"Anička"}
    (standing,) = database.rows("SELECT CAST(result AS TEXT) FROM tables WHERE id = 1")[0]
    assert {place["name"] for place in json.loads(standing)["standing"]} == {"Anička", "Bo", "Cy"}
    assert run("forget", "Anička").exit_code == 0
    content = database.content()
    for name in ("Anna", "Anička", "Ani\\u010dka"):
        assert name.encode() not in content
    after = log_rows(database, most=9998)
    assert [row for row in after if row in before] == before
    assert [row[2:4] for row in after if row not in before] == [("seat", 0)] * 4, "two tables are told of both"
    assert run("forget", "Nobody").exit_code == 1
    assert run("rename", "Bo", "x" * 99).exit_code == 1


@pytest.mark.usefixtures("codes")
def test_who_makes_it_forget_is_told_while_somebody_reads_what_was_there(
    database: Lite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found beside a copy that took long: the name stood in the file, and all that was said was “3 seats”."""
    monkeypatch.setattr(kind, "PATIENCE_MS", 100)
    with closing(sqlite3.connect(database.file, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM seatings").fetchone()
        done = run("forget", "Bo")
        assert (done.exit_code, "can still be found in the files" in done.stderr) == (1, True)
        assert database.rows("SELECT count(*) FROM seatings WHERE name = 'Bo'") == [(0,)]
        reader.execute("ROLLBACK")
        assert b"Bo" in re.findall(rb"[A-Za-z]+", database.content())
        assert "Nobody is called Bo" in run("forget", "Bo").stderr
        assert b"Bo" not in re.findall(rb"[A-Za-z]+", database.content())


@pytest.mark.parametrize(
    "words",
    [("rename", "Bo", "Bob"), ("forget", "Bo"), ("purge", "--older-than", "0d", "--yes"), ("import", "new.json")],
)
def test_a_command_whose_change_cannot_be_saved_speaks_of_the_database_and_of_no_phone(
    words: tuple[str, ...], codes: list[str], database: Database, tmp_path: Path
) -> None:
    (tmp_path / "new.json").write_text(evening(99, 0.5))
    with database.locked():
        done = run(*words)
    assert done.exit_code == 1
    assert done.stderr.endswith("The database cannot be used: database is locked.\n")
    assert database.rows("SELECT count(*) FROM tables") == [(len(codes),)]


@pytest.mark.parametrize("nobody", ["", " "])
@pytest.mark.usefixtures("codes")
def test_whoever_would_be_called_nothing_keeps_the_name(nobody: str, database: Database) -> None:
    """Found by hand: a script whose `$NEW` was empty made everybody called so forgotten, without a way back."""
    done = run("rename", "Bo", nobody)
    assert (done.exit_code, done.stderr) == (1, "Error: A name needs 1 to 24 characters that can be seen.\n")
    assert database.rows("SELECT count(*) FROM seatings WHERE name = 'Bo'") == [(3,)]


@pytest.mark.on_both
def test_a_name_is_forgotten_also_where_the_end_was_taken_back(house: House) -> None:
    code = house.open()
    for number in range(1, 11):
        for place, move in enumerate(a_round(number, 4)):
            house.move(code, "host", move, f"{number}.{place}")
    house.take_back(code, "host", "back")
    with house.asks(code, "host") as asker:
        seating.rename(asker, 1, "Bob", "named")
    before = house.entries(code)
    with house.app.app_context():
        assert keeping.rename("Anna", "") == 1
    assert house.rows("SELECT name FROM seatings WHERE seat = 0") == [("",)]
    assert house.entries(code) == before, "entries with other names stay"


@pytest.mark.on_both
@pytest.mark.usefixtures("codes")
def test_a_name_is_forgotten_also_in_a_result_that_still_bears_an_older_one(database: Database) -> None:
    """An older release left it there when the seat was called otherwise."""
    database.change("UPDATE seatings SET name = 'Bob' WHERE name = 'Bo'")
    assert run("forget", "Bob").exit_code == 0
    results = database.rows("SELECT CAST(result AS TEXT) FROM tables WHERE closed IS NOT NULL")
    assert len(results) == 2
    for (result,) in results:
        named = {place["seat"]: place["name"] for place in json.loads(result)["standing"]}
        assert named == {0: "Anna Nováková", 1: "", 2: "Cy"}


@pytest.mark.on_both
def test_a_name_does_not_come_back_from_memory_with_people_who_change_places(house: House) -> None:
    """A command has changed it: memory believes the columns of a table for half a minute."""
    code = house.open()
    with house.asks(code, "host") as asker:
        begin_again(asker, Meant(order=(1, 2, 3, 0)), "order")
    after = house.read(code).number
    house.database.change("UPDATE seatings SET name = 'Hana' WHERE name = 'Anna'")
    house.take_back(code, "host", "back", after=after)
    assert house.rows("SELECT name FROM seatings WHERE seat = 0") == [("Hana",)]


@pytest.mark.on_both
def test_a_forgotten_name_does_not_come_back_from_memory_with_the_end(house: House) -> None:
    code = house.open(["Anna", "Bo"], game="tally", rounds=1)
    told = {"move": "enter", "column": "number", "value": 5}
    house.move(code, "host", told | {"seat": 0}, "first", after=0)
    with house.app.app_context():
        assert keeping.rename("Bo", "") == 1
    house.move(code, "host", told | {"seat": 1}, "last", after=1)
    ((result,),) = house.rows("SELECT CAST(result AS TEXT) FROM tables")
    assert [place["name"] for place in json.loads(result)["standing"]] == ["Anna", ""]


@pytest.mark.on_both
def test_stats_count_tables_and_entries(codes: list[str], database: Database) -> None:
    done = run("stats")
    (entries,) = database.rows("SELECT count(*) FROM entries")[0]
    assert done.stdout.splitlines()[1].split() == ["rage", str(len(codes)), "2", str(entries)]


@pytest.mark.on_both
def test_a_table_at_which_nothing_was_entered_is_counted_and_purged(house: House) -> None:
    code = house.open()
    with house.app.app_context():
        opened = house.rows("SELECT opened FROM tables")[0][0]
        assert [keeping.older_than(day) for day in (opened, opened[:-1] + "a")] == [[], [code]]
        assert keeping.counts() == [{"game": "rage", "tables": 1, "finished": 0, "entries": 0}]


@pytest.mark.on_both
def test_a_table_is_quiet_since_its_last_entry(house: House) -> None:
    code = house.open()
    house.move(code, "host", bid(0, 1), "one")
    with house.app.app_context():
        at = house.rows("SELECT at FROM entries")[0][0]
        assert [keeping.older_than(day) for day in (at, at[:-1] + "a")] == [[], [code]]


def test_what_a_copy_that_was_cut_off_has_left_does_no_harm_and_is_removed(house: House, tmp_path: Path) -> None:
    left = tmp_path / "copy.unfinished"
    left.write_text("Dear diary, we played Rage.")
    with house.app.app_context():
        keeping.backup(tmp_path / "copy")
        keeping.check_copy(tmp_path / "copy")
    assert not left.exists()


def test_a_copy_that_cannot_be_put_in_its_place_leaves_nothing_behind(house: House, tmp_path: Path) -> None:
    place = tmp_path / "copy"
    place.mkdir()
    with house.app.app_context(), pytest.raises(OSError, match="copy"):
        keeping.backup(place)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith("copy")] == ["copy"]


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
def test_no_copy_takes_the_place_of_the_database_itself(house: House, tmp_path: Path, ending: str) -> None:
    """Whoever serves would go on writing into a file without a name."""
    file = tmp_path / f"companion.sqlite{ending}"
    house.move(house.open(), "host", bid(0, 1), "one")
    before = file.stat().st_ino
    with house.app.app_context(), pytest.raises(StartError, match="it is the database itself"):
        keeping.backup(file)
    assert file.stat().st_ino == before


@pytest.mark.on_both
def test_a_copy_says_what_it_is_of(codes: list[str], database: Database) -> None:
    """Found by hand: who typed it beside a service had copied an empty database of his own, and a copy it was called."""
    kind_of = database.address.partition(":")[0]
    assert re.fullmatch(rf"copy: \d+ kB, {len(codes)} tables of {kind_of}.+\n", run("backup", "copy").stderr)


@pytest.mark.parametrize("file", ["pipe", "-"])
def test_no_copy_takes_the_place_of_what_is_no_file(file: str, house: House, tmp_path: Path) -> None:
    """Found by hand: root's `companion backup /dev/stdout` made a file of it, for everybody."""
    os.mkfifo(tmp_path / "pipe")
    with house.app.app_context(), pytest.raises(StartError, match=f"{file} cannot be written: it is no file"):
        keeping.backup(tmp_path / file if file == "pipe" else Path(file))
    assert (tmp_path / "pipe").is_fifo()
    assert not Path("-").exists()


@pytest.mark.parametrize("is_there", [True, False])
def test_a_copy_goes_where_a_link_leads(house: House, tmp_path: Path, is_there: bool) -> None:
    """Found by hand: the copy lay in the place of the link, and not on the disk that it leads to."""
    (tmp_path / "stick").mkdir()
    if is_there:
        (tmp_path / "stick" / "newest").touch()
    (tmp_path / "copy").symlink_to(tmp_path / "stick" / "newest")
    with house.app.app_context():
        keeping.backup(tmp_path / "copy")
    assert (tmp_path / "copy").is_symlink()
    assert (tmp_path / "stick" / "newest").stat().st_size


@pytest.mark.usefixtures("data")
def test_where_no_copy_can_be_written_is_said_by_the_name_that_was_given() -> None:
    done = run("backup", "nowhere/copy")
    assert (done.exit_code, done.stderr) == (1, "Error: nowhere/copy cannot be written: No such file or directory.\n")


def test_a_copy_lies_on_the_disk_before_it_has_its_name(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced, sync = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append((tmp_path / "copy").exists()), sync(file)))
    with house.app.app_context():
        keeping.backup(tmp_path / "copy")
    assert synced == [False]


def test_whoever_restores_what_is_no_copy_loses_nothing(house: House, tmp_path: Path) -> None:
    house.move(code := house.open(), "host", bid(0, 1), "one")
    (tmp_path / "copy").write_text("Dear diary, we played Rage.")
    with house.app.app_context(), pytest.raises(StartError, match="no database"):
        keeping.restore(tmp_path / "copy")
    assert len(house.entries(code)) == 1
    assert not list(tmp_path.glob("*.before-restore"))


def test_what_was_restored_is_seen_at_once_of_this_release_and_safe(house: House, tmp_path: Path) -> None:
    """The copy is of the first release; whoever restores has just looked at what was there."""
    with closing(sqlite3.connect(tmp_path / "copy")) as connection:
        connection.executescript(dumped(SCHEMAS / "0001.sql"))
    code = house.open()
    with house.asks(code, "host"):
        keeping.restore(tmp_path / "copy")
        assert log.is_ready()
        log.check()
        assert log.find("K7QX2M")
        assert log.find(code) is None


def test_nobody_holds_the_database_while_a_copy_is_put_back(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server would wait for whoever does."""
    put_back, is_open, held = sqlite.put_back, Counter[str](), []
    monkeypatch.setattr(sqlite, "put_back", lambda *about: (held.append(is_open.total()), put_back(*about)))
    code = house.open()
    with house.app.app_context():
        keeping.backup(tmp_path / "copy")
        log.close()
        event.listen(db.engine, "connect", lambda *_: is_open.update(["connection"]))
        event.listen(db.engine, "close", lambda *_: is_open.subtract(["connection"]))
        assert log.find(code)
        with db.engine.connect():
            assert is_open.total() == 2
        keeping.restore(tmp_path / "copy")
    assert held == [0]


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("UPDATE entries SET standing = '1:9 2:1 2:1 2:1'", "Rage scores it otherwise by now (1: it stood 1:9 2:1 2:1 2:1, and would stand 1:0 1:0 1:0 1:0)."),
        ("UPDATE tables SET rules = 7", "was begun by version 7 of the rules of Rage, and what is installed here rules by version 2."),
    ],
)  # fmt: skip
def test_a_check_says_why_a_table_is_frozen(house: House, sql: str, said: str) -> None:
    house.move(code := house.open(), "host", bid(0, 1), "one")
    house.database.change(sql)
    with house.app.app_context():
        (problem,) = keeping.problems()
    assert problem.startswith(f"Table {code}: it is frozen")
    assert said in problem


CODES = [f"A{number:05}" for number in range(12)]


@pytest.mark.parametrize(
    ("count", "named"),
    [(1, CODES[0]), (10, ", ".join(CODES[:10])), (12, f"{', '.join(CODES[:10])} and 2 more")],
)
def test_tables_that_are_ruled_as_begun_are_told_by_game_and_version_and_the_first_ten_named(
    house: House, monkeypatch: pytest.MonkeyPatch, count: int, named: str
) -> None:
    """Not those that are ruled by the rules of today, nor those that cannot be ruled at all."""
    monkeypatch.setitem(cast("dict[str, AnyGame]", GAMES), "rage", replace(GAMES["rage"], version=3, older=(1, 2)))
    begun = [*(("rage", 2, code) for code in CODES[:count]), ("rage", 3, "B"), ("tally", 1, "C"), ("chess", 2, "D")]
    with house.app.app_context():
        for game, rules, code in begun:
            db.session.add(Table(code=code, game=game, rules=rules, options={}, host="host", opened=log.now()))
        db.session.commit()
        told = f"Rage: ruled by version 2 of its rules, as begun; today's is 3: {named}."
        assert list(keeping.ruled_as_begun()) == [told]


@pytest.mark.on_both
def test_a_name_is_forgotten_also_at_a_table_whose_result_is_lost(house: House) -> None:
    code = house.open()
    house.database.change("UPDATE tables SET closed = '2026-11-20T20:00:00.000Z'")
    with house.app.app_context():
        assert keeping.rename("Anna", "Ann") == 1
    assert house.rows("SELECT name FROM seatings JOIN tables ON id = table_id WHERE seat = 0 AND code = ?", code) == [
        ("Ann",)
    ]


def test_what_is_deleted_is_overwritten_by_an_sqlite_too_that_would_let_it_lie(house: House) -> None:
    """How SQLite was built decides what it does by itself."""
    code = house.open()
    with house.app.app_context():
        db.engine.dispose()
        event.listen(db.engine, "connect", lambda connection, _record: connection.execute("PRAGMA secure_delete=OFF"))
        keeping.purge([code])
        log.close()
    assert code.encode() not in house.database.content()


def test_a_check_names_games_that_are_turned_away_or_not_there(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "TURNED_AWAY", ["The game cairn is turned away."])
    code = house.open()
    with house.app.app_context():
        db.session.execute(update(Table).values(game="chess"))
        db.session.commit()
        assert list(keeping.problems()) == [
            "The game cairn is turned away.",
            f"Table {code}: its game, chess, is not installed.",
        ]


@pytest.mark.usefixtures("data")
def test_commands_on_an_empty_house(database: Database) -> None:
    assert run("check").exit_code == 0
    assert run("stats").exit_code == 0
    assert run("purge", "--older-than", "1d").exit_code == 0
    assert run("backup", "nowhere/copy").exit_code == 1
    assert run("backup", "copy").exit_code == 0
    assert database.copy(Path("copy")).rows("SELECT count(*) FROM tables") == [(0,)]
