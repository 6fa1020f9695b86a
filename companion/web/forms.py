"""What a form sends, as the data that the schemas read; and where it leads back to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any
from urllib.parse import parse_qs

from flask import redirect, request, url_for
from flask_babel import gettext as _
from marshmallow import fields
from werkzeug.wrappers import Response

from companion import log
from companion.desk import wording
from companion.desk.keys import checked_key, fresh_key, own_key
from companion.desk.phone import phone
from companion.errors import BadNote, Malformed, NoSuchGroup, NotThere, Told
from companion.fields import Choice, PerSeat, Several, Whole, typed, whole
from companion.log import Post, Table, makings
from companion.tables.noting import Notes
from companion.tables.seating import Asker

Form = Mapping[str, Sequence[str]]
"""What a form says, by name; once or more often."""
NOTHING = "none"
"""The word for a list with nothing in it."""


def form_of(text: str) -> Form:
    """Read a form as a browser sends it; most hold nothing but numbers and words.

    >>> form_of("move=bid&seat=0"), form_of("card=%2B5&card=")
    ({'move': ['bid'], 'seat': ['0']}, {'card': ['+5', '']})
    """
    if "%" in text or "+" in text:
        return parse_qs(text, keep_blank_values=True)
    form: dict[str, list[str]] = {}
    for pair in text.split("&"):
        name, __, value = pair.partition("=")
        if pair:
            form.setdefault(name, []).append(value)
    return form


def posted() -> Form:
    """Give the form that was posted."""
    return request.form.to_dict(flat=False)


def move_data(table: Table, form: Form) -> dict[str, Any]:
    """Read a move from a form; what is wrong with it the schema says."""
    kind, seats = _first(form, "move"), len(table.seatings)
    schema = log.game_of(table).moves(seats).get(kind)
    data: dict[str, Any] = {"move": kind}
    for name, part in schema.fields.items() if schema else ():
        value = _value(form, name, part, seats)
        if value not in (None, ""):
            data[name] = value
    return data


def number_of(name: str, form: Form | None = None) -> int:
    """Read a whole number, of the form that was posted or another one. Raises: Malformed, naming the field."""
    value = whole(request.form.get(name) if form is None else _first(form, name))
    if not isinstance(value, int):
        raise Malformed(place=name, reason=Told("Not a whole number."))
    return value


def notes_of(form: Mapping[str, str]) -> Notes:
    """Read what is noted of an evening; fields that the form does not have leave what is there."""
    group = whole(form.get("group"))
    return Notes(form.get("location"), form.get("title"), group if isinstance(group, int) else None)


def wrong_notes(error: BadNote | NotThere) -> str:
    """Say what is wrong with what is noted of an evening; a group can have been left since it was offered."""
    return wording.said(error) if isinstance(error, BadNote) else _(NoSuchGroup.title)


def said_key() -> str:
    """Read the key that makes a form count once; one without it counts every time. Raises: Malformed."""
    return checked_key("key", request.form.get("key") or fresh_key())


def key_of() -> str:
    """Read the key that makes a post of this phone count once. Raises: Malformed."""
    return own_key(said_key())


def post_of_form() -> Post:
    """Read what makes this form make one thing, however often it is sent; filled in otherwise, it is another form.

    The values of one name stay in their order: the same names at other seats are another table.
    """
    said = f"{key_of()} {sorted(request.form.items(multi=True), key=itemgetter(0))}"
    return makings.post(phone(), said, b"")


def _value(form: Form, name: str, part: Any, seats: int) -> Any:
    if isinstance(part, Whole):
        return whole(_first(form, name))
    if isinstance(part, Choice) and not part.is_text:
        return typed(part, _first(form, name))
    if isinstance(part, PerSeat):
        return [whole(_first(form, f"{name}-{seat}", "0")) for seat in range(seats)]
    if isinstance(part, Several) and isinstance(part.inner, Several):
        places = range(part.inner.length or 0)
        rows = range(part.length or 0)
        return [[whole(_first(form, f"{name}-{row}-{place}", "0")) for place in places] for row in rows]
    if isinstance(part, fields.List):
        words = re.findall(r"[^\s,;]+", " ".join(form.get(name, ())))
        # A list left blank was not told; one that holds nothing says so.
        return [whole(word) for word in words if word != NOTHING] if words else None
    # A card is chosen in two steps: the star in its name stands for the colour.
    return _first(form, name).replace("*", _first(form, f"{name}-colour"))


def _first(form: Form, name: str, otherwise: str = "") -> str:
    """Read what a form says first under a name."""
    said = form.get(name)
    return said[0] if said else otherwise


def back(asker: Asker, seat: int | None) -> Response:
    """Lead back to the page of a seat of one's own; who has none there by now to the page of the seats."""
    code = asker.table.code
    if seat not in asker.seats:
        return redirect(url_for("seats.seats", code=code), 303)
    return redirect(url_for("table.seat", code=code, seat=seat), 303)
