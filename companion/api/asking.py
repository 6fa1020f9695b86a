"""Who asks, and for whom: a program by its token."""

from __future__ import annotations

import secrets

from flask import request

from companion.errors import NoToken, NotThere, NotYours
from companion.seating import Asker
from companion.web.phone import is_known, phone
from companion.web.table import asker_at

_KEY_LENGTH, _PHONE_LENGTH = 64, 16


def known_asker(code: str) -> Asker:
    """Find who asks; who changes something says so. Raises: NoToken, NoSuchTable."""
    if not is_known():
        raise NoToken
    return asker_at(code)


def own_seat(asker: Asker, seat: int | None) -> int | None:
    """Let a program see only the seats that it acts for. Raises: NotThere, NoToken, NotYours."""
    if seat is None:
        return None
    if seat not in range(len(asker.table.seatings)):
        raise NotThere
    if not is_known():
        raise NoToken
    if seat not in asker.seats:
        raise NotYours
    return seat


def key_of() -> str:
    """Read the key that makes a post count once; it is the phone's own."""
    key = request.headers.get("Idempotency-Key") or secrets.token_hex(16)
    return f"{phone()[:_PHONE_LENGTH]}.{key}"[:_KEY_LENGTH]
