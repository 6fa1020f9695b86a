"""A slow disk: what it takes when each fsync needs five milliseconds more."""

from __future__ import annotations

import shutil
from contextlib import ExitStack

from benchmarks import servers
from benchmarks.ground import Ground, short, table
from benchmarks.load import NAMES, Asked, Stage, median, play
from benchmarks.machine import SERVER, on_cores
from benchmarks.sections import bare

NAME = "phones"
MORE_MS = 5


def section(ground: Ground) -> str:
    """Play at fifty tables and at one, whose moves cannot share a commit; and commit without us."""
    if not shutil.which("cc"):
        return "## A slow disk\n\nNot measured: there is no C compiler here."
    many, one, plain = [], [], []
    more = servers.slow_disk(ground.fresh("library"), MORE_MS)
    with ExitStack() as after:
        stage = Stage(ground, after, more)
        for turn in range(min(2, ground.times)):
            many.append(play(stage, NAME, Asked(tables=50, first=turn)))
            one.append(play(stage, NAME, Asked(tables=1, games=("rage",), first=turn)))
            with on_cores(SERVER):
                plain.append(bare.sqlite(ground.fresh("slow"), ground.seconds, more))
    together, alone, commits = median(many, "moves_s"), median(one, "moves_s"), sum(plain) / len(plain)
    rows = [
        [f"{NAMES[NAME]}, 50 tables, all games", short(together), "1"],
        [f"{NAMES[NAME]}, one table: a commit a move", short(alone), f"{together / alone:.1f}"],
        ["sqlite3 alone, a commit an entry", short(commits), f"{together / commits:.1f}"],
    ]
    head = ["", "moves/s", "how often the first has it"]
    return f"## A slow disk\n\n{MORE_MS} ms added to each fsync.\n\n{table(head, rows)}"
