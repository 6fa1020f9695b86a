"""Pages that say what went wrong, and the way back."""

from __future__ import annotations

import logging

from flask import Flask, Response, make_response, render_template, request, url_for
from flask.globals import request_ctx
from flask_babel import gettext as _
from werkzeug.exceptions import HTTPException

from companion.desk.wording import said
from companion.errors import UNRULED, CompanionError, Full, Malformed, NotThere, TooOften
from companion.web import unruled

KNOWN: dict[int, type[CompanionError]] = {400: Malformed, 404: NotThere, 429: TooOften}
RETRY_S = 3
"""Seconds after which it is worth trying again."""

log = logging.getLogger("companion")


def init_app(app: Flask) -> None:
    """Show every error of an app as a page."""
    app.register_error_handler(CompanionError, companion_error)
    app.register_error_handler(HTTPException, http_error)


def companion_error(error: CompanionError) -> Response:
    """Show an error of our own as a page."""
    if error.status >= 500:  # noqa: PLR2004
        note(error)
    if isinstance(error, UNRULED) and (page := unruled.page(error)):
        return page
    answer = _page(error.status, _(error.title), said(error))
    if error.status == 503:  # noqa: PLR2004
        answer.headers["Retry-After"] = str(RETRY_S)
    return answer


def note(error: CompanionError) -> None:
    """Write into the server's log what is our fault; that the house is full each phone that asks again would write."""
    if isinstance(error, Full):
        return
    log.error("%s %s: %s", request.method, request.path, error.key, exc_info=error)


def http_error(error: HTTPException) -> Response:
    """Put the framework's own errors into our words, and keep their headers."""
    status = error.code or 500
    known = KNOWN.get(status)
    if known is Malformed or known is None:
        title, message = (
            (_("Something broke"), _("This is our fault. The table is as it was; please try again."))
            if status >= 500  # noqa: PLR2004
            else (_("That did not work"), _("The companion could not answer this request."))
        )
    else:
        title, message = _(known.title), _(known.message)
    answer = _page(status, title, message)
    for name, value in error.get_headers(request.environ):
        if name.lower() not in {"content-type", "content-length"}:
            answer.headers.setdefault(name, value)
    return answer


def _page(status: int, title: str, message: str) -> Response:
    if request_ctx.url_adapter is None:  # The host is no name: nothing can be addressed there.
        return Response(f"{title}. {message}", status, mimetype="text/plain")
    return make_response(
        render_template("error.html", status=status, title=title, message=message, back=url_for("lobby.lobby")), status
    )
