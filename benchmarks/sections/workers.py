"""Two workers beside one, on PostgreSQL and Redis, with nothing before them that keeps a table's phones together."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks import servers
from benchmarks.ground import Ground, say, short, table
from benchmarks.load import NAMES, PATHS, STREAMS, Asked, Figures, Hall, measured
from benchmarks.machine import REST, on_cores
from benchmarks.tables import Room
from tests.redises import RedisServer

TABLES, MOST = 50, 2
TRIED = ("phones", "sockets")


def section(ground: Ground) -> str:
    """Play all games on one, and on two."""
    one, two = _tried(ground, 1), _tried(ground, MOST)
    rows = [
        [
            NAMES[name],
            workers,
            short(found[name].moves_s),
            f"{found[name].moves_s / one[name].moves_s:.2f}",
            *(short(each) for each in (found[name].p50_ms, found[name].p99_ms, found[name].cpu_us)),
        ]
        for name in TRIED
        for workers, found in ((1, one), (MOST, two))
    ]
    head = ["path", "workers", "moves/s", "× one worker", "p50 ms", "p99 ms", "workers' CPU µs a move"]
    about = f"{TABLES} tables, all games, once. Workers, PostgreSQL, Redis and the phones, all on these cores."
    return f"## Two workers\n\n{about}\n\n{table(head, rows)}"


def _tried(ground: Ground, workers: int) -> dict[str, Figures]:
    with _redis(ground) as redis:
        house = servers.house(ground, "postgres", redis)
        room = Room(house)
        with servers.ours(house, STREAMS, workers, is_alone=False) as running, on_cores(REST):
            asked = Asked(tables=ground.some(TABLES))
            found = {
                name: asyncio.run(measured(ground, Hall(running, PATHS[name], room.open), asked)) for name in TRIED
            }
    for name, figures in found.items():
        say(f"  {NAMES[name]}, {workers} workers: {figures.moves_s:.0f} moves/s")
    return found


@contextmanager
def _redis(ground: Ground) -> Iterator[str]:
    server = RedisServer(ground.fresh("redis"))
    with on_cores(REST):
        server.start()
    try:
        yield server.address
    finally:
        server.kill()
