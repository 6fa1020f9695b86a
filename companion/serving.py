"""How the server is started: one process that keeps the log and the bell, many threads, and perhaps a secure door."""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

from companion.errors import StartError
from companion.settings import from_environment

SPARE_THREADS = 24
"""Threads that are left for taps and pages when every stream is open."""


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


def server_command(host: str, port: int, streams: int, is_secure: bool = False) -> list[str]:
    """Name the server's program and its arguments: one process that keeps the log and the bell, and many threads."""
    server = ["--worker-class=gthread", "--workers=1", f"--threads={streams + SPARE_THREADS}", f"--bind={host}:{port}"]
    habits = ["--no-control-socket", "--graceful-timeout=2", "--keep-alive=75", "--log-level=warning"]
    if is_secure and host not in {"0.0.0.0", "127.0.0.1"}:
        server.append(f"--bind=127.0.0.1:{port}")  # the secure door leads here
    app = "companion.front:create_app()" if is_secure else "companion:create_app()"
    return [sys.executable, "-m", "gunicorn", *server, *habits, app]


def check_free(host: str, port: int) -> None:
    """Make sure that a port can be listened at. Raises: StartError."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            hint = f"{host}:{port} cannot be used ({error.strerror}). Try another: companion serve --port {port + 1}"
            raise StartError(hint) from None
