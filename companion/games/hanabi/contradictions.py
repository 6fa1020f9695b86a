"""What the referee notices of hints, though it sees no hand: what cannot be true of the cards that there are.

A hint is looked at when it is given: beside what was said of the same cards before, and beside how many of each card
are left. A card is looked at when it is shown; what was remarked upon before is not said again.

Source: H-cs, H-es, H-pl, hint; H33.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from operator import itemgetter, or_

from companion.game import Remark, Seat
from companion.games.hanabi.cards import Card, Colour
from companion.games.hanabi.copies import Left, left_of, overfull
from companion.games.hanabi.deck import Deck, card_set, deck_of, touches
from companion.games.hanabi.moves import Rule
from companion.games.hanabi.position import Mark, Position, Slot
from companion.kernel.frozen import put, replace
from companion.kernel.sentences import Nth


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
    number: Nth
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
    number: Nth
    """The earlier hint's move."""
    hint: object
    by: Seat
    """Who gives the later one."""
    now: Nth
    """The later hint's move."""
    said: object


@dataclass(frozen=True, slots=True)
class Given:
    """One of several hints."""

    number: Nth
    """Its move."""
    seat: Seat
    """Who gave it."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """What one of several hints said of a card."""

    number: Nth
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
    now: Nth


@dataclass(frozen=True, slots=True)
class TooManyTogether:
    """Hints together show more of some cards than are left."""

    hints: tuple[Given, ...]
    cards: tuple[Card, ...]


Place = tuple[int, int]
"""A seat, and the place of a card in its hand."""
Said = Mapping[int, Mapping[Place, int]]
"""What hints say: by their moves, in order, what each card can be, as bits."""
Found = tuple[tuple[int, ...], object]
"""The moves of the earlier hints that are not true beside the new one, and how it is said."""


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the hint that was just given, and what it finds."""

    deck: Deck
    left: Left
    marks: Mapping[Place, tuple[Mark, ...]]
    """What was said of each card."""
    new: int
    """The hint's move."""
    said: Said
    found: dict[int, Found] = field(default_factory=dict)
    """By the move of the last of the earlier hints; 0 where the new one cannot be true by itself."""
    doubts: set[tuple[Place, int]] = field(default_factory=set)
    """What cannot all be true: of which card, and the hint's move."""

    @property
    def open(self) -> Said:
        """What is not doubted."""
        doubts = self.doubts | {
            (where, mark.number) for where, marks in self.marks.items() for mark in marks if mark.is_doubted
        }
        return {
            number: {where: bits for where, bits in said.items() if (where, number) not in doubts}
            for number, said in self.said.items()
        }

    def may_be(self, said: Said, numbers: Iterable[int]) -> dict[Place, int]:
        """Tell what each card can be by all that some hints say of it."""
        may_be: dict[Place, int] = {}
        for number in numbers:
            for where, bits in said[number].items():
                may_be[where] = may_be.get(where, bits) & bits
        return may_be

    def overfull(self, said: Said, numbers: Iterable[int]) -> list[Place]:
        """Find the cards that are more than there are of what they can be; [] where all can be true."""
        may_be = self.may_be(said, numbers)
        places = overfull([*may_be.values()], self.left)
        cards = [*may_be] if places else []
        return [cards[place] for place in places]

    def notes(self, said: Said, numbers: Collection[int], over: list[Place]) -> None:
        """Note that the new hint is not true of some cards beside those of some moves, the last one first."""
        among = [*sorted(numbers), self.new]
        self.found.setdefault(next(iter(numbers), 0), (tuple(among[:-1]), self._told(said, among, over)))
        self.doubts.update((where, number) for where in over for number in among)

    def _told(self, said: Said, among: list[int], over: list[Place]) -> object:
        may_be = self.may_be(said, among)
        nowhere = next((where for where in over if not may_be[where]), None)
        if nowhere is not None:
            return _opposed(nowhere, [mark for mark in self.marks[nowhere] if mark.number in among])
        by = {mark.number: Seat(mark.seat) for marks in self.marks.values() for mark in marks}
        hints = tuple(Given(Nth(number), by[number]) for number in among)
        bits = reduce(or_, [may_be[where] for where in over])
        cards = card_set(self.deck, bits & self.left.cards or bits).cards
        return TooManyTogether(hints, cards) if len(hints) > 1 else TooMany(cards, by[self.new], Nth(self.new))


def belied(position: Position, seat: int, slot: int, card: Card) -> tuple[Remark, ...]:
    """Remark on every hint that a revealed card contradicts, the first one first."""
    if not position.options.aid_contradictions:
        return ()
    return tuple(
        _remark(position, (mark.number,), Belied(card, Seat(mark.seat), Nth(mark.number), _said(mark)))
        for mark in position.hands[seat][slot].marks
        if mark.is_touched != touches(position.options, mark.clue, card) and not mark.is_doubted
    )


