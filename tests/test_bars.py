"""Bars stay in their picture, begin at one line, and are as long as their numbers say."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from companion.drawing.bars import GAP, THICK, WIDTH, BarGroup, bars


def test_bars_stay_in_the_picture_and_apart() -> None:
    chance = Random(5)
    for _ in range(200):
        labels = ["Tricks", "Bids", "Points of action cards, told at length"][: chance.randint(1, 3)]
        groups = [
            BarGroup("W" * chance.randint(1, 24), values, tuple(f"{value:.1f}" for value in values))
            for _ in range(chance.randint(1, 12))
            for values in [tuple(chance.uniform(-50, 120) for _ in labels)]
        ]
        picture = bars(groups, labels if len(labels) > 1 else ("",))
        drawn = [bar for group in picture.groups for bar in group.bars]
        for bar in drawn:
            assert bar.x >= 0
            assert bar.x + bar.width <= WIDTH
            assert bar.end - GAP >= bar.x + bar.width - 0.2
            assert bar.y + THICK <= picture.height
        tops = [bar.y for bar in drawn]
        assert all(below - above >= THICK for above, below in pairwise(tops))


def test_a_bar_is_as_long_as_its_number_and_on_its_side() -> None:
    [group] = bars([BarGroup("Anna", (10, -5, 0, None), ("10", "−5", "0", "–"))], ["a", "b", "c", "d"]).groups
    ten, minus_five, zero, nothing = group.bars
    assert minus_five.width == pytest.approx(ten.width / 2, abs=0.1)
    assert minus_five.x + minus_five.width == pytest.approx(ten.x, abs=0.1)
    assert (zero.width, nothing.width) == (0, 0)


def test_a_share_is_drawn_against_the_whole() -> None:
    half, all_of_it = (bars([BarGroup("Anna", (value,), ("100%",))], whole=1).groups[0].bars[0] for value in (0.5, 1))
    assert half.width == pytest.approx(all_of_it.width / 2, abs=0.1)


def test_what_is_too_long_is_cut_and_what_fits_is_not() -> None:
    named = [BarGroup(name, (1,), ("1",)) for name in ("Gabriela Wolfensteinová", "W" * 24, "🃏" * 24, "e\u0301" * 24)]
    shown = [group.name for group in bars(named).groups]
    assert [name.endswith("…") for name in shown] == [False, True, True, False]
    assert bars(named[:1], ["Points of action cards, told at length"]).groups[0].bars[0].label.endswith("…")


def test_nothing_to_draw_is_an_empty_picture() -> None:
    assert bars([]).groups == ()
    [group] = bars([BarGroup("Anna", (0,), ("0",))]).groups
    assert group.bars[0].width == 0
