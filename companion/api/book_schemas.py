"""What programs get from the book of evenings."""

from __future__ import annotations

from marshmallow import Schema, fields
from marshmallow.validate import Length, OneOf, Range

from companion.api.evening_schemas import FilterSchema
from companion.api.schemas import doc
from companion.kernel.figures import Per


class AskingSchema(FilterSchema):
    """Which evenings; what is left out does not matter."""

    against = fields.Str(
        data_key="with",
        validate=Length(max=200),
        load_default="",
        metadata=doc("Of `meetings`, which need the whole name of `player`: only those with this one."),
    )


class LeafingSchema(AskingSchema):
    """Which evenings, and which page of what they tell."""

    page = fields.Int(
        load_default=1, validate=Range(1, 10_000), metadata=doc("From 1: fifty players of each game, fifty meetings.")
    )


class TallySchema(Schema):
    """How a player did in a game."""

    player = fields.Str(required=True)
    plays = fields.Int(required=True)
    left = fields.Int(required=True, metadata=doc("How many of them another hand played to the end."))
    wins = fields.Int(required=True, metadata=doc("Alone or level with others; 0 where all play together."))
    places = fields.List(
        fields.Int(), required=True, metadata=doc("How often the first was reached, the second …; [] together.")
    )
    best = fields.Int(required=True)
    average = fields.Float(required=True)


class BarSchema(Schema):
    """What is counted."""

    label = fields.Str(required=True, metadata=doc("In the reader's language (`Accept-Language`)."))
    figure = fields.Str(required=True)
    each = fields.Str(required=True, metadata=doc('What it is divided by; "" for the number of plays.'))


class RowSchema(Schema):
    """The numbers of a player, or of all together."""

    player = fields.Str(required=True, allow_none=True, metadata=doc("null for all together."))
    values = fields.List(
        fields.Float(allow_none=True), required=True, metadata=doc("One for each bar; null where there is none.")
    )


class StatisticSchema(Schema):
    """A picture, as numbers."""

    title = fields.Str(required=True)
    per = fields.Str(required=True, validate=OneOf([per.value for per in Per]))
    is_share = fields.Bool(required=True, metadata=doc("Whether the values are parts of 1."))
    bars = fields.List(fields.Nested(BarSchema), required=True)
    rows = fields.List(
        fields.Nested(RowSchema), required=True, metadata=doc("All together, and the players of this page.")
    )


class PlayedSchema(Schema):
    """What the finished tables of a game tell."""

    game = fields.Str(required=True)
    plays = fields.Int(required=True)
    count = fields.Int(required=True, metadata=doc("Of the players, on all pages."))
    players = fields.List(
        fields.Nested(TallySchema), required=True, metadata=doc("A page of them: who won most first.")
    )
    statistics = fields.List(fields.Nested(StatisticSchema), required=True)


class MeetingSchema(Schema):
    """How the player asked for did against another one."""

    other = fields.Str(required=True)
    game = fields.Str(required=True)
    plays = fields.Int(required=True)
    ahead = fields.Int(required=True)
    level = fields.Int(required=True)
    behind = fields.Int(required=True)
    difference = fields.Float(required=True, metadata=doc("Points more than the other, on average."))


class StatisticsSchema(Schema):
    """What the evenings tell together."""

    games = fields.List(fields.Nested(PlayedSchema), required=True)
    count = fields.Int(required=True, metadata=doc("Of the meetings, on all pages."))
    meetings = fields.List(fields.Nested(MeetingSchema), required=True, metadata=doc("A page of them."))
