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
    {'a.1.b': 5, 'c.1:1': [3]}

    Args:
        old: what there was.
        new: what there is.
        path: where they stand.
    """
    found: dict[str, Any] = {}
    ahead = [(path, old, new)]
    while ahead:
        path, old, new = ahead.pop()
        kind = type(new)
        if kind is not type(old) or kind not in _OF_PARTS:
            if kind is not type(old) or old != new:
                found[path] = new
            continue
        before = path and path + DOT
        if kind is dict and old.keys() == new.keys():
            changed = [*compress(new, map(is_not, new.values(), map(old.__getitem__, new)))]
            if "" in changed or DOT in "".join(changed):  # no path can name these
                found[path] = new
            else:
                ahead += [(before + name, old[name], new[name]) for name in reversed(changed)]
        elif kind is list and len(old) == len(new):
            places = [*compress(range(len(new)), map(is_not, new, old))]
            ahead += [(f"{before}{place}", old[place], new[place]) for place in reversed(places)]
        elif kind is list and old and new:
            start, end, stretch = _stretch(old, new)
            found[f"{before}{start}{STRETCH}{end}"] = stretch
        else:
            found[path] = new
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
