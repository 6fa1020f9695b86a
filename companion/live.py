"""Who is listening to which table: a bell that is rung with a table's newest number.

The bell carries no content. Whoever hears it reads the log, so a bell that is missed or rung twice does no harm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from flask import current_app

STREAMS_A_PHONE = 4


class Bell:
    """The bell in the process: one table, one number, everybody who waits is woken."""

    def __init__(self) -> None:
        """Start with nobody listening."""
        self._changed = Condition()
        self._numbers: dict[str, int] = {}
        self._listeners: Counter[str] = Counter()
        self._phones: Counter[str] = Counter()

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
    def listening(self, code: str, who: str = "") -> Iterator[None]:
        """Keep a table's numbers while somebody listens."""
        with self._changed:
            self._listeners[code] += 1
            self._phones[who] += 1
        try:
            yield
        finally:
            with self._changed:
                self._listeners -= Counter([code])
                self._phones -= Counter([who])
                if code not in self._listeners:
                    self._numbers.pop(code, None)

    def is_full(self, who: str, most: int) -> bool:
        """Say whether this phone would have to look by itself: `most` streams are open, or too many of its own.

        Browsers open six connections to one address; a phone with many tabs needs some of them for its taps.
        """
        with self._changed:
            return self._listeners.total() >= most or self._phones[who] >= STREAMS_A_PHONE

    @property
    def listeners(self) -> int:
        """Count the open streams."""
        with self._changed:
            return self._listeners.total()


def bell() -> Bell:
    """Give the app's bell."""
    known: Bell = current_app.extensions["companion.bell"]
    return known
