"""Trials that take turns: of many that are dear, or differ only by what they are given, the gate runs some, then others.

Each gate has the number after the last one's, and five in a row have run everything. What turn it is `bin/test`
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
OF_PAGES = 5
"""What taps in a browser costs a hundred times what asks the app: all of it takes turns, unless it says how."""
DEAR = (
    "tests/api/test_description.py",
    "tests/api/test_generated.py",
    "tests/api/test_play.py",
    "tests/log/test_keeping.py",
    "tests/log/test_postgresql.py",
    "tests/rendering/",
    "tests/test_adding_a_game.py",
    "tests/test_alike.py",
    "tests/test_attacker.py",
    "tests/test_bad_days.py",
    "tests/test_claim.py",
    "tests/test_commands.py",
    "tests/test_deadlines.py",
    "tests/test_deploying.py",
    "tests/test_durability.py",
    "tests/test_every_sheet.py",
    "tests/test_failover.py",
    "tests/test_faults.py",
    "tests/test_fifth_game.py",
    "tests/test_installed.py",
    "tests/test_keepers.py",
    "tests/test_keeps_rules.py",
    "tests/test_laid_out_once.py",
    "tests/test_machine.py",
    "tests/test_mutants.py",
    "tests/test_new_game.py",
    "tests/test_one_truth.py",
    "tests/test_packaging.py",
    "tests/test_printing.py",
    "tests/test_result_picture.py",
    "tests/test_score_sheets.py",
    "tests/test_serving.py",
    "tests/test_several_servers.py",
    "tests/test_sheets.py",
    "tests/test_starting.py",
    "tests/test_streams.py",
    "tests/test_waits.py",
    "tests/web/test_fuzz.py",
    "tests/web/test_hands.py",
    "tests/web/test_headers.py",
    "tests/web/test_invited.py",
    "tests/web/test_names.py",
    "tests/web/test_opening_a_link.py",
    "tests/web/test_roles.py",
    "tests/web/test_sealed.py",
    "tests/web/test_unruled.py",
    "tests/web/test_wild.py",
)
OF_DEAR = 4
"""What starts servers, kills them, prints or asks every address costs ten times as much: it does likewise."""


def left_out(items: Iterable[pytest.Item], turn: int) -> Iterator[pytest.Item]:
    """Yield the trials whose turn it is not.

    Of those marked `in_turn(of=3)` these are two thirds of each function's; of those marked `in_turn(of=3, among="x")`
    two thirds of all that say so. What is dear and says nothing is one group. Three turns in a row leave out none.
    """
    groups = defaultdict[tuple[str, int], list[pytest.Item]](list)
    for item in items:
        if marker := item.get_closest_marker("in_turn"):
            name = marker.kwargs.get("among") or item.nodeid.partition("[")[0]
            groups[name, marker.kwargs["of"]].append(item)
        elif item.nodeid.startswith(PAGES):
            groups[PAGES, OF_PAGES].append(item)
        elif item.nodeid.startswith(DEAR):
            groups["dear", OF_DEAR].append(item)
    for (name, of), group in groups.items():
        Random(name).shuffle(group)
        at_once = ceil(len(group) / of)
        first = turn * at_once % len(group)
        yield from [*group, *group][first + at_once : first + len(group)]
