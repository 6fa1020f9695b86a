"""What a form sends, as the data that the schemas read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from flask import request
from marshmallow import fields
from werkzeug.datastructures import MultiDict

from companion import log
from companion.desk.keys import checked_key, fresh_key, own_key
from companion.desk.phone import phone
from companion.errors import Malformed, Told
from companion.fields import PerSeat, Several, Whole, whole
from companion.log import Post, Table, makings
from companion.tables.seating import Notes

NOTHING = "none"
"""The word for a list with nothing in it."""


def move_data(table: Table, form: MultiDict[str, str]) -> dict[str, Any]:
    """Read a move from a form; what is wrong with it the schema says."""
    kind = form.get("move", "")
    schema = log.game_of(table).moves(len(table.seatings)).get(kind)
    data: dict[str, Any] = {"move": kind}
    for name, part in schema.fields.items() if schema else ():
        value = _value(form, name, part, len(table.seatings))
        if value not in (None, ""):
            data[name] = value
    return data


def number_of(name: str, form: MultiDict[str, str] | None = None) -> int:
    """Read a whole number, of the form that was posted or another one. Raises: Malformed, naming the field."""
    value = whole((request.form if form is None else form).get(name))
    if not isinstance(value, int):
        raise Malformed(place=name, reason=Told("Not a whole number."))
    return value


def notes_of(form: Mapping[str, str]) -> Notes:
    """Read what is noted of an evening; fields that the form does not have leave what is there."""
    group = whole(form.get("group"))
    return Notes(form.get("location"), form.get("title"), group if isinstance(group, int) else None)


def key_of() -> str:
    """Read the key that makes a post of this phone count once; a form without one counts every time."""
    return own_key(checked_key("key", request.form.get("key") or fresh_key()))


def post_of_form() -> Post:
    """Read what makes this form make one thing, however often it is sent; filled in otherwise, it is another form."""
    said = f"{key_of()} {sorted(request.form.items(multi=True))}"
    return makings.post(phone(), said, b"")


def _value(form: MultiDict[str, str], name: str, part: Any, seats: int) -> Any:
    if isinstance(part, PerSeat):
        return [whole(form.get(f"{name}-{seat}", "0")) for seat in range(seats)]
    text = form.get(name)
    if isinstance(part, Several) and isinstance(part.inner, Several):
        places = range(part.inner.length or 0)
        rows = range(part.length or 0)
        return [[whole(form.get(f"{name}-{row}-{place}", "0")) for place in places] for row in rows]
    if isinstance(part, fields.List):
        words = re.findall(r"[^\s,;]+", " ".join(form.getlist(name)))
        # A list left blank was not told; one that holds nothing says so.
        return [whole(word) for word in words if word != NOTHING] if words else None
    if isinstance(part, Whole):
        return whole(text)
    # A card is chosen in two steps: the star in its name stands for the colour.
    return text.replace("*", form.get(f"{name}-colour", "")) if text else text
