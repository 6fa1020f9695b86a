"""What has changed between two views, as plain data: a phone that has the one is sent no more than that.

A difference is `{"players.2.is_next": true}`: paths of names and places, and what stands there now. A list or
dictionary of another length, or with other names, is sent whole. `static/patch.js` puts it in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Difference = Mapping[str, Any]
"""Path -> what stands there now; "" is the whole."""
DOT = "."


def difference(old: Any, new: Any) -> Difference:
    """Compare two values of plain data (dictionaries with text as names, lists, text, numbers, truth, None).

    >>> difference({"a": [1, {"b": 2}], "c": 3}, {"a": [1, {"b": 5}], "c": 3})
    {'a.1.b': 5}
    """
    return dict(_different(old, new, ""))


def _different(old: Any, new: Any, path: str) -> Iterator[tuple[str, Any]]:
    if old is new:
        return
    kind = type(new)
    if kind is dict and type(old) is dict and old.keys() == new.keys():
        names: Any = new
    elif kind is list and type(old) is list and len(old) == len(new):
        names = range(len(new))
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
