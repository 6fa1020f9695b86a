"""What programs send and get about evenings and groups."""

from __future__ import annotations

from marshmallow import Schema, fields
from marshmallow.validate import Length, Range

from companion.api.schemas import StrictSchema, doc


class FilterSchema(StrictSchema):
    """Which evenings."""

    group = fields.Int(validate=Range(1), metadata=doc("Of a group; left out: the token's own."))
    player = fields.Str(validate=Length(max=200), metadata=doc("A part of a name, in any case."))
    game = fields.Str(metadata=doc("By its key: `rage`."))
    since = fields.Date(metadata=doc("The first day, where the companion runs."))
    until = fields.Date(metadata=doc("The last day."))


class SearchingSchema(FilterSchema):
    """Which evenings, and which page of them."""

    page = fields.Int(load_default=1, validate=Range(1, 10_000), metadata=doc("From 1, fifty evenings each."))


class PlayerSchema(Schema):
    """How somebody ended."""

    seat = fields.Int(required=True)
    name = fields.Str(required=True, metadata=doc('"" where nobody was named.'))
    rank = fields.Int(required=True, allow_none=True, metadata=doc("null while the game runs."))
    score = fields.Int(required=True, allow_none=True)
    has_won = fields.Bool(
        required=True,
        allow_none=True,
        metadata=doc("false for everybody where all have lost; null while the game runs."),
    )


class EveningSchema(Schema):
    """An evening."""

    code = fields.Str(required=True)
    game = fields.Str(required=True)
    opened = fields.Str(required=True, metadata=doc("UTC, ISO 8601."))
    closed = fields.Str(required=True, allow_none=True, metadata=doc("null while the game runs, and if broken off."))
    is_broken_off = fields.Bool(required=True, metadata=doc("Whether it was ended early: nobody has won."))
    location = fields.Str(required=True)
    title = fields.Str(required=True)
    players = fields.List(fields.Nested(PlayerSchema), required=True)


class EveningsSchema(Schema):
    """A page of evenings, the newest first."""

    count = fields.Int(required=True, metadata=doc("Of all that were found."))
    evenings = fields.List(fields.Nested(EveningSchema), required=True)


class NotesSchema(StrictSchema):
    """What is noted of an evening; what is left out stays."""

    location = fields.Str(validate=Length(max=200))
    title = fields.Str(validate=Length(max=200))
    group = fields.Int(validate=Range(0), metadata=doc("In whose book it stands; 0 for nobody's."))


class ThenSchema(Schema):
    """A moment of a play."""

    game = fields.Str(required=True)
    step = fields.Int(required=True, metadata=doc("How many moves had been made."))
    last = fields.Int(required=True, metadata=doc("How many there are to look at: so far as all is open."))
    seat = fields.Int(required=True, allow_none=True)
    events = fields.List(fields.Str(), required=True, metadata=doc("What had just happened, as sentences."))
    remarks = fields.List(fields.Str(), required=True)
    view = fields.Dict(keys=fields.Str(), required=True, metadata=doc("As in View."))


class GroupSchema(Schema):
    """A group that keeps a book together."""

    group = fields.Int(required=True, metadata=doc("Its number, by which the book is asked for."))
    name = fields.Str(required=True)
    key = fields.Str(required=True, metadata=doc("The evening key: who has it may join."))
    phones = fields.Int(required=True, metadata=doc("How many phones are in it."))


class GroupsSchema(Schema):
    """Groups."""

    groups = fields.List(fields.Nested(GroupSchema), required=True)


class FoundingSchema(StrictSchema):
    """A group to found."""

    name = fields.Str(required=True, validate=Length(1, 200))


class JoiningSchema(StrictSchema):
    """Nothing more to say: the key says it."""


class JoinedSchema(Schema):
    """A group, and the token of who is in it."""

    group = fields.Nested(GroupSchema, required=True)
    token = fields.Str(required=True)
