"""The end of a game of Hanabi: how it came, what goes on paper, and who begins next.

Source: H-cs, H-es, H-pl, score; H32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from companion.game import N_
from companion.games.hanabi.position import Position
from companion.games.hanabi.scoring import raw, summary
from companion.games.hanabi.turns import ended
from companion.kernel.figures import Course


def reasons(position: Position) -> tuple[object, ...]:
    """Say how the game has ended: won or lost does not stand in the score."""
    return ended(position)


def course(positions: Sequence[Position]) -> Course:
    """Tell the sum of the fireworks after each move: one line, for all win and lose together."""
    return Course(N_("Points after each move"), N_("Move"), (tuple(map(raw, positions)),))


def on_paper(positions: Sequence[Position]) -> dict[str, Any]:
    """Add to the summary what the score sheet shows beside it: tiles used, and the seats that had their last turn."""
    tiles = [tile.value for tile in positions[-1].tiles]
    return {**summary(positions[-1]), "tiles": tiles, "last_turns": sorted(_last_turns(positions))}


def _last_turns(positions: Sequence[Position]) -> set[int]:
    """Tell which seats have had their turn since the last card was drawn; drawing one more may begin that anew."""
    had: set[int] = set()
    for before, after in pairwise(positions):
        was, left = before.turns_left, after.turns_left
        if was is None or left is None or left > was:
            had = set()
        elif left < was or after.is_finished:
            had.add(before.turn)
    return had


def again(position: Position) -> Mapping[str, Any]:
    """Let the next player begin: the most colourful clothes are the same. Source: decided here, H32."""
    return {"first_seat": (position.options.first_seat + 1) % position.seats}
