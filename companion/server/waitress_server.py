"""The server where gunicorn does not run, as on Windows: one process, and waitress's threads.

It is for one home: each phone that listens holds a thread, and there is no secure door. A socket is refused, as under
any server that cannot give a connection away; phones and programs listen to the stream instead.
"""

from __future__ import annotations

import logging
import os
from functools import partial

from companion import machine
from companion.errors import StartError
from companion.intake import ROOM
from companion.server import app
from companion.server.presence import Presence

STREAMS = 200
"""Phones that may listen at once, whatever is wished for: a thread each."""
THREADS = 32
"""For taps and pages, beside these."""
CONNECTIONS = 450
"""On Windows `select` looks at 512 at most."""
LEAVE_S = 1
"""So long answers are waited for that have begun, when somebody stops it."""


def check_without_gunicorn(workers: int, is_secure: bool, is_reloading: bool) -> None:
    """Make sure that nothing is wished for that only gunicorn has, where that does not run. Raises: StartError."""
    if machine.HAS_UNIX:
        return
    wished = {"--workers": workers > 1, "--https": is_secure, "--reload": is_reloading}
    for option, is_wished in wished.items():
        if is_wished:
            raise StartError(f"{option} needs Linux or macOS; everything else is here.")


def serve_by_waitress(host: str, port: int, streams: int) -> None:
    """Serve until somebody stops it. Raises: StartError, OSError."""
    import waitress  # noqa: PLC0415 (who serves otherwise does not have it)

    listening = min(streams, STREAMS)
    os.environ["COMPANION_STREAMS"] = str(listening)
    made = app.load()
    server = waitress.create_server(
        made,
        host=host,
        port=port,
        threads=listening + THREADS,
        connection_limit=CONNECTIONS,
        asyncore_use_poll=True,
        max_request_body_size=max(ROOM.values()),
        # The app itself knows how many proxies to believe.
        clear_untrusted_proxy_headers=False,
        ident=None,
    )
    presence = Presence(made, None, is_first=True, is_speaker=True)
    app.begin(made, presence, is_first=True)
    app.settle()
    # Who listens is in the middle of an answer without an end: nobody waits for that.
    server.task_dispatcher.shutdown = partial(server.task_dispatcher.shutdown, timeout=LEAVE_S)
    logging.getLogger("waitress").setLevel(logging.ERROR)
    try:
        server.run()
    finally:
        presence.end()
