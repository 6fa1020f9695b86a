"""Who asks, and for whom: a program by its token."""

from __future__ import annotations

from flask import request

from companion.desk.asking import asker_at, own
from companion.desk.keys import checked_key, fresh_key, own_key
from companion.desk.phone import KEY, is_known, phone
from companion.errors import NoToken
from companion.log import Post, makings
from companion.tables.seating import Asker


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
    """Read the key that makes a post count once; one without it counts every time."""
    return own_key(request.headers.get(KEY) or fresh_key())


def post_of() -> Post | None:
    """Read what makes a post that asks for something new make one thing; None where it carries no key."""
    key = request.headers.get(KEY)
    return makings.post(phone(), key, request.path.encode() + b"\0" + request.get_data()) if key else None


def check_key() -> None:
    """Look at the key of any request. Raises: Malformed."""
    if (key := request.headers.get(KEY)) is not None:
        checked_key(KEY, key)
