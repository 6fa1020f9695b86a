"""How a game is counted: what a score sheet says of it, and what its columns come to.

A line is what numbers are told for: a seat; or all together, where the game is shared. A round has one row of cells for
each line: the columns in their order, some told and some worked out, and its points last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from companion.games.tally.expressions import MOST, Call, Name, Part, Untold, holds, worth
from companion.games.tally.parser import LISTS, Known

POINTS = "points"
"""The last column of every sheet: what a round adds to the total."""
TOTAL = "total"
EVERYWHERE = frozenset({"round", "rounds", "players"})
"""What every expression knows: the number of the round, how many there will be (0 where nobody knows), and of seats."""
MOST_TOLD = 999
"""The greatest number that can be told of a column that says no other."""
MOST_ROUNDS = 100
"""Then a game is over, whatever its sheet says."""

Row = tuple[int | None, ...]
"""A cell for each column, its points last; None where that cannot be said yet."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the sheet: told, or worked out."""

    key: str
    least: Part | None = None
    """The least that can be told; None: 0."""
    most: Part | None = None
    """The greatest; None: `MOST_TOLD`."""
    waits: bool = False
    """Whether it is told when everybody has told the columns before it."""
    worth: Part | None = None
    """What it is worked out by; None where it is told."""
    formula: str = ""
    """That, as it is written."""


@dataclass(frozen=True, slots=True)
class Counting:
    """What a score sheet says of its game."""

    columns: tuple[Column, ...]
    points: Part
    """What a round brings to a line."""
    formula: str = ""
    """That, as it is written; "" for the sum of what is told."""
    players: tuple[int, int] = (1, 8)
    """The fewest and the most."""
    is_low: bool = False
    """Whether the lowest total wins."""
    rounds: int = 0
    """How many there are; 0: as many as the table likes."""
    ends: Part | None = None
    """When the game is over, whatever the number of rounds; None: never before that."""
    target: str = ""
    """That, as it is written."""
    is_at_once: bool = False
    """Whether it is over as soon as that holds, in the middle of a round as well."""
    check: Part | None = None
    """What must hold of a whole round, or the table should look at it again."""
    ties: tuple[Part, ...] = ()
    """What decides between equal totals, the highest first."""
    tiebreaks: tuple[str, ...] = ()
    """Those, as they are written."""
    is_shared: bool = False
    """Whether all play together, for one score."""
    lost: Part | None = None
    """When all have lost, at the end of a shared game."""

    @property
    def told(self) -> tuple[Column, ...]:
        """List the columns that are told."""
        return tuple([column for column in self.columns if column.worth is None])

    @property
    def is_plain(self) -> bool:
        """Whether a round brings the one number that is told in it."""
        one = Name(self.columns[0].key)
        return len(self.columns) == 1 and self.points in (one, Call("sum", (one,)))

    def lines(self, seats: int) -> int:
        """Count the lines."""
        return 1 if self.is_shared else seats

    def line(self, seat: int) -> int:
        """Give the line that a seat tells numbers for."""
        return 0 if self.is_shared else seat

    def line_of_each(self, seats: int) -> Sequence[int]:
        """Give the lines that all seats tell numbers for, by seat."""
        return (0,) * seats if self.is_shared else range(seats)


@dataclass(frozen=True, slots=True)
class Round:
    """A round: what was told in it, what that comes to, and how everybody stood before it."""

    number: int
    """From 1."""
    rows: tuple[Row, ...]
    """One a line."""
    before: tuple[int, ...]
    """Each line's total before it."""

    @property
    def points(self) -> tuple[int | None, ...]:
        """Give what the round brings to each line; None where that cannot be said yet."""
        return tuple([row[-1] for row in self.rows])

    @property
    def totals(self) -> tuple[int, ...]:
        """Give each line's total with it, as far as it can be said."""
        sums = [total + (row[-1] or 0) for total, row in zip(self.before, self.rows, strict=True)]
        return tuple([max(-MOST, min(MOST, each)) for each in sums])


class At(Enum):
    """Where an expression is worked out."""

    ROW = "row"
    """In a row: it knows its own cells, and the total before the round."""
    ROUND = "round"
    """Of a whole round: it knows the lists alone, unless all have one line; totals are those with the round."""
    END = "end"
    """Of a line when the game is over: its total, its last row, and all of its rounds."""


def known(before: Sequence[str], at: At, is_shared: bool = False) -> Known:
    """Name what an expression may use, where the columns before it have these keys."""
    own = EVERYWHERE if at is At.ROUND and not is_shared else EVERYWHERE | {TOTAL, *before}
    cells = frozenset(before)
    lists = {"all": cells | {TOTAL}, "others": cells | {TOTAL}, "earlier": cells | {POINTS}}
    allowed = {At.ROW: LISTS, At.ROUND: ("all",), At.END: ("all", "others", "earlier")}[at]
    return Known(own, {of: lists[of] for of in allowed})


