"""The database is copied while it is used, checked, restored, and made to forget."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion import create_app, log, opening, record
from companion.commands import companion
from companion.games import GAMES
from companion.log import keeping
from companion.log.rows import db
from companion.settings import Settings
from tests import kit

NAMES = ["Anna Nováková", "Bo", "Cy"]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own, where commands run."""
    folder = tmp_path / "data"
    monkeypatch.setenv("COMPANION_DATA", str(folder))
    monkeypatch.chdir(tmp_path)
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(companion, list(words))


def settings(data: Path) -> Settings:
    return Settings(data=data, database=f"sqlite:///{data / 'companion.sqlite'}", secret=b"s" * 32)


def lay(count: int = 1, far: float = 1.0) -> list[str]:
    """Open tables from random evenings of Rage, played so far; return their codes."""
    codes = []
    for seed in range(count):
        plays = list(kit.play_on(kit.Table(GAMES["rage"], {}, 3), Random(seed)))
        play = plays[min(len(plays) - 1, int(len(plays) * far))]
        written = record.write(play, {}, NAMES)
        table = opening.open_from(record.replay(record.read(json.dumps(written))), "host")
        codes.append(table.code)
    return codes


@pytest.fixture
def codes(data: Path) -> Iterator[list[str]]:
    """Two finished evenings and one that is not."""
    data.mkdir()
    app = create_app(settings(data))
    with app.app_context():
        log.upgrade()
        laid = [*lay(2), *lay(1, far=0.5)]
        db.session.remove()
        db.engine.dispose()
    return laid


def rows(file: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(file)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def changed(file: Path, sql: str) -> None:
    connection = sqlite3.connect(file)
    connection.execute(sql)
    connection.commit()
    connection.close()


def log_hash(file: Path, most: int | None = None) -> str:
    found = rows(file, f"SELECT * FROM entries WHERE number <= {most or 10**9} ORDER BY table_id, number")
    return hashlib.sha256(repr(found).encode()).hexdigest()


def test_a_backup_under_load_restores_to_the_same_log(data: Path, tmp_path: Path) -> None:
    """Promise 23: while four threads enter moves, the copy is of one moment, and all before it is in it."""
    data.mkdir()
    app = create_app(settings(data))
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
            file = tmp_path / f"copy-{len(copies)}.sqlite"
            with app.app_context():
                keeping.backup(file)
            copies.append((before, file))
    assert [one.result() for one in playing] == [None] * 4
    assert len(copies) >= 3
    for before, file in copies:
        keeping.check_copy(file)
        assert rows(file, "SELECT count(*) FROM entries")[0][0] >= before
    wanted = log_hash(copies[-1][1])
    assert run("restore", str(copies[-1][1]), "--yes").exit_code == 0
    assert log_hash(data / "companion.sqlite") == wanted
    assert run("check").exit_code == 0


@pytest.mark.usefixtures("codes")
def test_restore_keeps_aside_what_was_there(data: Path) -> None:
    place = data / "companion.sqlite"
    assert run("backup", "copy.sqlite").exit_code == 0
    changed(place, "DELETE FROM tables WHERE id = 1")
    now = log_hash(place)
    done = run("restore", "copy.sqlite", "--yes")
    assert done.exit_code == 0
    assert log_hash(place) == log_hash(Path("copy.sqlite"))
    assert log_hash(data / "companion.sqlite.before-restore") == now


@pytest.mark.parametrize("kind", ["absent", "text", "other database", "damaged"])
def test_what_is_no_copy_of_ours_is_not_restored(data: Path, codes: list[str], kind: str) -> None:
    place, file = data / "companion.sqlite", Path("copy.sqlite")
    assert codes
    if kind == "text":
        file.write_text("Dear diary, we played Rage. " * 40)
    elif kind == "other database":
        changed(file, "CREATE TABLE recipes (cake TEXT)")
    elif kind == "damaged":
        assert run("backup", str(file)).exit_code == 0
        content = bytearray(file.read_bytes())
        content[len(content) // 2 :] = b"\xff" * (len(content) - len(content) // 2)
        file.write_bytes(content)
    before = log_hash(place)
    done = run("restore", str(file), "--yes")
    assert done.exit_code == 1
    assert "copy.sqlite" in done.stderr
    assert log_hash(place) == before
    assert not (data / "companion.sqlite.before-restore").exists()


@pytest.mark.usefixtures("codes")
def test_restore_asks_first(data: Path) -> None:
    assert run("backup", "copy.sqlite").exit_code == 0
    changed(data / "companion.sqlite", "DELETE FROM tables WHERE id = 1")
    now = log_hash(data / "companion.sqlite")
    done = CliRunner().invoke(companion, ["restore", "copy.sqlite"], input="n\n")
    assert done.exit_code == 1
    assert log_hash(data / "companion.sqlite") == now


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("DELETE FROM entries WHERE table_id = 1 AND number = 3", "not numbered one by one"),
        ("UPDATE entries SET data = '{\"move\": \"bid\", \"seat\": 0, \"tricks\": 99}' WHERE table_id = 1 AND number = 1", "does not replay"),
        ("UPDATE entries SET data = '{}' WHERE table_id = 1 AND number = 1", "does not replay"),
        ("UPDATE tables SET result = NULL WHERE id = 1", "it is over, and has no result"),
        ("UPDATE tables SET result = json_set(result, '$.standing[0].score', 999) WHERE id = 1", "was ruled otherwise"),
        ("UPDATE tables SET result = (SELECT result FROM tables WHERE id = 1) WHERE id = 3", "has a result, and is not over"),
        ("INSERT INTO entries SELECT 99, number, kind, seat, by, data, key, at FROM entries WHERE table_id = 1", "belongs to nothing"),
    ],
)  # fmt: skip
def test_check_names_what_is_wrong(data: Path, codes: list[str], sql: str, said: str) -> None:
    assert (run("check").exit_code, run("check").stdout) == (0, "")
    changed(data / "companion.sqlite", sql)
    done = run("check")
    assert done.exit_code == 1
    assert said in done.stdout
    assert "belongs" in said or codes[0] in done.stdout or codes[2] in done.stdout


