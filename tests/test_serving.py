"""A server that would lose something or hang is refused at its start, and told what to set."""

import subprocess
import sys
from pathlib import Path

import pytest
from gunicorn.config import WorkerConnections

from companion.errors import StartError
from companion.serving import check_workers, server_command
from companion.settings import Settings
from tests.house import PATIENCE_S, companion, environment

LITE, POSTGRES, REDIS = "sqlite:////a/file", "postgresql://host/name", "redis://host/0"


@pytest.mark.parametrize(
    ("workers", "database", "redis", "is_secure", "said"),
    [
        (1, LITE, "", False, ""),
        (1, LITE, "", True, ""),
        (1, LITE, REDIS, False, ""),
        (1, POSTGRES, "", False, ""),
        (1, POSTGRES, REDIS, True, ""),
        (2, POSTGRES, REDIS, False, ""),
        (2, LITE, "", False, "Several workers need PostgreSQL"),
        (2, LITE, REDIS, False, "Several workers need PostgreSQL"),
        (2, POSTGRES, "", False, "Several workers need Redis"),
        (2, POSTGRES, REDIS, True, "The secure door of the companion leads to one worker"),
    ],
)
def test_what_loses_or_hangs_is_refused(workers: int, database: str, redis: str, is_secure: bool, said: str) -> None:
    settings = Settings(data=Path("/a"), database=database, redis=redis)
    if not said:
        check_workers(workers, settings, is_secure)
        return
    with pytest.raises(StartError, match=said):
        check_workers(workers, settings, is_secure)


def test_one_worker_has_threads_and_several_have_gevent() -> None:
    assert "--worker-class=gthread" in server_command("127.0.0.1", 8000, 100)
    several = server_command("127.0.0.1", 8000, 100, workers=3)
    assert {"--worker-class=gevent", "--workers=3", "--worker-connections=124"} <= set(several)


def test_one_worker_lets_in_everybody_for_whom_it_has_threads() -> None:
    words = dict(word.split("=", 1) for word in server_command("127.0.0.1", 8000, 2_000) if "=" in word)
    connections = int(words.get("--worker-connections", WorkerConnections.default))
    # A phone has a stream, which holds a thread, and a connection for its taps, which is kept.
    assert connections - int(words["--threads"]) >= 2_000


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


def test_sqlite_under_gevent_is_refused(tmp_path: Path) -> None:
    start = "from gevent import monkey; monkey.patch_all(); from companion import create_app; create_app()"
    refused = subprocess.run(
        [sys.executable, "-c", start], env=environment(tmp_path), capture_output=True, timeout=PATIENCE_S, check=False
    )
    assert refused.returncode == 1
    assert b"SQLite under gevent" in refused.stderr
