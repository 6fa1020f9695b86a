"""Who asks, and for whom: a program by its token."""

from __future__ import annotations

from flask import request

from companion.errors import NoToken
from companion.seating import Asker
from companion.web.forms import own_key
from companion.web.phone import is_known
from companion.web.table import asker_at, own


def known_asker(code: str) -> Asker:
    """Find who asks; who changes something says so. Raises: NoToken, NoSuchTable."""
    if not is_known():
        raise NoToken
    return asker_at(code)


def own_seat(asker: Asker, seat: int | None) -> int | None:
    """Let a program see only the seats that it acts for. Raises: NotThere, NoToken, NotYours."""
    if seat is None:
        return None
    if not is_known():
        raise NoToken
    return own(asker, seat)


def key_of() -> str:
    """Read the key that makes a post count once."""
    return own_key(request.headers.get("Idempotency-Key"))
