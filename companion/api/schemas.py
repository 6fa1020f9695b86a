"""What programs send and get: shapes, in words that the description repeats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import INCLUDE, RAISE, Schema, fields
from marshmallow.validate import Length, OneOf, Range

from companion.desk.keys import KEY_LENGTH
from companion.games import GAMES
from companion.intake import MOST_DIGITS
from companion.printing import ITEMS, PAPERS
from companion.printing.items import FORMS
from companion.words import LANGUAGES

MOST_SEATS = max(game.players[-1] for game in GAMES.values())
BEYOND = 10**MOST_DIGITS
"""No number that is read is as great."""
MOST_CHANGES = 100
"""So many entries are amended at once."""
NUMBER = Range(0, BEYOND - 1)
"""What any number of an entry is within."""


def doc(text: str, **more: Any) -> dict[str, Any]:
    """Describe a field."""
    return {"description": text, **more}


class StrictSchema(Schema):
    """Nothing that is not named."""

    class Meta:
        """What is not named is an error."""

        unknown = RAISE


class Truth(fields.Bool):
    """True or false, and not 1 or "yes"."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class ProblemSchema(Schema):
    """Problem details (RFC 9457)."""

    type = fields.Str(required=True, metadata=doc("Stable for each kind of problem; an address that explains it."))
    title = fields.Str(required=True)
    status = fields.Int(required=True)
    detail = fields.Str(required=True, metadata=doc("In the reader's language (`Accept-Language`)."))
    rule = fields.Str(metadata=doc("The rule that refuses a move: `rage.bid_range`."))
    later = fields.Int(metadata=doc("The entry that would no longer hold."))


class RecordSchema(Schema):
    """A table record."""

    class Meta:
        """What is not named is the game's."""

        unknown = INCLUDE

    format = fields.Str(required=True, validate=OneOf(["companion-record"]))
    version = fields.Int(required=True, strict=True, validate=Range(1))
    game = fields.Str(required=True, validate=OneOf(list(GAMES)))
    rules = fields.Int(
        strict=True, validate=Range(1), metadata=doc("The version of the game's rules; today's if absent.")
    )
    players = fields.List(fields.Str(), required=True)
    options = fields.Dict(keys=fields.Str())
    moves = fields.List(fields.Dict(keys=fields.Str()), required=True)
    opened = fields.Raw(allow_none=True, metadata=doc("UTC, ISO 8601.", type=["string"]))
    closed = fields.Raw(allow_none=True, metadata=doc("Absent while the game runs.", type=["string"]))
    location = fields.Raw(allow_none=True, metadata=doc("Where it was played.", type=["string"]))
    title = fields.Raw(allow_none=True, metadata=doc("Of the evening.", type=["string"]))


class MoveSchema(Schema):
    """A move: its kind, its fields as the game's schemas have them, and `after`."""

    class Meta:
        """What is not named is the game's."""

        unknown = INCLUDE

    move = fields.Str(required=True, metadata=doc("The kind: `bid`."))
    after = fields.Int(strict=True, validate=NUMBER, metadata=doc("The number that the program had seen."))


class ChangeSchema(StrictSchema):
    """What a later entry is, once an earlier one is amended."""

    number = fields.Int(required=True, strict=True, validate=NUMBER)
    move = fields.Dict(
        keys=fields.Str(), required=True, allow_none=True, metadata=doc("The move; null: it was not made.")
    )


def changes(text: str) -> fields.Field[Any]:
    """Describe what several entries are."""
    return fields.List(fields.Nested(ChangeSchema), validate=Length(max=MOST_CHANGES), metadata=doc(text))


class AmendSchema(MoveSchema):
    """What an entry was: a move, its kind and its fields as the game's schemas have them."""

    move = fields.Str(required=True, allow_none=True, metadata=doc("The kind: `bid`; null: no move was made."))
    later = changes("What later entries are then, in order: those that would not hold otherwise.")


