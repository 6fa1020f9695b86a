"""How many moves a second a server takes, and how soon all phones of a table see one; boardgame.io beside it.

Run: .venv/bin/python -m benchmarks.load --help
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

from benchmarks import clients, servers
from benchmarks.clients import Loop, OurPages, OurSockets, OurTable, TheirTable, Trial
from benchmarks.ground import Ground, broken, say, short, table
from benchmarks.machine import REST, on_cores
from benchmarks.servers import Running
from benchmarks.tables import PHONES, open_tables

MEMORY, FLATFILE, POSTGRES = "bgio-memory", "bgio-flatfile", "bgio-postgres"
KINDS = ("sqlite", "postgres", "sqlite-posts", "postgres-posts", "sqlite-pages", MEMORY, FLATFILE, POSTGRES)
NAMES = {
    "sqlite": "ours, sockets, SQLite", "sqlite-posts": "ours, posts + streams, SQLite",
    "sqlite-pages": "ours, pages (HTML), SQLite",
    "postgres": "ours, sockets, PostgreSQL", "postgres-posts": "ours, posts + streams, PostgreSQL",
    MEMORY: "boardgame.io, in memory", FLATFILE: "boardgame.io, FlatFile", POSTGRES: "boardgame.io, PostgreSQL",
}  # fmt: skip
SPARE = 8
"""Streams that the server may hold beside those of the phones."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a trial is like."""

    tables: int = 50
    rate: float = 0
    """Moves a second in all; 0 for as many as go."""
    entries: int = 0
    """So many lie in each log already: ours are filled, theirs are played."""
    fsync_ms: float = 0
    """Every fsync takes so much longer; ours only."""
    profile: str = ""
    """Where py-spy is, to look at our worker meanwhile."""


@dataclass(frozen=True)
class Figures:
    """What one trial has shown."""

    moves_s: float
    p50_ms: float
    p99_ms: float
    cpu_us: float
    """Of the server, a move."""


def rounds(ground: Ground, names: Sequence[str], asked: Asked) -> dict[str, list[Figures]]:
    """Try each server in turn, several times over."""
    found: dict[str, list[Figures]] = {name: [] for name in names}
    for _ in range(ground.times):
        for name in names:
            found[name].append(play(ground, name, asked))
            say(f"  {NAMES[name]}: {found[name][-1].moves_s:.0f} moves/s")
    return found


def median(runs: Sequence[Figures], part: str) -> float:
    """Take the median of one of the figures."""
    return float(statistics.median(getattr(run, part) for run in runs))


def ratio(found: Mapping[str, Sequence[Figures]], one: str, other: str, part: str = "moves_s") -> str:
    """Compare two servers turn by turn, since the machine may change meanwhile; the median of it."""
    if not found.get(one) or not found.get(other):
        return "–"
    turns = zip(found[one], found[other], strict=True)
    return f"{statistics.median(getattr(a, part) / getattr(b, part) for a, b in turns):.2f}"


def play(ground: Ground, name: str, asked: Asked) -> Figures:
    """Try one server once."""
    asked = replace(asked, tables=ground.some(asked.tables))
    with ExitStack() as after:
        if name in (MEMORY, FLATFILE, POSTGRES):
            trial, tables, running = _their_trial(ground, name, asked, after)
        else:
            trial, tables, running = _our_trial(ground, name, asked, after)
        if asked.profile:
            _watch(asked.profile, running, ground)
        with on_cores(REST):
            return asyncio.run(_measured(ground, (trial, tables, running), asked))


Set = tuple[Trial, Sequence[Loop], Running]


def _our_trial(ground: Ground, name: str, asked: Asked, after: ExitStack) -> Set:
    house, trial = servers.house(ground, name), Trial()
    kind = {"posts": OurTable, "pages": OurPages}.get(name.partition("-")[2], OurSockets)
    opened = open_tables(house, asked.tables, asked.entries)
    more = servers.slow_disk(house.folder, asked.fsync_ms) if asked.fsync_ms else {}
    running = after.enter_context(servers.ours(house, PHONES * asked.tables + SPARE, more=more))
    return trial, [kind(trial, one, _pause_s(asked)) for one in opened], running


