"""The moves that may be open to a seat: at least every one that the referee accepts, of each kind in turn.

Source: decided here: since the referee knows no hand, any card may be anywhere, and a hint may touch any cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, permutations, product
from typing import TypeVar

from companion.games.hanabi.cards import VALUES, Card, Colour
from companion.games.hanabi.moves import Arrange, Discard, Hint, Move, PlayCard, Reward
from companion.games.hanabi.options import Detail
from companion.games.hanabi.position import Position, Tile

T = TypeVar("T")


def candidates(position: Position, seat: int) -> Iterator[Move]:
    """Yield at least every move that may be open to a seat."""
    arrangements = (Arrange(seat, order) for order in permutations(range(len(position.hands[seat]))))
    if seat != position.turn:
        return arrangements
    if position.is_reward_due:
        return _in_turn(*(_rewards(position, seat, tile) for tile in Tile), arrangements)
    return _in_turn(_plays(position, seat), _hints(position, seat), _discards(position, seat), arrangements)


def _in_turn(*kinds: Iterator[T]) -> Iterator[T]:
    """Take one of each kind, then the next of each, until all are empty."""
    left = list(kinds)
    while left:
        for kind in tuple(left):
            try:
                yield next(kind)
            except StopIteration:
                left.remove(kind)


def _places(position: Position, seat: int) -> list[int | None]:
    return list(range(len(position.hands[seat]))) if position.options.has_places else [None]


def _cards(position: Position) -> list[Card | None]:
    named: list[Card | None] = [card for card in position.cards() if position.left(card)]
    return [*named, None] if position.options.is_counted else named


def _plays(position: Position, seat: int) -> Iterator[Move]:
    return (PlayCard(seat, slot, card) for card, slot in product(_cards(position), _places(position, seat)))


def _discards(position: Position, seat: int) -> Iterator[Move]:
    return (Discard(seat, slot, card) for card, slot in product(_cards(position), _places(position, seat)))


def _hints(position: Position, seat: int) -> Iterator[Move]:
    if position.options.is_counted:
        yield Hint(seat)
        return
    colours, values = position.options.nameable_colours, tuple(VALUES)
    yield from (Hint(seat, to, colour, value, slots) for to, colour, value, slots in _said(position, colours, values))


def _said(
    position: Position, colours: tuple[Colour, ...], values: tuple[int, ...]
) -> Iterator[tuple[int, Colour | None, int | None, tuple[int, ...] | None]]:
    """Yield whom a hint may go to, its colour or its value, and any places touched where they are recorded."""
    for to, hand in enumerate(position.hands):
        for slots in _shown(position, len(hand)):
            yield from ((to, colour, None, slots) for colour in colours)
            yield from ((to, None, value, slots) for value in values)


def _shown(position: Position, cards: int) -> Iterator[tuple[int, ...] | None]:
    """Yield what may be said of the places; None where nothing need be."""
    if position.options.has_places:
        return _touched(cards)
    return iter([None]) if position.options.detail is Detail.HINTS else chain([None], _touched(cards))


def _touched(cards: int) -> Iterator[tuple[int, ...]]:
    return (slots for count in range(cards + 1) for slots in combinations(range(cards), count))


def _rewards(position: Position, seat: int, tile: Tile) -> Iterator[Move]:
    yield Reward(seat, tile)
    match tile:
        case Tile.T3:
            yield from (Reward(seat, tile, *said) for said in _said(position, position.options.nameable_colours, ()))
        case Tile.T4:
            yield from (Reward(seat, tile, *said) for said in _said(position, (), tuple(VALUES)))
        case Tile.T5:
            yield Reward(seat, tile, instead=Tile.T6)
            yield from (Reward(seat, tile, card=card) for card in position.cards())
            yield from (Reward(seat, tile, card=card, instead=Tile.T6) for card in position.cards())
        case Tile.T6:
            yield from (Reward(seat, tile, card=card) for card in position.cards())
