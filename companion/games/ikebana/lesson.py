"""What the first round of Ikebana teaches, step by step: the rule card says it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from companion.games.ikebana.position import Position

A_FEW = 3
"""Cards of a bouquet after which its combinations are explained."""


class Step(Enum):
    """A step of the first round, by what is to be known there."""

    CHOOSE = auto()
    DRAW = auto()
    REFUSE = auto()
    KEEP = auto()
    """The next price is more than there is to pay with."""
    BUY = auto()
    ALIKE = auto()
    WORTH = auto()
    BOUQUETS = auto()
    NEXT_ROUND = auto()


def lesson(position: Position, seats: Sequence[int]) -> Step | None:
    """Name the step of the first round for who acts for seats, or for everyone (()); None once the second has begun."""
    if position.sheet:
        is_over = len(position.sheet) == 1 and not position.acts
        return Step.NEXT_ROUND if is_over else None
    seat, price = position.to_move, position.price
    if seat is None or price is None:
        return Step.BOUQUETS
    if seat in seats:
        return _on_turn(position, seat, price)
    return _beside(position, seats[0] if seats else None)


def _on_turn(position: Position, seat: int, price: int) -> Step:
    if price > position.prestige[seat]:
        return Step.KEEP
    if position.refusals:
        return Step.REFUSE
    others = (pile for owner, pile in enumerate(position.piles) if owner != seat)
    return Step.CHOOSE if any(others) else Step.DRAW


def _beside(position: Position, seat: int | None) -> Step:
    """Name what is to be known while another seat draws."""
    if position.refusals:
        return Step.REFUSE
    if any(position.piles) if seat is None else position.piles[seat]:
        return Step.BUY
    taken = position.taken // position.seats if seat is None else len(position.bouquets[seat])
    return Step.WORTH if taken >= A_FEW else Step.ALIKE if taken else Step.CHOOSE
