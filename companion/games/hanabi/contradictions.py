"""What the referee notices of hints, though it sees no hand: what cannot be true of the cards that there are.

A hint is looked at when it is given: beside what was said of the same cards before, and beside how many of each card
are left. A card is looked at when it is shown; what was remarked upon before is not said again.

Source: H-cs, H-es, H-pl, hint; H33.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.frozen import replace
from companion.game import Remark, Seat
from companion.games.hanabi.cards import Card, Colour
from companion.games.hanabi.copies import Left, left_of, overfull
from companion.games.hanabi.deck import Deck, card_set, deck_of, touches
from companion.games.hanabi.moves import Rule
from companion.games.hanabi.position import Mark, Position, Slot
from companion.games.hanabi.turns import put


@dataclass(frozen=True, slots=True)
class IsColour:
    """What a hint said of a card that it showed."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class IsNotColour:
    """What a hint said of a card that it did not show."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class IsValue:
    """What a hint said of a card that it showed."""

    value: int


@dataclass(frozen=True, slots=True)
class IsNotValue:
    """What a hint said of a card that it did not show."""

    value: int


@dataclass(frozen=True, slots=True)
class Belied:
    """A card that is shown is not what a hint said."""

    card: Card
    seat: Seat
    """Who gave the hint."""
    number: int
    """The hint's move."""
    hint: object


@dataclass(frozen=True, slots=True)
class Opposed:
    """Two hints say of a card what none can be."""

    to: Seat
    place: int
    """From 1, left to right."""
    seat: Seat
    """Who gave the earlier hint."""
    number: int
    """The earlier hint's move."""
    hint: object
    by: Seat
    """Who gives the later one."""
    now: int
    """The later hint's move."""
    said: object


@dataclass(frozen=True, slots=True)
class TooMany:
    """A hint shows more of some cards than are left."""

    cards: tuple[Card, ...]
    by: Seat
    now: int


@dataclass(frozen=True, slots=True)
class TooManyTogether:
    """Two hints together show more of some cards than are left."""

    cards: tuple[Card, ...]
    seat: Seat
    """Who gave the earlier hint."""
    number: int
    """The earlier hint's move."""
    by: Seat
    """Who gives the later one."""
    now: int
    """The later hint's move."""


@dataclass(frozen=True, slots=True)
class Held:
    """A card in a hand of which something was said."""

    seat: int
    place: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the hint that was just given, and what it finds."""

    deck: Deck
    left: Left
    new: Mark
    """Any of its marks: they all have its giver and its move."""
    found: dict[int, object] = field(default_factory=dict)
    """By the move of the earlier hint; 0 where the new one cannot be true by itself."""
    doubts: set[tuple[int, int, int]] = field(default_factory=set)
    """What cannot all be true: seat and place of the card, and the hint's move."""

    def shown(self, mark: Mark) -> int:
        """Tell the cards that go with a mark."""
        shown = self.deck.shown[mark.clue]
        return shown if mark.is_touched else ~shown

    def may_be(self, held: Held, but: Iterable[int] = ()) -> int:
        """Tell the cards that go with all that was said of one, but for some hints and what is doubted."""
        may_be = (1 << len(self.deck.cards)) - 1
        for mark in held.marks:
            is_doubted = mark.is_doubted or (held.seat, held.place, mark.number) in self.doubts
            if not is_doubted and mark.number not in but:
                may_be &= self.shown(mark)
        return may_be

    def overfull(self, cards: list[Held], but: Iterable[int] = ()) -> list[Held]:
        """Find those that are more than there are of what they can be; [] where all can be true."""
        return [cards[place] for place in overfull([self.may_be(held, but) for held in cards], self.left)]

    def names(self, bits: int) -> tuple[Card, ...]:
        """Name the cards that are left among some; where none is, all of them."""
        return card_set(self.deck, bits & self.left.cards or bits).cards


def belied(position: Position, seat: int, slot: int, card: Card) -> tuple[Remark, ...]:
    """Remark on every hint that a revealed card contradicts, the first one first."""
    if not position.options.aid_contradictions:
        return ()
    return tuple(
        _remark(position, mark.number, Belied(card, Seat(mark.seat), mark.number, _said(mark)))
        for mark in position.hands[seat][slot].marks
        if mark.is_touched != touches(position.options, mark.clue, card) and not mark.is_doubted
    )


