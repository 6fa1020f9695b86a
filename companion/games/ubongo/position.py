"""Everything true of a play of Ubongo: its options, the round, the calls, the pawns, the gems.

Source: U-cs; points that it leaves open are settled in `docs/decisions.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.games.ubongo.gems import HOLES, ROWS, Board, Colour, Counts

RULES = 2
"""The version of today's rules. By the first one a pawn could be late, and a final count was bound by the box alone."""
PLAYERS = range(2, 5)
SYMBOLS = range(1, 7)
ROUNDS = 9
CARDS = 36
"""Puzzle cards in the box: a long game uses them all."""
MOST_STEPS = 3
"""How far the first pawn may move; each later one may move a field less."""
GEMS_AT_ONCE = 2


class Side(Enum):
    """Which side of the puzzle cards is up: how many tiles a task needs. Source: U-cs, setup; U10."""

    THREE = 3
    FOUR = 4


class Tie(Enum):
    """Who wins when all counts are equal. Source: decided here, U2."""

    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose."""

    side: Side = Side.THREE
    long_game: bool = False
    """All cards are played. Source: U3."""
    glass_s: int = 60
    """Seconds that the sand glass runs."""
    first_seat: int = 0
    """Who rolls in the first round. Source: U9."""
    board: Board | None = None
    """None: the players say which gems they took."""
    pawns: tuple[int, ...] | None = None
    """The row of each pawn at the start, one per seat; None: all in row 0, unless they are placed. Source: U20."""
    tie: Tie = Tie.SHARED


@dataclass(frozen=True, slots=True)
class Call:
    """A seat has called out in this round."""

    seat: int
    at_ms: int | None
    """When, in ms since 1970 (UTC); None where nobody measured it."""
    home: int
    """The row where the pawn stood at the call."""
    has_placed: bool = False
    has_taken: bool = False
    """Gems, or nothing; or it said that the hands were late."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything true of a play of Ubongo."""

    options: Options
    seats: int
    pawns: tuple[int, ...]
    """The row of each pawn, one per seat, clockwise from seat 0."""
    gems: tuple[Counts, ...]
    """One entry per seat, clockwise from seat 0."""
    rows: tuple[int, ...] = (HOLES,) * ROWS
    """The gems left in each row."""
    round: int = 1
    """From 1; the last one when the game is over."""
    symbol: int | None = None
    """None before the roll."""
    glass: int = 1
    """2 after the glass was turned once more in this round."""
    turned_ms: int | None = None
    """When the running glass was turned, in ms since 1970 (UTC); None where nobody measured it."""
    started: tuple[int, ...] = ()
    """The seats that have said where their pawns start, in the order of saying so. Source: U20."""
    calls: tuple[Call, ...] = ()
    """This round's calls in the order of finishing."""
    calls_before: tuple[Call, ...] = ()
    """Those of the round before."""
    has_sand: bool = False
    """Everybody was done early: the glass of the round before may still run."""
    is_cut_off: bool = False
    """The round that ended last was ended by its glass."""
    is_counted: bool = False
    """The gems were counted, and that has ended the game."""
    is_finished: bool = False
    rules: int = RULES
    """The version of the rules by which it is played."""

    @property
    def rounds(self) -> int:
        """How many rounds the game has. Source: U-cs, setup; U3."""
        return CARDS // self.seats if self.options.long_game else ROUNDS

    @property
    def most_gems(self) -> int:
        """How many gems a seat can have in the end. Source: U-cs, moving and taking; U19."""
        return GEMS_AT_ONCE * self.rounds

    @property
    def starter(self) -> int:
        """Who rolls in this round. Source: U-cs, end of a round; U9."""
        return (self.options.first_seat + self.round - 1) % self.seats

    @property
    def ends_ms(self) -> int | None:
        """When the running glass runs out, in ms since 1970 (UTC); None where nobody measured it."""
        return None if self.turned_ms is None else self.turned_ms + self.options.glass_s * 1000

    @property
    def is_before_first_roll(self) -> bool:
        """Whether pawns are still put where they start. Source: U20."""
        return self.round == 1 and self.symbol is None and not self.is_finished

    @property
    def is_between(self) -> bool:
        """Whether no sand runs and the last round was not followed by another roll yet, or was the last of all."""
        return self.symbol is None or self.is_finished

    @property
    def is_time_up(self) -> bool:
        """Whether the last round ended with its glass: somebody may not have taken, and is too late now.

        Source: U-cs, time limit; U5.
        """
        return self.is_between and self.is_cut_off and not self.is_counted

    @property
    def called(self) -> tuple[Call, ...]:
        """The calls of this round, or of the one before until the next roll."""
        return self.calls_before if self.symbol is None and not self.is_finished else self.calls

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that called in time and have not said what their hands did, after the glass. Source: U17."""
        return tuple([call.seat for call in self.called if not call.has_taken]) if self.is_time_up else ()

    def rank(self, seat: int) -> int | None:
        """Tell the place of a seat among those who called, from 1; None if it has not."""
        for place, call in enumerate(self.calls, 1):
            if call.seat == seat:
                return place
        return None

    def call(self, seat: int) -> Call | None:
        """Find the call of a seat."""
        for call in self.calls:
            if call.seat == seat:
                return call
        return None

    def due(self, seat: int) -> int:
        """Tell how many gems a seat takes from where its pawn stands. Source: U-cs, moving and taking; U4, U15."""
        return min(GEMS_AT_ONCE, self.rows[self.pawns[seat]])

    def left(self, row: int) -> tuple[Colour, ...] | None:
        """Show the gems left in a row, the front one first; None without a known board."""
        return in_row(self.options.board, row, self.rows[row])


def in_row(board: Board | None, row: int, left: int) -> tuple[Colour, ...] | None:
    """Show so many gems of a row, those that are left, the front one first; None without a known board."""
    return None if board is None else board[row][HOLES - left :]


def reach(row: int, rank: int) -> tuple[int, ...]:
    """List the rows to which a pawn may move, its own among them.

    >>> reach(0, rank=1), reach(5, rank=2), reach(2, rank=4)
    ((0, 1, 2, 3), (3, 4, 5), (2,))

    Source: U-cs, moving and taking; U6, U14.
    """
    steps = MOST_STEPS + 1 - rank
    return tuple(range(max(0, row - steps), min(ROWS, row + steps + 1)))
