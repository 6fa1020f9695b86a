"""Lines in a picture: how everyone's points went, laid out for an inline SVG.

Pure: numbers in, coordinates out; the template draws them and the table beneath says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, pairwise

WIDTH, HEIGHT = 340, 220
"""Of the usual picture, in its own units: about a phone's CSS pixels."""
LEFT, RIGHT, TOP, BOTTOM = 34, 34, 12, 26
"""Margins: numbers at the left, which need more where they are long, marks at the right, steps at the bottom."""
GAP, DIGIT = 6, 7
"""Between a number and its rule, and how wide a digit of it is, about."""
APART = 19.0
"""How far two marks at the line ends keep from each other."""
TICKS = 5
MOST_STEPS_NAMED = 11


@dataclass(frozen=True, slots=True)
class Polyline:
    """The line of one seat."""

    points: str
    """For `<polyline>`."""
    end: tuple[float, float]
    """Where it ends."""
    mark_y: float
    """Where its mark stands, beside the end, kept apart from the others."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of lines."""

    width: int
    height: int
    left: int
    """Where the rules begin, and the lines."""
    numbers: int
    """Where the numbers of the rules end."""
    lines: tuple[Polyline, ...]
    ticks: tuple[tuple[float, int], ...]
    """(y, number) of the horizontal rules."""
    steps: tuple[tuple[float, int], ...]
    """(x, number) of the steps that are named."""


def chart(lines: Sequence[Sequence[int]], width: int = WIDTH, height: int = HEIGHT) -> Chart:
    """Lay out lines of equal length, two values or more each, in a picture of a size.

    >>> picture = chart([(0, 8, 20), (0, -5, 3)])
    >>> [tick for _, tick in picture.ticks], [step for _, step in picture.steps]
    ([-5, 0, 5, 10, 15, 20], [0, 1, 2])
    """
    values = [value for line in lines for value in line]
    step = _step(min(*values, 0), max(*values, 1))
    low, high = min(*values, 0) // step * step, -(-max(*values, 1) // step) * step
    ticks = range(low, high + 1, step)
    numbers = max(LEFT - GAP, DIGIT * max(len(str(tick)) for tick in ticks))
    left, last = numbers + GAP, len(lines[0]) - 1

    def x(place: int) -> float:
        return round(left + (width - left - RIGHT) * place / last, 1)

    def y(value: float) -> float:
        return round(TOP + (height - TOP - BOTTOM) * (high - value) / (high - low), 1)

    ends = [y(line[-1]) for line in lines]
    drawn = (
        Polyline(" ".join(f"{x(place)},{y(value)}" for place, value in enumerate(line)), (x(last), end), mark_y)
        for line, end, mark_y in zip(lines, ends, _apart(ends, height - BOTTOM), strict=True)
    )
    every = -(-last // (MOST_STEPS_NAMED - 1))
    steps = tuple((x(place), place) for place in range(0, last + 1, every))
    return Chart(width, height, left, numbers, tuple(drawn), tuple((y(tick), tick) for tick in ticks), steps)


def _step(low: int, high: int) -> int:
    """Choose how far the rules are apart: 1, 2 or 5 times a power of ten."""
    sizes = (digit * int(10**power) for power in count() for digit in (1, 2, 5))
    return next(size for size in sizes if size * TICKS >= high - low)


def _apart(ends: Sequence[float], floor: float) -> list[float]:
    """Move marks from their ends until none hides another, and all stay above the floor."""
    order = sorted(range(len(ends)), key=lambda line: ends[line])
    places = list(ends)
    for above, below in pairwise(order):
        places[below] = max(places[below], places[above] + APART)
    spare = float(floor)
    for line in reversed(order):
        places[line] = min(places[line], spare)
        spare = places[line] - APART
    return [round(place, 1) for place in places]
