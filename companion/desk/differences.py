"""What has changed between two views, as plain data: a phone that has the one is sent no more than that.

A difference is `{"players.2.is_next": true}`: paths of names and places, and what stands there now. Of a list that has
grown or shrunk `"cards.3:5"` names the stretch (from, to) that is something else now. `static/patch.js` puts it in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from operator import eq
from typing import Any

Difference = Mapping[str, Any]
"""Path -> what stands there now; "" is the whole."""
DOT, STRETCH = ".", ":"


def difference(old: Any, new: Any, path: str = "") -> Difference:
    """Compare two values of plain data (dictionaries with text as names, lists, text, numbers, truth, None).

    >>> difference({"a": [1, {"b": 2}], "c": [3, 4]}, {"a": [1, {"b": 5}], "c": [3, 3, 4]})
    {'a.1.b': 5, 'c.1:1': [3]}

    Args:
        old: what there was.
        new: what there is.
        path: where they stand.
    """
    return dict(_different(old, new, path))


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


def _different(old: Any, new: Any, path: str) -> Iterator[tuple[str, Any]]:
    if old is new:
        return
    kind = type(new)
    if kind is dict and type(old) is dict and old.keys() == new.keys():
        names: Any = new
    elif kind is list and type(old) is list and len(old) == len(new):
        names = range(len(new))
    elif kind is list and type(old) is list and old and new:
        yield _stretch(old, new, f"{path}{DOT}" if path else "")
        return
    else:
        if type(old) is not kind or old != new:
            yield path, new
        return
    changed = [name for name in names if old[name] is not new[name]]
    if any(isinstance(name, str) and (not name or DOT in name) for name in changed):
        yield path, new  # a path could not name it
        return
    before = f"{path}{DOT}" if path else ""
    for name in changed:
        yield from _different(old[name], new[name], f"{before}{name}")


def _stretch(old: list[Any], new: list[Any], before: str) -> tuple[str, Any]:
    """Give what stands between the beginning and the end that two lists have in common."""
    start = _common(old, new)
    most = min(len(old), len(new)) - start
    end = min(most, _common(old[::-1], new[::-1]))
    return f"{before}{start}{STRETCH}{len(old) - end}", new[start : len(new) - end]


def _common(old: Sequence[Any], new: Sequence[Any]) -> int:
    return sum(1 for _ in takewhile(bool, map(eq, old, new)))
