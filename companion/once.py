"""What is worked out once: the seats of a table look at the same position, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

V = TypeVar("V")
R = TypeVar("R")


def once(function: Callable[[V], R]) -> Callable[[V], R]:
    """Remember what a pure function gave for the very value that it was given last.

    By identity: to compare two positions, or to hash one, costs as much as many a question about it.

    >>> lengths = once(len)
    >>> word = "trump"
    >>> lengths(word), lengths(word), lengths("no trump")
    (5, 5, 8)
    """
    last: list[tuple[V, R]] = []

    @wraps(function)
    def remembering(value: V) -> R:
        known = last[0] if last else None
        if known is None or known[0] is not value:
            known = (value, function(value))
            last[:] = [known]
        return known[1]

    return remembering
