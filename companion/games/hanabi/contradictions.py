"""What the referee notices of hints, though it sees no hand: what cannot be true of the cards that there are.

A hint is looked at when it is given: beside what was said of the same cards before, and beside how many of each card
are left. A card is looked at when it is shown; what was remarked upon before is not said again.

Source: H-cs, H-es, H-pl, hint; H33.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

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
class Given:
    """One of several hints."""

    number: int
    """Its move."""
    seat: Seat
    """Who gave it."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """What one of several hints said of a card."""

    number: int
    """Its move."""
    seat: Seat
    """Who gave it."""
    hint: object


@dataclass(frozen=True, slots=True)
class OpposedTogether:
    """Hints say together of a card what none can be."""

    to: Seat
    place: int
    """From 1, left to right."""
    hints: tuple[Quoted, ...]


@dataclass(frozen=True, slots=True)
class TooMany:
    """A hint shows more of some cards than are left."""

    cards: tuple[Card, ...]
    by: Seat
    now: int


@dataclass(frozen=True, slots=True)
class TooManyTogether:
    """Hints together show more of some cards than are left."""

    hints: tuple[Given, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """A card in a hand of which something was said."""

    seat: int
    place: int
    marks: tuple[Mark, ...]


Found = tuple[tuple[int, ...], object]
"""The moves of the earlier hints that are not true beside the new one, and how it is said."""
Counts = Callable[[Held, Mark], bool]
"""Whether what a hint says of a card is heeded."""


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the hint that was just given, and what it finds."""

    deck: Deck
    left: Left
    cards: list[Held]
    """All of which something was said."""
    new: Mark
    """Any of its marks: they all have its giver and its move."""
    found: dict[int, Found] = field(default_factory=dict)
    """By the move of the earlier hint; 0 where the new one cannot be true by itself."""
    doubts: set[tuple[int, int, int]] = field(default_factory=set)
    """What cannot all be true: seat and place of the card, and the hint's move."""

    @property
    def earlier(self) -> list[int]:
        """The moves of the hints before the new one, in order."""
        return sorted({mark.number for held in self.cards for mark in held.marks} - {self.new.number})

    def shown(self, mark: Mark) -> int:
        """Tell the cards that go with a mark."""
        shown = self.deck.shown[mark.clue]
        return shown if mark.is_touched else ~shown

    def may_be(self, held: Held, counts: Counts) -> int:
        """Tell the cards that go with what was said of one."""
        may_be = (1 << len(self.deck.cards)) - 1
        for mark in held.marks:
            if counts(held, mark):
                may_be &= self.shown(mark)
        return may_be

    def overfull(self, counts: Counts) -> list[Held]:
        """Find those that are more than there are of what they can be; [] where all can be true."""
        places = overfull([self.may_be(held, counts) for held in self.cards], self.left)
        return [self.cards[place] for place in places]

    def is_open(self, held: Held, mark: Mark) -> bool:
        """Say whether what a hint says of a card is not doubted."""
        return not mark.is_doubted and (held.seat, held.place, mark.number) not in self.doubts

    def notes(self, numbers: Collection[int], over: list[Held], counts: Counts) -> None:
        """Note that the new hint is not true of some cards beside those of some moves, the last one first."""
        among = {*numbers, self.new.number}
        self.found.setdefault(next(iter(numbers), 0), (tuple(sorted(numbers)), self._said(among, over, counts)))
        self.doubts.update((held.seat, held.place, number) for held in over for number in among)

    def _said(self, numbers: set[int], over: list[Held], counts: Counts) -> object:
        may_be = [self.may_be(held, counts) for held in over]
        if 0 in may_be:
            return _opposed(over[may_be.index(0)], numbers)
        by = {mark.number: Seat(mark.seat) for held in self.cards for mark in held.marks}
        hints, cards = tuple(Given(number, by[number]) for number in sorted(numbers)), self._names(reduce(or_, may_be))
        return TooManyTogether(hints, cards) if len(hints) > 1 else TooMany(cards, hints[0].seat, hints[0].number)

    def _names(self, bits: int) -> tuple[Card, ...]:
        """Name the cards that are left among some; where none is, all of them."""
        return card_set(self.deck, bits & self.left.cards or bits).cards


