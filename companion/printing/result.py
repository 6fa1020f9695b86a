"""The picture of a result: drawn as a sheet is, in colour, for a message instead of the printer."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TypedDict

from companion.drawing.chart import Chart, chart
from companion.drawing.paper import SeatHead
from companion.game import AnyGame
from companion.printing.sheet import PAPERS, sheet_html
from companion.words import translations

WIDTH_PX, HEIGHT_PX = 1080, 1350
"""Of the picture: four to five, which messengers show whole. Must agree with `printables/result.css`."""


CHART_PX = (968, {1: 480, 2: 560, 3: 480, 4: 390, 5: 420, 6: 360, 7: 330, 8: 310})
"""How wide the course is drawn, and how high beneath so many places; beneath one where all play together."""
REASON_LINE = (50, 38)
"""Letters in a line of reasons, and its height; for the first one there is room."""
LOWEST_PX = 200
"""A course that would be lower is left out."""
CHART_SCALE, CROWDED_SCALE, CROWD = 2.0, 1.5, 7
"""Pixels of a unit of the course, and where so many marks stand above one another."""


class PlaceLine(TypedDict):
    """A place and who has it."""

    rank: int
    head: SeatHead
    points: int
    score: str
    """The points in words."""
    is_first: bool


class ResultPicture(TypedDict):
    """What stands on the picture, in the reader's words; nothing on it opens a table."""

    game_name: str
    title: str
    """Of the evening; "" where it has none."""
    about: Sequence[str]
    """Where and when it was, and how long."""
    headline: str
    """Who has won, or that all have lost."""
    is_shared: bool
    """Whether all play together, for one score."""
    places: Sequence[PlaceLine]
    """The best first."""
    reasons: Sequence[str]
    """Why it is so, where the scores alone do not say it."""
    course_title: str
    chart: Chart | None
    """How the points went; None where there is but one step."""


def result_chart(lines: Sequence[Sequence[int]], reasons: Sequence[str]) -> Chart | None:
    """Lay out how the points went, as large as there is room; None without a step, or without room."""
    (width, heights), (letters, line) = CHART_PX, REASON_LINE
    height = heights[len(lines)] - line * max(0, ceil(len(" ".join(reasons)) / letters) - 1)
    if len(lines[0]) < 2 or height < LOWEST_PX:  # noqa: PLR2004 (a line has two ends)
        return None
    scale = CROWDED_SCALE if len(lines) >= CROWD else CHART_SCALE
    return chart(lines, round(width / scale), round(height / scale))


def result_html(game: AnyGame, shown: ResultPicture, language: str) -> str:
    """Write the picture of a result, as `Printer.painting` takes it."""
    words = translations(language, game.words.catalogue)
    return sheet_html(game.key, "result", shown, language=language, paper=PAPERS[0], translations=words)
