"""The end of a score sheet: how it went, and what it leaves for the book of evenings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.game import N_
from companion.games.tally.counting import Counting
from companion.games.tally.rules import Position, all_rounds, has_lost, standing, summary, totals
from companion.kernel.figures import LOST, Bar, Course, Figures, Per, Statistic

ROUNDS, POINTS = "rounds", "points"
_OF = "of_"
"""What stands before a column's key among the figures."""


def course(positions: Sequence[Position]) -> Course:
    """Tell everyone's total after each round."""
    last = positions[-1]
    steps = [(0,) * last.counting.lines(last.seats), *(round_.totals for round_ in all_rounds(last))]
    return Course(N_("Points after each round"), N_("Round"), tuple(zip(*steps, strict=True)))


def on_paper(positions: Sequence[Position]) -> dict[str, Any]:
    """Add to the summary what the score sheet shows beside it: each seat's place, and whether it is the last word."""
    last = positions[-1]
    ranks = {place.seat: place.rank for place in standing(last).places}
    return {
        **summary(last),
        "ranks": [ranks[seat] for seat in range(last.seats)],
        "is_finished": last.is_finished,
    }


def figures(positions: Sequence[Position]) -> Figures:
    """Count, for every seat, rounds, points, and the sum of each column."""
    last = positions[-1]
    rounds, points = all_rounds(last), totals(last)
    counted = []
    for seat in range(last.seats):
        line = last.counting.line(seat)
        sums = {
            _OF + column.key: sum(round_.rows[line][place] or 0 for round_ in rounds)
            for place, column in enumerate(last.counting.columns)
        }
        lost = {LOST: 1} if has_lost(last) else {}
        counted.append({ROUNDS: len(rounds), POINTS: points[line], **sums, **lost})
    return counted


def statistics(counting: Counting, names: Sequence[str]) -> tuple[Statistic, ...]:
    """Draw the points of a round, and each column's numbers; `names` are those of the columns."""
    columns = () if counting.is_plain else counting.columns
    bars = [Bar(name, _OF + column.key, each=ROUNDS) for column, name in zip(columns, names, strict=False)]
    per = Per.TABLE if counting.is_shared else Per.PLAYER
    return (Statistic(N_("A round, on average"), (Bar(N_("Points"), POINTS, each=ROUNDS), *bars), per),)
