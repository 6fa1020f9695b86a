"""Ikebana's cards: five colours, and one multicolour card of each value.

Source: I-es, components; I1, I17.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Colour(Enum):
    """The colours, by their letters."""

    BLACK = "K"
    RED = "R"
    GREEN = "G"
    BLUE = "B"
    YELLOW = "Y"
    MULTICOLOUR = "M"
    """The wild cards'."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card; `COPIES` says how often it exists."""

    colour: Colour
    value: int
    """1..5."""


VALUES = range(1, 6)

COPIES_OF_VALUE = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
"""In each of the five colours; of the wild cards there is one of each value. Source: I-es, components; I1."""

COPIES = {
    Card(colour, value): 1 if colour is Colour.MULTICOLOUR else COPIES_OF_VALUE[value]
    for colour in Colour
    for value in VALUES
}
"""Every different card, by colour and value, and how often it exists."""

CARDS = sum(COPIES.values())
"""55."""


def parse_card(name: str) -> Card:
    """Read a card's name.

    >>> parse_card("K3")
    Card(colour=<Colour.BLACK: 'K'>, value=3)

    Raises:
        ValueError: there is no such card.
    """
    colour, digit = Colour(name[:1]), name[1:]
    if digit not in {str(value) for value in VALUES}:
        raise ValueError(name)
    return Card(colour, int(digit))


def card_name(card: Card) -> str:
    """Write a card's name, as `parse_card` reads it."""
    return f"{card.colour.value}{card.value}"