def test_purge_deletes_what_is_quiet_and_nothing_else(data: Path, codes: list[str]) -> None:
    place = data / "companion.sqlite"
    changed(place, "UPDATE tables SET opened = '2020-01-01T00:00:00.000Z' WHERE id IN (1, 2)")
    # Opened long ago, and played on yesterday.
    changed(place, "UPDATE entries SET at = '2999-01-01T00:00:00.000Z' WHERE table_id = 2 AND number = 4")
    assert run("purge", "--older-than", "soon").exit_code == 2
    assert CliRunner().invoke(companion, ["purge", "--older-than", "2y"], input="n\n").exit_code == 1
    assert len(rows(place, "SELECT id FROM tables")) == 3
    done = run("purge", "--older-than", "104w", "--yes")
    assert (done.exit_code, done.stderr) == (0, "1 tables deleted.\n")
    assert rows(place, "SELECT code FROM tables ORDER BY id") == [(codes[1],), (codes[2],)]
    assert rows(place, "SELECT count(*) FROM entries WHERE table_id = 1") == [(0,)]
    assert codes[0].encode() not in place.read_bytes()


@pytest.mark.usefixtures("codes")
def test_a_forgotten_name_is_nowhere_in_the_file(data: Path) -> None:
    place = data / "companion.sqlite"
    entry = "(1, 9999, 'seat', 0, 0, '{\"act\": \"rename\", \"name\": \"Anna Nov\\u00e1kov\\u00e1\"}', 'k', '')"
    changed(place, f"INSERT INTO entries VALUES {entry}")
    before = log_hash(place, most=9998)
    assert run("rename", "Anna Nováková", "Anička").exit_code == 0
    assert {name for (name,) in rows(place, "SELECT name FROM seatings WHERE seat = 0")} == {"Anička"}
    (standing,) = rows(place, "SELECT result FROM tables WHERE id = 1")[0]
    assert {place["name"] for place in json.loads(standing)["standing"]} == {"Anička", "Bo", "Cy"}
    assert run("forget", "Anička").exit_code == 0
    content = place.read_bytes()
    for name in ("Anna", "Anička", "Ani\\u010dka"):
        assert name.encode() not in content
    assert log_hash(place, most=9998) == before
    assert run("forget", "Nobody").exit_code == 1
    assert run("rename", "Bo", "x" * 99).exit_code == 1


def test_stats_count_tables_and_entries(data: Path, codes: list[str]) -> None:
    done = run("stats")
    (entries,) = rows(data / "companion.sqlite", "SELECT count(*) FROM entries")[0]
    assert done.stdout.splitlines()[1].split() == ["rage", str(len(codes)), "2", str(entries)]


def test_commands_on_an_empty_house(data: Path) -> None:
    assert run("check").exit_code == 0
    assert run("stats").exit_code == 0
    assert run("purge", "--older-than", "1d").exit_code == 0
    assert run("backup", "nowhere/copy.sqlite").exit_code == 1
    assert run("backup", "copy.sqlite").exit_code == 0
    assert rows(Path("copy.sqlite"), "SELECT count(*) FROM tables") == [(0,)]
