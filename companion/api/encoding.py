"""A view as JSON: records become objects, what has a name of its own becomes that name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import orjson

from companion.kernel.once import once


def encoded(value: Any) -> str:
    """Write a view, or what holds one.

    >>> from companion.games.rage.cards import Card, Colour
    >>> encoded((Colour.RED, None, {"a": (1, True)}))
    '["R",null,{"a":[1,true]}]'
    """
    return _dumped(value).decode()


def _dumped(value: Any) -> bytes:
    return orjson.dumps(value, default=_other, option=orjson.OPT_NON_STR_KEYS)


def beside(own: Any, shared: Any) -> orjson.Fragment:
    """Write a record that mostly holds the very same values as another one of its kind: these are written once.

    >>> from companion.games.rage.cards import Colour, Coloured
    >>> encoded([beside(Coloured(Colour.RED, 7), Coloured(Colour.RED, 8))])
    '[{"value":7,"colour":"R"}]'
    """
    there, texts = _known(shared)
    differs = {name: mine for name, theirs in there.items() if (mine := getattr(own, name)) is not theirs}
    of = frozenset(differs)
    rest = texts.get(of)
    if rest is None:
        rest = texts[of] = _dumped({name: theirs for name, theirs in there.items() if name not in of})
    parts = [text[1:-1] for text in (_dumped(differs), rest) if text != b"{}"]
    return orjson.Fragment(b"{%s}" % b",".join(parts))


@once
def _known(shared: Any) -> tuple[dict[str, Any], dict[frozenset[str], bytes]]:
    """Give the fields of a record, and what was written of it: all but those that are named."""
    return {field.name: getattr(shared, field.name) for field in fields(shared)}, {}


def as_json(value: Any) -> Any:
    """Give a view, or a part of one, as it is when it has been written and read."""
    return orjson.loads(encoded(value))


def _other(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    return str(value)
