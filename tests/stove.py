"""Starts servers and commands as forks of a process that has loaded the companion: to load it is most of a start.

Whoever's surroundings say what is to be loaded (`COMPANION_GAMES`, `PYTHONPATH` …) is started as always. `companion serve`
becomes another program by itself, and that loads everything anew; what the pages are tried with is started as always, too
(`tests/phones.py`).
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

LOADED = (
    "alembic",
    "companion.api",
    "companion.commands.app",
    "companion.commands.files",
    "companion.commands.keeping",
    "companion.commands.records",
    "companion.commands.replay",
    "companion.server.gunicorn_worker",
    "companion.web",
    "flask_migrate",
    "gunicorn.app.wsgiapp",
    "gunicorn.workers.gthread",
    "platformdirs",
    "psycopg",
    "redis",
    "sqlalchemy.dialects.postgresql",
    "sqlalchemy.dialects.sqlite",
    "websockets.http11",
    "werkzeug.middleware.proxy_fix",
)
"""Not `companion.server.app`: what workers of one server share begins with it."""
SAYING = ("COMPANION_GAMES", "PROMETHEUS_", "PYTHON")
"""How what says in the surroundings begins how something is loaded: which games, and whether workers count together."""
ROOT = str(Path(__file__).parent.parent)
MOST_BYTES = 1 << 17
"""A job, with all of its surroundings, is shorter."""


@dataclass
class Started:
    """A process from the stove: what is asked of a `subprocess.Popen`, whose child it is not."""

    pid: int
    end: BinaryIO
    """Says how it ended, once it has."""
    returncode: int | None = None

    def poll(self) -> int | None:
        """Give its exit status, below zero the signal that ended it; None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises: TimeoutExpired."""
        status = self._ended(timeout)
        if status is None:
            assert timeout is not None
            raise subprocess.TimeoutExpired(str(self.pid), timeout)
        return status

    def send_signal(self, sign: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, sign)

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self.end], [], [], timeout)[0]:
            with self.end:
                self.returncode = int(self.end.readline())
        return self.returncode


@cache
def _stove() -> socket.socket:
    """Light the stove of this process; it goes out when nobody can ask it any more."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=its.fileno(),
            cwd=ROOT,
            env=own_surroundings(),
            start_new_session=True,
        )

    def put_out() -> None:
        ours.close()
        process.wait()

    atexit.register(put_out)
    return ours


def own_surroundings() -> dict[str, str]:
    """Give a process the companion's own code, and of what is set here nothing that the companion reads."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("COMPANION_", "FLASK_"))}
    return {**kept, "PYTHONPATH": ROOT}


def _loads_likewise(env: Mapping[str, str]) -> bool:
    def saying(surroundings: Mapping[str, str]) -> dict[str, str]:
        return {name: value for name, value in surroundings.items() if name.startswith(SAYING)}

    return saying(env) == saying(own_surroundings())


def start(
    command: Sequence[str], cwd: Path, env: Mapping[str, str], output: BinaryIO, errors: BinaryIO | None = None
) -> Started | subprocess.Popen[bytes]:
    """Start a command in a session of its own, with all that it says in one file or two.

    `python -m MODULE ARGUMENTS` comes from the stove.
    """
    python, flag, *argv = command
    errors = errors or output
    if (python, flag) != (sys.executable, "-m") or not _loads_likewise(env):
        return subprocess.Popen(command, cwd=cwd, env=env, stdout=output, stderr=errors, start_new_session=True)
    job = json.dumps([argv, str(cwd), dict(env)]).encode()
    assert len(job) < MOST_BYTES
    reading, writing = os.pipe()
    try:
        socket.send_fds(_stove(), [job], [output.fileno(), errors.fileno(), writing])
    finally:
        os.close(writing)
    end = os.fdopen(reading, "rb", buffering=0)
    return Started(int(end.readline()), end)


def run(
    command: Sequence[str], cwd: Path, env: Mapping[str, str], timeout_s: float
) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end. Raises: TimeoutExpired."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = start(command, cwd, env, output, errors)
        try:
            status = started.wait(timeout_s)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            started.wait()
            raise
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(command, status, output.read(), errors.read())


def _serve(door: socket.socket) -> list[str]:
    """Fork for every job; comes back in each fork, with what it is to be, and in the stove itself at the end."""
    while True:
        said, fds, _flags, _address = socket.recv_fds(door, MOST_BYTES, 3)
        with suppress(ChildProcessError):  # there is none yet
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not said:
            return []
        if not os.fork():
            door.close()
            _watch_over_a_fork(fds.pop())
            return _settled(json.loads(said), fds)
        for fd in fds:
            os.close(fd)


def _watch_over_a_fork(end: int) -> None:
    """Fork once more, say which process that is, and how it ended; only the fork comes back."""
    if not (pid := os.fork()):
        os.close(end)
        return
    os.write(end, b"%d\n" % pid)
    _pid, status = os.waitpid(pid, 0)
    os.write(end, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _settled(job: Any, said: Sequence[int]) -> list[str]:
    """Be as a process that was started so; gives the module that it runs, and its arguments."""
    argv, cwd, surroundings = job
    os.setsid()
    os.chdir(cwd)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for stream, file in enumerate(said, 1):
        os.dup2(file, stream)
    os.closerange(3, 64)
    os.environ.clear()
    os.environ.update(surroundings)
    time.tzset()
    sys.path[0] = cwd
    return list(argv)


if __name__ == "__main__":
    for name in LOADED:
        importlib.import_module(name)
    gc.freeze()
    sys.argv = _serve(socket.socket(fileno=0))
    if sys.argv:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
