"""How the server is started: at home one worker, else several, each with many threads; and perhaps a secure door.

What would lose something or hang is refused here, before anybody sits down.
"""

from __future__ import annotations

import errno
import logging
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion import machine
from companion.errors import StartError
from companion.server import app
from companion.server.keepers import Keepers
from companion.settings import Settings, from_environment, own_address
from companion.settings.written import at

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder where several workers count together."""
THREADS = 32
"""For taps and pages; who listens has none of them."""
ROOM = 1000
"""Connections beside these that may be open and say nothing: browsers keep some, in case they are needed."""
SENDING_BYTES = 64 * 1024
"""What the system keeps for a phone that does not read; Linux doubles it."""
DEAF_S = 30
"""After so long a phone is cut off that takes nothing of what is sent. If it is there after all, its script comes back
by itself: that waits 35 s for a sign."""
TOLD = ("exited with code 4.", "Shutting down: Master", "Reason: App failed to load.")
"""What gunicorn adds where a worker has said in words why it cannot start (`app.py`)."""
EVERYBODYS, SPARE = range(1024, 65536), 8080
"""The ports at which anybody may listen, and one of them."""
GARBLED = "Invalid request from "
"""How gunicorn begins to tell that somebody sent what is no request, with words of it: they may be secret, and anybody
could fill the log with them."""


def open_secure_door(host: str, port: int, certificate: str | None, key: str | None) -> None:
    """Name the files that the secure door needs; make those that nobody gave. Raises: StartError, OSError."""
    from companion.server.certificates import identity, own_hosts  # noqa: PLC0415 (cryptography costs every other command 50 ms)

    if certificate and key:
        check_pair(certificate, key)
    else:
        settings = from_environment()
        made = identity(settings.authority, own_hosts(host, _number(settings)))
        certificate, key = str(made.certificate), str(made.key)
    os.environ |= {
        "COMPANION_HTTPS": at(host, port),
        # Where a link leads may be another file when the certificate is renewed.
        "COMPANION_CERTIFICATE": str(Path(certificate).absolute()),
        "COMPANION_KEY": str(Path(key).absolute()),
    }


def _number(settings: Settings) -> str:
    return urlsplit(settings.address or own_address(settings.port, settings.network)).hostname or ""


def check_workers(workers: int, settings: Settings) -> None:
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


def server_command(
    host: str, port: int, streams: int, workers: int = 1, watched: Sequence[Path] | None = None
) -> list[str]:
    """Name the server's program and its arguments.

    Args:
        host: where it listens.
        port: where it listens.
        streams: phones that each worker holds at once.
        workers: processes that share the tables.
        watched: folders; with each change of a file there, or of a module, the workers start anew. None: they never do.
    """
    kind = ["--worker-class=companion.server.gunicorn_worker.Porter", f"--threads={THREADS}"]
    server = [*kind, f"--worker-connections={2 * streams + ROOM}", f"--workers={workers}", f"--bind={at(host, port)}"]
    habits = ["--no-control-socket", "--graceful-timeout=2", "--keep-alive=75", "--log-level=warning"]
    habits.append("--config=python:companion.server.start")
    if watched is not None:
        habits += ["--reload", *(f"--reload-extra-file={folder}/**/*.*" for folder in watched)]
    # -P: what lies in the caller's folder is not imported; but in the tree, by `python -m companion`, that is ours.
    is_in_tree = not sys.flags.safe_path and sys.path[0] == str(Path(__file__).parents[2])
    begin = [sys.executable, "-m"] if is_in_tree else [sys.executable, "-P", "-m"]
    return [*begin, "companion.server", *server, *habits, "companion.server.app:app()"]


def on_starting(server: Any) -> None:
    """Hear Ctrl-C, and end with the window that it was started in; gunicorn calls this by its name, when it has loaded.

    Where it has none, as a service, a hang-up asks for new workers.
    """
    machine.hear_interrupts()
    if machine.ends_with_its_window():
        server.handle_hup = partial(_hung_up, server, server.handle_hup)


def _hung_up(server: Any, reload: Callable[[], None]) -> None:
    """End where the window has been closed; else somebody asks for new workers."""
    if machine.has_terminal():
        reload()
    else:
        server.handle_term()


def when_ready(server: Any) -> None:
    """Make what all workers inherit, and bound what a phone costs that does not read; gunicorn calls this by its name.

    Several workers have a folder where they count together. It is made last: from here on every end is heard of. And in
    memory, unless somebody has said where such files go: who counts on a disk that is full is killed by the system.

    Raises: OSError, when the port of the secure door is taken.
    """
    server.log.error_log.addFilter(_is_news)
    settings = from_environment()
    server.secure_door = _opened(*settings.https) if settings.https else None
    # In a reload the old ones are there until those who replace them are; perhaps there is another by then.
    server.keepers = Keepers(3 * server.cfg.workers if server.cfg.workers > 1 else 0)
    for door in [listener.sock for listener in server.LISTENERS] + [server.secure_door] * bool(settings.https):
        # Whoever is let in at a door inherits what is set there.
        door.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDING_BYTES)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
            door.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * DEAF_S)
    if server.cfg.workers > 1:
        where = os.environ.get("TMPDIR") or machine.in_memory()
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="companion-figures-", dir=where)


def on_reload(server: Any) -> None:
    """Load what lies here now before workers are replaced: perhaps a new release; gunicorn calls this by its name.

    They inherit what is loaded, and half of one release does not go with half of another.
    """
    for name in [name for name in sys.modules if name.partition(".")[0] == "companion"]:
        del sys.modules[name]
    server.app.reload()
    server.setup(server.app)
    vars(sys.modules[app.__name__]).update(in_order=app.in_order, clock=app.clock)


def pre_fork(server: Any, worker: Any) -> None:
    """Give a worker its place; gunicorn calls this by its name.

    At the start their tables wait for them. Those of one who died are with the others until another has started, and
    where all are replaced they are with the old ones until the new ones have.
    """
    if folder := os.environ.get(FOLDER):
        os.makedirs(folder, 0o700, exist_ok=True)  # who tidies up may have found it old, or its owner gone
    keepers = worker.keepers = server.keepers
    worker.secure_door = server.secure_door
    worker.place = keepers.free({other.place for other in server.WORKERS.values()})
    if worker.place is None:
        return
    if not keepers.are_ready:
        keepers.expect(worker.place)
    elif len(server.WORKERS) >= server.num_workers:
        keepers.replace(worker.place)


def post_worker_init(worker: Any) -> None:
    """Begin to serve; gunicorn calls this by its name.

    Where what is being written is no Python yet, it shows that instead of the app.
    """
    if hasattr(worker.wsgi, "extensions"):
        app.ready(worker)


def worker_exit(_server: Any, worker: Any) -> None:
    """Give back what the network was told; gunicorn calls this by its name, in the worker."""
    if presence := getattr(worker, "presence", None):
        presence.end()


def on_exit(_server: Any) -> None:
    """Leave nothing of what was counted together; gunicorn calls this by its name, when all workers have ended."""
    if folder := os.environ.get(FOLDER):
        shutil.rmtree(folder, ignore_errors=True)


def _is_news(record: logging.LogRecord) -> bool:
    """Say whether somebody should read it: neither that a phone was cut off, nor what was said already."""
    is_cut_off = record.exc_info is not None and isinstance(record.exc_info[1], TimeoutError)
    said = record.getMessage()
    return not is_cut_off and not said.endswith(TOLD) and not said.startswith(GARBLED)


def child_exit(server: Any, worker: Any) -> None:
    """Forget what a worker held that has ended; gunicorn calls this by its name."""
    if server.cfg.reload and server.LISTENERS:
        # What is being written need not be Python yet; then the next one has it.
        with suppress(SystemExit):
            on_reload(server)
    if worker.place is not None:
        worker.keepers.clear(worker.place)
    if FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead  # noqa: PLC0415 (it reads the folder's name)

        mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


def check_host(host: str) -> None:
    """Make sure that a host to listen at is one. Raises: StartError."""
    try:
        socket.getaddrinfo(host, None, _family(host))
    except (OSError, UnicodeError):
        raise StartError(f"{host} cannot be used: it is no address of this computer.") from None


def check_free(host: str, port: int, command: str) -> None:
    """Make sure that a port can be listened at; `command`, and a number, asks for another one. Raises: StartError."""
    with socket.socket(_family(host)) as probe:
        machine.claim_port(probe)
        try:
            probe.bind((host, port))
        except OSError as error:
            is_elsewhere = error.errno == errno.EADDRNOTAVAIL
            another = port + 1 if port + 1 in EVERYBODYS else SPARE
            hint = "" if is_elsewhere else f" Try another: {command} {another}"
            raise StartError(f"{at(host, port)} cannot be used ({error.strerror}).{hint}") from None


def check_pair(certificate: str, key: str) -> None:
    """Make sure that the secure door can be opened with these files. Raises: StartError, OSError."""
    import ssl  # noqa: PLC0415 (most have no such door)

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password="")
    except ssl.SSLError:
        raise StartError(
            f"{certificate} and {key} are no certificate and its private key, as PEM files without a passphrase."
        ) from None


def _opened(host: str, port: int) -> socket.socket:
    """Open a door; one for all networks by their numbers in IPv6 is for the others, too. Raises: OSError."""
    family = _family(host)
    is_for_both = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
    return socket.create_server((host, port), family=family, dualstack_ipv6=is_for_both)


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