def noticed(position: Position, to: int | None) -> tuple[Position, tuple[Remark, ...]]:
    """Look at the hint that a seat was just given, and remark on each earlier one that cannot be true beside it."""
    options = position.options
    if to is None or not (options.has_places and options.aid_contradictions):
        return position, ()
    left = left_of(position.suits, position.fireworks, position.discards)
    cards = [Held(*where, slot.marks) for where, slot in _slots(position) if slot.marks]
    look = Look(deck_of(options, position.suits), left, position.hands[to][0].marks[-1])
    for held in cards:
        if held.seat == to:
            _beside_earlier(look, held)
    _beside_all(look, cards)
    remarks = tuple(_remark(position, number, look.found[number]) for number in sorted(look.found))
    return _doubted(position, look.doubts), remarks


def _remark(position: Position, number: int, how: object) -> Remark:
    """Remark on what does not go with the hint of an earlier move; 0 for none."""
    return Remark(Rule.CONTRADICTION, {"how": how}, back=(position.moves - number,) if number else ())


def _slots(position: Position) -> Iterable[tuple[tuple[int, int], Slot]]:
    return (((seat, place), slot) for seat, hand in enumerate(position.hands) for place, slot in enumerate(hand))


def _beside_earlier(look: Look, held: Held) -> None:
    """Look at what was said of one card, hint by hint; what cannot be true by itself is seen beside all cards."""
    *earlier, new = held.marks
    now = look.shown(new) & look.left.cards
    for mark in earlier:
        before = look.shown(mark) & look.left.cards
        if now and before and not now & before:
            look.doubts.update((held.seat, held.place, each.number) for each in (mark, new))
            look.found.setdefault(mark.number, _pair(look, [held], mark, look.shown(mark) & look.shown(new)))


def _beside_all(look: Look, cards: list[Held]) -> None:
    """Look at how many of each card are left, beside all that was said and is not doubted.

    The first hint is named that, with all before it, leaves no way for the new one to be true. Which card is meant
    wrongly nobody can count, so both are doubted as a whole.
    """
    if not look.overfull(cards) or look.overfull(cards, but={look.new.number}):
        return  # All may be true; or it could not be without the new hint, either.
    earlier = {mark.number: mark for held in cards for mark in held.marks if mark.number != look.new.number}
    numbers = sorted(earlier)
    beside = next(count for count in range(len(numbers) + 1) if look.overfull(cards, but=numbers[count:]))
    over, number = look.overfull(cards, but=numbers[beside:]), numbers[beside - 1] if beside else 0
    may_be = 0
    for held in over:
        may_be |= look.may_be(held, but=numbers[beside:])
    look.found.setdefault(number, _pair(look, over, earlier.get(number), may_be))
    told = {number, look.new.number}
    look.doubts.update(
        (held.seat, held.place, mark.number) for held in cards for mark in held.marks if mark.number in told
    )


def _pair(look: Look, over: list[Held], mark: Mark | None, may_be: int) -> object:
    """Say what cannot be true of some cards beside what an earlier hint said."""
    by, now = Seat(look.new.seat), look.new.number
    if mark is None:
        return TooMany(look.names(may_be), by, now)
    if may_be & (1 << len(look.deck.cards)) - 1:
        return TooManyTogether(look.names(may_be), Seat(mark.seat), mark.number, by, now)
    (held,) = over
    before, said = (next(each for each in held.marks if each.number == number) for number in (mark.number, now))
    return Opposed(Seat(held.seat), held.place + 1, Seat(mark.seat), mark.number, _said(before), by, now, _said(said))


def _doubted(position: Position, doubts: set[tuple[int, int, int]]) -> Position:
    """Mark what is doubted, so that the reveal does not repeat it."""
    hands = list(position.hands)
    for seat, place, number in doubts:
        marks = tuple(
            replace(mark, is_doubted=True) if mark.number == number else mark for mark in hands[seat][place].marks
        )
        hands[seat] = put(hands[seat], place, Slot(marks))
    return replace(position, hands=tuple(hands)) if doubts else position


def _said(mark: Mark) -> object:
    if isinstance(mark.clue, int):
        return IsValue(mark.clue) if mark.is_touched else IsNotValue(mark.clue)
    return IsColour(mark.clue) if mark.is_touched else IsNotColour(mark.clue)
