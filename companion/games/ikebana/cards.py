"""Ikebana's cards: five colours, and one multicolour card of each value.

Source: I-es, components; I1, I17.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from companion.kernel.once import MOST, PARTS, Memory, once


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


@dataclass(frozen=True, slots=True)
class CountsAs:
    """A wild card in a bouquet, where it counts with another value than its own. Source: decided here, I1."""

    colour: Colour
    value: int
    """As printed."""
    counts: int
    """The value that it counts with."""


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


_ONE: Mapping[Card, int] = {card: 1 << 8 * place for place, card in enumerate(COPIES)}
"""A number with a byte for each different card: sums of these count cards."""

_PAIRS = [[(card, copies) for copies in range(most + 1)] for card, most in COPIES.items()]
"""Each different card, with each number of its copies: handed on as they are, they are written once."""

EACH = sum([_ONE[card] * copies for card, copies in COPIES.items()])
"""All cards, counted so."""


_COUNTS = Memory(MOST * PARTS)


def counted(groups: Iterable[tuple[Card | None, ...]]) -> int:
    """Count the cards of groups as a number with a byte for each different one; None is a card that was not told."""
    lately = _COUNTS.get
    return sum([known[0] if (known := lately(id(cards))) else _counted(cards) for cards in groups])


def _count(cards: tuple[Card | None, ...]) -> int:
    return sum([_ONE[card] for card in cards if card is not None])


_counted = once(_count, _COUNTS)


def copies_in(count: int) -> tuple[tuple[Card, int], ...]:
    """Read such a number: (card, copies) of each card that it counts, by colour and value.

    >>> copies_in(counted([(Card(Colour.RED, 4), None), (Card(Colour.RED, 4),)]))
    ((Card(colour=<Colour.RED: 'R'>, value=4), 2),)
    """
    return tuple(
        [pairs[copies] for pairs, copies in zip(_PAIRS, count.to_bytes(len(_PAIRS), "little"), strict=True) if copies]
    )


def parse_card(name: str) -> Card:
    """Read a card's name.

    >>> parse_card("K3")
    Card(colour=<Colour.BLACK: 'K'>, value=3)

    Raises:
        ValueError: there is no such card.
    """
    try:
        return _CARDS[name]
    except KeyError:
        raise ValueError(f"There is no card {name!r}.") from None


def card_name(card: Card | CountsAs) -> str:
    """Write a card's name, as `parse_card` reads it."""
    return f"{card.colour.value}{card.value}"


_CARDS: Mapping[str, Card] = {card_name(card): card for card in COPIES}
