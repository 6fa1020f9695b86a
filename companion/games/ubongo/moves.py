"""What can be asked at a table of Ubongo, the rules that can stand in its way, and what then happens.

Times (`at`) are UTC, ISO 8601; None where nobody measured one.

Source: U-cs, and `docs/decisions.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion import game
from companion.game import Seat
from companion.games.ubongo.gems import Colour, Comparison, Counts, Gem, GemsHeld, Held, NoGemsHeld


class Rule(game.Rule):
    """What the referee of Ubongo cites."""

    PLAYERS = "ubongo.players", "U-cs, components"
    FIRST_SEAT = "ubongo.first_seat", "decided here, U9"
    GLASS_SECONDS = "ubongo.glass_seconds", "decided here: sand needs time to run"
    FULL_BOARD = "ubongo.full_board", "U-cs, setup; U11"
    PAWNS = "ubongo.pawns", "U-cs, setup; U20"
    GAME_OVER = "ubongo.game_over", "U-cs, end of the game"
    ROUND_OPEN = "ubongo.round_open", "U-cs, course of a round"
    SYMBOL = "ubongo.symbol", "U-cs, components"
    ROLL_FIRST = "ubongo.roll_first", "U-cs, course of a round"
    CALLED_ALREADY = "ubongo.called_already", "U-cs, course of a round"
    NOT_CALLED = "ubongo.not_called", "U-cs, moving and taking"
    TOO_LATE = "ubongo.too_late", "U-cs, time limit; U5, U17"
    EARLY = "ubongo.early", "decided here, U18"
    CALL_STANDS = "ubongo.call_stands", "decided here: taken gems make a call good; U12"
    MOVE_BEFORE_TAKING = "ubongo.move_before_taking", "U-cs, moving and taking"
    ONE_MOVE = "ubongo.one_move", "U-cs, moving and taking"
    PAWN_REACH = "ubongo.pawn_reach", "U-cs, moving and taking; U6"
    TAKEN_ALREADY = "ubongo.taken_already", "U-cs, moving and taking"
    FRONT_TWO = "ubongo.front_two", "U-cs, moving and taking; U4, U15"
    NAME_GEMS = "ubongo.name_gems", "decided here: without a known board the players say what they took"
    FRONT_COLOURS = "ubongo.front_colours", "U-cs, moving and taking; U13"
    TWELVE_OF_A_COLOUR = "ubongo.twelve_of_a_colour", "decided here, U11"
    COUNT_RANGE = "ubongo.count_range", "decided here, U11"
    COUNT = "ubongo.count", "U-cs, moving and taking; decided here, U19"
    COUNT_DIFFERS = "ubongo.count_differs", "decided here, U19"
    LARGEST_COUNTS = "ubongo.largest_counts", "U-cs, end of the game; U2"


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the die, and turn the sand glass."""

    symbol: int
    """1..6."""
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Ubongo:
    """Call out: the card is solved."""

    seat: int
    at: str | None = None


@dataclass(frozen=True, slots=True)
class Void:
    """Find a call false. Source: U12."""

    seat: int


@dataclass(frozen=True, slots=True)
class Place:
    """Move one's pawn, or say that it stays; before the first roll, say where it starts."""

    seat: int
    row: int
    """0..5, from the left."""
    at: str | None = None
    in_time: bool | None = None
    """Whether the hand was quick enough, where the glass has run out; None: not said. Source: U17."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the front gems of the row where one's pawn stands."""

    seat: int
    gems: tuple[Colour, ...] | None = None
    """None: those that the board shows, or none from an empty row."""
    at: str | None = None
    in_time: bool | None = None
    """Whether the hands were quick enough, where the glass has run out; None: not said. Source: U17."""


@dataclass(frozen=True, slots=True)
class TimeUp:
    """See that the sand glass has run out."""

    at: str | None = None


@dataclass(frozen=True, slots=True)
class Count:
    """Count everyone's gems: one entry per seat, clockwise from seat 0."""

    gems: tuple[Counts, ...]


Move = Roll | Ubongo | Void | Place | Take | TimeUp | Count

Timed = Ubongo | Place | Take
"""What a seat must do before the sand has run out; a call can be found false at any time."""

Handed = Place | Take
"""What hands may have done in time though it is entered after the glass. Source: U17."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """The round's symbol is known, and the sand runs."""

    seat: Seat
    symbol: int


@dataclass(frozen=True, slots=True)
class Called:
    """A seat called out; `place` counts from 1."""

    seat: Seat
    place: int


@dataclass(frozen=True, slots=True)
class CallVoided:
    """A call was false."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PawnStarts:
    """A pawn was put where it starts; `row` counts from 1."""

    seat: Seat
    row: int


@dataclass(frozen=True, slots=True)
class PawnMoved:
    """A pawn went to another row; `row` counts from 1."""

    seat: Seat
    row: int


@dataclass(frozen=True, slots=True)
class PawnStayed:
    """A pawn stays in its row; `row` counts from 1."""

    seat: Seat
    row: int


@dataclass(frozen=True, slots=True)
class GemsTaken:
    """Gems were taken, the front one named first."""

    seat: Seat
    gems: tuple[Gem, ...]


@dataclass(frozen=True, slots=True)
class NothingTaken:
    """A seat stood at an empty row."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HandsLate:
    """A seat that had called was too slow to take gems."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GlassTurnedAgain:
    """Nobody had called: the same cards for one more glass."""


@dataclass(frozen=True, slots=True)
class GlassRanOut:
    """The sand has run, and the glass is not turned again."""


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over."""

    round: int


@dataclass(frozen=True, slots=True)
class StarterNamed:
    """Who rolls in the next round."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GemsCounted:
    """Everyone's gems were counted."""


@dataclass(frozen=True, slots=True)
class OtherRecorded:
    """What was recorded of a seat, of the colours that are counted otherwise."""

    seat: Seat
    known: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class NothingRecorded:
    """No gem was recorded of a seat that has some."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is decided; comparisons follow that say how."""

    winners: tuple[Seat, ...]


Event = (
    Rolled
    | Called
    | CallVoided
    | PawnStarts
    | PawnMoved
    | PawnStayed
    | GemsTaken
    | NothingTaken
    | HandsLate
    | GlassTurnedAgain
    | GlassRanOut
    | RoundEnded
    | StarterNamed
    | GemsCounted
    | GameEnded
    | GemsHeld
    | NoGemsHeld
    | Comparison
)
