"""What a form sends, as the data that the schemas read."""

from __future__ import annotations

import secrets
from typing import Any

from flask import request

from companion import log
from companion.errors import Malformed
from companion.fields import PerSeat, Whole
from companion.log import Table

_KEY_LENGTH = 64


def move_data(table: Table) -> dict[str, Any]:
    """Read a move from the form; what is wrong with it the schema says."""
    kind = request.form.get("move", "")
    schema = log.game_of(table).moves(len(table.seatings)).get(kind)
    data: dict[str, Any] = {"move": kind}
    for name, part in schema.fields.items() if schema else ():
        value = _value(name, part, len(table.seatings))
        if value not in (None, ""):
            data[name] = value
    return data


def number_of(name: str) -> int:
    """Read a whole number. Raises: Malformed, naming the field."""
    value = _whole(request.form.get(name))
    if not isinstance(value, int):
        raise Malformed(place=name, reason="Not a whole number.")
    return value


def key_of() -> str:
    """Read the key that makes a post count once; a form without one counts every time."""
    return (request.form.get("key") or secrets.token_hex(16))[:_KEY_LENGTH]


def _value(name: str, part: Any, seats: int) -> Any:
    if isinstance(part, PerSeat):
        return [_whole(request.form.get(f"{name}-{seat}", "0")) for seat in range(seats)]
    text = request.form.get(name)
    return _whole(text) if isinstance(part, Whole) else text


def _whole(text: str | None) -> int | str | None:
    """Read digits as a number, and leave anything else for the schema to refuse."""
    if text is None:
        return None
    digits = text.strip().replace("−", "-")
    is_number = digits.removeprefix("-").isascii() and digits.removeprefix("-").isdecimal()
    return int(digits) if is_number and len(digits) < 10 else text  # noqa: PLR2004
