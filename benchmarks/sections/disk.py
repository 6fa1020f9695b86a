"""A slow disk: what it takes when each fsync needs five milliseconds more."""

from __future__ import annotations

import shutil
from dataclasses import replace

from benchmarks import servers
from benchmarks.ground import Ground, short, table
from benchmarks.load import NAMES, Asked, median, play
from benchmarks.machine import SERVER, on_cores
from benchmarks.sections import bare

MORE_MS = 5


def section(ground: Ground) -> str:
    """Play at fifty tables and at one, whose moves cannot share a commit; and commit without us."""
    if not shutil.which("cc"):
        return "## A slow disk\n\nNot measured: there is no C compiler here."
    many, one, plain = [], [], []
    for _ in range(min(2, ground.times)):
        many.append(play(ground, "sqlite", Asked(tables=50, fsync_ms=MORE_MS)))
        one.append(play(replace(ground, scale=1), "sqlite", Asked(tables=1, fsync_ms=MORE_MS)))
        folder = ground.fresh("slow")
        with on_cores(SERVER):
            plain.append(bare.sqlite(folder, ground.seconds, servers.slow_disk(folder, MORE_MS)))
    together, alone, commits = median(many, "moves_s"), median(one, "moves_s"), sum(plain) / len(plain)
    rows = [
        [f"{NAMES['sqlite']}, 50 tables", short(together), "1"],
        [f"{NAMES['sqlite']}, one table: a commit a move", short(alone), f"{together / alone:.1f}"],
        ["sqlite3 alone, a commit an entry", short(commits), f"{together / commits:.1f}"],
    ]
    head = ["", "moves/s", "how often the first has it"]
    return f"## A slow disk\n\n{MORE_MS} ms added to each fsync.\n\n{table(head, rows)}"
