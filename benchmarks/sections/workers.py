"""Two workers beside one, on PostgreSQL and Redis, with nothing before them that keeps a table's phones together."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import ExitStack
from urllib.request import urlopen

from benchmarks import servers
from benchmarks.ground import Ground, say, short, table
from benchmarks.load import NAMES, PATHS, STREAMS, Asked, Figures, Hall, compared, measured, median, ratio
from benchmarks.machine import REST, on_cores
from benchmarks.servers import Running
from benchmarks.tables import Room
from tests.redises import RedisServer

PLAYED = ((1, 50), (2, 50), (2, 100))
"""How many workers, and tables; in the last row each worker has as many as the one."""
TRIED = ("phones", "sockets")
TURNS = 3

Served = tuple[Running, Room]


def section(ground: Ground) -> str:
    """Play all games on one, and on two, in turns."""
    found: dict[str, list[list[Figures]]] = {name: [[] for _ in PLAYED] for name in TRIED}
    with ExitStack() as after:
        served = {workers: _served(ground, after, workers) for workers in (1, 2)}
        for turn in range(min(TURNS, ground.times)):
            for name in TRIED:
                for (workers, tables), runs in zip(PLAYED, found[name], strict=True):
                    runs.append(_played(ground, served[workers], name, Asked(tables=ground.some(tables), first=turn)))
        strays = _strays(served[2][0].port)
    rows = [
        [NAMES[name], workers, tables, *_figures(runs, found[name][0])]
        for name in TRIED
        for (workers, tables), runs in zip(PLAYED, found[name], strict=True)
    ]
    head = ["path", "workers", "tables", "moves/s", "× one", "p50 ms", "p99 ms", "workers' CPU µs a move", "× one"]
    about = (
        "All games. Workers, PostgreSQL, Redis and the phones, all on these cores. "
        f"Moves ruled on by a worker that does not keep the table: {strays}."
    )
    return f"## Two workers\n\n{about}\n\n{table(head, rows)}"


def _played(ground: Ground, served: Served, name: str, asked: Asked) -> Figures:
    running, room = served
    with on_cores(REST):
        figures = asyncio.run(measured(ground, Hall(running, PATHS[name], room.open), asked))
    about = f"{NAMES[name]}, {len(running.pids)} workers, {asked.tables} tables"
    say(f"  {about}: {figures.moves_s:.0f} moves/s, {figures.cpu_us:.0f} µs a move")
    return figures


def _figures(runs: Sequence[Figures], one: Sequence[Figures]) -> list[str]:
    moves_s, p50, p99, cpu = (short(median(runs, part)) for part in ("moves_s", "p50_ms", "p99_ms", "cpu_us"))
    return [moves_s, ratio(runs, one), p50, p99, cpu, f"{compared(runs, one, 'cpu_us') or 0:.2f}"]


def _strays(port: int) -> str:
    with urlopen(f"http://127.0.0.1:{port}/metrics") as figures:
        found = re.search(r"^companion_strays_total (\d+)", figures.read().decode(), re.MULTILINE)
    return found[1] if found else "not told"


def _served(ground: Ground, after: ExitStack, workers: int) -> Served:
    redis = RedisServer(ground.fresh("redis"))
    with on_cores(REST):
        redis.start()
    after.callback(redis.kill)
    house = servers.house(ground, "postgres", redis.address)
    room = Room(house)
    return after.enter_context(servers.ours(house, STREAMS, workers, is_alone=False)), room
