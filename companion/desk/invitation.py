"""The invitation that a QR code brings beside the table's code: it opens the door, however many wrong codes others try.

It comes in the address, where the code goes on by it, and is moved into a cookie for that table alone before the
address is shown, noted or passed on. Whoever sits down by it has a seat, and needs it no more. What is no invitation of
that table is nothing: the code before it counts as one that was typed.
"""

from __future__ import annotations

import re
import secrets
from typing import Any

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from companion.desk.phone import cookie_name, forget, remember
from companion.log import Table
from companion.log.codes import invited_to

COOKIE = "invited"
AN_EVENING_S = 12 * 3600
_BROUGHT = "companion.invitation"
"""Where it is in what a request is made of."""
_ADDRESS = re.compile(r"/(?:t|T|api/tables)/([^/]{1,64})(?=/|$)")


def take_out(environ: dict[str, Any]) -> None:
    """Shorten the address that a request is for by the invitation."""
    path = environ.get("PATH_INFO", "")
    found = _ADDRESS.match(path)
    code, invitation = invited_to(found[1]) if found else ("", "")
    if found and invitation:
        environ["PATH_INFO"] = path[: found.start(1)] + code + path[found.end(1) :]
        environ[_BROUGHT] = invitation


def is_brought() -> bool:
    """Whether the address had an invitation in it."""
    return _BROUGHT in request.environ


def has_any() -> bool:
    """Whether whoever asks has an invitation, be it to this table or not."""
    return bool(_said())


def is_invited(table: Table) -> bool:
    """Say whether whoever asks was invited to a table."""
    return secrets.compare_digest(_said().encode(errors="replace"), table.invitation.encode()) and has_any()


def led_in(table: Table) -> Response:
    """Lead to the table's door itself, so that the invitation stays in no address.

    The phone keeps it until somebody sits down, or the evening is over.
    """
    answer = redirect(url_for("table.door", code=table.code))
    answer.headers["Referrer-Policy"] = "no-referrer"
    if is_invited(table):
        remember(answer, COOKIE, table.invitation, path=_path(table), life_s=AN_EVENING_S)
    return answer


def spend(answer: Response, table: Table) -> None:
    """Take it from a phone that has a seat now."""
    if _cookie() in request.cookies:
        forget(answer, COOKIE, _path(table))


def _said() -> str:
    return str(request.environ.get(_BROUGHT) or request.cookies.get(_cookie(), ""))


def _cookie() -> str:
    return cookie_name(COOKIE, "/t")


def _path(table: Table) -> str:
    return url_for("table.door", code=table.code)
