"""Pages that say what went wrong, and the way back."""

from __future__ import annotations

from flask import Flask, Response, make_response, request
from flask.globals import request_ctx
from flask_babel import gettext as _
from werkzeug.exceptions import HTTPException

from companion.desk import trouble
from companion.desk.context import Context
from companion.desk.wording import said
from companion.errors import CompanionError, Malformed, NoSuchTable, NotThere, TooOften
from companion.log import Stumbled
from companion.log.unruled import UNRULED
from companion.web import unruled

KNOWN: dict[int, type[CompanionError]] = {400: Malformed, 404: NotThere, 429: TooOften}


class TroublePage(Context, template="error.html"):
    """Something is not as it should be."""

    status: int
    title: str
    message: str
    table: str
    """The code of the table that it is about; "" for none."""


def init_app(app: Flask) -> None:
    """Show every error of an app as a page."""
    trouble.init_app(app, page=error_page)


def error_page(error: CompanionError | HTTPException) -> Response:
    """Show an error as a page."""
    return companion_error(error) if isinstance(error, CompanionError) else http_error(error)


def companion_error(error: CompanionError) -> Response:
    """Show an error of our own as a page."""
    trouble.note(error)
    if isinstance(error, UNRULED) and (page := unruled.page(error)):
        return page
    table = "" if isinstance(error, NoSuchTable) else _table()
    answer = _page(error.status, _(error.title), said(error), table)
    if wait_s := trouble.wait_s(error):
        answer.headers["Retry-After"] = str(wait_s)
    return answer


def http_error(error: HTTPException) -> Response:
    """Put the framework's own errors into our words, and keep their headers."""
    trouble.note_http(error)
    status = error.code or 500
    known = Stumbled if status >= 500 else KNOWN.get(status)  # noqa: PLR2004
    if known is Malformed or known is None:
        title, message = _("That did not work"), _("The companion could not answer this request.")
    else:
        title, message = _(known.title), _(known.message)
    # Who has tried too many codes need not have found any table.
    answer = _page(status, title, message, "" if known is TooOften else _table())
    for name, value in error.get_headers(request.environ):
        if name.lower() not in {"content-type", "content-length"}:
            answer.headers.setdefault(name, value)
    return answer


def _table() -> str:
    """Name the table whose address was asked for."""
    return str((request.view_args or {}).get("code", ""))


def _page(status: int, title: str, message: str, table: str) -> Response:
    if request_ctx.url_adapter is None:  # The host is no name: nothing can be addressed there.
        return Response(f"{title}. {message}", status, mimetype="text/plain")
    page = TroublePage(status=status, title=title, message=message, table=table)
    return make_response(page.html(), status)