def belied(position: Position, seat: int, slot: int, card: Card) -> tuple[Remark, ...]:
    """Remark on every hint that a revealed card contradicts, the first one first."""
    if not position.options.aid_contradictions:
        return ()
    return tuple(
        _remark(position, (mark.number,), Belied(card, Seat(mark.seat), mark.number, _said(mark)))
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
    look = Look(deck_of(options, position.suits), left, cards, position.hands[to][0].marks[-1])
    for held in cards:
        if held.seat == to:
            _beside_earlier(look, held)
    is_odd = bool(look.found or look.overfull(look.is_open))
    _beside_one(look, is_odd)
    if is_odd:
        _beside_all(look)
    remarks = tuple(_remark(position, *look.found[number]) for number in sorted(look.found))
    return _doubted(position, look.doubts), remarks


def _remark(position: Position, numbers: Collection[int], how: object) -> Remark:
    """Remark on what does not go with the hints of earlier moves."""
    return Remark(Rule.CONTRADICTION, {"how": how}, back=tuple(position.moves - number for number in numbers))


def _slots(position: Position) -> Iterable[tuple[tuple[int, int], Slot]]:
    return (((seat, place), slot) for seat, hand in enumerate(position.hands) for place, slot in enumerate(hand))


def _beside_earlier(look: Look, held: Held) -> None:
    """Look at what was said of one card, hint by hint; what cannot be true by itself is seen beside all cards."""
    *earlier, new = held.marks
    now = look.shown(new) & look.left.cards
    for mark in earlier:
        before = look.shown(mark) & look.left.cards
        if now and before and not now & before:
            look.notes([mark.number], [held], _of({mark.number, new.number}))


def _beside_one(look: Look, is_odd: bool) -> None:
    """Look at how many of each card are left beside the new hint, and beside each earlier one with it.

    Args:
        look: what is looked at.
        is_odd: not all that is said and not doubted can be true; else it can be of any two hints that are not, either.
    """
    new = look.new.number
    if is_odd and (over := look.overfull(_of({new}))):
        look.notes([], over, _of({new}))
        return
    doubted = {mark.number for held in look.cards for mark in held.marks if mark.is_doubted}
    for number in look.earlier:
        both, is_due = _of({number, new}), number not in look.found and (is_odd or number in doubted)
        if is_due and not look.overfull(_of({number})) and (over := look.overfull(both)):
            look.notes([number], over, both)


def _beside_all(look: Look) -> None:
    """Look at how many of each card are left beside all that was said and is not doubted.

    What a card that was shown meanwhile has made impossible says nothing of the new hint, and is set aside.
    """
    new = look.new.number
    aside = look.overfull(lambda held, mark: mark.number != new and look.is_open(held, mark))

    def is_heeded(held: Held, mark: Mark) -> bool:
        return look.is_open(held, mark) and (mark.number == new or held not in aside)

    while look.overfull(is_heeded):
        needed = _fewest(look, is_heeded)
        among = _of({new, *needed}, is_heeded)
        look.notes(needed, look.overfull(among), among)


def _fewest(look: Look, is_heeded: Counts) -> list[int]:
    """Name hints, the last one first, without any of which the new one could be true beside the others.

    Each is the first that, with all before it and those named already, leaves no way.
    """
    needed: list[int] = []
    while True:
        known, earlier = {look.new.number, *needed}, look.earlier
        ways = (look.overfull(_of(known.union(earlier[:count]), is_heeded)) for count in range(len(earlier) + 1))
        enough = next(count for count, over in enumerate(ways) if over)
        if not enough:
            return needed
        needed.append(earlier[enough - 1])


def _of(numbers: Collection[int], counts: Counts = lambda held, mark: True) -> Counts:
    """Heed what the hints of some moves say, as far as it counts."""
    return lambda held, mark: mark.number in numbers and counts(held, mark)


def _doubted(position: Position, doubts: set[tuple[int, int, int]]) -> Position:
    """Mark what is doubted, so that the reveal does not repeat it."""
    hands = list(position.hands)
    for seat, place, number in doubts:
        marks = tuple(
            replace(mark, is_doubted=True) if mark.number == number else mark for mark in hands[seat][place].marks
        )
        hands[seat] = put(hands[seat], place, Slot(marks))
    return replace(position, hands=tuple(hands)) if doubts else position


def _opposed(held: Held, numbers: set[int]) -> object:
    """Say what hints say of a card that none can be."""
    to, place = Seat(held.seat), held.place + 1
    said = tuple(Quoted(mark.number, Seat(mark.seat), _said(mark)) for mark in held.marks if mark.number in numbers)
    *before, now = said
    if len(before) > 1:
        return OpposedTogether(to, place, said)
    return Opposed(to, place, before[0].seat, before[0].number, before[0].hint, now.seat, now.number, now.hint)


def _said(mark: Mark) -> object:
    if isinstance(mark.clue, int):
        return IsValue(mark.clue) if mark.is_touched else IsNotValue(mark.clue)
    return IsColour(mark.clue) if mark.is_touched else IsNotColour(mark.clue)
