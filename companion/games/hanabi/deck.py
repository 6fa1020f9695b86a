"""Sets of Hanabi's cards as bits of a number, so that what two sets have in common is an `&`.

Five bits a suit, in the order of the suits; the lowest of them is the 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.games.hanabi.cards import VALUES, Card, Colour, Suit
from companion.games.hanabi.options import Options
from companion.games.hanabi.position import Clue
from companion.kernel.once import by_value, part


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """The different cards of a game, the n-th with bit n, and those that a hint of each kind must show."""

    cards: tuple[Card, ...]
    shown: Mapping[Clue, int]


@dataclass(frozen=True, slots=True, eq=False)
class CardSet:
    """Some of a deck's cards, in its order; the same ones are the same object."""

    bits: int
    cards: tuple[Card, ...]


def touches(options: Options, clue: Clue, card: Card) -> bool:
    """Say whether a hint must show a card. Source: H-cs, H-es, H-pl, hint and variants; H26.

    >>> touches(Options(), 3, Card(Colour.BLACK, 3)), touches(Options(), Colour.RED, Card(Colour.BLUE, 3))
    (True, False)
    """
    if isinstance(clue, int):
        return card.value == clue
    return card.colour is clue or (card.colour is Colour.MULTICOLOUR and not options.is_multicolour_named)


@part
def deck_of(options: Options, suits: tuple[Suit, ...]) -> Deck:
    """Lay out the cards of a table."""
    cards = tuple([Card(suit.colour, value) for suit in suits for value in VALUES])
    clues: tuple[Clue, ...] = (*Colour, *VALUES)
    shown = {clue: sum([touches(options, clue, card) << bit for bit, card in enumerate(cards)]) for clue in clues}
    return Deck(cards, shown)


@by_value
def card_set(deck: Deck, bits: int) -> CardSet:
    """Name the cards of a set."""
    return CardSet(bits, tuple([card for bit, card in enumerate(deck.cards) if bits >> bit & 1]))


def bits_of(values: Iterable[int]) -> int:
    """Make a set of cards of one suit from their values."""
    return sum([1 << value - VALUES[0] for value in values])


def joined(suits: Iterable[int]) -> int:
    """Join sets of cards, one of each suit."""
    return sum([bits << len(VALUES) * index for index, bits in enumerate(suits)])
