"""Promise 29: one server, one data folder; and a database that could not be written is refused at the start."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests import stove
from tests.databases import PATIENCE_S, Lite, Postgres
from tests.house import Client, House, Server, companion, environment, free_port
from tests.redises import RedisServer

AS_A_USER = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
"""What root may, nobody else may: before its rights a file is never shut."""


def served(folder: Path, *more: str, data: str = "data", **settings: str) -> Server:
    """Give a server as people start it, with its data in a folder; it has to be started."""
    port = free_port()
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", str(port), *more]
    folder.mkdir(exist_ok=True)
    return Server(folder, port, command, environment(folder / data, **settings))


@contextmanager
def started(server: Server) -> Iterator[Server]:
    server.start()
    try:
        yield server
    finally:
        server.kill()


def refused(server: Server, before: Sequence[str] = ()) -> str:
    """Start a server that ends by itself; gives what it says."""
    done = stove.run([*before, *server.command], server.folder, server.environment, PATIENCE_S)
    assert done.returncode in {1, 4}, done
    assert b"Traceback" not in done.stderr
    return done.stderr.decode()


@pytest.mark.promise(29)
def test_a_second_server_is_refused_in_words_and_the_first_goes_on(tmp_path: Path) -> None:
    with started(served(tmp_path)) as first:
        said = refused(served(tmp_path))
        assert "Another companion serves these tables already" in said
        assert str(tmp_path / "data" / "serving.lock") in said
        with Client(first.port, "ann") as client:
            assert client.get("/").status == 200


@pytest.mark.promise(29)
def test_a_second_server_is_refused_where_it_names_the_same_file_from_another_folder(tmp_path: Path) -> None:
    file = tmp_path / "data" / "companion.sqlite"
    (tmp_path / "way").symlink_to(tmp_path / "data")
    with started(served(tmp_path)):
        for address in (file, tmp_path / "way" / "companion.sqlite"):
            said = refused(served(tmp_path, data="other", COMPANION_DATABASE=f"sqlite:///{address}"))
            assert "Another companion serves these tables already" in said
            assert f"{file}.lock" in said


@pytest.mark.promise(29)
def test_what_changes_all_of_it_is_refused_while_it_is_served(tmp_path: Path) -> None:
    with started(served(tmp_path)) as server:
        with closing(house_at(tmp_path)) as house:
            code = house.open()
        assert companion(tmp_path, "backup", "copy").returncode == 0, "that is done while it is served"
        with Client(server.port, "host") as client:
            assert client.post(f"/t/{code}/0/move", {"move": "bid", "seat": 0, "tricks": 1}).status == 303
        for command in (["restore", "copy", "--yes"], ["purge", "--older-than", "0d", "--yes"]):
            done = companion(tmp_path, *command)
            assert done.returncode == 1
            assert b"The companion serves these tables" in done.stderr
            assert b"Stop it first." in done.stderr
        assert not list(tmp_path.glob("data/*.before-restore"))
        with Client(server.port, "host") as client:
            assert client.post(f"/t/{code}/0/move", {"move": "bid", "seat": 1, "tricks": 1}).status == 303
    assert companion(tmp_path, "restore", "copy", "--yes").returncode == 0
    assert Lite(tmp_path / "data").rows("SELECT count(*) FROM entries") == [(0,)]
    assert companion(tmp_path, "check").returncode == 0


@pytest.mark.promise(29)
def test_a_server_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    for _ in range(2):
        with started(served(tmp_path)):
            pass


@pytest.mark.promise(29)
def test_several_servers_share_what_they_can_share_and_nobody_restores_meanwhile(
    tmp_path: Path, postgres: Postgres, redis_server: RedisServer
) -> None:
    """Both have workers that share the one claim of theirs."""
    shared = {"COMPANION_DATABASE": postgres.address, "COMPANION_REDIS": redis_server.address}
    (tmp_path / "copy").write_bytes(b"")
    with started(served(tmp_path, "--workers", "2", **shared)) as first, started(served(tmp_path, **shared)) as second:
        for server in (first, second):
            with Client(server.port, "ann") as client:
                assert client.get("/").status == 200
        done = companion(tmp_path, "restore", "copy", "--yes", **shared)
        assert b"The companion serves these tables" in done.stderr
        first.kill()
        assert b"The companion serves" in companion(tmp_path, "restore", "copy", "--yes", **shared).stderr


@pytest.mark.promise(29)
def test_without_redis_two_servers_of_one_folder_would_not_hear_each_other(tmp_path: Path, postgres: Postgres) -> None:
    with started(served(tmp_path, COMPANION_DATABASE=postgres.address)):
        said = refused(served(tmp_path, COMPANION_DATABASE=postgres.address))
        assert "Another companion serves these tables already" in said


@pytest.mark.promise(29)
def test_an_empty_file_is_refused_in_words_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "companion.sqlite"
    file.touch()
    long_ago = file.stat().st_mtime - 60
    os.utime(file, (long_ago, long_ago))
    said = refused(served(tmp_path))
    assert f"{file} is empty" in said
    assert "companion restore" in said
    assert file.stat().st_size == 0


@pytest.mark.promise(29)
def test_a_database_of_another_program_is_refused_in_words_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "companion.sqlite"
    with closing(sqlite3.connect(file)) as other, other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    before = file.read_bytes()
    assert f"{file} is no database of the companion" in refused(served(tmp_path))
    assert file.read_bytes() == before


@pytest.mark.promise(29)
@pytest.mark.parametrize("shut", ["the file", "the folder"])
def test_a_database_that_cannot_be_written_is_refused_in_words_at_the_start(tmp_path: Path, shut: str) -> None:
    """In a folder of its own, so that the data folder itself can be written to."""
    kept = tmp_path / "kept"
    kept.mkdir()
    house = House(kept)
    house.open()
    house.close()
    path, mode = (kept / "companion.sqlite", 0o400) if shut == "the file" else (kept, 0o500)
    (kept / "companion.sqlite.lock").touch()
    server = served(tmp_path, COMPANION_DATABASE=f"sqlite:///{kept / 'companion.sqlite'}")
    path.chmod(mode)
    try:
        said = refused(server, AS_A_USER)
    finally:
        path.chmod(0o700)
    assert "readonly database" in said or "cannot be" in said
    assert "The companion is at" not in said


@pytest.mark.promise(29)
def test_the_data_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    """What an older release has left open, too."""
    house_at(tmp_path).close()
    for path, mode in ((tmp_path / "data", 0o755), (tmp_path / "data" / "companion.sqlite", 0o644)):
        path.chmod(mode)
    with started(served(tmp_path)):
        files = [tmp_path / "data", *(tmp_path / "data").iterdir()]
        assert {"companion.sqlite", "companion.sqlite-wal", "secret_key"} <= {file.name for file in files}
        open_to_others = {file.name for file in files if stat.S_IMODE(file.stat().st_mode) & 0o077}
        assert not open_to_others
    assert companion(tmp_path, "backup", "copy").returncode == 0
    assert stat.S_IMODE((tmp_path / "copy").stat().st_mode) == 0o600


def house_at(folder: Path) -> House:
    """Make an app upon the database of a server that `served` gives."""
    (folder / "data").mkdir(exist_ok=True)
    return House(folder / "data")
