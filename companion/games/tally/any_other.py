"""Any other game: what a host says of it on a page, without a file. The table keeps that, and so its rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from companion.game import Refused
from companion.games.tally import rules
from companion.games.tally.counting import MOST_ROUNDS, TOTAL, Column, Counting
from companion.games.tally.expressions import Call, Joined, Name, Number
from companion.games.tally.moves import Rule
from companion.games.tally.rules import Position
from companion.kernel.once import by_value

MOST_TARGET = 100_000
PLAYERS = range(1, 9)


class Wins(Enum):
    """Which total wins."""

    HIGH = "high"
    LOW = "low"


class Cell(Enum):
    """Its one column."""

    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Options:
    """What the host says of the game."""

    called: str = ""
    """What it is called."""
    wins: Wins = Wins.HIGH
    rounds: int = 0
    """How many; 0: until somebody reaches the target, or the table ends it."""
    target: int = 0
    """When a total reaches it, the game is over with that round; 0: there is none."""


def counting_of(options: Options) -> Counting:
    """Give the sheet that a host has described."""
    return _counting(options.wins, options.rounds, options.target)


def start(options: Options, seats: int) -> Position | Refused:
    """Begin with an empty sheet."""
    if options.rounds not in range(MOST_ROUNDS + 1):
        return Refused(Rule.ROUNDS, {"option": "rounds", "most": MOST_ROUNDS})
    if options.target not in range(MOST_TARGET + 1):
        return Refused(Rule.TARGET, {"option": "target", "most": MOST_TARGET})
    return rules.start(counting_of(options), Cell, seats, options.called)


@by_value
def _counting(wins: Wins, rounds: int, target: int) -> Counting:
    most = Number(Fraction(MOST_TARGET))
    reached = Joined(">=", Call("max", (Name(TOTAL, "all"),)), Number(Fraction(target)))
    return Counting(
        columns=(Column(Cell.NUMBER.value, least=Joined("-", Number(Fraction(0)), most), most=most),),
        points=Name(Cell.NUMBER.value),
        players=(PLAYERS[0], PLAYERS[-1]),
        is_low=wins is Wins.LOW,
        rounds=rounds,
        ends=reached if target else None,
        target=str(target or ""),
    )
