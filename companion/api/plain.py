"""A view as JSON: records become objects, what has a name of its own becomes that name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any


def plain(value: Any) -> Any:
    """Write a view, or a part of one, as JSON has it.

    >>> from companion.games.rage.cards import Card, Colour
    >>> plain((Colour.RED, None, {"a": (1, True)}))
    ['R', None, {'a': [1, True]}]
    """
    if isinstance(value, Enum):
        return plain(value.value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(plain(key)): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(part) for part in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
