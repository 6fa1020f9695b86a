"""How the server is started: at home one process with many threads, and perhaps a secure door; else several workers.

What would lose something or hang is refused here, before anybody sits down.
"""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion.errors import StartError
from companion.settings import Settings, from_environment

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder where several workers count together."""
SPARE_THREADS = 24
"""Threads (or places) that are left for taps and pages when every stream is open."""


def open_secure_door(host: str, port: int, certificate: str | None, key: str | None) -> None:
    """Name the files that the secure door needs; make those that nobody gave."""
    from companion.authority import identity, own_hosts  # noqa: PLC0415 (cryptography costs every other command 50 ms)

    if certificate is None or key is None:
        settings = from_environment()
        made = identity(settings.authority, own_hosts(host, urlsplit(settings.address).hostname or ""))
        certificate, key = str(made.certificate), str(made.key)
    os.environ |= {
        "COMPANION_HTTPS": f"{host}:{port}",
        "COMPANION_CERTIFICATE": str(Path(certificate).resolve()),
        "COMPANION_KEY": str(Path(key).resolve()),
    }


def check_workers(workers: int, settings: Settings, is_secure: bool) -> None:
    """Make sure that several workers can share what they must. Raises: StartError."""
    if workers == 1:
        return
    if settings.database.startswith("sqlite"):
        raise StartError(
            "Several workers need PostgreSQL, because one writer alone keeps SQLite quick. "
            "Set COMPANION_DATABASE=postgresql://…, or leave --workers at 1."
        )
    if not settings.redis:
        raise StartError(
            "Several workers need Redis to hear of each other's moves. "
            "Set COMPANION_REDIS=redis://localhost:6379/0, or leave --workers at 1."
        )
    if is_secure:
        raise StartError(
            "The secure door of the companion leads to one worker. "
            "Let nginx or Caddy open it (docs/deploying.md), or leave --workers at 1."
        )


def server_command(host: str, port: int, streams: int, is_secure: bool = False, workers: int = 1) -> list[str]:
    """Name the server's program and its arguments.

    Args:
        host: where it listens.
        port: where it listens.
        streams: phones that each worker holds at once.
        is_secure: whether there is a secure door, too.
        workers: one has threads; several have gevent, which holds thousands of phones.
    """
    places = streams + SPARE_THREADS
    # Each phone has a stream and a connection for its taps. gunicorn's own limit would be a thousand of both.
    kind = ["--worker-class=gthread", f"--threads={places}", f"--worker-connections={1_000 + 2 * places}"]
    if workers > 1:
        kind = ["--worker-class=gevent", f"--worker-connections={places}"]
    server = [*kind, f"--workers={workers}", f"--bind={host}:{port}"]
    habits = ["--no-control-socket", "--graceful-timeout=2", "--keep-alive=75", "--log-level=warning"]
    habits.append("--config=python:companion.serving")
    if is_secure and host not in {"0.0.0.0", "127.0.0.1"}:
        server.append(f"--bind=127.0.0.1:{port}")  # the secure door leads here
    app = "companion.front:create_app()" if is_secure else "companion:create_app()"
    return [sys.executable, "-m", "gunicorn", *server, *habits, app]


def share_figures(workers: int) -> None:
    """Give several workers a folder where they count together."""
    if workers > 1:
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="companion-figures-")


def child_exit(server: object, worker: Any) -> None:
    """Forget what a worker held that has ended; gunicorn calls this by its name."""
    if FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415 (it reads the folder's name)

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def check_free(host: str, port: int) -> None:
    """Make sure that a port can be listened at. Raises: StartError."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            hint = f"{host}:{port} cannot be used ({error.strerror}). Try another: companion serve --port {port + 1}"
            raise StartError(hint) from None
