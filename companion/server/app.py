"""What a worker begins with: the app, and its database in order.

All of it is loaded in the worker, and nowhere else: the first page waits for it, and must not wait twice.
"""

from __future__ import annotations

import gc
import time
from contextlib import suppress
from functools import partial
from mmap import mmap
from threading import Thread
from typing import TYPE_CHECKING, Any

from companion import machine
from companion.errors import NotSaved, StartError
from companion.server.presence import Presence
from companion.settings import Settings, from_environment

if TYPE_CHECKING:
    from flask import Flask

    from companion.server.tls_proxy import Front
GIVE_BACK_S = 60.0
"""So often what is free of the memory is given back; it takes a few milliseconds."""
in_order = mmap(-1, 1)
"""One byte that all workers of a server share: whether the database was found in order. Who replaces another one later
does not ask again: the database may be away for a moment, and then the server must not end."""
clock = mmap(-1, 16)
"""What all workers of a server know of the time: a table's glass runs on evenly whichever of them it is asked at, and
where one of them replaces another."""


def app() -> Flask:
    """Make the app of a worker; gunicorn calls this.

    Raises:
        AppImportError: why the server cannot start, in words.
    """
    from gunicorn.errors import AppImportError  # noqa: PLC0415 (whoever calls has it)

    try:
        made = load()
    except (StartError, OSError) as error:
        raise AppImportError(f"Error: {error}") from None
    _answer_for_garbled_bodies(made)
    return made


def load() -> Flask:
    """Make the app, with its database in order. Raises: StartError, OSError."""
    machine.take_memory_together()
    gc.disable()  # until `settle`: nothing that is being loaded is garbage
    from companion import create_app  # noqa: PLC0415

    made = create_app(from_environment())
    _go_by_one_clock()
    with made.app_context():
        _bring_in_order()
    return made


def _answer_for_garbled_bodies(app: Flask) -> None:
    """Tell who sends a body in chunks that are none, or ends in the middle of it, that this is no fault of ours."""
    from gunicorn.http import errors  # noqa: PLC0415
    from werkzeug.exceptions import BadRequest  # noqa: PLC0415

    def told(_error: Exception) -> Any:
        return app.handle_http_exception(BadRequest())

    for kind in vars(errors).values():
        if isinstance(kind, type) and issubclass(kind, Exception):
            app.register_error_handler(kind, told)


def ready(worker: Any) -> None:
    """Begin to serve, among the other workers and at the secure door, too; the first worker says where."""
    from companion import metrics  # noqa: PLC0415
    from companion.server.incoming import AT_ONCE_A_HOME  # noqa: PLC0415 (who starts them needs no gunicorn)

    lines = worker.wsgi.extensions["companion.lines"]
    if worker.cfg.workers > 1:
        lines.is_kept = metrics.is_kept = worker.is_kept
    settings: Settings = worker.wsgi.config["COMPANION"]
    worker.uploads.a_home = None if settings.proxies else AT_ONCE_A_HOME * settings.homes or None
    worker.guests = settings.origins
    worker.join(lines.part)
    is_first, front = worker.age == 1, _open(worker) if worker.secure_door else None
    worker.presence = Presence(worker.wsgi, front, is_first=is_first, is_speaker=is_first or worker.cfg.workers == 1)
    begin(worker.wsgi, worker.presence, is_first=is_first)
    settle()


def begin(app: Flask, presence: Presence, *, is_first: bool) -> None:
    """Say where the companion is, and begin what goes on beside the pages; what is done once, the first worker does."""
    presence.begin()
    for teller in app.extensions["companion.tellers"]:
        teller.start()
    Thread(target=_stay_slim, daemon=True, name="memory").start()
    app.extensions["companion.bell"].watch()
    if is_first:
        Thread(target=_count, args=(app,), daemon=True, name="count").start()
        if app.config["COMPANION"].demo:
            app.extensions["companion.demonstration"].begin()


def settle() -> None:
    """Begin to look for garbage again, in small portions."""
    # What is loaded stays, and what a move leaves behind mostly goes by itself: to look through all of it for garbage
    # as often as Python does of its own costs a fifth of the time, and now and then a tenth of a second. What is young
    # is looked through in small portions: with larger ones one tap in a hundred waits for twice as long.
    gc.freeze()
    gc.set_threshold(10_000, 1_000, 100)
    gc.enable()


def _stay_slim() -> None:
    """Keep no more memory than is needed: where little is played, young garbage would lie for minutes."""
    while True:
        time.sleep(GIVE_BACK_S)
        gc.collect(0)
        machine.give_back_memory()


def _open(worker: Any) -> Front:
    """Let phones in by the secure door. Raises: OSError, ssl.SSLError."""
    from companion.server.tls_proxy import Front  # noqa: PLC0415 (most have no such door)

    settings: Settings = worker.wsgi.config["COMPANION"]
    let_in, wait_for = (partial(worker.method_queue.defer, what) for what in (worker.let_in, worker.wait_for))
    front = Front(settings.certificate, settings.key, worker.secure_door, let_in, wait_for)

    def gone() -> None:
        worker.wait_for(1)  # until the front has told who is on the way in, the door itself
        front.close()

    worker.gone = gone
    front.start()
    return front


def _bring_in_order() -> None:
    """Migrate the database if it is due, and look whether it keeps what it confirms. Raises: StartError."""
    from companion import log  # noqa: PLC0415

    if not in_order[0]:
        log.migrate()
        log.check()
        in_order[0] = 1


def _go_by_one_clock() -> None:
    from companion import log  # noqa: PLC0415

    log.CLOCK.share(clock)


def _count(app: Flask) -> None:
    """Forget old tables of phantoms, and count what an older release did not count; nobody waits for it.

    What cannot be saved now waits itself.
    """
    from companion import log  # noqa: PLC0415

    with app.app_context(), suppress(NotSaved):
        log.forget_phantoms()
        log.count_all()
