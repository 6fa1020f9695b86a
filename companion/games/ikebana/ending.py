"""The end of a game of Ikebana: why the standing is as it is, how it came, and who starts next.

Source: I-es, end of the game; I6, I7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from companion.game import N_, Seat
from companion.games.ikebana.position import PRESTIGE, Position
from companion.games.ikebana.scoring import next_starter, standing
from companion.kernel.figures import Course


@dataclass(frozen=True, slots=True)
class PlaceShared:
    """Seats have equal prestige."""

    seats: tuple[Seat, ...]
    rank: int


def reasons(position: Position) -> tuple[object, ...]:
    """Name those who share a place. Source: I7."""
    levels = groupby(standing(position).places, lambda place: place.rank)
    shared = [(rank, tuple(Seat(place.seat) for place in level)) for rank, level in levels]
    return tuple(PlaceShared(seats, rank) for rank, seats in shared if len(seats) > 1)


def course(positions: Sequence[Position]) -> Course:
    """Tell everyone's prestige after each round."""
    last = positions[-1]
    lines = ((PRESTIGE, *(finished.prestige[seat] for finished in last.sheet)) for seat in range(last.seats))
    return Course(N_("Prestige after each round"), N_("Round"), tuple(lines))


def again(position: Position) -> Mapping[str, Any]:
    """Let start who would start another round. Source: decided here, I6."""
    return {"first_seat": next_starter(position.options, position.sheet[-1])}
