"""A view as JSON: records become objects, what has a name of its own becomes that name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any

_AS_THEY_ARE = frozenset({str, int, float, bool, type(None)})


def plain(value: Any) -> Any:
    """Write a view, or a part of one, as JSON has it.

    >>> from companion.games.rage.cards import Card, Colour
    >>> plain((Colour.RED, None, {"a": (1, True)}))
    ['R', None, {'a': [1, True]}]
    """
    kind: type = type(value)
    if kind in _AS_THEY_ARE:
        return value
    if isinstance(value, Enum):
        return plain(value.value)
    if (names := _fields(kind)) is not None:
        return {name: plain(getattr(value, name)) for name in names}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(part) for part in value]
    return value if isinstance(value, str | int | float) else str(value)


@cache
def _fields(kind: type) -> tuple[str, ...] | None:
    """Name the fields of a dataclass, which asking costs more than writing; None for any other kind."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else None
