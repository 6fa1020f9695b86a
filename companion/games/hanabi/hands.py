"""What the hints tell of the cards in the hands, as everybody sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.hanabi.cards import Card, card_name
from companion.games.hanabi.deck import CardSet, Deck, card_set
from companion.games.hanabi.position import Clue, Hand, Slot
from companion.games.hanabi.scoring import told
from companion.kernel.once import by_value, part


@dataclass(frozen=True, slots=True)
class Brief:
    """Cards and clues by their names, one after the other: a quarter of what they are as records."""

    likely: str
    shows: str | None
    misses: str | None


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
    can_be: tuple[Clue, ...] | None
    """The colours and the values that it can still be, by hints and counts, where these are not all, nor what it was
    said to be. None where the table plays without such marks."""

    @property
    def brief(self) -> Brief | None:
        """What it may be, show and miss, as a phone is told it; None where all of that is open."""
        return _brief(self.may_be, self.may_show, self.may_miss) if self.may_be is not None else None


@part
def _brief(may_be: Sequence[Card], may_show: Sequence[Clue] | None, may_miss: Sequence[Clue] | None) -> Brief:
    return Brief(" ".join(map(card_name, may_be)), _listed(may_show), _listed(may_miss))


def _listed(clues: Sequence[Clue] | None) -> str | None:
    return None if clues is None else " ".join([str(getattr(clue, "value", clue)) for clue in clues])


@part
def shown(deck: Deck, left: CardSet, is_marked: bool, hand: Hand) -> tuple[HeldCard, ...]:
    """Show a hand to everyone, where copies of these cards are left; with marks of what a card can be, or without."""
    return tuple([_held(deck, left, is_marked, place, slot) for place, slot in enumerate(hand)])


@part
def unheard(hand: Hand) -> tuple[HeldCard, ...]:
    """Show a hand where the table remembers no hint."""
    return tuple([_unheard(place, None) for place in range(len(hand))])


@by_value
def _unheard(place: int, can_be: tuple[Clue, ...] | None) -> HeldCard:
    return HeldCard(
        place, is_hinted=False, told=(), told_not=(), may_be=None, may_show=None, may_miss=None, can_be=can_be
    )


def _held(deck: Deck, left: CardSet, is_marked: bool, place: int, slot: Slot) -> HeldCard:
    if not slot.marks:
        return _unheard(place, () if is_marked else None)
    heard, clues, clues_not = _heard(deck, slot)
    may_be = card_set(deck, heard & left.bits)
    may_show, may_miss = _open(deck, may_be) if may_be.bits else (None, None)
    can_be = _can_be(deck, may_be, clues) if is_marked else None
    return HeldCard(place, bool(clues), clues, clues_not, may_be.cards, may_show, may_miss, can_be)


@part
def _heard(deck: Deck, slot: Slot) -> tuple[int, tuple[Clue, ...], tuple[Clue, ...]]:
    """Tell the cards that go with every hint, and what the hints said that the card is, and is not."""
    may_be = ~0
    for mark in slot.marks:
        shown = deck.shown[mark.clue]
        may_be &= shown if mark.is_touched else ~shown
    return may_be, tuple(told(slot, True)), tuple(told(slot, False))


@by_value
def _can_be(deck: Deck, may_be: CardSet, clues: tuple[Clue, ...]) -> tuple[Clue, ...]:
    """Tell the colours, and the values, of some cards: those of a deck that are neither all nor told already."""
    found: tuple[Clue, ...] = ()
    for every, some in zip(_sorts(deck.cards), _sorts(may_be.cards), strict=True):
        found += () if some == every or set(some) <= set(clues) else some
    return found


def _sorts(cards: tuple[Card, ...]) -> tuple[tuple[Clue, ...], tuple[Clue, ...]]:
    colours = dict.fromkeys(card.colour for card in cards)
    return tuple(colours), tuple(sorted({card.value for card in cards}))


@by_value
def _open(deck: Deck, may_be: CardSet) -> tuple[tuple[Clue, ...], tuple[Clue, ...]]:
    """Tell which hints can show a card that is one of these, and which can leave it out."""
    clues = deck.shown.items()
    may_show = tuple([clue for clue, shown in clues if may_be.bits & shown])
    return may_show, tuple([clue for clue, shown in clues if may_be.bits & ~shown])
