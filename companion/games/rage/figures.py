"""What a finished game of Rage leaves for the book of evenings: bids met, and where the points came from.

Source: R-cs, scoring; decided here, what is counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import N_
from companion.games.rage.position import Position
from companion.games.rage.scoring import MADE
from companion.kernel.figures import Bar, Figures, Statistic

STATISTICS = (
    Statistic(N_("Bids met"), (Bar(N_("Bids met"), "exact", each="rounds"),), is_share=True),
    Statistic(
        N_("Points by part, on average"),
        (Bar(N_("Tricks"), "tricks"), Bar(N_("Bids"), "bids"), Bar(N_("Action cards"), "actions")),
    ),
)


def figures(positions: Sequence[Position]) -> Figures:
    """Count bids, and the points of tricks, bids and action cards: these three make the score."""
    lines = zip(*(finished.rows for finished in positions[-1].sheet), strict=True)
    return [
        {
            "rounds": len(rows),
            "exact": sum(row.c == MADE for row in rows),
            "tricks": sum(row.b for row in rows),
            "bids": sum(row.c for row in rows),
            "actions": sum(row.d for row in rows),
        }
        for rows in lines
    ]
