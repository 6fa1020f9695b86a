"""Frozen records and tuples, copied but for what changes: how every position follows from the one before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

R = TypeVar("R")
T = TypeVar("T")


def replace(record: R, **changes: Any) -> R:
    """Copy a frozen record with slots, but for what changes.

    `dataclasses.replace` does the same at ten times the cost, because it asks the class anew what its fields are, and
    makes the copy through its `__init__`. A record with a `__post_init__` needs that one.

    Raises:
        TypeError: there is no such field.

    >>> from companion.games.rage.cards import Colour, Coloured
    >>> replace(Coloured(Colour.RED, 7), value=8)
    Coloured(colour=<Colour.RED: 'R'>, value=8)
    """
    kind: Any = type(record)
    copy: Any = _copied(kind)(record)
    try:
        for name, value in changes.items():
            setattr(copy, name, value)
    except AttributeError:
        raise TypeError(f"{kind.__name__} has no field {name}") from None
    copy.__class__ = kind
    return copy  # type: ignore[no-any-return]


def put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    """Copy a tuple, but for one item.

    >>> put((3, None, 2), 1, 5)
    (3, 5, 2)
    """
    return (*items[:index], item, *items[index + 1 :])


@cache
def _copied(kind: type[Any]) -> Callable[[Any], Any]:
    """Make what copies a record into one that is not frozen yet: of a class beneath its own, which it leaves then.

    It is written out field by field, as `dataclasses` writes an `__init__`: a loop would cost four times as much.
    """
    plain = {"__slots__": (), "__setattr__": object.__setattr__, "__delattr__": object.__delattr__}
    lines = [f"copy.{field.name} = record.{field.name}" for field in fields(kind)]
    known: dict[str, Any] = {"new": object.__new__, "unfrozen": type(kind.__name__, (kind,), plain)}
    written = "\n    ".join(["def copied(record):", "copy = new(unfrozen)", *lines, "return copy"])
    exec(written, known)  # noqa: S102 (of the names of a class's own fields)
    made: Callable[[Any], Any] = known["copied"]
    return made
