"""What the figures of people's phones should reach; each is printed with its figure."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.ground import short


@dataclass(frozen=True)
class Aim:
    """The least that a figure should be, or the most."""

    bound: float
    is_most: bool = False

    def holds(self, figure: float) -> bool:
        """Say whether a figure reaches it."""
        return figure <= self.bound if self.is_most else figure >= self.bound

    def beside(self, figure: float) -> str:
        """Write a figure, what it should be, and whether it is."""
        return f"{'✓' if self.holds(figure) else '✗'} {short(figure)} ({'≤' if self.is_most else '≥'} {self.bound:g})"


def most(bound: float) -> Aim:
    """Let a figure be no more than this."""
    return Aim(bound, is_most=True)


MOVES = {"rage": Aim(1.3), "ikebana": Aim(1.0), "ubongo": Aim(1.0), "hanabi": Aim(0.6)}
"""Moves a second, beside boardgame.io's."""
CPU_US = {"rage": most(250), "ikebana": most(350), "ubongo": most(350), "hanabi": most(500)}
"""Of the server, a move."""
ALONE = most(1.2)
"""Tap to all four phones at one table, p50, beside boardgame.io's."""
PHONE_BYTES = most(1_000)
"""To a phone, a move."""
PAINTED, AGAIN = most(50), most(200)
"""ms until the next frame stands with what was tapped, and until a page that was seen before is painted."""
FIRST_KB, SCRIPT_KB = most(100), most(40)
"""All that a first visit loads, and what of it is script, with one game's templates."""


def told(figure: float | None, aim: Aim | None) -> str:
    """Write a figure, with what it should reach where that is known."""
    if figure is None:
        return "–"
    return aim.beside(figure) if aim else short(figure)