@dataclass(frozen=True, slots=True)
class Cells:
    """A scope: a round as far as it is worked out, looked at from one of its lines."""

    counting: Counting
    seats: int
    number: int
    cells: Sequence[Sequence[int | None]]
    """By line, those that are worked out so far."""
    totals: tuple[int, ...]
    earlier: tuple[Round, ...] = ()
    line: int = 0

    def own(self, name: str) -> int:
        """Give a number of this line. Raises: Untold."""
        if name in EVERYWHERE:
            return {"round": self.number, "rounds": self.counting.rounds, "players": self.seats}[name]
        if name == TOTAL:
            return self.totals[self.line]
        return _told(self._cell(self.line, name))

    def several(self, of: str, name: str) -> Sequence[int]:
        """Give the numbers of a list, those that are told."""
        if of == "earlier":
            place = self._place(name)
            return [_told(round_.rows[self.line][place]) for round_ in self.earlier]
        lines = [line for line in range(len(self.cells)) if of == "all" or line != self.line]
        found = [self.totals[line] if name == TOTAL else self._cell(line, name) for line in lines]
        return [number for number in found if number is not None]

    def _cell(self, line: int, name: str) -> int | None:
        cells, place = self.cells[line], self._place(name)
        return cells[place] if -len(cells) <= place < len(cells) else None

    def _place(self, name: str) -> int:
        """Find a column; the points are the last one."""
        return next((place for place, column in enumerate(self.counting.columns) if column.key == name), -1)


def _told(number: int | None) -> int:
    if number is None:
        raise Untold
    return number


@dataclass(frozen=True, slots=True)
class Counted:
    """A sheet, how many play by it, and the rounds that are finished."""

    counting: Counting
    seats: int
    rounds: tuple[Round, ...]

    def worked_out(self, told: Sequence[Row]) -> Round:
        """Work out the next round: of each line is told a number, or None, for each column that is told."""
        before = self.rounds[-1] if self.rounds else None
        number, totals = (before.number + 1, before.totals) if before else (1, (0,) * len(told))
        cells: list[list[int | None]] = [[] for _ in told]
        left = [iter(row) for row in told]
        for part in [*(column.worth for column in self.counting.columns), self.counting.points]:
            scopes = [
                Cells(self.counting, self.seats, number, cells, totals, self.rounds, line) for line in range(len(told))
            ]
            column = [_worth(part, scope) if part else next(left[scope.line]) for scope in scopes]
            for row, cell in zip(cells, column, strict=True):
                row.append(cell)
        return Round(number, tuple([tuple(row) for row in cells]), totals)

    def limits(self, round_: Round, line: int, column: Column) -> tuple[int, int]:
        """Tell the least and the greatest number that a line may tell of a column in a round."""
        return self._limits(column, self._scope(round_, round_.before, line))

    def widest(self, column: Column) -> tuple[int, int]:
        """Tell them of the last round; of a column that hangs upon what is told, what any may have."""
        blank = [[None] * len(self.counting.columns)] * self.counting.lines(self.seats)
        number = self.counting.rounds or len(self.rounds) + 1
        return self._limits(column, Cells(self.counting, self.seats, number, blank, (0,) * len(blank)))

    @staticmethod
    def _limits(column: Column, scope: Cells) -> tuple[int, int]:
        least = (_worth(column.least, scope) if column.least else None) or 0
        most = _worth(column.most, scope) if column.most else None
        return least, max(least, MOST_TOLD if most is None else most)

    def has_ended(self, round_: Round) -> bool:
        """Say whether the game is over with a round, by what the sheet says of its end."""
        return self.counting.ends is not None and holds(self.counting.ends, self._scope(round_, round_.totals))

    def is_right(self, round_: Round) -> bool:
        """Say whether the numbers of a whole round go together."""
        return self.counting.check is None or holds(self.counting.check, self._scope(round_, round_.totals))

    def decided(self, line: int, parts: Sequence[Part]) -> tuple[int, ...]:
        """Work out, when all rounds are here, what decides between equal totals, or whether all have lost."""
        if not self.rounds:
            return ()
        scope = self._scope(self.rounds[-1], self.rounds[-1].totals, line)
        return tuple([_worth(part, scope) or 0 for part in parts])

    def _scope(self, round_: Round, totals: tuple[int, ...], line: int = 0) -> Cells:
        return Cells(self.counting, self.seats, round_.number, round_.rows, totals, self.rounds, line)


def _worth(part: Part, scope: Cells) -> int | None:
    try:
        return worth(part, scope)
    except Untold:
        return None
