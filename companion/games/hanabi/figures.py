"""What a finished game of Hanabi leaves for the book of evenings: the band of the rating, the errors, the score.

The endless variant is won or lost and has no rating. Source: H25; decided here, what is counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.figures import Bar, Figures, Per, Statistic
from companion.game import N_
from companion.games.hanabi.position import Position
from companion.games.hanabi.scoring import Tier, score, tier

BANDS = {
    Tier.FLOP: N_("a flop"),
    Tier.WEAK: N_("weak"),
    Tier.FAIR: N_("fair"),
    Tier.GREAT: N_("great"),
    Tier.SUPERB: N_("superb"),
    Tier.LEGENDARY: N_("legendary"),
    Tier.DIVINE: N_("divine"),
}
ERRORS = (N_("No error"), N_("One error"), N_("Two errors"), N_("Three errors"))

STATISTICS = (
    Statistic(
        N_("Rating reached"),
        tuple(Bar(label, f"tier_{band.value}", each="rated") for band, label in BANDS.items()),
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
    """Count the table's band and errors, and its score under its errors: every seat has the same."""
    last = positions[-1]
    points, errors = score(last), last.errors
    counted = {f"errors_{errors}": 1, f"score_{errors}": points}
    if not last.options.endless:
        counted |= {"rated": 1, f"tier_{tier(points).value}": 1}
    return [counted] * last.seats
