"""What programs get from the book of evenings."""

from __future__ import annotations

from marshmallow import Schema, fields
from marshmallow.validate import Length, OneOf

from companion.api.evening_schemas import Filter
from companion.api.schemas import said
from companion.figures import Per


class Asking(Filter):
    """Which evenings; what is left out does not matter."""

    against = fields.Str(
        data_key="with",
        validate=Length(max=200),
        load_default="",
        metadata=said("Of `meetings`, which need the whole name of `player`: only those with this one."),
    )


class Tally(Schema):
    """How a player did in a game."""

    player = fields.Str(required=True)
    plays = fields.Int(required=True)
    wins = fields.Int(required=True, metadata=said("Alone or level with others; 0 where all play together."))
    places = fields.List(
        fields.Int(), required=True, metadata=said("How often the first was reached, the second …; [] together.")
    )
    best = fields.Int(required=True)
    average = fields.Float(required=True)


class Bar(Schema):
    """What is counted."""

    label = fields.Str(required=True, metadata=said("In the reader's language (`Accept-Language`)."))
    figure = fields.Str(required=True)
    each = fields.Str(required=True, metadata=said('What it is divided by; "" for the number of plays.'))


class Row(Schema):
    """The numbers of a player, or of all together."""

    player = fields.Str(required=True, allow_none=True, metadata=said("null for all together."))
    values = fields.List(
        fields.Float(allow_none=True), required=True, metadata=said("One for each bar; null where there is none.")
    )


class Statistic(Schema):
    """A picture, as numbers."""

    title = fields.Str(required=True)
    per = fields.Str(required=True, validate=OneOf([per.value for per in Per]))
    is_share = fields.Bool(required=True, metadata=said("Whether the values are parts of 1."))
    bars = fields.List(fields.Nested(Bar), required=True)
    rows = fields.List(fields.Nested(Row), required=True)


class Played(Schema):
    """What the finished tables of a game tell."""

    game = fields.Str(required=True)
    plays = fields.Int(required=True)
    players = fields.List(fields.Nested(Tally), required=True)
    statistics = fields.List(fields.Nested(Statistic), required=True)


class Meeting(Schema):
    """How the player asked for did against another one."""

    other = fields.Str(required=True)
    game = fields.Str(required=True)
    plays = fields.Int(required=True)
    ahead = fields.Int(required=True)
    level = fields.Int(required=True)
    behind = fields.Int(required=True)
    difference = fields.Float(required=True, metadata=said("Points more than the other, on average."))


class Statistics(Schema):
    """What the evenings tell together."""

    games = fields.List(fields.Nested(Played), required=True)
    meetings = fields.List(fields.Nested(Meeting), required=True)
