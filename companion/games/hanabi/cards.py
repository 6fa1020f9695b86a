"""Hanabi's cards, and the fireworks that they build.

Source: H-cs, H-es, H-pl, components; H8, H8b.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


class Colour(Enum):
    """The colours, by their letters, in the order in which the referee lists them."""

    WHITE = "W"
    RED = "R"
    BLUE = "B"
    YELLOW = "Y"
    GREEN = "G"
    BLACK = "K"
    """An ordinary colour in H-es; black powder in H-pl."""
    MULTICOLOUR = "M"


VALUES = range(1, 6)


@dataclass(frozen=True, slots=True)
class Card:
    """A card; some exist more than once."""

    colour: Colour
    value: int
    """1..5."""


@dataclass(frozen=True, slots=True)
class Suit:
    """The cards of one colour, and how its firework is built."""

    colour: Colour
    copies: tuple[int, ...]
    """How many of the values 1 to 5 there are."""
    is_falling: bool = False
    """Built from 5 down to 1, without a colour for hints, and a loss as long as it is unfinished: black powder."""

    def place(self, value: int) -> int:
        """Say how many cards lie in the firework before this one."""
        return VALUES[-1] - value if self.is_falling else value - VALUES[0]

    def value(self, place: int) -> int:
        """Say which value is built upon so many cards."""
        return VALUES[-1] - place if self.is_falling else VALUES[0] + place

    def left(self, value: int, built: int, discarded: int) -> int:
        """Count the copies of a value that are neither among so many built nor among so many discarded."""
        return self.copies[value - VALUES[0]] - discarded - (self.place(value) < built)

    def card(self, place: int) -> Card:
        """Name the card that is built upon so many."""
        return Card(self.colour, self.value(place))


ORDINARY = (3, 2, 2, 2, 1)
"""Copies of the values 1 to 5."""
SINGLE = (1, 1, 1, 1, 1)
"""Source: H8b."""
POWDER = (1, 2, 2, 2, 3)
"""Source: H8."""


def parse_card(name: str) -> Card:
    """Read a card's name.

    >>> parse_card("R3")
    Card(colour=<Colour.RED: 'R'>, value=3)

    Raises:
        ValueError: there is no such card.
    """
    try:
        return _CARDS[name]
    except KeyError:
        raise ValueError(f"There is no card {name!r}.") from None


def card_name(card: Card) -> str:
    """Write a card's name, as `parse_card` reads it."""
    return f"{card.colour.value}{card.value}"


_CARDS: Mapping[str, Card] = {
    card_name(card): card for card in [Card(colour, value) for colour in Colour for value in VALUES]
}