class StartSchema(StrictSchema):
    """How a table was meant from the start."""

    options = fields.Dict(
        keys=fields.Str(), metadata=doc("All that differ from the defaults, with the seats of the new order.")
    )
    order = fields.List(
        fields.Int(strict=True, validate=NUMBER),
        validate=Length(max=MOST_SEATS),
        metadata=doc("The seats of now, clockwise as they should have been; who sits there moves along."),
    )
    later = changes("What entries are then, in order, with the seats of the new order: those that would not hold.")


class TrialSchema(StrictSchema):
    """Whether to enter it."""

    is_trial = fields.Int(
        load_default=0,
        data_key="try",
        validate=Range(0, 1),
        metadata=doc("1: only say what it would bring, and what it would break; nothing is entered, nobody is told."),
    )


class MessageSchema(StrictSchema):
    """A move on its way through a socket."""

    key = fields.Str(required=True, validate=Length(1, KEY_LENGTH), metadata=doc("The same key counts once."))
    after = fields.Int(strict=True, validate=NUMBER, metadata=doc("The number that the program had seen."))
    move = fields.Dict(keys=fields.Str(), required=True)


class GreetingSchema(StrictSchema):
    """The first message of a program that cannot say in a header who it is."""

    token = fields.Str(required=True, validate=Length(1, KEY_LENGTH), metadata=doc("As in `Authorization: Bearer …`."))


class WelcomeSchema(Schema):
    """The answer to it."""

    seat = fields.Int(required=True, allow_none=True, metadata=doc("The one that was asked for."))


class StepSchema(StrictSchema):
    """Taking back or putting back."""

    after = fields.Int(strict=True, validate=NUMBER, metadata=doc("The number that the program had seen."))


class LookSchema(StrictSchema):
    """Whose page to look at."""

    seat = fields.Int(metadata=doc("A seat that the token acts for; left out: what everybody may see."))


class ViewSchema(Schema):
    """What one seat may see."""

    game = fields.Str(required=True, validate=OneOf(list(GAMES)))
    number = fields.Int(required=True, metadata=doc("Of the newest entry in it."))
    seat = fields.Int(required=True, allow_none=True)
    is_finished = fields.Bool(required=True)
    to_move = fields.List(fields.Int(), required=True, metadata=doc("Your seats that can move now."))
    view = fields.Dict(keys=fields.Str(), required=True, metadata=doc("The game's own; nothing secret is in it."))


class RuledSchema(Schema):
    """A move that was entered."""

    number = fields.Int(required=True, metadata=doc("Of the newest entry."))
    events = fields.List(fields.Str(), required=True, metadata=doc("What happened, as sentences."))
    remarks = fields.List(fields.Str(), required=True, metadata=doc("What the table should look at."))
    is_finished = fields.Bool(required=True)
    is_trial = fields.Bool(metadata=doc("True where it was only tried; `number` is the one that it would get."))
    effect = fields.Str(
        metadata=doc("Of a trial: whose points would change. While something is sealed, a trial says no more than yes.")
    )


class MovesSchema(Schema):
    """Moves that would be accepted now."""

    number = fields.Int(required=True)
    moves = fields.List(fields.Dict(keys=fields.Str()), required=True)
    is_complete = fields.Bool(required=True, metadata=doc("Whether these are all there are."))


class PlaceSchema(Schema):
    """A line of the standing."""

    seat = fields.Int(required=True)
    name = fields.Str(required=True)
    rank = fields.Int(required=True)
    score = fields.Int(required=True)
    tiebreak = fields.List(fields.Int())


class StandingSchema(Schema):
    """The standing and the summary."""

    game = fields.Str(required=True)
    number = fields.Int(required=True)
    is_finished = fields.Bool(required=True)
    standing = fields.List(fields.Nested(PlaceSchema), required=True)
    winners = fields.List(
        fields.Int(), required=True, metadata=doc("Seats; [] while the game runs, and where all have lost.")
    )
    summary = fields.Dict(keys=fields.Str(), required=True)
    reasons = fields.List(fields.Str(), required=True, metadata=doc("Why, where the scores alone do not say it."))


