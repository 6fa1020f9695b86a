"""What a finished game of Ubongo leaves for the book of evenings: the order of finishing, and the gems it brought.

A round counts if anybody finished, and for a seat by the place that its call has in the end, when those found false are
struck. Gems that were only counted at the end of the game came with no place.

Source: U-cs, moving and taking; U12; decided here, what is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.game import N_
from companion.games.ubongo.gems import Counts
from companion.games.ubongo.position import PLAYERS, Call, Position
from companion.kernel.figures import Bar, Figures, Per, Statistic

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
    before = positions[0].gems
    for calls, gems in _ended(positions):
        for seat in counted:
            seat["rounds"] += bool(calls)
        for place, call in enumerate(calls, 1):
            counted[call.seat][f"rounds_{place}"] += 1
            counted[call.seat][f"gems_{place}"] += sum(gems[call.seat]) - sum(before[call.seat])
        before = gems
    return counted


def _ended(positions: Sequence[Position]) -> Iterable[tuple[tuple[Call, ...], tuple[Counts, ...]]]:
    """Tell each round's calls in their order, and everyone's gems, as they were when the next one was rolled.

    A count changes neither. Source: U17, for hands that are told of after the glass.
    """
    played = [position for position in positions if not position.is_counted]
    rounds = {at.round - (at.symbol is None and not at.is_finished): (at.called, at.gems) for at in played}
    return rounds.values()
