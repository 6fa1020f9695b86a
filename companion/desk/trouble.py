"""What goes wrong: noted for who looks after the server, and told as a page wherever no program asks."""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException

from companion import metrics
from companion.errors import Away, CompanionError, Full, NotSaved, PrinterDown

RETRY_S = 3
"""Seconds after which it is worth trying again."""

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
    """Write into the server's log what is our fault; that the house is full each phone that asks again would write."""
    count(error)
    if error.status < 500 or isinstance(error, Full):  # noqa: PLR2004
        return
    log.error("%s %s: %s", request.method, request.path, error.key, exc_info=error)


def count(error: CompanionError | HTTPException) -> None:
    """Count what is our fault; that the house is full is counted where somebody was not let in."""
    if isinstance(error, CompanionError):
        status, key = error.status, error.key
    else:
        status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
        key = HTTPStatus(status).name.lower()
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, Full):
        metrics.ERRORS.labels(key).inc()
