"""A festival: five thousand phones on two workers, PostgreSQL and Redis."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from benchmarks import clients, servers
from benchmarks.clients import Table, Trial
from benchmarks.dealt import PHONES
from benchmarks.ground import Ground, say, short, table
from benchmarks.load import SPARE, Asked, quantiles, started
from benchmarks.machine import REST, on_cores
from benchmarks.onlookers import Onlookers
from benchmarks.paths import Phones
from benchmarks.sections.memory import EVENTS, REST_S
from benchmarks.servers import Running
from benchmarks.tables import Opened, Room
from tests.redises import RedisServer

CROWD, STEPS, WORKERS, RATE = 5_000, 10, 2, 100
LIMIT_S = 40.0
"""After so long nobody else is let in."""
PLAY_S = 10.0


def section(ground: Ground) -> str:
    """Let 5,000 look on at one table; and 1,250 tables play."""
    rows = []
    with _served(ground, 1) as (running, opened):
        rows.append(asyncio.run(_one_event(ground, running, opened[0])))
    with _served(ground, ground.some(CROWD // PHONES)) as (running, opened):
        rows.append(asyncio.run(_playing(ground, running, opened)))
    head = ["", "phones", "connected in s", "kB a phone", "p50 ms", "p99 ms", "workers' CPU s"]
    return (
        f"## Five thousand phones\n\n{WORKERS} workers, PostgreSQL, Redis and the phones, all on these cores; "
        f"all games. Nobody else is let in after {LIMIT_S:g} s.\n\n{table(head, rows)}"
    )


@contextmanager
def _served(ground: Ground, tables: int) -> Iterator[tuple[Running, list[Opened]]]:
    """Serve so many tables; nothing has a core of its own."""
    redis = RedisServer(ground.fresh("redis"))
    with on_cores(REST):
        redis.start()
    try:
        house = servers.house(ground, "postgres", redis.address)
        opened = Room(house).open(started(ground, Asked(tables=tables)))
        with servers.ours(house, 2 * ground.some(CROWD) + SPARE, WORKERS, is_alone=False) as running:
            yield running, opened
    finally:
        redis.kill()


async def _one_event(ground: Ground, running: Running, opened: Opened) -> list[str]:
    trial = Trial()
    own = Table(trial, opened, Phones, REST_S)
    try:
        await clients.connect([own], trial, running.port)
        onlookers = Onlookers(trial, own)
        before = running.memory_kb()
        took = await _by_steps(ground, lambda count: onlookers.come(running.port, count), CROWD)
        memory, cpu = (running.memory_kb() - before) / len(onlookers.seen), running.cpu_s()
        for _ in range(EVENTS):
            await onlookers.event()
        heard = quantiles(onlookers.times)
        cpu = (running.cpu_s() - cpu) / EVENTS
    finally:
        trial.close()
    said = [len(onlookers.seen), took, memory, heard[49], heard[98], cpu]
    return ["one event to all who look on at a table", *map(short, said)]


async def _playing(ground: Ground, running: Running, opened: list[Opened]) -> list[str]:
    trial = Trial()
    tables = [Table(trial, one, Phones, len(opened) / (RATE * ground.scale)) for one in opened]
    there: list[Table] = []

    async def come(count: int) -> None:
        more = tables[len(there) : len(there) + count]
        await clients.connect(more, trial, running.port)
        there.extend(more)

    try:
        before = running.memory_kb()
        took = await _by_steps(ground, come, CROWD // PHONES)
        memory, cpu = (running.memory_kb() - before) / PHONES / len(there), running.cpu_s()
        clients.begin(there)
        await clients.count(trial, min(PLAY_S, 4 * ground.seconds))
        cpu, times = running.cpu_s() - cpu, trial.all_times()
    finally:
        trial.close()
    name = f"{len(there):,} tables at {len(times) / min(PLAY_S, 4 * ground.seconds):.0f} moves/s, tap to all four"
    heard = quantiles(times)
    return [name, *map(short, [PHONES * len(there), took, memory, heard[49], heard[98], cpu])]


async def _by_steps(ground: Ground, come: Callable[[int], Awaitable[None]], most: int) -> float:
    """Let them come step by step, as long as it does not take too long; the seconds."""
    began = time.monotonic()
    for step in range(STEPS):
        await come(ground.some(most // STEPS))
        took = time.monotonic() - began
        say(f"  step {step + 1} of {STEPS}: after {took:.1f} s")
        if took > LIMIT_S:
            break
    return time.monotonic() - began
