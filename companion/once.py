"""What is worked out once, though all who sit at a table look at the same position, one after the other.

A part of it that reads only a hand, or a sheet, is worked out once for as long as that hand or sheet stays as it is: a
position shares with the one before what the move has not changed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

MOST = 256
"""So many positions are remembered, or up to twice as many."""
PARTS = 16
"""So many parts of each."""

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
    newer: dict[tuple[int, ...], tuple[R, tuple[Any, ...]]] = {}
    older: dict[tuple[int, ...], tuple[R, tuple[Any, ...]]] = {}

    @wraps(function)
    def remembering(*values: Any) -> R:
        nonlocal newer, older
        key = tuple(map(id, values))
        known = newer.get(key) or older.get(key)
        if known is None:
            if len(newer) >= MOST * parts:
                newer, older = {}, newer
            # Kept beside the result, the values live as long as it: nothing else can have their ids meanwhile.
            known = newer[key] = function(*values), values  # type: ignore[call-arg]
        return known[0]

    return cast(Callable[A, R], remembering)


def part(function: Callable[A, R]) -> Callable[A, R]:
    """Remember what a pure function of parts of a position gave for the very same parts, as `once` does."""
    return once(function, PARTS)


def by_value(function: Callable[A, R]) -> Callable[A, R]:
    """Remember what a pure function gave, or a class made, of numbers, truths, texts and tuples of them.

    1 and True are the same here. To hash a record costs more than is saved, unless it equals nothing but itself.
    """
    return cast(Callable[A, R], lru_cache(MOST * PARTS)(function))
