"""What has changed between two views, as plain data: a phone that has the one is sent no more than that.

A difference is `{"players.2.is_next": true}`: paths of names and places, and what stands there now. Of a list that has
grown or shrunk `"cards.3:5"` names the stretch (from, to) that is something else now, and under `"cards.-"` stand the
places that have gone. `static/patch.js` puts it in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress, takewhile
from operator import eq, is_not
from typing import Any

Difference = Mapping[str, Any]
"""Path -> what stands there now; "" is the whole."""
DOT, STRETCH, GONE = ".", ":", "-"
_OF_PARTS = frozenset({dict, list})


def difference(old: Any, new: Any, path: str = "") -> Difference:
    """Compare two values of plain data (dictionaries with text as names, lists, text, numbers, truth, None).

    >>> difference({"a": [1, {"b": 2}], "c": [3, 4]}, {"a": [1, {"b": 5}], "c": [3, 3, 4]})
    {'c.1:1': [3], 'a.1.b': 5}
    >>> difference([{"a": 1}, {"a": 2}, {"a": 3}, {"a": 4}], [{"a": 2}, {"a": 4}])
    {'-': [0, 2]}

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
            name, rest = _of_a_list(was, now)
            found[before + name] = rest
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
    if name == GONE:
        return [one for place, one in enumerate(value) if place not in new]
    start, is_stretch, end = name.partition(STRETCH)
    if is_stretch:
        return [*value[: int(start)], *new, *value[int(end) :]]
    return [*value[: int(name)], _put(value[int(name)], rest, new), *value[int(name) + 1 :]]


def _of_a_list(old: list[Any], new: list[Any]) -> tuple[str, list[Any]]:
    """Say what has become of a list that has grown or shrunk: how that is named in a path, and what stands there.

    It is what lies between the beginning and the end that both have in common. Where that is much, for each of them has
    parts, and nothing has come, the places that have gone say the same.
    """
    start = _common(old, new)
    end = min(min(len(old), len(new)) - start, _common(old[::-1], new[::-1]))
    stretch = new[start : len(new) - end]
    if len(new) < len(old) and stretch and type(stretch[0]) in _OF_PARTS:
        gone = _gone(old, new)
        if len(gone) == len(old) - len(new):
            return GONE, gone
    return f"{start}{STRETCH}{len(old) - end}", stretch


def _gone(old: list[Any], new: list[Any]) -> list[int]:
    """List the places of what a list has lost; more than it has lost if something else has come, or another order."""
    gone, left = [], iter(new)
    awaited = next(left, None)
    for place, one in enumerate(old):
        if one == awaited:
            awaited = next(left, None)
        else:
            gone.append(place)
    return gone


def _common(old: Sequence[Any], new: Sequence[Any]) -> int:
    return sum(1 for _ in takewhile(bool, map(eq, old, new)))
