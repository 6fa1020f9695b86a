"""Templates read plain data: what a dictionary holds is found at once, and before the methods that it has."""

from __future__ import annotations

from typing import Any

from flask.templating import Environment


class PlainFirst(Environment):
    """Jinja, which looks for `a.b` as an attribute first: for data, that is a tenth of the time of drawing."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Read `a.b`."""
        if obj.__class__ is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)
