"""Forms for any game, made from its schemas and from what is legal: for games without pages of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypedDict

from flask_babel import gettext as _
from marshmallow import fields

from companion.fields import PerSeat, SeatNumber, Several, Switch, Whole
from companion.game import N_, AnyGame, Seat
from companion.play import Play
from companion.record import write_move
from companion.words import Voice

_MOST = 500
"""So many open moves are looked through for what a field could hold."""


class MoveField(TypedDict):
    """A field of a move, for a form."""

    name: str
    label: str
    kind: str
    """`seat`, `list` (a number a seat), `table` (a row a seat), `numbers`, `number` or `card`."""
    is_required: bool
    choices: list[tuple[Any, str]]
    """What it could hold, as data and in words; [] where anything may be typed."""
    width: int | None
    """The columns of a table."""


class MoveForm(TypedDict):
    """A kind of move that is open, as a form."""

    move: str
    seat: int | None
    """None for what belongs to the table itself."""
    label: str
    fields: list[MoveField]


def forms(play: Play[Any], speak: Voice, seats: Sequence[int]) -> list[MoveForm]:
    """Describe a form for each kind of move that is open to these seats, or to the table itself."""
    return [
        {
            "move": write_move(play.game, play.seats, legal[0])["move"],
            "seat": seat,
            "label": speak.headline(legal[0]),
            "fields": [
                field
                for field in _fields(play.game, play.seats, _kind(play, legal[0]), speak, legal)
                if field["name"] not in {"seat", "at"}
            ],
        }
        for seat in ([*seats, None] if seats else [])
        for legal in _legal(play.game, play.position, seat).values()
    ]


def _kind(play: Play[Any], move: Any) -> str:
    return str(write_move(play.game, play.seats, move)["move"])


def _legal(game: AnyGame, position: Any, seat: int | None) -> dict[type[Any], list[Any]]:
    """Group the moves that are open to a seat by their kind."""
    kinds: dict[type[Any], list[Any]] = {}
    for move in islice(game.legal(position, seat), _MOST):
        kinds.setdefault(type(move), []).append(move)
    return kinds


def _fields(game: AnyGame, seats: int, kind: str, speak: Voice, legal: Sequence[Any]) -> Iterator[MoveField]:
    for name, part in game.moves(seats)[kind].fields.items():
        is_list = isinstance(part, fields.List)
        yield {
            "name": name,
            "label": _({"seat": N_("Seat"), **game.words.fields}.get(name, name)),
            "kind": _kind_of(name, part),
            "is_required": part.required,
            "choices": [] if is_list else _choices(game, seats, speak, legal, name),
            "width": part.inner.length if isinstance(part, Several) and isinstance(part.inner, Several) else None,
        }


def _kind_of(name: str, part: Any) -> str:
    if isinstance(part, SeatNumber) and name == "seat":
        return "seat"
    if isinstance(part, PerSeat):
        return "list"
    if isinstance(part, Several) and isinstance(part.inner, Several):
        return "table"
    return "numbers" if isinstance(part, fields.List) else "number" if isinstance(part, Whole) else "card"


def _choices(game: AnyGame, seats: int, speak: Voice, legal: Sequence[Any], name: str) -> list[tuple[Any, str]]:
    """List what a field could hold, as a form sends it and in words."""
    part = game.moves(seats)[str(write_move(game, seats, legal[0])["move"])].fields[name]
    choices = {write_move(game, seats, move).get(name): getattr(move, part.attribute or name) for move in legal}
    return [_choice(speak, part, data, value) for data, value in choices.items() if data is not None]


def _choice(speak: Voice, part: fields.Field[Any], data: Any, value: Any) -> tuple[Any, str]:
    """Give a value as a form sends it and in words: a seat by its player's name, what is true or not as a switch."""
    sent = str(data).lower() if isinstance(data, bool) else data
    if isinstance(part, SeatNumber):
        return sent, speak.say(Seat(value))
    return sent, (_("on") if value else _("off")) if isinstance(part, Switch) else speak.say(value)
