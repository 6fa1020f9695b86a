"""Ubongo's gems and rows, and how two collections of gems compare.

Source: U-cs, components and end of the game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from companion.game import Seat, ranked
from companion.kernel.once import by_value


class Colour(Enum):
    """The six colours, in the order of the counts."""

    GREEN = "green"
    RED = "red"
    BLUE = "blue"
    PURPLE = "purple"
    BROWN = "brown"
    YELLOW = "yellow"


class Gem(Enum):
    """A gem of each colour, as it is taken."""

    GREEN = "green"
    RED = "red"
    BLUE = "blue"
    PURPLE = "purple"
    BROWN = "brown"
    YELLOW = "yellow"


COPIES = 12
"""Gems of each colour. Source: U11."""
ROWS = 6
HOLES = 12
"""Gems that fill a row."""

Counts = tuple[int, ...]
"""How many gems of each colour, in the order of `Colour`."""
Board = tuple[tuple[Colour, ...], ...]
"""The gems of each row as the game begins, the front one first."""
Who = Seat | str
"""A player: a seat of the table, or a name in a question."""


@dataclass(frozen=True, slots=True)
class Held:
    """So many gems of a colour."""

    colour: Colour
    gems: int


@dataclass(frozen=True, slots=True)
class GemsHeld:
    """What a seat has in the end, as it is compared: the colour with most gems first, those without any left out."""

    seat: Seat
    held: tuple[Held, ...]


@dataclass(frozen=True, slots=True)
class NoGemsHeld:
    """A seat has no gems in the end."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AheadAtOnce:
    """The largest counts differ."""

    ahead: Who
    behind: Who
    more: int
    fewer: int


@dataclass(frozen=True, slots=True)
class AheadLater:
    """The largest counts are level, and a later one differs."""

    ahead: Who
    behind: Who
    level: tuple[int, ...]
    """The counts that are equal, the largest first."""
    more: int
    fewer: int


@dataclass(frozen=True, slots=True)
class Level:
    """All six counts are equal: the place is shared. Source: U2."""

    ahead: Who
    """The one named first; neither is ahead."""
    behind: Who
    level: tuple[int, ...]


Comparison = AheadAtOnce | AheadLater | Level


def is_full(board: Board) -> bool:
    """Say whether all gems of the box lie in the rows. Source: U-cs, setup; U11."""
    gems = [colour for row in board for colour in row]
    return all(gems.count(colour) == COPIES for colour in Colour)


def counted(gems: Sequence[Colour]) -> Counts:
    """Count gems by colour.

    >>> counted([Colour.RED, Colour.BLUE, Colour.RED])
    (0, 2, 1, 0, 0, 0)
    """
    return tuple(gems.count(colour) for colour in Colour)


def added(counts: Counts, more: Counts) -> Counts:
    """Add counts colour by colour."""
    return tuple(map(sum, zip(counts, more, strict=True)))


@by_value
def descending(counts: Counts) -> Counts:
    """Sort counts as they are compared: colours do not matter, the largest count comes first."""
    return tuple(sorted(counts, reverse=True))


def in_order(collections: Sequence[Counts]) -> list[tuple[int, int]]:
    """Rank collections of gems; their totals do not matter.

    Returns:
        (rank, index) sorted by rank, then by index.

    >>> in_order([(6, 4, 2, 2, 2, 2), (2, 2, 0, 1, 2, 3), (4, 3, 2, 6, 1, 0)])
    [(1, 2), (2, 0), (3, 1)]

    Source: U-cs, end of the game; U2.
    """
    return ranked(list(map(descending, collections)))


def holdings(collections: Sequence[Counts]) -> Iterator[GemsHeld | NoGemsHeld]:
    """Tell what each seat has, the winner's first: the terms of what is compared."""
    for _, seat in in_order(collections):
        counts = sorted(zip(collections[seat], Colour, strict=True), key=lambda one: -one[0])
        held = tuple(Held(colour, gems) for gems, colour in counts if gems)
        yield GemsHeld(Seat(seat), held) if held else NoGemsHeld(Seat(seat))


def compared(who: Sequence[Who], collections: Sequence[Counts]) -> Iterator[Comparison]:
    """Explain the ranking: one comparison for each two neighbours in it, the winner's first."""
    order = [index for _, index in in_order(collections)]
    for first, second in pairwise(order):
        yield _comparison(who[first], who[second], descending(collections[first]), descending(collections[second]))


def _comparison(ahead: Who, behind: Who, more: Counts, fewer: Counts) -> Comparison:
    for place, (larger, smaller) in enumerate(zip(more, fewer, strict=True)):
        if larger != smaller and place == 0:
            return AheadAtOnce(ahead, behind, larger, smaller)
        if larger != smaller:
            return AheadLater(ahead, behind, more[:place], larger, smaller)
    return Level(ahead, behind, more)
