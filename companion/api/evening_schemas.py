"""What programs send and get about evenings and groups."""

from __future__ import annotations

from marshmallow import Schema, fields
from marshmallow.validate import Length, Range

from companion.api.schemas import Strict, said


class Filter(Strict):
    """Which evenings."""

    group = fields.Int(validate=Range(1), metadata=said("Of a group; left out: the token's own."))
    player = fields.Str(validate=Length(max=200), metadata=said("A part of a name, in any case."))
    game = fields.Str()
    since = fields.Date(metadata=said("The first day, where the companion runs."))
    until = fields.Date(metadata=said("The last day."))


class Searching(Filter):
    """Which evenings, and which page of them."""

    page = fields.Int(load_default=1, validate=Range(1, 10_000))


class Player(Schema):
    """How somebody ended."""

    seat = fields.Int(required=True)
    name = fields.Str(required=True, metadata=said('"" where nobody was named.'))
    rank = fields.Int(required=True, allow_none=True, metadata=said("null while the game runs."))
    score = fields.Int(required=True, allow_none=True)
    has_won = fields.Bool(
        required=True,
        allow_none=True,
        metadata=said("false for everybody where all have lost; null while the game runs."),
    )


class Evening(Schema):
    """An evening."""

    code = fields.Str(required=True)
    game = fields.Str(required=True)
    opened = fields.Str(required=True, metadata=said("UTC, ISO 8601."))
    closed = fields.Str(required=True, allow_none=True, metadata=said("null while the game runs."))
    location = fields.Str(required=True)
    title = fields.Str(required=True)
    players = fields.List(fields.Nested(Player), required=True)


class Evenings(Schema):
    """A page of evenings, the newest first."""

    count = fields.Int(required=True, metadata=said("Of all that were found."))
    evenings = fields.List(fields.Nested(Evening), required=True)


class Notes(Strict):
    """What is noted of an evening; what is left out stays."""

    location = fields.Str(validate=Length(max=200))
    title = fields.Str(validate=Length(max=200))
    group = fields.Int(validate=Range(0), metadata=said("In whose book it stands; 0 for nobody's."))


class Then(Schema):
    """A moment of a play."""

    step = fields.Int(required=True, metadata=said("How many moves had been made."))
    last = fields.Int(required=True, metadata=said("How many there are to look at: so far as all is open."))
    seat = fields.Int(required=True, allow_none=True)
    events = fields.List(fields.Str(), required=True, metadata=said("What had just happened, as sentences."))
    remarks = fields.List(fields.Str(), required=True)
    view = fields.Dict(keys=fields.Str(), required=True, metadata=said("As in View."))


class Group(Schema):
    """A group that keeps a book together."""

    group = fields.Int(required=True, metadata=said("Its number, by which the book is asked for."))
    name = fields.Str(required=True)
    key = fields.Str(required=True, metadata=said("The evening key: who has it may join."))
    phones = fields.Int(required=True, metadata=said("How many phones are in it."))


class Groups(Schema):
    """Groups."""

    groups = fields.List(fields.Nested(Group), required=True)


class Founding(Strict):
    """A group to found."""

    name = fields.Str(required=True, validate=Length(1, 200))


class Joining(Strict):
    """Nothing more to say: the key says it."""


class Joined(Schema):
    """A group, and the token of who is in it."""

    group = fields.Nested(Group, required=True)
    token = fields.Str(required=True)
