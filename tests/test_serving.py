"""A server that would lose something or hang is refused at its start, and told what to set."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from companion.errors import StartError
from companion.server.start import check_workers, server_command
from companion.settings import Settings
from tests.house import PATIENCE_S, House, Server, companion, free_port
from tests.test_durability import workers_of

LITE, POSTGRES, REDIS = "sqlite:////a/file", "postgresql://host/name", "redis://host/0"


@pytest.mark.promise(2)
@pytest.mark.parametrize(
    ("workers", "database", "redis", "said"),
    [
        (1, LITE, "", ""),
        (1, LITE, REDIS, ""),
        (1, POSTGRES, "", ""),
        (1, POSTGRES, REDIS, ""),
        (2, POSTGRES, REDIS, ""),
        (2, LITE, "", "Several workers need PostgreSQL"),
        (2, LITE, REDIS, "Several workers need PostgreSQL"),
        (2, POSTGRES, "", "Several workers need Redis"),
    ],
)
def test_what_loses_or_hangs_is_refused(workers: int, database: str, redis: str, said: str) -> None:
    settings = Settings(data=Path("/a"), database=database, redis=redis)
    if not said:
        check_workers(workers, settings)
        return
    with pytest.raises(StartError, match=said):
        check_workers(workers, settings)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_worker_lets_in_everybody_who_may_listen(workers: int) -> None:
    words = dict(
        word.split("=", 1) for word in server_command("127.0.0.1", 8000, 2_000, workers=workers) if "=" in word
    )
    # A phone has a stream, and a connection for its taps, which is kept. gunicorn's own limit would be a thousand.
    assert int(words["--worker-connections"]) >= 2 * 2_000


def test_serve_says_what_to_set(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    refused = companion(tmp_path, "serve", "--workers", "2")
    assert refused.returncode == 1
    assert b"Set COMPANION_DATABASE=postgresql://" in refused.stderr


def test_an_address_that_is_none_of_redis_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    refused = companion(tmp_path, "export", "000000", COMPANION_REDIS="localhost:6379")
    assert refused.returncode == 1
    assert b"COMPANION_REDIS" in refused.stderr


@pytest.mark.promise(2)
def test_a_server_that_cannot_use_its_database_says_why_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "companion.sqlite").write_bytes(b"Dear diary, " * 1000)
    server = Server(tmp_path)
    server.start(is_waiting=False)
    assert server.process is not None
    assert server.process.wait(PATIENCE_S) != 0
    assert server.output() == "Error: The database cannot be used: file is not a database.\n"


@pytest.mark.parametrize("script", ['PYTHONIOENCODING=ascii exec "$@"', 'exec "$@" >&-', 'exec "$@" >/dev/full'])
def test_who_cannot_be_told_the_address_is_served_all_the_same(tmp_path: Path, script: str) -> None:
    server = Server(tmp_path)
    server.command = ["sh", "-c", script, "sh", *server.as_started()]
    try:
        server.start()
        assert "Traceback" not in server.output()
    finally:
        server.kill()


def test_a_worker_that_replaces_another_does_not_ask_again_whether_the_database_is_in_order(house: House) -> None:
    server = house.server()
    try:
        server.start()
        assert server.process is not None
        said = server.output()
        before = workers_of(server.process.pid)[1:]
        house.database.change("UPDATE alembic_version SET version_num = '9999'")
        for worker in before:
            os.kill(int(worker), signal.SIGKILL)
        server.wait_until_it_answers()
        assert not set(before) & set(workers_of(server.process.pid))
        assert "The companion is at" in said
        assert "The companion is at" not in server.output().removeprefix(said), "once is enough"
    finally:
        server.kill()


def by_hand(folder: Path, workers: int) -> Server:
    """Start the server as people may who do not know `companion serve`."""
    port = free_port()
    words = ["--threads=8", f"--workers={workers}", f"--bind=127.0.0.1:{port}", "--graceful-timeout=1"]
    return Server(folder, port, [sys.executable, "-m", "gunicorn", "--no-control-socket", *words, "wsgi:app"])


def test_several_workers_that_were_started_by_hand_are_refused_where_they_would_not_hear_each_other(
    tmp_path: Path,
) -> None:
    server = by_hand(tmp_path, workers=2)
    server.start(is_waiting=False)
    assert server.process is not None
    assert server.process.wait(PATIENCE_S) != 0
    assert "Another worker serves these tables already" in server.output()
    assert "Start one: gunicorn --workers 1" in server.output()


def test_one_worker_that_was_started_by_hand_serves_and_can_be_replaced(tmp_path: Path) -> None:
    server = by_hand(tmp_path, workers=1)
    try:
        server.start()
        assert server.process is not None
        before = workers_of(server.process.pid)
        server.process.send_signal(signal.SIGHUP)
        give_up = time.monotonic() + PATIENCE_S
        while set(before[1:]) & set(workers_of(server.process.pid)):
            assert time.monotonic() < give_up
            time.sleep(0.05)
        server.wait_until_it_answers()
    finally:
        server.kill()
