"""Moves a second upon other databases: what it costs to keep them, here and there."""

from __future__ import annotations

from contextlib import ExitStack

from benchmarks.ground import Ground, short, table
from benchmarks.load import FLATFILE, MEMORY, NAMES, POSTGRES, Asked, Figures, Stage, median, play, ratio

SERVERS = ("phones", "phones-postgres", MEMORY, FLATFILE, POSTGRES)
TURNS = 2


def section(ground: Ground) -> str:
    """Play a mixed evening at fifty tables on each."""
    found: dict[str, list[Figures]] = {name: [] for name in SERVERS}
    with ExitStack() as after:
        stage = Stage(ground, after)
        for turn in range(min(TURNS, ground.times)):
            for name in SERVERS:
                found[name].append(play(stage, name, Asked(first=turn)))
    rows = [
        [
            NAMES[name],
            short(median(runs, "moves_s")),
            short(median(runs, "cpu_us")),
            *(ratio(runs, found[other]) for other in (MEMORY, FLATFILE, POSTGRES)),
        ]
        for name, runs in found.items()
    ]
    head = ["50 tables, all games", "moves/s", "server's CPU µs a move", "× memory", "× FlatFile", "× PostgreSQL"]
    return f"## Databases\n\nIts PostgreSQL and ours have the cores of the phones.\n\n{table(head, rows)}"
