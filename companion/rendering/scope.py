"""The names of a template that stand in JavaScript variables."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jinja2 import nodes


class Scope:
    """A stretch of a template with names of its own, from the outside in."""

    def __init__(self, outer: Scope | None = None) -> None:
        """Begin with none of its own."""
        self._outer = outer
        self._own: dict[str, str] = {}
        self._before: dict[str, str] = {}
        """What was meant by a name before it was set in here; "" where it is set whatever happens."""
        self._conditions = 0
        self._depth: int = outer._depth + 1 if outer else 0
        self.macros: dict[str, nodes.Macro] = dict(outer.macros) if outer else {}
        """Those that can be called by keyword."""

    @contextmanager
    def perhaps(self) -> Iterator[None]:
        """Set names that are set only if something holds."""
        self._conditions += 1
        yield
        self._conditions -= 1

    def set(self, name: str) -> str:
        """Give the variable of a name that is set in here."""
        if name not in self._own:
            self._before[name] = (self.find(name) or f"c.{name}") if self._conditions else ""
            self._own[name] = self._variable(name)
        return self._own[name]

    def take(self, name: str, variable: str = "") -> str:
        """Give the variable of a name that JavaScript itself brings in: of an argument."""
        self._own[name] = variable or self._variable(name)
        return self._own[name]

    def variables(self) -> dict[str, str]:
        """List the variables by the names that can be read in here."""
        return {**(self._outer.variables() if self._outer else {}), **self._own}

    def find(self, name: str) -> str:
        """Look up the variable of a name; "" for one of the context."""
        return self.variables().get(name, "")

    def declared(self) -> str:
        """Declare what is set in here; a name that is not set, after all, means what it meant outside."""
        parts = ",".join(f"{self._own[name]}{before and f'={before}'}" for name, before in self._before.items())
        return f"let {parts};" if parts else ""

    def _variable(self, name: str) -> str:
        return f"${name}${self._depth}" if self._depth else f"${name}"
