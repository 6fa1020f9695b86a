"""Phones that look on at one table, each by a stream or a socket: when does the last of them hear of an event?"""

from __future__ import annotations

import asyncio
import time
from functools import partial

from benchmarks.clients import PATIENCE_S, Table, Trial
from benchmarks.tables import phone
from benchmarks.wires import Wire
from tests.house import secret

AT_ONCE = 50
"""Phones that connect at the same time."""


class Onlookers:
    """Who looks on at a table whose own phones play."""

    def __init__(self, trial: Trial, table: Table) -> None:
        self.trial, self.table = trial, table
        self.seen: list[int] = []
        self.wires: dict[int, Wire] = {}
        self.times: list[float] = []
        """Seconds from a tap until each of them heard of it."""
        self._missing = 0
        self._is_told = asyncio.Event()

    async def come(self, port: int, count: int) -> None:
        """Let so many more come; each is shown the table."""
        for first in range(0, count, AT_ONCE):
            some = range(len(self.seen), len(self.seen) + min(AT_ONCE, count - first))
            self.seen += [0] * len(some)
            self._expect(len(some))
            for who in some:
                await self._connect(port, who)
            await self._told()
        self.times.clear()

    async def event(self) -> None:
        """Let one of the table's own phones tap, and wait until all have heard of it."""
        self._expect(len(self.seen))
        self.table.begin()
        await self._told()
        while not self.table.is_settled:
            await asyncio.sleep(0.005)

    async def _connect(self, port: int, who: int) -> None:
        self.wires[who] = wire = await self.trial.dial(port, partial(self._heard, who))
        wire.write(self.table.path.looking(None, secret(phone(who, 9))))

    def _expect(self, count: int) -> None:
        self._missing = count
        self._is_told.clear()

    async def _told(self) -> None:
        try:
            await asyncio.wait_for(self._is_told.wait(), PATIENCE_S)
        except TimeoutError:
            raise AssertionError(self.trial.wrong[:1] or f"{self._missing} onlookers hear nothing") from None

    def _heard(self, who: int, data: bytes) -> bytes:
        found, rest = self.table.path.heard(self.wires[who], data)
        if found and found[-1] > self.seen[who]:
            self.seen[who] = found[-1]
            self.times.append(time.perf_counter() - self.table.began)
            self._missing -= 1
            if not self._missing:
                self._is_told.set()
        return rest
