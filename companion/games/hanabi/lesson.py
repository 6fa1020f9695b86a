"""What the first turns of Hanabi teach, step by step: the rule card says it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from companion.games.hanabi.position import Position

TURNS = 2
"""So many turns of every seat are explained."""


class Step(Enum):
    """A step of the first turns, by what is to be known there."""

    HANDS = auto()
    TURN = auto()
    DRAW = auto()
    HINT = auto()
    DISCARD = auto()
    PLAY = auto()
    ERROR = auto()


def lesson(position: Position, seats: Sequence[int]) -> Step | None:
    """Name the step for who acts for seats, or for everyone (()); None once every seat has had its turns."""
    if position.is_finished or position.turns >= TURNS * position.seats:
        return None
    return _on_turn(position) if position.turn in seats else _beside(position, is_of_all=not seats)


def _on_turn(position: Position) -> Step:
    if position.turns < position.seats:
        return Step.TURN
    return Step.PLAY if position.tokens else Step.DISCARD


def _beside(position: Position, is_of_all: bool) -> Step:
    """Name what is to be known while another seat plays."""
    if position.errors:
        return Step.ERROR
    if position.turns >= position.seats:
        return Step.HINT
    return Step.DRAW if position.turns else Step.TURN if is_of_all else Step.HANDS
