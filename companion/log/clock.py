"""The time that entries bear: that of the clock on the wall, but for its jumps while somebody measures by it.

A laptop that wakes, or hears the time from the network, puts its clock right by minutes. Sand on a table knows nothing
of that, nor do the phones that show it: what was to be done within a minute would be refused as too late.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

from companion import machine
from companion.intake import written

HELD_S = 900.0
"""Seconds after the last move that the time decides: no glass runs so long. Then a jump is followed."""


class Clock:
    """A clock that is put right while nobody measures by it."""

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = machine.steady) -> None:
        """Begin as the wall has it.

        Args:
            wall: tells the seconds since 1970; somebody may set it.
            steady: counts seconds; nobody can.
        """
        self.wall, self.steady = wall, steady
        self._held_until = steady()
        self._ahead = wall() - self._held_until
        """Seconds since 1970, less what is counted."""

    def now(self) -> str:
        """Tell the time, as the log writes it."""
        steady = self.steady()
        if steady >= self._held_until:
            self._ahead = self.wall() - steady
        return written(datetime.fromtimestamp(steady + self._ahead, UTC))

    def hold(self) -> None:
        """Go on evenly from here: somebody measures by it."""
        self._held_until = self.steady() + HELD_S


CLOCK = Clock()
"""That of this process."""
