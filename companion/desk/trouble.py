"""What goes wrong: noted for who looks after the server, and told as a page wherever no program asks."""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException

from companion import metrics
from companion.errors import Away, CompanionError, Full, Malformed, NotSaved, PrinterDown, TooOften
from companion.intake import home

RETRY_S = 3
"""Seconds after which it is worth trying again."""

TURNED_AWAY = frozenset({400, 401, 403, 404, 405, 411, 413, 415, TooOften.status})
"""What is answered so may be somebody's trial of what is not theirs; that the table has moved on, or the rules say no,
is none."""
OF_A_PHONE = 8
"""So much of a phone's hash tells it from the others in the server's log; nobody can be it by that."""
KINDS = (*(kind.key for kind in (Away, NotSaved, PrinterDown)), "internal_server_error")
"""What can be our fault, as it is counted."""

Tell = Callable[[CompanionError | HTTPException], Response]
"""Tells an error of ours, or of the framework, as an answer."""

log = logging.getLogger("companion")


def init_app(app: Flask, page: Tell) -> None:
    """Tell every error of an app as a page, until somebody else takes those of programs."""
    for kind in KINDS:  # from 0 on, as the quotas are
        metrics.ERRORS.labels(kind)
    app.extensions["companion.trouble"] = page
    app.register_error_handler(CompanionError, page_of)
    app.register_error_handler(HTTPException, page_of)


def page_of(error: CompanionError | HTTPException) -> Response:
    """Tell an error as a page."""
    tell: Tell = current_app.extensions["companion.trouble"]
    return tell(error)


def wait_s(error: CompanionError) -> int | None:
    """Say after how many seconds it is worth trying again; None where that changes nothing."""
    return RETRY_S if error.status == 503 else error.retry_s  # noqa: PLR2004


def note(error: CompanionError) -> None:
    """Write into the server's log, and count, what is our fault; and write who was turned away."""
    if _is_ours(error):
        count(error)
        log.error("%s %s: %s", request.method, request.path, error.key, exc_info=error)
    _note_away(error.key, error.status)


def count(error: CompanionError) -> None:
    """Count what is our fault."""
    if _is_ours(error):
        metrics.ERRORS.labels(error.key).inc()


def _is_ours(error: CompanionError) -> bool:
    """Tell our faults; that the house is full is told where somebody is not let in, not by each who asks again."""
    return error.status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, Full)


def note_http(error: HTTPException) -> None:
    """Count what the framework could not do, and write into the server's log whom it turned away."""
    status = HTTPStatus(Malformed.status if error.code == 422 else error.code or 500)  # noqa: PLR2004 (a schema's complaint)
    why = status.name.lower()
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        metrics.ERRORS.labels(why).inc()
    _note_away(why, status)


def _note_away(why: str, status: int) -> None:
    if status in TURNED_AWAY:
        # Nobody is looked up for it: the database may be what has gone wrong.
        metrics.turned_away(why, status, home(request.remote_addr or ""), str(g.get("phone", ""))[:OF_A_PHONE])
