"""Rage's cards, and who wins a trick of them.

Source: R-cs, components and trick play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum


class Colour(Enum):
    """The six colours, by their letters."""

    BLUE = "B"
    GREEN = "G"
    RED = "R"
    YELLOW = "Y"
    PURPLE = "P"
    ORANGE = "O"


class Action(Enum):
    """The action cards without a colour; a joker is a card of its own kind."""

    NO_TRUMP = "NT"
    CHANGE_OF_TRUMP = "CT"
    PLUS_FIVE = "+5"
    MINUS_FIVE = "-5"


@dataclass(frozen=True, slots=True)
class Coloured:
    """A coloured card: each exists once."""

    colour: Colour
    value: int
    """0..15, 15 is high."""


@dataclass(frozen=True, slots=True)
class Joker:
    """A joker, with the colour that its player announced."""

    colour: Colour | None
    """None only for a `BareJoker`."""


@dataclass(frozen=True, slots=True)
class BareJoker(Joker):
    """A joker turned up from the talon, or in a hand: nobody announced it, and it is said without a colour."""

    colour: None = None


Card = Coloured | Joker | Action

VALUES = range(16)


def every_card(is_announced: bool = True) -> Iterator[Card]:
    """Yield each different card once, a joker for each colour that can be announced (or none)."""
    yield from (Coloured(colour, value) for colour in Colour for value in VALUES)
    yield from Action
    if is_announced:
        yield from (Joker(colour) for colour in Colour)


def parse_card(name: str) -> Card:
    """Read a card's name.

    >>> parse_card("Y8"), parse_card("J:P"), parse_card("+5")
    (Coloured(colour=<Colour.YELLOW: 'Y'>, value=8), Joker(colour=<Colour.PURPLE: 'P'>), <Action.PLUS_FIVE: '+5'>)

    Raises:
        ValueError: there is no such card.
    """
    try:
        return _CARDS[name]
    except KeyError:
        raise ValueError(f"There is no card {name!r}.") from None


def card_name(card: Card) -> str:
    """Write a card's name, as `parse_card` reads it."""
    match card:
        case Coloured(colour, value):
            return f"{colour.value}{value}"
        case Joker(colour):
            return f"J:{colour.value}" if colour else "J"
        case _:
            return card.value


_CARDS: Mapping[str, Card] = {card_name(card): card for card in (*every_card(), BareJoker())}


def led_colour(trick: Sequence[Card]) -> Colour | None:
    """Name the colour to follow: that of the first coloured card or joker; None before there is one."""
    for card in trick:
        if not isinstance(card, Action):
            return card.colour
    return None


def winner(trick: Sequence[Card], trump: Colour | None, is_later_joker_higher: bool) -> int:
    """Find the winning card of a complete trick.

    Args:
        trick: the cards in the order played, the leader's first; at least one.
        trump: the trump that stands when the trick is complete; None without one.
        is_later_joker_higher: of two jokers announced in one colour, whether the later one wins.

    Returns:
        The winner's index in `trick`.

    Source: R-cs, trick play; decided here, R4, R5, R13.
    """
    ranks = dict(enumerate(trick))
    for colour in (trump, led_colour(trick)):
        runners = {i: _rank(card, i, is_later_joker_higher) for i, card in ranks.items() if _has_colour(card, colour)}
        if runners:
            return max(runners, key=lambda i: runners[i])
    return 0


def _has_colour(card: Card, colour: Colour | None) -> bool:
    return colour is not None and not isinstance(card, Action) and card.colour is colour


def _rank(card: Card, index: int, is_later_joker_higher: bool) -> tuple[int, int]:
    if isinstance(card, Coloured):
        return card.value, 0
    return len(VALUES), index if is_later_joker_higher else -index
