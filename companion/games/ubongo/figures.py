"""What a finished game of Ubongo leaves for the book of evenings: the order of finishing, and the gems it brought.

A round counts if anybody finished, and for a seat by the place that its call has in the end, when those found false are
struck. Gems that were only counted at the end of the game came with no place.

Source: U-cs, moving and taking; U12; decided here, what is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from companion.figures import Bar, Figures, Per, Statistic
from companion.game import N_
from companion.games.ubongo.position import PLAYERS, Call, Position

PLACES = (N_("Finished first"), N_("Finished second"), N_("Finished third"), N_("Finished fourth"))

STATISTICS = (
    Statistic(
        N_("Gems a round by finishing place"),
        tuple(Bar(label, f"gems_{place}", each=f"rounds_{place}") for place, label in enumerate(PLACES, 1)),
        Per.SEAT,
    ),
    Statistic(N_("Rounds finished first"), (Bar(PLACES[0], "rounds_1", each="rounds"),), is_share=True),
)


def figures(positions: Sequence[Position]) -> Figures:
    """Count, for every seat and place, the rounds finished there and the gems taken in them."""
    counted = [
        {"rounds": 0} | {f"{what}_{place}": 0 for place in range(1, PLAYERS[-1] + 1) for what in ("rounds", "gems")}
        for _ in range(positions[-1].seats)
    ]
    started = positions[0]
    for before, after in pairwise(positions):
        if after.round > before.round or after.is_finished:
            calls, gems = _ended(before, after)
            for seat in counted:
                seat["rounds"] += bool(calls)
            for place, call in enumerate(calls, 1):
                counted[call.seat][f"rounds_{place}"] += 1
                counted[call.seat][f"gems_{place}"] += gems[call.seat] - sum(started.gems[call.seat])
            started = after
    return counted


def _ended(before: Position, after: Position) -> tuple[tuple[Call, ...], list[int]]:
    """Tell a round's calls in their order, and how many gems every seat had at its end; a count changes no call."""
    calls = after.calls if after.is_finished else after.calls_before
    last = before if calls == before.calls else after
    return calls, [sum(gems) for gems in last.gems]
