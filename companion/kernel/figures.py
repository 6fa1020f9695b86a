"""What a play leaves: how it went, and for the book of evenings numbers of every seat, and how they are drawn.

Pure. A game counts (`Game.figures`) and says what its numbers tell (`Game.statistics`); the database sums them up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

Figures = Sequence[Mapping[str, int]]
"""By seat: name of the figure -> number."""
LOST = "lost"
"""The figure, 1 at every seat, of a play that all have lost: its first place is not counted as won."""

LEFT = "left"
"""The figure, 1 at a seat whose player had to go, and that another hand has played to the end."""


class Per(Enum):
    """Whose numbers are summed up."""

    PLAYER = "player"
    """Each player's own: a group of bars a player."""
    SEAT = "seat"
    """Those of all seats together."""
    TABLE = "table"
    """The table's, where all play together: every seat has the same."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a game went, to be drawn."""

    title: str
    """What is counted (English): `Points after each round`."""
    step: str
    """What one step is (English): `Round`."""
    lines: tuple[tuple[int, ...], ...]
    """At the start and after each step: a line a seat, or one alone where all play together."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: the sum of a figure, for each of another."""

    label: str
    """What it shows (English)."""
    figure: str
    each: str = ""
    """The figure that it is divided by; "" for the number of plays."""

    def of(self, plays: int, sums: Mapping[str, int]) -> float | None:
        """Say how high it is; None where there is nothing to divide by.

        >>> Bar("Bids met", "exact", each="rounds").of(1, {"exact": 3, "rounds": 10})
        0.3
        """
        whole = sums.get(self.each, 0) if self.each else plays
        return sums.get(self.figure, 0) / whole if whole else None


@dataclass(frozen=True, slots=True)
class Statistic:
    """A picture over many plays of one game."""

    title: str
    """What it tells (English)."""
    bars: tuple[Bar, ...]
    per: Per = Per.PLAYER
    is_share: bool = False
    """Whether each bar is a part of a whole, said as so many of a hundred."""

    @property
    def is_of_all(self) -> bool:
        """Whether every play falls under one of the bars: one that does not was counted by an older release."""
        return self.is_share and self.per is Per.TABLE and not any(bar.each for bar in self.bars)


def no_course(positions: object) -> None:
    """Have nothing to draw: the `course` of games that bring none."""


def no_figures(positions: object) -> Figures:
    """Have nothing to count: the `figures` of games that bring none."""
    return ()
