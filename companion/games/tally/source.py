"""The text of a score sheet: where each of its values stands, so that a fault is named by line and column."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from companion.games.tally.expressions import Part
from companion.games.tally.parser import Fault, Known, parse

_HEAD = re.compile(r"^[ \t]*\[([^\[\]\n]+)\]", re.MULTILINE)
_KEY = r"""(?:^|[{{,])[ \t]*(?:{0}|"{0}"|'{0}')[ \t]*=[ \t]*["']*"""

Place = tuple[str, ...]
"""The names that lead to a value, from the outermost table."""


class SheetFault(Exception):
    """This is no score sheet: the message says where in which file, and why."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file's name and text."""

    name: str
    text: str

    def fault(self, message: str, place: Place = (), expression: str = "", letter: int = 0) -> NoReturn:
        """Say what is wrong with a value. Raises: SheetFault."""
        at = self._at(place)
        if expression and (found := self.text.find(expression, at)) >= 0:
            at = found + letter
        line, column = self.text.count("\n", 0, at) + 1, at - (self.text.rfind("\n", 0, at) + 1) + 1
        raise SheetFault(f"{self.name}, line {line}, column {column}: {message}")

    def _at(self, place: Place) -> int:
        """Find the first letter of a value: in the table of its name, or in that of a table around it."""
        for depth in range(len(place) - 1, -1, -1):
            begins, ends = self._table(place[:depth])
            for name in place[depth:] if begins >= 0 else ():
                found = re.compile(_KEY.format(re.escape(name)), re.MULTILINE).search(self.text, begins, ends)
                if found is None:
                    break
                begins = found.end()
            else:
                if begins >= 0:
                    return begins
        return max(self._table(place)[0], 0)

    def _table(self, place: Place) -> tuple[int, int]:
        """Find where a table's own lines begin and end; (-1, -1) where it has none."""
        heads = [*_HEAD.finditer(self.text)]
        ends = [head.start() for head in heads[1:]] + [len(self.text)]
        if not place:
            return 0, heads[0].start() if heads else len(self.text)
        for head, end in zip(heads, ends, strict=False):
            if tuple(part.strip().strip("\"'") for part in head[1].split(".")) == place:
                return head.end(), end
        return -1, -1


@dataclass(frozen=True, slots=True)
class Entries:
    """A table of the sheet, read value by value; each says what would do."""

    source: Source
    data: Mapping[str, Any]
    place: Place = ()
    names: tuple[str, ...] = field(default=())
    """What may stand in it; () for anything."""

    def __post_init__(self) -> None:
        """Refuse what means nothing here."""
        for name in self.data:
            if self.names and name not in self.names:
                self.fault(name, f"{name!r} means nothing here. Known: {', '.join(self.names)}.")

    def fault(self, name: str, message: str) -> NoReturn:
        """Say what is wrong with a value. Raises: SheetFault."""
        self.source.fault(message, (*self.place, name))

    def text(self, name: str, most: int = 60) -> str:
        """Read a text. Raises: SheetFault."""
        value = self.data.get(name, "")
        if not isinstance(value, str) or len(value) > most:
            self.fault(name, f"{name} must be a text of {most} letters at most.")
        return value.strip()

    def whole(self, name: str, allowed: range, otherwise: int) -> int:
        """Read a whole number. Raises: SheetFault."""
        value = self.data.get(name, otherwise)
        if type(value) is not int or (name in self.data and value not in allowed):
            self.fault(name, f"{name} must be a whole number from {allowed[0]} to {allowed[-1]}.")
        return value

    def flag(self, name: str) -> bool:
        """Read true or false. Raises: SheetFault."""
        value = self.data.get(name, False)
        if not isinstance(value, bool):
            self.fault(name, f"{name} must be true or false.")
        return value

    def expression(self, name: str, known: Known) -> Part | None:
        """Read an expression; None where there is none. Raises: SheetFault."""
        return self.parsed(name, self.data[name], known) if name in self.data else None

    def parsed(self, name: str, value: object, known: Known) -> Part:
        """Read an expression from a text, or a number. Raises: SheetFault."""
        if type(value) is int:
            value = str(value)
        if not isinstance(value, str):
            self.fault(name, f"{name} must be an expression: a text, or a whole number.")
        try:
            return parse(value, known)
        except Fault as fault:
            self.source.fault(fault.message, (*self.place, name), value, fault.place)