class LineSchema(Schema):
    """An entry of the log."""

    number = fields.Int(required=True)
    at = fields.Str(required=True, metadata=doc('UTC, ISO 8601; "" for an imported move without a time.'))
    by = fields.Str(required=True)
    sentences = fields.List(fields.Str(), required=True)
    remarks = fields.List(fields.Str(), required=True)
    is_struck = fields.Bool(required=True, metadata=doc("Taken back."))
    is_amended = fields.Bool(required=True)
    may_amend = fields.Bool(required=True)


class HistorySchema(Schema):
    """A page of the log, the oldest first."""

    entries = fields.List(fields.Nested(LineSchema), required=True)
    older = fields.Int(required=True, allow_none=True, metadata=doc("`to` of the page before; null on the first."))


class PageSchema(StrictSchema):
    """Which page of the log."""

    to = fields.Int(validate=Range(1), metadata=doc("Its last entry; the newest where left out."))


class PrintingSchema(StrictSchema):
    """How to print."""

    language = fields.Str(
        validate=OneOf(list(LANGUAGES)), metadata=doc("The reader's (`Accept-Language`) if left out.")
    )
    also = fields.Str(
        validate=OneOf(list(LANGUAGES)),
        metadata=doc("A second language, of what leads to a table and of reference cards."),
    )
    paper = fields.Str(validate=OneOf(PAPERS), metadata=doc("A4 if left out."))
    form = fields.Str(
        validate=OneOf([*dict.fromkeys(form for ways in FORMS.values() for form in ways)]),
        metadata=doc("In which of its forms; the first one that the item has if left out."),
    )


class BlankPrintingSchema(PrintingSchema):
    """How to print a blank sheet."""

    players = fields.Int(validate=Range(1, MOST_SEATS), metadata=doc("For how many; the usual number if left out."))


VALUE = ["boolean", "integer", "string"]
"""What a value of an option is."""


class ValueSchema(Schema):
    """A value of an option, in the reader's language (`Accept-Language`)."""

    value = fields.Raw(required=True, metadata={"type": VALUE})
    label = fields.Str(required=True)
    help = fields.Str(required=True, metadata=doc('What it means; "" where the label says it.'))


class ChoiceSchema(Schema):
    """An option of a game."""

    name = fields.Str(required=True)
    label = fields.Str(required=True)
    help = fields.Str(required=True)
    kind = fields.Str(required=True, validate=OneOf(["switch", "choice", "seat", "number", "text"]))
    choices = fields.List(
        fields.Raw(metadata={"type": VALUE}),
        required=True,
        metadata=doc("The values; [] where any of the kind will do."),
    )
    values = fields.List(fields.Nested(ValueSchema), required=True, metadata=doc("The same in words."))
    default = fields.Raw(required=True, metadata=doc("null: as the edition has it.", type=[*VALUE, "null"]))


class GameSchema(Schema):
    """A game."""

    key = fields.Str(required=True)
    name = fields.Str(required=True)
    fewest_players = fields.Int(required=True)
    most_players = fields.Int(required=True)
    options = fields.List(fields.Nested(ChoiceSchema), required=True)
    question = fields.Str(required=True, metadata=doc("An example of what its referee can be asked."))
    sheets = fields.List(fields.Str(validate=OneOf(ITEMS)), required=True)


class GamesSchema(Schema):
    """The games."""

    games = fields.List(fields.Nested(GameSchema), required=True)


class QuestionSchema(StrictSchema):
    """A question to the referee."""

    words = fields.List(fields.Str(), load_default=list, metadata=doc("As after `companion judge rage`."))
    options = fields.Dict(keys=fields.Str(), values=fields.Str(), load_default=dict)


class VerdictSchema(Schema):
    """What the referee says."""

    game = fields.Str(required=True)
    verdict = fields.Str(required=True)
    reasons = fields.List(fields.Str(), required=True)
    rule = fields.Str(required=True)
    source = fields.Str(required=True, metadata=doc("What decides it; `docs/decisions.md` explains what it names."))
    data = fields.Dict(keys=fields.Str(), required=True, metadata=doc("The same as data, as the question was."))