def noticed(position: Position, to: int | None) -> tuple[Position, tuple[Remark, ...]]:
    """Look at the hint that a seat was just given, and remark on each earlier one that cannot be true beside it."""
    options = position.options
    if to is None or not (options.has_places and options.aid_contradictions):
        return position, ()
    deck, left = deck_of(options, position.suits), left_of(position.suits, position.fireworks, position.discards)
    marks = {where: slot.marks for where, slot in _slots(position) if slot.marks}
    said: dict[int, dict[Place, int]] = {}
    for where, number, bits in sorted(_bits(deck, marks), key=itemgetter(1)):
        said.setdefault(number, {})[where] = bits
    look = Look(deck, left, marks, position.hands[to][0].marks[-1].number, said)
    for where in said[look.new]:
        _beside_earlier(look, where)
    if look.found or look.overfull(look.open, said):
        _beside_one(look, [number for number in said if number != look.new])
        _beside_all(look)
    else:
        doubted = {mark.number for some in marks.values() for mark in some if mark.is_doubted}
        _beside_one(look, [number for number in said if number in doubted])
    remarks = tuple(_remark(position, *look.found[number]) for number in sorted(look.found))
    return _doubted(position, look.doubts), remarks


def _bits(deck: Deck, marks: Mapping[Place, tuple[Mark, ...]]) -> Iterator[tuple[Place, int, int]]:
    """Tell of each mark which card it is on, its hint's move, and the cards that go with it."""
    for where, some in marks.items():
        for mark in some:
            shown = deck.shown[mark.clue]
            yield where, mark.number, shown if mark.is_touched else ~shown & (1 << len(deck.cards)) - 1


def _remark(position: Position, numbers: Collection[int], how: object) -> Remark:
    """Remark on what does not go with the hints of earlier moves."""
    return Remark(Rule.CONTRADICTION, {"how": how}, back=tuple(position.moves - number for number in numbers))


def _slots(position: Position) -> Iterable[tuple[Place, Slot]]:
    return (((seat, place), slot) for seat, hand in enumerate(position.hands) for place, slot in enumerate(hand))


def _beside_earlier(look: Look, where: Place) -> None:
    """Look at what was said of one card, hint by hint; what cannot be true by itself is seen beside all cards."""
    now = look.said[look.new][where] & look.left.cards
    for mark in look.marks[where][:-1]:
        before = look.said[mark.number][where] & look.left.cards
        if now and before and not now & before:
            look.notes(look.said, [mark.number], [where])


def _beside_one(look: Look, earlier: list[int]) -> None:
    """Look at how many of each card are left beside the new hint, and beside each of some earlier ones with it."""
    if over := look.overfull(look.said, [look.new]):
        look.notes(look.said, [], over)
        return
    for number in earlier:
        over = [] if number in look.found else look.overfull(look.said, [number, look.new])
        if over and not look.overfull(look.said, [number]):
            look.notes(look.said, [number], over)


def _beside_all(look: Look) -> None:
    """Look at how many of each card are left beside all that was said and is not doubted.

    What a card that was shown meanwhile has made impossible says nothing of the new hint, and is set aside.
    """
    earlier = [number for number in look.said if number != look.new]
    aside = look.overfull(look.open, earlier)
    while True:
        heeded = {
            number: {where: bits for where, bits in said.items() if number == look.new or where not in aside}
            for number, said in look.open.items()
        }
        if not look.overfull(heeded, heeded):
            return
        needed = _fewest(look, heeded, earlier)
        look.notes(heeded, needed, look.overfull(heeded, [*needed, look.new]))


def _fewest(look: Look, said: Said, earlier: list[int]) -> list[int]:
    """Name hints, the last one first, without any of which the new one could be true beside the others.

    Each is the first that, with all before it and those named already, leaves no way.
    """
    needed: list[int] = []
    while not look.overfull(said, [*needed, look.new]):
        counts = range(1, len(earlier) + 1)
        enough = next(count for count in counts if look.overfull(said, [*earlier[:count], *needed, look.new]))
        needed.append(earlier[enough - 1])
    return needed


def _doubted(position: Position, doubts: set[tuple[Place, int]]) -> Position:
    """Mark what is doubted, so that the reveal does not repeat it."""
    hands = list(position.hands)
    for (seat, place), number in doubts:
        marks = tuple(
            replace(mark, is_doubted=True) if mark.number == number else mark for mark in hands[seat][place].marks
        )
        hands[seat] = put(hands[seat], place, Slot(marks))
    return replace(position, hands=tuple(hands)) if doubts else position


def _opposed(where: Place, marks: list[Mark]) -> object:
    """Say what hints say of a card that none can be."""
    to, place = Seat(where[0]), where[1] + 1
    said = tuple(Quoted(Nth(mark.number), Seat(mark.seat), _said(mark)) for mark in marks)
    *before, now = said
    if len(before) > 1:
        return OpposedTogether(to, place, said)
    return Opposed(to, place, before[0].seat, before[0].number, before[0].hint, now.seat, now.number, now.hint)


def _said(mark: Mark) -> object:
    if isinstance(mark.clue, int):
        return IsValue(mark.clue) if mark.is_touched else IsNotValue(mark.clue)
    return IsColour(mark.clue) if mark.is_touched else IsNotColour(mark.clue)
