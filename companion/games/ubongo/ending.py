"""The end of a game of Ubongo: how it came, what goes on paper, and who rolls next.

Source: U-cs, end of the game; U9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import pairwise
from operator import sub
from typing import Any

from companion.game import N_
from companion.games.ubongo.gems import Counts, added, counted
from companion.games.ubongo.position import Position
from companion.games.ubongo.scoring import summary
from companion.kernel.figures import Course


def course(positions: Sequence[Position]) -> Course:
    """Tell everyone's largest colour after each round; a count of the gems alone ends the last one.

    A round ends with the next roll: until then hands may be told to have been in time (U17).
    """
    ends = {at.round: at for at in positions if at.round > 1 and at.symbol is None and not at.is_finished}
    steps = [positions[0], *ends.values(), *positions[-1:]]
    lines = (tuple(max(position.gems[seat]) for position in steps) for seat in range(positions[-1].seats))
    return Course(N_("Largest colour after each round"), N_("Round"), tuple(lines))


def on_paper(positions: Sequence[Position]) -> dict[str, Any]:
    """Add to the summary what the score sheet shows beside it: what each seat took in each round.

    `taken` has an entry for each round begun, of one per seat: six counts, or None while the seat has not taken.
    `is_counted` says that the gems of the end are others than those taken: they were counted; `is_over` that nobody
    plays on.
    """
    last, taken = positions[-1], _taken(positions)
    sums = tuple(reduce(added, (round_[seat] for round_ in taken)) for seat in range(last.seats))
    done = {call.seat for call in last.calls if call.has_taken}
    is_over = last.is_finished and last.round == last.rounds
    told = [*taken[:-1], [counts if is_over or seat in done else None for seat, counts in enumerate(taken[-1])]]
    return {**summary(last), "taken": told, "is_counted": sums != last.gems, "is_over": last.is_finished}


def _taken(positions: Sequence[Position]) -> list[list[Counts]]:
    """Tell what each seat took in each round begun, seat by seat; gems that were only counted left no row."""
    last = positions[-1]
    taken = [[counted(())] * last.seats for _ in range(last.round)]
    for before, after in pairwise(positions):
        if before.rows != after.rows:
            gained = [tuple(map(sub, more, fewer)) for more, fewer in zip(after.gems, before.gems, strict=True)]
            index = before.round - 1 - (before.symbol is None)
            taken[index] = list(map(added, taken[index], gained))
    return taken


def again(position: Position) -> Mapping[str, Any]:
    """Let the next player to the left roll, as in another round. Source: decided here, U9."""
    return {"first_seat": (position.starter + 1) % position.seats}