def _their_trial(ground: Ground, name: str, asked: Asked, after: ExitStack) -> Set:
    own, trial = ground.fresh(name), Trial()
    place = servers.empty(ground).address if name == POSTGRES else str(own / "flat")
    running = after.enter_context(servers.theirs(name.removeprefix("bgio-"), own, place))
    return trial, [TheirTable(trial, f"match{number}", _pause_s(asked)) for number in range(asked.tables)], running


def _pause_s(asked: Asked) -> float:
    return asked.tables / asked.rate if asked.rate else 0.0


async def _measured(ground: Ground, ready: Set, asked: Asked) -> Figures:
    trial, tables, running = ready
    try:
        await clients.connect(tables, trial, running.port)
        if isinstance(tables[0], TheirTable) and asked.entries:
            await _played(tables, trial, asked.entries)
        clients.begin(tables)
        await asyncio.sleep(max(ground.warm_s, min(2 * tables[0].pause_s, ground.warm_s * 4)))
        began, cpu = time.perf_counter(), running.cpu_s()
        await clients.count(trial, ground.seconds)
        took, cpu = time.perf_counter() - began, running.cpu_s() - cpu
    finally:
        trial.close()
    times = quantiles(trial.times)
    moves = len(trial.times)
    return Figures(moves / took, times[49], times[98], 1e6 * cpu / max(moves, 1))


async def _played(tables: Sequence[Loop], trial: Trial, entries: int) -> None:
    """Play as fast as it goes until the logs are so long."""
    pauses = [one.pause_s for one in tables]
    for one in tables:
        one.most = entries
        one.pause_s = 0.0
    clients.begin(tables)
    while min(one.moves for one in tables) < entries or not all(one.is_resting for one in tables):
        assert not trial.wrong, trial.wrong[0]
        await asyncio.sleep(0.05)
    for one, pause_s in zip(tables, pauses, strict=True):
        one.most = None
        one.pause_s = pause_s


def quantiles(times: Sequence[float]) -> list[float]:
    """Give the percentiles of seconds, in ms."""
    return [1000 * each for each in statistics.quantiles(times, n=100)] if len(times) > 1 else [0.0] * 99


def _watch(spy: str, running: Running, ground: Ground) -> None:
    """Record where our worker spends its time."""
    habits = [
        "--gil",
        "--nonblocking",
        "-f",
        "raw",
        "-o",
        "profile.txt",
        "-d",
        str(int(ground.seconds + ground.warm_s)),
    ]
    subprocess.Popen([spy, "record", "-p", str(running.pids[0]), *habits], stdout=subprocess.DEVNULL)


def main() -> None:
    """Play on each server in turn, several times over, and print the medians as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("servers", nargs="*", default=["sqlite", MEMORY, FLATFILE], metavar="|".join(KINDS))
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--warm", type=float, default=2)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--rate", type=float, default=0, help="moves a second in all, instead of as many as go")
    parser.add_argument("--entries", type=int, default=0, help="so many entries lie in each log already")
    parser.add_argument("--fsync-ms", type=float, default=0, help="a disk that is slower by so much (needs cc)")
    parser.add_argument("--disk", default=None, help="the folder for the databases")
    parser.add_argument("--profile", default="", help="record our worker with py-spy (its path) to profile.txt")
    said = parser.parse_args()
    asked = Asked(
        tables=said.tables, rate=said.rate, entries=said.entries, fsync_ms=said.fsync_ms, profile=said.profile
    )
    with broken(said.disk) as ground:
        ground.times, ground.seconds, ground.warm_s = said.times, said.seconds, said.warm
        found = rounds(ground, said.servers, asked)
    print(f"\n{asked.tables} tables × {PHONES} phones, {said.seconds:g} s, {said.times} times, medians:\n")
    print(figures(found))


def figures(found: Mapping[str, Sequence[Figures]]) -> str:
    """Write the medians as a table."""
    parts = ("moves_s", "p50_ms", "p99_ms", "cpu_us")
    rows = [[NAMES[name], *(short(median(runs, part)) for part in parts)] for name, runs in found.items()]
    return table(["server", "moves/s", "tap to all p50 ms", "p99 ms", "server's CPU µs a move"], rows)


if __name__ == "__main__":
    main()
