"""What a finished game of Ikebana leaves for the book of evenings: the income of every seat, and what it paid.

Source: I-es, drawing and buying, scoring; decided here, what is counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from companion.game import N_
from companion.games.ikebana.position import PRESTIGE, Position
from companion.kernel.figures import Bar, Figures, Statistic

STATISTICS = (
    Statistic(
        N_("Prestige by source, on average"),
        (Bar(N_("Bouquets"), "bouquets"), Bar(N_("Received"), "received"), Bar(N_("Paid"), "paid")),
    ),
    Statistic(
        N_("Cards refused and bought, on average"),
        (Bar(N_("Refused"), "refused"), Bar(N_("Bought"), "bought")),
    ),
)


def figures(positions: Sequence[Position]) -> Figures:
    """Count income and payments: with what everyone has at the start they make the final prestige."""
    last = positions[-1]
    counted = [
        {
            "start": PRESTIGE,
            "bouquets": sum(finished.bouquets[seat].total for finished in last.sheet),
            "received": 0,
            "paid": 0,
            "refused": 0,
            "bought": 0,
        }
        for seat in range(last.seats)
    ]
    for before, after in pairwise(positions):
        for seat, change in enumerate(_paid(before, after)):
            counted[seat]["received" if change > 0 else "paid"] += change
            if change < 0:
                counted[seat]["refused" if after.refusals > before.refusals else "bought"] += 1
    return counted


def _paid(before: Position, after: Position) -> list[int]:
    """Tell what a move changed in everyone's prestige, apart from the bouquets that it completed."""
    finished = after.sheet[len(before.sheet) :]
    return [
        now - then - sum(one.bouquets[seat].total for one in finished)
        for seat, (then, now) in enumerate(zip(before.prestige, after.prestige, strict=True))
    ]
