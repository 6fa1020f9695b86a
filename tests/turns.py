"""Trials that take turns: of many that differ only by what they are given, the gate runs some, and others the next time.

Each gate has the number after the last one's, and two, three or four in a row have run everything. What turn it is `bin/test`
says to all of its processes, and prints it. `--long`, and whoever names files or trials, runs all of them: a trial that has
failed is run again by its name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import ceil
from random import Random

import pytest

PAGES = "tests/pages/"
OF_PAGES = 3
"""What taps in a browser costs a hundred times what asks the app: all of it takes turns, unless it says how."""


def left_out(items: Iterable[pytest.Item], turn: int) -> Iterator[pytest.Item]:
    """Yield the trials whose turn it is not.

    Of those marked `in_turn(of=3)` these are two thirds of each function's; of those marked `in_turn(of=3, among="x")`
    two thirds of all that say so. Three turns in a row leave out none.
    """
    groups = defaultdict[tuple[str, int], list[pytest.Item]](list)
    for item in items:
        if marker := item.get_closest_marker("in_turn"):
            name = marker.kwargs.get("among") or item.nodeid.partition("[")[0]
            groups[name, marker.kwargs["of"]].append(item)
        elif item.nodeid.startswith(PAGES):
            groups[PAGES, OF_PAGES].append(item)
    for (name, of), group in groups.items():
        Random(name).shuffle(group)
        at_once = ceil(len(group) / of)
        first = turn * at_once % len(group)
        yield from [*group, *group][first + at_once : first + len(group)]
