"""What a template of a live part may hold, beside what the compiler has a method for: `docs/templates.md`."""

from __future__ import annotations

FILTERS = {
    "default": 1,
    "join": 1,
    "length": 0,
    "list": 0,
    "map": 1,
    "max": 0,
    "reject": 2,
    "rejectattr": 3,
    "replace": 2,
    "selectattr": 3,
    "sort": 1,
    "sum": 1,
    "unique": 0,
}
"""Each with the number of its arguments, at most; `draw.js` has them by the same names."""
TESTS = {
    "defined": "({}!==undefined)",
    "none": "({}===null)",
    "number": "['number','boolean'].includes(typeof {})",
}
"""What stands behind `is`."""
CHOSEN_BY = {"defined", "equalto", "in", "none"}
"""The tests of `selectattr`, `rejectattr` and `reject`, which `draw.js` has."""
COMPARED = {
    "eq": "R.eq({},{})",
    "ne": "!R.eq({},{})",
    "in": "R.among({},{})",
    "notin": "!R.among({},{})",
    "lt": "({}<{})",
    "gt": "({}>{})",
    "lteq": "({}<={})",
    "gteq": "({}>={})",
}

_OF_EVERY_OBJECT = {
    *("constructor", "hasOwnProperty", "isPrototypeOf", "length", "propertyIsEnumerable"),
    *("toLocaleString", "toString", "valueOf"),
}
"""What every object in JavaScript has, or every list."""


class Unlawful(Exception):
    """A template holds what is not for templates that phones draw."""

    def __init__(self, template: str, line: int, what: str) -> None:
        """Keep where it stands.

        Args:
            template: its name.
            line: of the template, from 1.
            what: is not for templates that phones draw.
        """
        super().__init__(f"{template}:{line}: {what} is not for templates that phones draw")
        self.template, self.line = template, line


def is_field(name: str) -> bool:
    """Say whether a name can be read as a field on both sides: no dictionary or object has it of its own."""
    return not hasattr(dict, name) and name not in _OF_EVERY_OBJECT and not name.startswith("__")
