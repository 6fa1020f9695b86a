"""What programs send and get of a table: who sits there, who is its host, whether it goes on."""

from __future__ import annotations

from marshmallow import Schema, fields
from marshmallow.validate import Length, OneOf, Range

from companion.api.schemas import MOST_SEATS, StrictSchema, Truth, doc
from companion.games import GAMES


class SeatSchema(Schema):
    """A place at the table."""

    seat = fields.Int(required=True, metadata=doc("From 0, clockwise."))
    name = fields.Str(required=True, metadata=doc('"" until somebody is named.'))
    is_taken = fields.Bool(required=True, metadata=doc("Whether a phone has it."))
    is_yours = fields.Bool(required=True)
    has_left = fields.Bool(required=True, metadata=doc("Whether who sat there had to go, and is played on."))
    hand = fields.Int(
        required=True, allow_none=True, metadata=doc("The seat by whose hand it is played on; null: the host’s.")
    )


class VoteSchema(Schema):
    """Whom a seat wants for the host."""

    seat = fields.Int(required=True)
    wants = fields.Int(required=True, metadata=doc("A seat; perhaps its own."))


class SilenceSchema(Schema):
    """A host who has not been heard for two minutes or more."""

    seconds = fields.Int(required=True)
    asked = fields.List(
        fields.Int(), required=True, metadata=doc("The seats that were heard lately, all of which have to agree.")
    )
    votes = fields.List(fields.Nested(VoteSchema), required=True)


class TableSchema(Schema):
    """A table."""

    code = fields.Str(required=True)
    game = fields.Str(required=True)
    rules = fields.Int(required=True, metadata=doc("The version of the game's rules by which it is played."))
    options = fields.Dict(keys=fields.Str(), required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    number = fields.Int(required=True, metadata=doc("Of the newest entry of the log."))
    is_locked = fields.Bool(required=True)
    is_taught = fields.Bool(required=True, metadata=doc("Whether the pages explain the first round."))
    is_finished = fields.Bool(required=True)
    halt = fields.Str(
        required=True,
        validate=OneOf(["", "paused", "broken_off"]),
        metadata=doc('Why nothing can be played; "" where it can.'),
    )
    is_host = fields.Bool(required=True, metadata=doc("Whether the token is the host’s."))
    was_host = fields.Bool(required=True, metadata=doc("Whether others took the table on from the token."))
    silence = fields.Nested(
        SilenceSchema, required=True, allow_none=True, metadata=doc("null while the host is heard, and to the host.")
    )
    opened = fields.Str(required=True, metadata=doc("UTC, ISO 8601."))
    join = fields.Str(
        required=True,
        metadata=doc("The address for a QR code; nobody guesses it while a seat can be taken."),
    )
    next = fields.Str(required=True, allow_none=True, metadata=doc("The code of the table where people went on."))


class AdmittedSchema(Schema):
    """A table, and the token of who is there."""

    table = fields.Nested(TableSchema, required=True)
    token = fields.Str(required=True, metadata=doc("To send along as `Authorization: Bearer …`; nobody else has it."))


class OpeningSchema(StrictSchema):
    """A table to open."""

    game = fields.Str(required=True, validate=OneOf(list(GAMES)))
    players = fields.List(
        fields.Str(validate=Length(max=200)),
        required=True,
        validate=Length(1, MOST_SEATS),
        metadata=doc('A name per seat, clockwise; "" for whoever sits down there.'),
    )
    options = fields.Dict(keys=fields.Str(), load_default=dict, metadata=doc("As `GET /api/games` names them."))
    is_taught = Truth(load_default=False, metadata=doc("Whether the pages explain the first round as it is played."))


class PracticeSchema(StrictSchema):
    """Who tries a game alone."""

    name = fields.Str(load_default="", validate=Length(max=200), metadata=doc('"" for one that phantoms would have.'))


class TaughtSchema(StrictSchema):
    """Whether the first round is explained."""

    is_taught = Truth(required=True)


class NameSchema(StrictSchema):
    """A name."""

    name = fields.Str(required=True, validate=Length(max=200))


class SittingSchema(StrictSchema):
    """Who sits down."""

    name = fields.Str(load_default="", validate=Length(max=200), metadata=doc("Where the seat has none yet."))


class LockSchema(StrictSchema):
    """Whether anybody can still sit down."""

    is_locked = Truth(required=True)


class HostSchema(StrictSchema):
    """Whose phone is to be the host."""

    seat = fields.Int(required=True, strict=True, validate=Range(0), metadata=doc("A seat that a phone has."))


class HandSchema(StrictSchema):
    """By whose hand a seat is played on."""

    hand = fields.Int(
        required=True,
        strict=True,
        allow_none=True,
        validate=Range(0),
        metadata=doc("A seat that a phone has; null: the host’s."),
    )


class HaltSchema(StrictSchema):
    """Whether a table stands still."""

    halt = fields.Str(
        required=True,
        validate=OneOf(["", "paused", "broken_off"]),
        metadata=doc('"" to go on; a game that was broken off goes on by its host.'),
    )


class NothingSchema(StrictSchema):
    """Nothing: what is asked says it all."""
