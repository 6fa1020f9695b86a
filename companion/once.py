"""What is worked out once, though all who sit at a table look at the same position, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import TypeVar

MOST = 256
"""So many values are remembered."""

V = TypeVar("V")
R = TypeVar("R")


def once(function: Callable[[V], R]) -> Callable[[V], R]:
    """Remember what a pure function gave for the very values that it was given lately.

    By identity: to compare two positions, or to hash one, costs as much as many a question about it.

    >>> lengths = once(len)
    >>> word = "trump"
    >>> lengths(word), lengths(word), lengths("no trump")
    (5, 5, 8)
    """
    kept: dict[int, tuple[V, R]] = {}
    lock = Lock()

    @wraps(function)
    def remembering(value: V) -> R:
        known = kept.get(id(value))
        if known is None or known[0] is not value:
            known = (value, function(value))
            with lock:
                kept[id(value)] = known
                if len(kept) > MOST:
                    del kept[next(iter(kept))]
        return known[1]

    return remembering
