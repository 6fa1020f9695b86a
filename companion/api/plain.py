"""A view as JSON: records become objects, what has a name of its own becomes that name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from operator import attrgetter
from typing import Any

import orjson

from companion.once import once


def written(value: Any) -> str:
    """Write a view, or what holds one.

    >>> from companion.games.rage.cards import Card, Colour
    >>> written((Colour.RED, None, {"a": (1, True)}))
    '["R",null,{"a":[1,true]}]'
    """
    return _dumped(value).decode()


def _dumped(value: Any) -> bytes:
    return orjson.dumps(value, default=_other, option=orjson.OPT_NON_STR_KEYS)


def beside(own: Any, shared: Any) -> orjson.Fragment:
    """Write a record that mostly holds the very same values as another one of its kind: these are written once.

    >>> from companion.games.rage.cards import Colour, Coloured
    >>> written([beside(Coloured(Colour.RED, 7), Coloured(Colour.RED, 8))])
    '[{"value":7,"colour":"R"}]'
    """
    kind: Any = type(own)
    names, read = _fields(kind)
    there, texts = _known(shared)
    differs = [(name, mine) for name, mine, theirs in zip(names, read(own), there, strict=True) if mine is not theirs]
    of = tuple([name for name, _mine in differs])
    rest = texts.get(of)
    if rest is None:
        rest = texts[of] = _dumped({name: value for name, value in zip(names, there, strict=True) if name not in of})
    parts = [text[1:-1] for text in (_dumped(dict(differs)), rest) if text != b"{}"]
    return orjson.Fragment(b"{%s}" % b",".join(parts))


@cache
def _fields(kind: type[Any]) -> tuple[tuple[str, ...], attrgetter[tuple[Any, ...]]]:
    """Name the fields of a class, two or more, and what reads all of them."""
    names = tuple(field.name for field in fields(kind))
    return names, attrgetter(*names)


@once
def _known(shared: Any) -> tuple[tuple[Any, ...], dict[tuple[str, ...], bytes]]:
    """Give the values of a record, and what was written of it: all but these fields."""
    kind: Any = type(shared)
    return _fields(kind)[1](shared), {}


def plain(value: Any) -> Any:
    """Give a view, or a part of one, as it is when it has been written and read."""
    return orjson.loads(written(value))


def _other(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    return str(value)
