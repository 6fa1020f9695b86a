"""A view as JSON: records become objects, what has a name of its own becomes that name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson


def written(value: Any) -> str:
    """Write a view, or what holds one.

    >>> from companion.games.rage.cards import Card, Colour
    >>> written((Colour.RED, None, {"a": (1, True)}))
    '["R",null,{"a":[1,true]}]'
    """
    return orjson.dumps(value, default=_other, option=orjson.OPT_NON_STR_KEYS).decode()


def plain(value: Any) -> Any:
    """Give a view, or a part of one, as it is when it has been written and read."""
    return orjson.loads(written(value))


def _other(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    return str(value)
