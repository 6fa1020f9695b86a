"""What a round's points are made of, term by term: in the events, and so wherever the referee speaks.

Source: R-cs, scoring and variants.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.rage.position import Row
from companion.games.rage.scoring import FIVE


@dataclass(frozen=True, slots=True)
class TricksWon:
    """A point for each trick."""

    tricks: int
    points: int


@dataclass(frozen=True, slots=True)
class EveryTrick:
    """All tricks of the round, which count more. Source: R-cs, variants."""

    tricks: int
    points: int


@dataclass(frozen=True, slots=True)
class BidMet:
    """The bid was made exactly."""

    bid: int
    points: int


@dataclass(frozen=True, slots=True)
class BidMissed:
    """The bid was not made exactly; `points` are negative."""

    bid: int
    points: int


@dataclass(frozen=True, slots=True)
class PlusFives:
    """The +5 in the tricks won."""

    cards: int
    points: int


@dataclass(frozen=True, slots=True)
class MinusFives:
    """The −5 in the tricks won; `points` are negative."""

    cards: int
    points: int


Term = TricksWon | EveryTrick | BidMet | BidMissed | PlusFives | MinusFives


def terms(row: Row) -> tuple[Term, ...]:
    """Take a row of the sheet apart; what brings nothing is left out."""
    return tuple(_terms(row))


def _terms(row: Row) -> Iterator[Term]:
    if row.tricks:
        yield (EveryTrick if row.b > row.tricks else TricksWon)(row.tricks, row.b)
    yield (BidMet if row.c > 0 else BidMissed)(row.a, row.c)
    if row.plus:
        yield PlusFives(row.plus, FIVE * row.plus)
    if row.minus:
        yield MinusFives(row.minus, -FIVE * row.minus)
