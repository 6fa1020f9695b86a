"""What stands in a file for BG Stats, as that program reads it."""

from __future__ import annotations

from marshmallow import Schema, fields

from companion.api.schemas import doc


class BgStatsMeSchema(Schema):
    """Who keeps the plays."""

    me_ref_id = fields.Int(required=True, data_key="meRefId", metadata=doc("0: nobody of the players."))


class BgStatsThingSchema(Schema):
    """Something that plays refer to by its number."""

    id = fields.Int(required=True)
    uuid = fields.Str(required=True)
    name = fields.Str(required=True)


class BgStatsPlayerSchema(BgStatsThingSchema):
    """A player."""

    is_anonymous = fields.Bool(required=True, data_key="isAnonymous")


class BgStatsGameSchema(BgStatsThingSchema):
    """A game."""

    highest_wins = fields.Bool(required=True, data_key="highestWins")
    no_points = fields.Bool(required=True, data_key="noPoints")
    bgg_id = fields.Int(data_key="bggId", metadata=doc("Its number at BoardGameGeek, where it is known."))


class BgStatsScoreSchema(Schema):
    """How a player did."""

    player_ref_id = fields.Int(required=True, data_key="playerRefId")
    seat_order = fields.Int(required=True, data_key="seatOrder", metadata=doc("From 1."))
    start_player = fields.Bool(required=True, data_key="startPlayer")
    winner = fields.Bool(required=True)
    score = fields.Str(required=True)
    rank = fields.Int(required=True)
    role = fields.Str(required=True)


class BgStatsPlaySchema(Schema):
    """A play."""

    uuid = fields.Str(required=True)
    play_date = fields.Str(required=True, data_key="playDate")
    entry_date = fields.Str(required=True, data_key="entryDate")
    duration_min = fields.Int(required=True, data_key="durationMin")
    game_ref_id = fields.Int(required=True, data_key="gameRefId")
    location_ref_id = fields.Int(data_key="locationRefId", metadata=doc("Where somebody said it."))
    board = fields.Str(required=True, metadata=doc("The options that were chosen."))
    comments = fields.Str(required=True)
    player_scores = fields.List(fields.Nested(BgStatsScoreSchema), required=True, data_key="playerScores")


class BgStatsSchema(Schema):
    """Plays, and what they refer to, each of it once."""

    about = fields.Str(required=True)
    user_info = fields.Nested(BgStatsMeSchema, required=True, data_key="userInfo")
    players = fields.List(fields.Nested(BgStatsPlayerSchema), required=True)
    locations = fields.List(fields.Nested(BgStatsThingSchema), required=True)
    games = fields.List(fields.Nested(BgStatsGameSchema), required=True)
    plays = fields.List(fields.Nested(BgStatsPlaySchema), required=True)
