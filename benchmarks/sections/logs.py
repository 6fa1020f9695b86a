"""What a move costs late in a long evening, beside an early one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from statistics import mean

from benchmarks import clients
from benchmarks.clients import Table, Trial
from benchmarks.dealt import Dealt
from benchmarks.ground import Ground, say, short, table
from benchmarks.load import FLATFILE, NAMES, Figures, Hall, Stage, counted, median
from benchmarks.machine import REST, on_cores
from benchmarks.paths import Theirs
from benchmarks.tables import Start

GAME = "rage"
"""The longest there is."""
TABLES, RATE = 4, 40
TWICE = 2_500
"""Pairs of taking back and putting back: nobody's evening is so long, but a log may be."""
TURNS = 2

Moment = tuple[str, str, Callable[[Dealt], Start]]
"""Which server, when in a game, and what a game is then."""


def section(ground: Ground) -> str:
    """Play the longest games at their beginning and at their end; the moments take turns."""
    longest = sorted(ground.games(GAME), key=lambda dealt: -len(dealt.moves))[:TABLES]
    moments: list[Moment] = [
        ("phones", "at the beginning", Start),
        ("phones", "at the end", lambda dealt: Start(dealt, _late(ground, dealt))),
        ("phones", "in the middle, and much taken back", lambda dealt: _undecided(ground, dealt)),
        (FLATFILE, "at the beginning", Start),
        (FLATFILE, "at the end", lambda dealt: Start(dealt, _late(ground, dealt))),
    ]  # fmt: skip
    found: list[list[Figures]] = [[] for _ in moments]
    sizes: list[float] = [0.0] * len(moments)
    with ExitStack() as after:
        stage = Stage(ground, after)
        for _ in range(min(TURNS, ground.times)):
            for place, (name, _when, start) in enumerate(moments):
                starts = [start(longest[number % len(longest)]) for number in range(TABLES)]
                sizes[place], figures = _played(ground, stage.hall(name), starts)
                found[place].append(figures)
                say(f"  {NAMES[name]}, {sizes[place]:.0f} entries: {figures.cpu_us:.0f} µs")
    return _told(moments, found, sizes)


def _told(moments: Sequence[Moment], found: Sequence[Sequence[Figures]], sizes: Sequence[float]) -> str:
    costs = [median(runs, "cpu_us") for runs in found]
    first = {name: cost for (name, _, _), cost in reversed(list(zip(moments, costs, strict=True)))}
    rows = [
        [NAMES[name], when, short(size), short(cost), f"{cost / (first[name] or 1):.2f}"]
        for (name, when, _), cost, size in zip(moments, costs, sizes, strict=True)
    ]
    head = ["server", "moment", "entries before", "server's CPU µs a move", "× the beginning"]
    about = f"The longest games of {GAME.title()} at {TABLES} tables, {RATE} moves/s."
    return f"## Long logs\n\n{about}\n\n{table(head, rows)}"


def _late(ground: Ground, dealt: Dealt) -> int:
    """Leave as many moves as are made in a trial."""
    return max(0, len(dealt.moves) - int(RATE * ground.scale / TABLES * (ground.seconds + ground.warm_s)) - 1)


def _undecided(ground: Ground, dealt: Dealt) -> Start:
    return Start(dealt, len(dealt.moves) // 2, ground.some(TWICE))


def _played(ground: Ground, hall: Hall, starts: Sequence[Start]) -> tuple[float, Figures]:
    """Play on at tables that have come so far; the entries in their logs before, and the figures."""
    with on_cores(REST):
        return asyncio.run(_measured(ground, hall, starts))


async def _measured(ground: Ground, hall: Hall, starts: Sequence[Start]) -> tuple[float, Figures]:
    trial, is_theirs = Trial(), hall.path is Theirs
    # Their matches begin empty, and are played so far.
    opened = hall.open([Start(start.dealt) for start in starts] if is_theirs else starts)
    tables = [Table(trial, one, hall.path) for one in opened]
    try:
        await clients.connect(tables, trial, hall.running.port)
        if is_theirs:
            await clients.play_to([start.done for start in starts], tables, trial)
        for one in tables:
            one.pause_s, one.rests_at = TABLES / (RATE * ground.scale), len(one.moves)
        entries = mean(one.number for one in tables)
        clients.begin(tables)
        await asyncio.sleep(ground.warm_s)
        return entries, await counted(ground.seconds, trial, hall.running)
    finally:
        trial.close()
