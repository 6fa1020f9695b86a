"""What the first round of Ubongo teaches, step by step: the rule card says it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from companion.games.ubongo.position import Position

SECOND = 2
"""The round whose roll ends the first one."""


class Step(Enum):
    """A step of the first round, by what is to be known there."""

    PAWN = auto()
    ROLL = auto()
    SOLVE = auto()
    CALL = auto()
    MOVE = auto()
    TAKE = auto()
    TAKEN = auto()
    NOBODY = auto()
    """The glass was turned once more."""
    HANDS = auto()
    """The glass has run out, and it is asked what the hands did."""
    AIM = auto()


def lesson(position: Position, seats: Sequence[int]) -> Step | None:
    """Name the step of the first round for who acts for seats, or for everyone (()); None once the second has begun."""
    first, seat = position.round == 1, seats[0] if seats else None
    if position.is_finished or position.round > SECOND or not (first or position.is_between):
        return None
    if not first:
        return Step.HANDS if seat in position.asked else Step.AIM
    return _before(position, seat) if position.symbol is None else _running(position, seat)


def _before(position: Position, seat: int | None) -> Step:
    return Step.ROLL if seat == position.starter or seat in position.started else Step.PAWN


def _running(position: Position, seat: int | None) -> Step:
    call = None if seat is None else position.call(seat)
    if call is None:
        return Step.CALL if position.calls else Step.SOLVE if position.glass == 1 else Step.NOBODY
    if call.has_taken:
        return Step.TAKEN
    return Step.TAKE if call.has_placed else Step.MOVE
