"""Whole games of every kind, on each path: as many moves as go, one table alone, and a page's first load."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain

from benchmarks import aims
from benchmarks.ground import Ground, short, table
from benchmarks.load import MEMORY, NAMES, Asked, Figures, Stage, compared, median, play, play_beside, quantiles, ratio
from benchmarks.loading import Loaded, loaded
from benchmarks.tables import spread

TABLES, LOADED = 50, 5
ALONE, LONGER = 4, 4
"""Moves a second at one table, at servers that have nothing else to do: as quick as people are. So it lasts longer."""
TURNS = ("phones", "sockets")
"""They and boardgame.io take turns; the first of them and boardgame.io also at one table, both at the same time."""
ONCE = ("forms", "posts")
"""Tried in the first turn only."""
HEAD = [
    "game", "path", "moves/s", "× boardgame.io", "p50 ms", "p99 ms", "server's CPU µs a move",
    "bytes to a phone a move", "phones' core", "alone p50 ms", "alone p99 ms",
]  # fmt: skip
AIMED = [
    "game", "path", "moves/s × boardgame.io's", "p50 ×", "p99 ×", "alone p50 ×", "server's CPU µs a move",
    "bytes to a phone a move", "first load kB", "script kB",
]  # fmt: skip
FIRST = ["game", "page kB", "styles kB", "scripts kB", "templates kB", "page's CPU ms"]
ABOUT = f"""## Whole games

{TABLES} tables with four phones; a table's next move goes out when all four have the last and it is confirmed; server
on one core, phones on the others. Medians; ratios are medians of the turns' own. *Alone*: one table, {ALONE} moves a
second, at servers that never have more, as at home, both in the same seconds; percentiles of all turns' taps. A *:
tables ran out of games, and it would have been more.
"""
SHOULD = """What should hold (✓ it does, ✗ it does not), beside boardgame.io in memory; times are better below 1.
*First load*: a seat's page and all that it loads; *script*: what of it is script, with the game's templates.
"""
LOADS = "What a seat's page loads first, as the server sends it; a proxy packs the page, too."

Found = Mapping[tuple[str, str], Sequence[Figures]]


@dataclass
class Played:
    """What all turns have shown, by the kind of game and the path."""

    busy: dict[tuple[str, str], list[Figures]] = field(default_factory=lambda: defaultdict(list))
    alone: dict[tuple[str, str], list[Figures]] = field(default_factory=lambda: defaultdict(list))

    def against(self, key: str, name: str, part: str) -> float | None:
        """Compare a path with boardgame.io's."""
        return compared(self.busy[key, name], self.busy[key, MEMORY], part)

    def against_alone(self, key: str, name: str) -> float | None:
        """Compare what a tap takes at one table."""
        return compared(self.alone[key, name], self.alone[key, MEMORY], "p50_ms")


def section(ground: Ground) -> str:
    """Let the paths take turns at every kind of game."""
    turns, once = (ground.paths, ()) if ground.paths else (TURNS, ONCE)
    with ExitStack() as after:
        stage, quiet, played = Stage(ground, after), Stage(ground, after), Played()
        for turn in range(ground.times):
            for key in ground.kinds:
                for name in (*turns, MEMORY):
                    played.busy[key, name].append(play(stage, name, _many(key, turn)))
                pair = turns[0], MEMORY
                for name, figures in zip(pair, play_beside(quiet, pair, _one(key, turn)), strict=True):
                    played.alone[key, name].append(figures)
                for name in () if turn else once:
                    played.busy[key, name].append(play(stage, name, _many(key, turn)))
        pages = {key: _page(stage, key) for key in ground.kinds}
    return told(played, pages, turns, once)


def told(played: Played, pages: Mapping[str, Loaded], turns: Sequence[str], once: Sequence[str]) -> str:
    """Write what was found, and what should hold of it."""
    rows = [_row(key, name, played) for key in pages for name in (*turns, *once, MEMORY)]
    should = [_aimed(key, name, played, pages[key]) for key in pages for name in turns]
    first = [[key, *map(short, _sizes(page))] for key, page in pages.items()]
    return "\n\n".join(
        [f"{ABOUT}\n{table(HEAD, rows)}", f"{SHOULD}\n{table(AIMED, should)}", LOADS, table(FIRST, first)]
    )


def _many(key: str, turn: int) -> Asked:
    return Asked(games=(key,), tables=TABLES, first=turn * TABLES)


def _one(key: str, turn: int) -> Asked:
    return Asked(games=(key,), tables=1, rate=ALONE, first=turn, longer=LONGER)


def _page(stage: Stage, key: str) -> Loaded:
    hall = stage.hall("phones")
    opened = hall.open(spread(stage.ground.games(key), LOADED))
    return loaded(hall.running, opened)


def _sizes(page: Loaded) -> Iterator[float]:
    return (part / 1000 for part in (page.page, page.styles, page.scripts, page.templates, page.cpu_us))


def _row(key: str, name: str, played: Played) -> list[str]:
    runs, others = played.busy[key, name], played.busy[key, MEMORY]
    parts = (short(median(runs, part)) for part in ("p50_ms", "p99_ms", "cpu_us", "phone_bytes"))
    taps = quantiles(list(chain.from_iterable(run.times for run in played.alone[key, name])))
    core = f"{100 * statistics.median(run.phones_cpu for run in runs):.0f} %"
    mark = "*" if any(run.ended for run in runs) else ""
    single = [short(taps[49]), short(taps[98])] if played.alone[key, name] else ["", ""]
    return [key, NAMES[name], short(median(runs, "moves_s")) + mark, ratio(runs, others), *parts, core, *single]


def _aimed(key: str, name: str, played: Played, page: Loaded) -> list[str]:
    """Write what should hold of a path; what a move costs and weighs is promised of people's phones alone."""
    runs, is_people = played.busy[key, name], name == "phones"
    figures = [
        (played.against(key, name, "moves_s"), aims.MOVES.get(key)),
        (played.against(key, name, "p50_ms"), None),
        (played.against(key, name, "p99_ms"), None),
        (played.against_alone(key, name), aims.ALONE),
        (median(runs, "cpu_us"), aims.CPU_US.get(key) if is_people else None),
        (median(runs, "phone_bytes"), aims.PHONE_BYTES if is_people else None),
    ]
    loads = [(page.all / 1000, aims.FIRST_KB), (page.drawing / 1000, aims.SCRIPT_KB)] if is_people else []
    said = [aims.told(*each) for each in (*figures, *loads)]
    return [key, NAMES[name], *said, *([] if is_people else ["", ""])]
