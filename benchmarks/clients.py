"""Phones without a browser, many to a process: they play whole games, and note when every phone has seen each move."""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from benchmarks.dealt import PHONES
from benchmarks.paths import Path
from benchmarks.tables import Opened
from benchmarks.wires import Wire, dial

PATIENCE_S = 60
AT_ONCE = 20
"""Tables that connect at the same time."""


@dataclass
class Trial:
    """What is measured, and whether it is over."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By the kind of game: seconds from each tap until it was entered, and all phones of the table had the state."""
    wrong: list[str] = field(default_factory=list)
    wires: list[Wire] = field(default_factory=list)
    spare: list[Table] = field(default_factory=list)
    """Tables that have their phones already, and begin when another has ended."""
    places: list[Table] = field(default_factory=list)
    """Tables that have ended, and had none to go on with."""
    moves: int = 0
    busy_s: float = 0.0
    """All moves that were made, counted or not, and the sum of their seconds."""
    share: float = 0.0
    """Where trials go on in the same seconds: how far between two moves of the others this one's come, from 0 to 1."""
    is_counting: bool = False
    is_over: bool = False

    async def dial(self, port: int, read: Callable[[bytes], bytes]) -> Wire:
        """Connect; the end of the trial is the end of the connection."""

        def reading(data: bytes) -> bytes:
            try:
                return read(data)
            except ValueError as problem:
                self.wrong.append(str(problem))
                return b""

        self.wires.append(await dial(port, reading))
        return self.wires[-1]

    def ended(self, table: Table) -> None:
        """Let the next table begin: opening one is not what is measured."""
        if self.spare:
            self.spare.pop().begin()
        else:
            self.places.append(table)

    def received(self) -> int:
        """Count the bytes that all phones have been sent."""
        return sum(wire.size for wire in self.wires)

    def all_times(self) -> list[float]:
        """List the seconds of all moves."""
        return [each for some in self.times.values() for each in some]

    def close(self) -> None:
        """Hang up."""
        self.is_over = True
        for wire in self.wires:
            wire.transport.abort()


class Table:
    """A table at which the next move goes out when everybody has seen the last, and its time has come."""

    def __init__(self, trial: Trial, opened: Opened, path: type[Path], pause_s: float = 0.0) -> None:
        self.trial, self.opened, self.pause_s = trial, opened, pause_s
        self.moves, self.done, self.number = opened.dealt.moves, opened.done, opened.number
        self.path = path(self)
        self.seen = [-1] * PHONES
        self.began = 0.0
        self.is_entered = True
        self.is_ready = asyncio.Event()
        self.rests_at = len(self.moves)
        """It rests when so many moves of its game are made."""

    @property
    def made(self) -> int:
        """Count the moves of this trial."""
        return self.done - self.opened.done

    @property
    def is_settled(self) -> bool:
        """Whether the last move is entered, and everybody has seen it."""
        return self.is_entered and min(self.seen) >= self.number

    @property
    def is_resting(self) -> bool:
        """Whether there is nothing to do, or to wait for."""
        return self.done >= self.rests_at and self.is_settled

    async def connect(self, port: int) -> None:
        """Connect every phone; returns when each has the state."""
        await self.path.connect(port)
        await self.is_ready.wait()

    async def dial(self, port: int, read: Callable[[bytes], bytes]) -> Wire:
        return await self.trial.dial(port, read)

    def begin(self) -> None:
        """Make a move, if there is one left."""
        if self.trial.is_over or self.trial.wrong:
            return
        if self.done >= self.rests_at:
            self.trial.ended(self)
            return
        move = self.moves[self.done]
        self.done += 1
        self.number += 1
        self.is_entered = False
        self.began = time.perf_counter()
        self.path.tap(move, self.number)

    def saw(self, seat: int, number: int) -> None:
        """Note what a phone has been sent."""
        if number > self.seen[seat]:
            self.seen[seat] = number
            self._check()

    def entered(self, number: int) -> None:
        """Note that the server has confirmed the move."""
        if number >= self.number and not self.is_entered:
            self.is_entered = True
            self._check()

    def failed(self, said: bytes) -> None:
        """Note what the server would not do."""
        self.trial.wrong.append(f"{self.opened.dealt.game.key}, move {self.done}: {said.decode(errors='replace')}")

    def _check(self) -> None:
        if not self.is_settled:
            return
        if not self.is_ready.is_set():
            self.is_ready.set()
            return
        took = time.perf_counter() - self.began
        self.trial.moves += 1
        self.trial.busy_s += took
        if self.trial.is_counting:
            self.trial.times[self.opened.dealt.game.key].append(took)
        if took < self.pause_s:
            asyncio.get_running_loop().call_later(self.pause_s - took, self.begin)
        else:
            self.begin()


async def connect(tables: Sequence[Table], trial: Trial, port: int) -> None:
    """Connect all phones."""
    for first in range(0, len(tables), AT_ONCE):
        some = asyncio.gather(*(one.connect(port) for one in tables[first : first + AT_ONCE]))
        try:
            await asyncio.wait_for(some, PATIENCE_S)
        except TimeoutError:
            raise AssertionError(trial.wrong[:1] or "the phones are not shown their tables") from None


def begin(tables: Sequence[Table]) -> None:
    """Let all tables play; those that pause between moves begin one after the other, as people do."""
    loop = asyncio.get_running_loop()
    for place, table in enumerate(tables):
        due = table.pause_s * (place + table.trial.share) / len(tables)
        loop.call_later((due - loop.time()) % table.pause_s if table.pause_s else 0, table.begin)


async def sit_down(tables: Sequence[Table], trial: Trial, port: int) -> None:
    """Connect all phones, and let the tables play."""
    await connect(tables, trial, port)
    begin(tables)


async def stand_by(tables: Sequence[Table], trial: Trial, port: int) -> None:
    """Connect tables that others go on at, the first of them at once where some have ended already."""
    await connect(tables, trial, port)
    trial.spare += reversed(tables)
    for _ in range(min(len(trial.places), len(trial.spare))):
        trial.ended(trial.places.pop())


async def play_to(moves: Sequence[int], tables: Sequence[Table], trial: Trial) -> None:
    """Play as fast as it goes until so many moves are made at each table."""
    for one, most in zip(tables, moves, strict=True):
        one.rests_at = most
    begin(tables)
    while not all(one.is_resting for one in tables):
        assert not trial.wrong, trial.wrong[0]
        await asyncio.sleep(0.05)


async def count(trial: Trial, seconds: float) -> None:
    """Count for a while."""
    trial.is_counting = True
    await asyncio.sleep(seconds)
    trial.is_counting = False
    assert not trial.wrong, trial.wrong[0]
