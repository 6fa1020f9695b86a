"""Trials that take turns: of many that differ only by what they are given, the gate runs some, and others the next time.

What turn it is `bin/test` says to all of its processes, and prints it. `--long`, and whoever names files or trials, runs
all of them: a trial that has failed is run again by its name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import ceil
from random import Random

import pytest


def left_out(items: Iterable[pytest.Item], turn: int) -> Iterator[pytest.Item]:
    """Yield the trials whose turn it is not: of those marked `in_turn(of=3)`, two thirds of each function's."""
    cases = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if item.get_closest_marker("in_turn"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for function, all_cases in cases.items():
        marker = all_cases[0].get_closest_marker("in_turn")
        assert marker, "every case of a function bears its marks"
        count = len(all_cases) - ceil(len(all_cases) / marker.kwargs["of"])
        yield from Random(f"{turn} {function}").sample(all_cases, count)
