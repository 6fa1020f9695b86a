"""The time that entries bear: that of the clock on the wall, but for its jumps while somebody measures by it.

A laptop that wakes, or hears the time from the network, puts its clock right by minutes. Sand on a table knows nothing
of that, nor do the phones that show it: what was to be done within a minute would be refused as too late.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from mmap import mmap

from companion import machine
from companion.intake import written

HELD_S = 900.0
"""Seconds after the last move that the time decides: no glass runs so long. Then a jump is followed."""
AHEAD, HELD_UNTIL = range(2)
"""What is known: seconds since 1970, less what is counted; and up to which count that stays so."""
NUMBER_BYTES = 8


class Clock:
    """A clock that is put right while nobody measures by it."""

    def __init__(self, wall: Callable[[], float] = time.time, steady: Callable[[], float] = machine.steady) -> None:
        """Begin as the wall has it, alone.

        Args:
            wall: tells the seconds since 1970; somebody may set it.
            steady: counts seconds; nobody can.
        """
        self.wall, self.steady = wall, steady
        self.share(bytearray(2 * NUMBER_BYTES))

    def share(self, memory: bytearray | mmap) -> None:
        """Go by what stands in this memory, as all do who see it: where one holds, the others go on evenly, too."""
        self._known = memoryview(memory).cast("d")

    def now(self) -> str:
        """Tell the time, as the log writes it."""
        steady = self.steady()
        if steady >= self._known[HELD_UNTIL]:
            self._known[AHEAD] = self.wall() - steady
        return written(datetime.fromtimestamp(steady + self._known[AHEAD], UTC))

    def hold(self) -> None:
        """Go on evenly from here: somebody measures by it."""
        self.now()
        self._known[HELD_UNTIL] = self.steady() + HELD_S


CLOCK = Clock()
"""That of this process, and of the other workers of its server."""
