"""What is told to a score sheet, what then happened, and what the referee cites."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion import game
from companion.game import Seat

_SHEET = "the score sheet"


class Rule(game.Rule):
    """What the referee of every score sheet cites."""

    PLAYERS = "tally.players", f"{_SHEET}, players"
    ROUNDS = "tally.rounds", f"{_SHEET}, rounds"
    TARGET = "tally.target", f"{_SHEET}, any other game"
    GAME_OVER = "tally.game_over", f"{_SHEET}, the end"
    WORTH = "tally.worth", f"{_SHEET}, columns"
    TOLD = "tally.told", f"{_SHEET}, columns"
    ORDER = "tally.order", f"{_SHEET}, columns"
    WAITS = "tally.waits", f"{_SHEET}, columns"
    RANGE = "tally.range", f"{_SHEET}, columns"
    CHECK = "tally.check", f"{_SHEET}, check"
    FIXED = "tally.fixed", f"{_SHEET}, the end"
    OPEN = "tally.open", f"{_SHEET}, the end"


@dataclass(frozen=True, slots=True)
class Enter:
    """Tell a number of a column, in the round that is counted."""

    seat: int
    """Where all have one line: who tells it."""
    column: Enum
    """Its value is the column's key."""
    value: int


@dataclass(frozen=True, slots=True)
class Finish:
    """End a game that has as many rounds as the table likes."""


Move = Enter | Finish


@dataclass(frozen=True, slots=True)
class Entered:
    """A seat's number was written down."""

    seat: Seat
    column: Enum
    value: int


@dataclass(frozen=True, slots=True)
class EnteredForAll:
    """A number of all together was written down."""

    column: Enum
    value: int


@dataclass(frozen=True, slots=True)
class Brought:
    """What a round brought to a seat."""

    seat: Seat
    points: int


@dataclass(frozen=True, slots=True)
class RoundCounted:
    """Everybody's numbers of a round are told."""

    round: int
    points: tuple[Brought, ...]


@dataclass(frozen=True, slots=True)
class RoundCountedForAll:
    """All numbers of a round are told, for all together."""

    round: int
    points: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    round: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The table has ended the game."""

    round: int
