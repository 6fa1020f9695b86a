"""The end of a game of Rage: why the standing is as it is, how it came, and who deals next.

Source: R-cs, end of the game; R1, R2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, pairwise
from typing import Any

from companion.game import N_, Seat
from companion.games.rage.position import Position
from companion.games.rage.scoring import exact_bids, standing
from companion.kernel.figures import Course


@dataclass(frozen=True, slots=True)
class PlaceShared:
    """Seats are level in everything."""

    seats: tuple[Seat, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class AheadByExactBids:
    """Totals are equal, and the exact bids decide."""

    ahead: Seat
    behind: Seat
    more: int
    fewer: int


def reasons(position: Position) -> tuple[object, ...]:
    """Explain equal totals. Source: R2."""
    exact, places = exact_bids(position.sheet, position.seats), standing(position).places
    shared = [
        (rank, [Seat(place.seat) for place in level]) for rank, level in groupby(places, lambda place: place.rank)
    ]
    return (
        *(
            AheadByExactBids(Seat(ahead.seat), Seat(behind.seat), exact[ahead.seat], exact[behind.seat])
            for ahead, behind in pairwise(places)
            if ahead.score == behind.score and ahead.rank != behind.rank
        ),
        *(PlaceShared(tuple(seats), rank) for rank, seats in shared if len(seats) > 1),
    )


def course(positions: Sequence[Position]) -> Course:
    """Tell everyone's points after each round."""
    last = positions[-1]
    lines = (accumulate((finished.rows[seat].n for finished in last.sheet), initial=0) for seat in range(last.seats))
    return Course(N_("Points after each round"), N_("Round"), tuple(map(tuple, lines)))


def again(position: Position) -> Mapping[str, Any]:
    """Let the deal pass on. Source: decided here, R1."""
    return {"first_dealer": (position.sheet[-1].dealer + 1) % position.seats}
