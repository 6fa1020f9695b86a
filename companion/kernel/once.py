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


class Memory(dict[Any, tuple[Any, Any]]):
    """What came of values, by their identity, each beside them: so a value lives as long as it, and none gets its id.

    Who asks again and again for what is mostly known looks here first, which calls nothing: `memory.get(id(value))`.
    """

    def __init__(self, most: int) -> None:
        """Begin with nothing; so much is remembered, or up to twice as much."""
        super().__init__()
        self.most, self.until = most, 0.0
        self.older: dict[Any, tuple[Any, Any]] = {}
        """What nobody has asked for lately: the next to go."""

    def age(self) -> None:
        """Let go of what nobody has asked for, and begin anew to see what is."""
        self.older, self.until = dict(self), time.monotonic() + KEPT_S
        self.clear()
        _VALUES.age()


class Values(list[Any]):
    """Functions that remember by value: in time all of that goes, and what is still asked for is worked out anew."""

    until = 0.0

    def age(self) -> None:
        """Forget what was remembered, if it is time."""
        if time.monotonic() > self.until:
            for function in self:
                function.cache_clear()
            self.until = time.monotonic() + KEPT_S


_VALUES = Values()


def once(function: Callable[A, R], memory: Memory | None = None) -> Callable[A, R]:
    """Remember what a pure function gave for the very values that it was given lately.

    By identity: to compare two positions, or to hash one, costs as much as many a question about it. So the values are
    to be such as are handed on and not made anew each time.

    >>> lengths = once(len)
    >>> word = "trump"
    >>> lengths(word), lengths(word), lengths("no trump")
    (5, 5, 8)

    Args:
        function: of one value or several.
        memory: where that is remembered; several functions of one value may share it, each for values of its own.
    """
    wanted = [each.kind for each in signature(function).parameters.values()]
    is_alone = len(wanted) == 1 and wanted[0] is not Parameter.VAR_POSITIONAL
    remember = _of_one if is_alone else _of_some
    return cast(Callable[A, R], wraps(function)(remember(function, Memory(MOST) if memory is None else memory)))


def _of_one(function: Callable[..., R], memory: Memory) -> Callable[[Any], R]:
    """Remember what came of a value; most that is remembered is that, and it is asked for in many places."""
    lately = memory.get

    def remembering(value: Any) -> R:
        known: tuple[R, Any] | None = lately(id(value))
        if known is None:
            known = memory.older.get(id(value)) or (function(value), value)
            if len(memory) >= memory.most or time.monotonic() > memory.until:
                memory.age()
            memory[id(value)] = known
        return known[0]

    return remembering


def _of_some(function: Callable[..., R], memory: Memory) -> Callable[..., R]:
    lately = memory.get

    def remembering(*values: Any) -> R:
        key = tuple(map(id, values))
        known: tuple[R, Any] | None = lately(key)
        if known is None:
            known = memory.older.get(key) or (function(*values), values)
            if len(memory) >= memory.most or time.monotonic() > memory.until:
                memory.age()
            memory[key] = known
        return known[0]

    return remembering


def part(function: Callable[A, R]) -> Callable[A, R]:
    """Remember what a pure function of parts of a position gave for the very same parts, as `once` does."""
    return once(function, Memory(MOST * PARTS))


def by_value(function: Callable[A, R]) -> Callable[A, R]:
    """Remember what a pure function gave, or a class made, of numbers, truths, texts and tuples of them.

    1 and True are the same here. To hash a record costs more than is saved, unless it equals nothing but itself.
    What games that are over have left there goes as it does in a `Memory`, and when one of these does.
    """
    remembering = lru_cache(MOST * PARTS)(function)
    _VALUES.append(remembering)
    return cast(Callable[A, R], remembering)
