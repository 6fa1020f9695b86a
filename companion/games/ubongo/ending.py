"""The end of a game of Ubongo: how it came, and who rolls next.

Source: U-cs, end of the game; U9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from companion.figures import Course
from companion.game import N_
from companion.games.ubongo.position import Position


def course(positions: Sequence[Position]) -> Course:
    """Tell everyone's largest colour after each round; a count of the gems alone ends the last one."""
    ends = [after for before, after in pairwise(positions) if after.round > before.round]
    steps = [positions[0], *ends, *positions[-1:]]
    lines = (tuple(max(position.gems[seat]) for position in steps) for seat in range(positions[-1].seats))
    return Course(N_("Largest colour after each round"), N_("Round"), tuple(lines))


def again(position: Position) -> Mapping[str, Any]:
    """Let the next player to the left roll, as in another round. Source: decided here, U9."""
    return {"first_seat": (position.starter + 1) % position.seats}
