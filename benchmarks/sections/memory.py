"""A thousand phones at home: what each costs in memory, how soon all hear of one event, what others feel of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from benchmarks import clients, servers
from benchmarks.asking import Asking, p99
from benchmarks.clients import Table, Trial
from benchmarks.dealt import PHONES
from benchmarks.ground import Ground, say, short, table
from benchmarks.load import PATHS, SPARE, Asked, quantiles, started
from benchmarks.machine import REST, on_cores
from benchmarks.onlookers import Onlookers
from benchmarks.paths import Path
from benchmarks.servers import Running
from benchmarks.tables import Room

TABLES, ONLOOKERS, EVENTS, RATE = 250, 1_000, 5, 25
"""A table of people moves every ten seconds."""
ASK_S = 3.0
BURST_S = 30.0
"""What takes longer is counted as so long."""
REST_S = 3_600.0
"""A table plays when it is told to, not by itself."""
HEAD = [
    "",
    "kB a table with four",
    "kB a phone more",
    "one event to 1,000: p50 ms",
    "p99 ms",
    "250 taps at once: p99 ms",
    "lobby p99 ms: alone",
    "all connected",
    f"{RATE} moves/s",
]


def section(ground: Ground) -> str:
    """Let them come as phones do, and by sockets."""
    rows = [[name, *_tried(ground, PATHS[name])] for name in ("phones", "sockets")]
    return (
        f"## A thousand phones at home\n\nSQLite, one process. {TABLES} tables of all games with four phones each, "
        f"then {ONLOOKERS:,} more that look on at one of them (memory: Pss, without the kernel's buffers).\n\n"
        f"{table(HEAD, rows)}"
    )


def _tried(ground: Ground, path: type[Path]) -> list[str]:
    house = servers.house(ground, "sqlite")
    opened = Room(house).open(started(ground, Asked(tables=ground.some(TABLES))))
    # Those who only look on may take half of the places.
    streams = 2 * (PHONES * len(opened) + ground.some(ONLOOKERS)) + SPARE
    trial = Trial()
    with servers.ours(house, streams) as running, on_cores(REST):
        alone = p99(Asking(running.port, ASK_S).times())
        tables = [Table(trial, one, path, REST_S) for one in opened]
        return asyncio.run(_measured(ground, running, trial, tables, alone))


async def _measured(ground: Ground, running: Running, trial: Trial, tables: Sequence[Table], alone: float) -> list[str]:
    try:
        before = running.memory_kb()
        await clients.connect(tables, trial, running.port)
        seated = await _settled(running)
        onlookers = Onlookers(trial, tables[0])
        await onlookers.come(running.port, ground.some(ONLOOKERS))
        all_there = await _settled(running)
        a_table, a_phone = (seated - before) / len(tables), (all_there - seated) / len(onlookers.seen)
        say(f"  a table {a_table:.0f} kB, a phone {a_phone:.0f} kB")
        connected = p99(await asyncio.to_thread(Asking(running.port, ASK_S).times))
        for _ in range(EVENTS):
            await onlookers.event()
        heard = quantiles(onlookers.times)
        burst = quantiles(await _at_once(tables[1:], trial))
        busy = await _busy(tables, trial, running.port, RATE * ground.scale)
        return [short(each) for each in (a_table, a_phone, heard[49], heard[98], burst[98], alone, connected, busy)]
    finally:
        trial.close()


async def _settled(running: Running) -> float:
    await asyncio.sleep(0.5)
    return running.memory_kb()


async def _at_once(tables: Sequence[Table], trial: Trial) -> list[float]:
    """Let all tables tap at the same moment; seconds until the four phones of each have it, or the whole wait."""
    trial.times.clear()
    trial.is_counting = True
    for each in tables:
        each.begin()
    give_up = time.monotonic() + BURST_S
    while not all(each.is_settled for each in tables) and time.monotonic() < give_up:
        await asyncio.sleep(0.01)
        assert not trial.wrong, trial.wrong[0]
    trial.is_counting = False
    times = trial.all_times()
    say(f"  at once: {len(times)} of {len(tables)} tables have all four phones right")
    return times + [BURST_S] * (len(tables) - len(times))


async def _busy(tables: Sequence[Table], trial: Trial, port: int, rate: float) -> float:
    """Let all tables play at a pace, and ask for the lobby meanwhile."""
    for each in tables:
        each.pause_s = len(tables) / rate
    clients.begin(tables)
    return p99(await asyncio.to_thread(Asking(port, ASK_S).times))
