"""What a row of a table of examples expects, held beside what the referee says."""

from __future__ import annotations

from typing import Any

ANYTHING = "…"
"""Stands in a row for what it does not speak of, where a list needs something in its place."""


def part_of(expected: Any, whole: Any) -> Any:
    """Cut `whole` down to what `expected` speaks of; an empty one is compared as it is.

    >>> part_of({"gems": [{"red": 1}, "…", {}]}, {"gems": [{"red": 1, "blue": 0}, {"red": 2}, {"red": 3}], "round": 4})
    {'gems': [{'red': 1}, '…', {'red': 3}]}
    """
    if expected == ANYTHING:
        return expected
    if isinstance(expected, dict) and isinstance(whole, dict) and expected:
        return {key: part_of(expected[key], whole[key]) for key in expected if key in whole}
    if isinstance(expected, list) and isinstance(whole, list) and len(expected) == len(whole):
        return [part_of(one, other) for one, other in zip(expected, whole, strict=True)]
    return whole
