"""What is worked out once, though all who sit at a table look at the same position, one after the other.

A part of it that reads only a hand, or a sheet, is worked out once for as long as that hand or sheet stays as it is: a
position shares with the one before what the move has not changed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache, wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar, cast

MOST = 256
"""So many positions are remembered, or up to twice as many."""
PARTS = 16
"""So many parts of each."""
KEPT_S = 300.0
"""So long all of it is remembered, or up to twice as long: a game that is over is let go of."""

A = ParamSpec("A")
R = TypeVar("R")


def once(function: Callable[A, R], parts: int = 1) -> Callable[A, R]:
    """Remember what a pure function gave for the very values that it was given lately.

    By identity: to compare two positions, or to hash one, costs as much as many a question about it. So the values are
    to be such as are handed on and not made anew each time.

    >>> lengths = once(len)
    >>> word = "trump"
    >>> lengths(word), lengths(word), lengths("no trump")
    (5, 5, 8)
    """
    wanted = [each.kind for each in signature(function).parameters.values()]
    is_alone = len(wanted) == 1 and wanted[0] is not Parameter.VAR_POSITIONAL
    return cast(Callable[A, R], wraps(function)((_of_one if is_alone else _of_some)(function, parts)))


def _of_one(function: Callable[..., R], parts: int) -> Callable[[Any], R]:
    """Remember what came of a value; most that is remembered is that, and it is asked for in many places."""
    newer: dict[int, tuple[R, Any]] = {}
    older: dict[int, tuple[R, Any]] = {}
    until = 0.0

    def remembering(value: Any) -> R:
        nonlocal newer, older, until
        known = newer.get(id(value)) or older.get(id(value))
        if known is None:
            if len(newer) >= MOST * parts or time.monotonic() > until:
                newer, older, until = {}, newer, time.monotonic() + KEPT_S
            # Kept beside the result, the value lives as long as it: nothing else can have its id meanwhile.
            known = newer[id(value)] = function(value), value
        return known[0]

    return remembering


def _of_some(function: Callable[..., R], parts: int) -> Callable[..., R]:
    newer: dict[tuple[int, ...], tuple[R, tuple[Any, ...]]] = {}
    older: dict[tuple[int, ...], tuple[R, tuple[Any, ...]]] = {}
    until = 0.0

    def remembering(*values: Any) -> R:
        nonlocal newer, older, until
        key = tuple(map(id, values))
        known = newer.get(key) or older.get(key)
        if known is None:
            if len(newer) >= MOST * parts or time.monotonic() > until:
                newer, older, until = {}, newer, time.monotonic() + KEPT_S
            known = newer[key] = function(*values), values
        return known[0]

    return remembering


def part(function: Callable[A, R]) -> Callable[A, R]:
    """Remember what a pure function of parts of a position gave for the very same parts, as `once` does."""
    return once(function, PARTS)


def by_value(function: Callable[A, R]) -> Callable[A, R]:
    """Remember what a pure function gave, or a class made, of numbers, truths, texts and tuples of them.

    1 and True are the same here. To hash a record costs more than is saved, unless it equals nothing but itself.
    """
    return cast(Callable[A, R], lru_cache(MOST * PARTS)(function))
