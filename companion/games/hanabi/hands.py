"""What the hints tell of the cards in the hands, as everybody sees them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.hanabi.cards import Card
from companion.games.hanabi.deck import CardSet, Deck, card_set
from companion.games.hanabi.position import Clue, Hand, Slot
from companion.games.hanabi.scoring import told
from companion.once import by_value, part


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card in a hand, as far as the hints tell; everything is open where the table plays without that aid."""

    slot: int
    """From 0, left to right."""
    is_hinted: bool
    """Whether a hint showed it."""
    told: tuple[Clue, ...]
    """What it was said to be: colours, then values."""
    told_not: tuple[Clue, ...]
    """What it was said not to be."""
    may_be: tuple[Card, ...] | None
    """The cards that go with every hint and of which a copy is left: the likely ones. None: as `choices.left`."""
    may_show: tuple[Clue, ...] | None
    """What a hint that shows it can name, by these cards: colours, then values. None: anything."""
    may_miss: tuple[Clue, ...] | None
    """What a hint that leaves it out can name."""


@part
def shown(deck: Deck, left: CardSet, hand: Hand) -> tuple[HeldCard, ...]:
    """Show a hand to everyone, where copies of these cards are left."""
    return tuple([_held(deck, left, place, slot) for place, slot in enumerate(hand)])


@part
def unheard(hand: Hand) -> tuple[HeldCard, ...]:
    """Show a hand where the table remembers no hint."""
    return tuple(map(_unheard, range(len(hand))))


@by_value
def _unheard(place: int) -> HeldCard:
    return HeldCard(place, is_hinted=False, told=(), told_not=(), may_be=None, may_show=None, may_miss=None)


def _held(deck: Deck, left: CardSet, place: int, slot: Slot) -> HeldCard:
    if not slot.marks:
        return _unheard(place)
    heard, clues, clues_not = _heard(deck, slot)
    may_be = card_set(deck, heard & left.bits)
    may_show, may_miss = _open(deck, may_be) if may_be.bits else (None, None)
    return HeldCard(place, bool(clues), clues, clues_not, may_be.cards, may_show, may_miss)


@part
def _heard(deck: Deck, slot: Slot) -> tuple[int, tuple[Clue, ...], tuple[Clue, ...]]:
    """Tell the cards that go with every hint, and what the hints said that the card is, and is not."""
    may_be = ~0
    for mark in slot.marks:
        shown = deck.shown[mark.clue]
        may_be &= shown if mark.is_touched else ~shown
    return may_be, tuple(told(slot, True)), tuple(told(slot, False))


@part
def _open(deck: Deck, may_be: CardSet) -> tuple[tuple[Clue, ...], tuple[Clue, ...]]:
    """Tell which hints can show a card that is one of these, and which can leave it out."""
    clues = deck.shown.items()
    may_show = tuple([clue for clue, shown in clues if may_be.bits & shown])
    return may_show, tuple([clue for clue, shown in clues if may_be.bits & ~shown])
