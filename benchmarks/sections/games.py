"""Whole games of every kind, on each path: as many moves as go, one table alone, and a page's first load."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from itertools import chain

from benchmarks.ground import Ground, short, table
from benchmarks.load import MEMORY, NAMES, Asked, Figures, Stage, median, play, quantiles, ratio
from benchmarks.loading import Loaded, loaded
from benchmarks.tables import spread
from companion.games import GAMES

TABLES, LOADED = 50, 5
ALONE = 20
"""Moves a second at one table, on a machine that has nothing else to do."""
TURNS = ("phones", "sockets", MEMORY)
ONCE = ("forms", "posts")
"""Tried in the first turn only."""
HEAD = [
    "game", "path", "moves/s", "× boardgame.io", "p50 ms", "p99 ms", "server's CPU µs a move",
    "bytes to a phone a move", "phones' core", "alone p50 ms", "alone p99 ms",
    "page kB", "scripts kB", "styles kB", "page's CPU ms",
]  # fmt: skip
ABOUT = f"""## Whole games

{TABLES} tables with four phones; a table's next move goes out when all four have the last and it is confirmed; server
on one core, phones on the others. Medians; ratios are medians of the turns' own. *Alone*: one table, {ALONE} moves a
second, percentiles of all turns' taps. *Page*, *scripts*, *styles*: what a seat loads first, compressed.
A *: tables ran out of games, and it would have been more.
"""

Found = Mapping[tuple[str, str], Sequence[Figures]]


def section(ground: Ground) -> str:
    """Let the paths take turns at every kind of game."""
    busy: dict[tuple[str, str], list[Figures]] = defaultdict(list)
    alone: dict[tuple[str, str], list[Figures]] = defaultdict(list)
    with ExitStack() as after:
        stage = Stage(ground, after)
        for turn in range(ground.times):
            for key in GAMES:
                many = Asked(games=(key,), tables=TABLES, first=turn * TABLES)
                one = Asked(games=(key,), tables=1, rate=ALONE, first=turn)
                for name in TURNS:
                    busy[key, name].append(play(stage, name, many))
                    alone[key, name].append(play(stage, name, one))
                for name in () if turn else ONCE:
                    busy[key, name].append(play(stage, name, many))
        pages = {key: _page(stage, key) for key in GAMES}
    rows = [_row(key, name, busy, alone, pages[key]) for key in GAMES for name in ("phones", "sockets", *ONCE, MEMORY)]
    return f"{ABOUT}\n{table(HEAD, rows)}"


def _page(stage: Stage, key: str) -> Loaded:
    hall = stage.hall("phones")
    opened = hall.open(spread(stage.ground.games(key), LOADED))
    return loaded(hall.running, opened)


def _row(key: str, name: str, busy: Found, alone: Found, page: Loaded) -> list[str]:
    runs, others = busy[key, name], busy[key, MEMORY]
    parts = (short(median(runs, part)) for part in ("p50_ms", "p99_ms", "cpu_us", "phone_bytes"))
    taps = quantiles(list(chain.from_iterable(run.times for run in alone.get((key, name), ()))))
    core = f"{100 * statistics.median(run.phones_cpu for run in runs):.0f} %"
    mark = "*" if any(run.ended for run in runs) else ""
    said = [key, NAMES[name], short(median(runs, "moves_s")) + mark, ratio(runs, others), *parts, core]
    first = [page.page_bytes / 1000, page.script_bytes / 1000, page.style_bytes / 1000, page.cpu_us / 1000]
    single = ["", ""] if name in ONCE else [short(taps[49]), short(taps[98])]
    return [*said, *single, *(map(short, first) if name == "phones" else [""] * len(first))]
