"""What a bouquet is worth: the best reading of its cards, for its owner.

A bouquet that still grows has a reading too, by the same rules.

Source: I-es, scoring; I1, I12–I15.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import product

from companion.games.ikebana.cards import VALUES, Card, Colour, CountsAs

SIZE = 5
"""Cards in a complete bouquet."""

RUNS = {(1, 2, 3, 4, 5): 15, (2, 3, 4, 5): 12, (1, 2, 3, 4): 8}
"""Runs and their points, the highest first. Source: I-es, scoring."""

FINAL_FACTOR = 2
"""What the Final bouquet multiplies by. Source: I-es, variants; I15."""


class Wild(Enum):
    """What a multicolour card may stand for. Source: decided here, I1."""

    COLOUR = "colour"
    """Any colour; it counts with its printed value."""
    COLOUR_AND_VALUE = "colour_and_value"
    """Any colour and any value."""
    NONE = "none"
    """Nothing: multicolour is a sixth colour."""


class Kind(Enum):
    """A combination of cards."""

    PAIR = "pair"
    TRIO = "trio"
    QUARTET = "quartet"
    QUINTET = "quintet"
    RUN = "run"


class Mix(Enum):
    """How many colours a bouquet has; the value is its multiplier. Source: I-es, scoring; I13, I14."""

    UNICOLOUR = 4
    """All of one colour."""
    MULTICOLOUR = 3
    """Five cards of five colours."""
    BICOLOUR = 2
    """Exactly two colours."""
    MIXED = 1
    """Anything else."""


SETS = {2: Kind.PAIR, 3: Kind.TRIO, 4: Kind.QUARTET, 5: Kind.QUINTET}
"""Cards of equal value, by how many there are."""


@dataclass(frozen=True, slots=True)
class Combination:
    """Cards that score together: a set in the bouquet's order, a run from its lowest value up."""

    kind: Kind
    cards: tuple[Card | CountsAs, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The best reading of a bouquet."""

    cards: tuple[Card | CountsAs, ...]
    """In the order in which they were taken."""
    combinations: tuple[Combination, ...]
    """The one with most points first; each card is in one at most."""
    mix: Mix
    is_doubled: bool
    """Whether it is a Final bouquet."""

    @property
    def base(self) -> int:
        """The points of all combinations."""
        return sum(combination.points for combination in self.combinations)

    @property
    def total(self) -> int:
        """The bouquet's value in prestige points."""
        return self.base * self.mix.value * (FINAL_FACTOR if self.is_doubled else 1)


def best_reading(cards: Sequence[Card], wild: Wild, is_doubled: bool = False) -> Reading:
    """Read a bouquet, or the part of it that is there, for its owner's best.

    >>> from companion.games.ikebana.cards import parse_card
    >>> best_reading([parse_card(name) for name in ("K3", "R3", "G3", "B2", "Y2")], Wild.COLOUR).total
    39

    Source: I-es, scoring; I12–I15.
    """
    values = _counted_values(cards, wild)
    counting = [
        card if card.value == value else CountsAs(card.colour, card.value, value)
        for card, value in zip(cards, values, strict=True)
    ]
    combinations = tuple(
        Combination(kind, tuple(counting[place] for place in places), points) for kind, places, points in _plan(values)
    )
    return Reading(tuple(counting), combinations, _mix(cards, wild), is_doubled)


def _counted_values(cards: Sequence[Card], wild: Wild) -> tuple[int, ...]:
    """Give each card the value that it counts with."""
    if wild is not Wild.COLOUR_AND_VALUE:
        return tuple(card.value for card in cards)
    fixed = sorted(card.value for card in cards if card.colour is not Colour.MULTICOLOUR)
    printed = sorted(card.value for card in cards if card.colour is Colour.MULTICOLOUR)
    # Each value is printed on one wild card only.
    chosen = dict(zip(printed, _best_values(tuple(fixed), tuple(printed)), strict=True))
    return tuple(chosen[card.value] if card.colour is Colour.MULTICOLOUR else card.value for card in cards)


@cache
def _best_values(fixed: tuple[int, ...], printed: tuple[int, ...]) -> tuple[int, ...]:
    """Choose values for wild cards: the most points, and then as many printed values as can be."""

    def merit(values: tuple[int, ...]) -> tuple[int, int]:
        kept = sum(value == own for value, own in zip(values, printed, strict=True))
        return sum(points for _, _, points in _plan(tuple(sorted(fixed + values)))), kept

    return max(product(VALUES, repeat=len(printed)), key=merit)


@cache
def _plan(values: tuple[int, ...]) -> tuple[tuple[Kind, tuple[int, ...], int], ...]:
    """Choose the combinations with most points; a run goes before sets of equal points.

    Returns:
        (kind, places in `values`, points) of each combination, the one with most points first.

    Source: I-es, scoring; I12.
    """
    sets = [
        (SETS[count], tuple(place for place, own in enumerate(values) if own == value), value * count)
        for value, count in Counter(values).items()
        if count in SETS
    ]
    for run, points in RUNS.items():
        if set(run) <= set(values) and points >= sum(one[-1] for one in sets):
            return ((Kind.RUN, tuple(values.index(value) for value in run), points),)
    return tuple(sorted(sets, key=lambda one: (-one[-1], -len(one[1]))))


def _mix(cards: Sequence[Card], wild: Wild) -> Mix:
    """Find the highest multiplier that the colours allow. Source: I-es, scoring; I1, I13, I14."""
    colours = [card.colour for card in cards if wild is Wild.NONE or card.colour is not Colour.MULTICOLOUR]
    different = len(set(colours))
    if different <= 1:
        return Mix.UNICOLOUR
    if len(cards) == SIZE and different == len(colours):
        return Mix.MULTICOLOUR
    return Mix.BICOLOUR if different == Mix.BICOLOUR.value else Mix.MIXED
