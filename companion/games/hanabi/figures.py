"""What a finished game of Hanabi leaves for the book of evenings: its end, the band of the rating, errors, score.

The endless variant is won or lost and has no rating. Source: H25; decided here, what is counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.game import N_
from companion.games.hanabi.labels import RATINGS
from companion.games.hanabi.position import Position, Result
from companion.games.hanabi.scoring import score, tier
from companion.kernel.figures import LOST, Bar, Figures, Per, Statistic

ERRORS = (N_("No error"), N_("One error"), N_("Two errors"), N_("Three errors"))

ENDS = {Result.WON: "won", Result.ENDED: "ended", Result.LOST: LOST}
"""The figure of each end. Source: H36."""

STATISTICS = (
    Statistic(
        N_("How it ended"),
        (
            Bar(N_("Every firework complete"), ENDS[Result.WON]),
            Bar(N_("The final round played"), ENDS[Result.ENDED]),
            Bar(N_("Lost"), ENDS[Result.LOST]),
        ),
        Per.TABLE,
        is_share=True,
    ),
    Statistic(
        N_("Rating reached"),
        tuple(Bar(label, f"tier_{band.value}", each="rated") for band, label in RATINGS.items()),
        Per.TABLE,
        is_share=True,
    ),
    Statistic(
        N_("Errors made"),
        tuple(Bar(label, f"errors_{errors}") for errors, label in enumerate(ERRORS)),
        Per.TABLE,
        is_share=True,
    ),
    Statistic(
        N_("Average score by errors"),
        tuple(Bar(label, f"score_{errors}", each=f"errors_{errors}") for errors, label in enumerate(ERRORS)),
        Per.TABLE,
    ),
)


def figures(positions: Sequence[Position]) -> Figures:
    """Count the table's end, band and errors, and its score under its errors: every seat has the same."""
    last = positions[-1]
    points, errors = score(last), last.errors
    counted = {f"errors_{errors}": 1, f"score_{errors}": points}
    if last.is_finished:
        counted[ENDS[last.result]] = 1
    if not last.options.endless:
        counted |= {"rated": 1, f"tier_{tier(points).value}": 1}
    return [counted] * last.seats
