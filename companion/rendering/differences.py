"""What has changed between two views, as plain data: a phone that has the one is sent no more than that.

A difference is `{"players.2.is_next": true}`: paths of names and places, and what stands there now. Of a list that has
grown or shrunk `"cards.3:5"` names the stretch (from, to) that is something else now. `static/patch.js` puts it in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress, takewhile
from operator import eq, is_not
from typing import Any

Difference = Mapping[str, Any]
"""Path -> what stands there now; "" is the whole."""
DOT, STRETCH = ".", ":"
_OF_PARTS = frozenset({dict, list})


def difference(old: Any, new: Any, path: str = "") -> Difference:
    """Compare two values of plain data (dictionaries with text as names, lists, text, numbers, truth, None).

    >>> difference({"a": [1, {"b": 2}], "c": [3, 4]}, {"a": [1, {"b": 5}], "c": [3, 3, 4]})
    {'c.1:1': [3], 'a.1.b': 5}

    Args:
        old: what there was.
        new: what there is.
        path: where they stand.
    """
    found: dict[str, Any] = {}
    ahead = [(path, old, new)]
    for at, was, now in ahead:  # which grows meanwhile
        kind = type(now)
        if kind is not type(was) or kind not in _OF_PARTS:
            if kind is not type(was) or was != now:
                found[at] = now
            continue
        before = at and at + DOT
        if kind is dict and was.keys() == now.keys():
            changed = [*compress(now, map(is_not, now.values(), map(was.__getitem__, now)))]
            if "" in changed or DOT in "".join(changed):  # no path can name these
                found[at] = now
            else:
                ahead += [(before + name, was[name], now[name]) for name in changed]
        elif kind is list and len(was) == len(now):
            places = [*compress(range(len(now)), map(is_not, now, was))]
            ahead += [(f"{before}{place}", was[place], now[place]) for place in places]
        elif kind is list and was and now:
            start, end, stretch = _stretch(was, now)
            found[f"{before}{start}{STRETCH}{end}"] = stretch
        else:
            found[at] = now
    return found


def put_in(value: Any, changes: Difference) -> Any:
    """Give a value after a difference, as the phone does; the one before stays as it was.

    >>> put_in({"a": [1, {"b": 2}], "c": [3, 4]}, {"a.1.b": 5, "c.1:1": [3]})
    {'a': [1, {'b': 5}], 'c': [3, 3, 4]}
    """
    for path, new in changes.items():
        value = _put(value, path.split(DOT) if path else [], new)
    return value


def _put(value: Any, path: Sequence[str], new: Any) -> Any:
    if not path:
        return new
    name, *rest = path
    if isinstance(value, dict):
        return {**value, name: _put(value.get(name), rest, new)}
    start, is_stretch, end = name.partition(STRETCH)
    if is_stretch:
        return [*value[: int(start)], *new, *value[int(end) :]]
    return [*value[: int(name)], _put(value[int(name)], rest, new), *value[int(name) + 1 :]]


def _stretch(old: list[Any], new: list[Any]) -> tuple[int, int, list[Any]]:
    """Find what lies between the beginning and the end that two lists have in common: from, to, what is there now."""
    start = _common(old, new)
    end = min(min(len(old), len(new)) - start, _common(old[::-1], new[::-1]))
    return start, len(old) - end, new[start : len(new) - end]


def _common(old: Sequence[Any], new: Sequence[Any]) -> int:
    return sum(1 for _ in takewhile(bool, map(eq, old, new)))
