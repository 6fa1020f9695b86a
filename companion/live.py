"""Who is listening to which table: a bell that is rung with a table's newest number.

The bell carries no content. Whoever hears it reads the log, so a bell that is missed or rung twice does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from flask import current_app


class Bell:
    """The bell in the process: one table, one number, everybody who waits is woken."""

    def __init__(self) -> None:
        """Start with nobody listening."""
        self._changed = Condition()
        self._numbers: dict[str, int] = {}
        self._listeners: dict[str, int] = {}

    def ring(self, code: str, number: int) -> None:
        """Tell all who listen to a table that its log has reached this number."""
        with self._changed:
            if code in self._listeners:
                self._numbers[code] = max(number, self._numbers.get(code, 0))
                self._changed.notify_all()

    def wait(self, code: str, after: int, timeout_s: float) -> int | None:
        """Wait for a number higher than `after`; None when the time is over."""
        with self._changed:
            self._changed.wait_for(lambda: self._numbers.get(code, 0) > after, timeout_s)
            number = self._numbers.get(code, 0)
            return number if number > after else None

    @contextmanager
    def listening(self, code: str) -> Iterator[None]:
        """Keep a table's numbers while somebody listens."""
        with self._changed:
            self._listeners[code] = self._listeners.get(code, 0) + 1
        try:
            yield
        finally:
            with self._changed:
                self._listeners[code] -= 1
                if not self._listeners[code]:
                    del self._listeners[code]
                    self._numbers.pop(code, None)

    @property
    def listeners(self) -> int:
        """Count the open streams."""
        with self._changed:
            return sum(self._listeners.values())


def bell() -> Bell:
    """Give the app's bell."""
    known: Bell = current_app.extensions["companion.bell"]
    return known
