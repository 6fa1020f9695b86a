"""How many moves of whole games a second a server takes, and how soon all phones of a table see one.

Run: .venv/bin/python -m benchmarks.load --help
"""

from __future__ import annotations

import argparse
import asyncio
import math
import statistics
import subprocess
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain, count, repeat

from benchmarks import clients, servers
from benchmarks.clients import Table, Trial
from benchmarks.dealt import PHONES
from benchmarks.ground import Ground, broken, say, short, table
from benchmarks.machine import REST, on_cores
from benchmarks.paths import Forms, Path, Phones, Posts, Sockets, Theirs
from benchmarks.servers import Running
from benchmarks.tables import Opened, Room, Start, spread
from companion.games import GAMES

MEMORY, FLATFILE, POSTGRES = "bgio-memory", "bgio-flatfile", "bgio-postgres"
PATHS: Mapping[str, type[Path]] = {"phones": Phones, "forms": Forms, "sockets": Sockets, "posts": Posts}
"""To a server of ours."""
NAMES = {
    "phones": "ours, phones", "forms": "ours, forms + streams",
    "sockets": "ours, sockets", "posts": "ours, posts + streams",
    "phones-postgres": "ours, phones, PostgreSQL", "forms-postgres": "ours, forms + streams, PostgreSQL",
    "sockets-postgres": "ours, sockets, PostgreSQL", "posts-postgres": "ours, posts + streams, PostgreSQL",
    MEMORY: "boardgame.io, in memory", FLATFILE: "boardgame.io, FlatFile", POSTGRES: "boardgame.io, PostgreSQL",
}  # fmt: skip
SPARE = 8
"""Streams that the server may hold beside those of the phones."""
STREAMS = 6_000
"""Those that a server may hold which is tried again and again."""
ROOM_FOR_MORE = 1.5
"""So many more games are ready than should be needed."""
SETTLING_S = (0.3, 0.3)
"""After more tables have come: the server may have become quicker, and need more of them."""


Sit = Callable[[Sequence[Table], Trial, int], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a trial is like."""

    games: tuple[str, ...] = tuple(GAMES)
    tables: int = 50
    rate: float = 0
    """Moves a second in all; 0 for as many as go."""
    longer: float = 1
    """So many times as long as other turns, where few moves come."""
    first: int = 0
    """Which of the dealt games the first table plays, and how far it has come: another turn, other games."""


@dataclass(frozen=True)
class Figures:
    """What one trial has shown."""

    moves_s: float
    times: Sequence[float]
    """Seconds from a tap to all four phones."""
    cpu_us: float
    """Of the server, a move."""
    phone_bytes: float
    """Sent to a phone, a move."""
    phones_cpu: float
    """How busy the core of the phones was, from 0 to 1; near 1 they are what is measured."""
    ended: int
    """Tables that had no game to go on with: there should be none, or there was less to do than was asked."""

    @property
    def p50_ms(self) -> float:
        return quantiles(self.times)[49]

    @property
    def p99_ms(self) -> float:
        return quantiles(self.times)[98]


@dataclass(frozen=True)
class Hall:
    """A server that runs, and what opens tables there."""

    running: Running
    path: type[Path]
    open: Callable[[Sequence[Start]], list[Opened]]


class Stage:
    """Servers that stand side by side on one core, so that they take turns without being started anew."""

    def __init__(self, ground: Ground, after: ExitStack, more: Mapping[str, str] | None = None) -> None:
        self.ground, self.after, self.more = ground, after, more
        self._ours: dict[str, tuple[Running, Room]] = {}
        self._theirs: dict[str, Running] = {}
        self._matches = count()

    def hall(self, name: str) -> Hall:
        """Give a server by one of the names, with its path; it is started when it is needed."""
        path, _, store = name.partition("-")
        if path == "bgio":
            running = self._theirs.get(store) or self._their_server(name, store)
            return Hall(running, Theirs, self._matched)
        running, room = self._ours.get(store) or self._our_server(store)
        return Hall(running, PATHS[path], room.open)

    def _our_server(self, store: str) -> tuple[Running, Room]:
        house = servers.house(self.ground, store or "sqlite")
        room = Room(house)
        self._ours[store] = self.after.enter_context(servers.ours(house, STREAMS, more=self.more)), room
        return self._ours[store]

    def _their_server(self, name: str, store: str) -> Running:
        ground, own = self.ground, self.ground.fresh(name)
        place = servers.empty(ground).address if name == POSTGRES else str(own / "flat")
        self._theirs[store] = self.after.enter_context(servers.theirs(ground, store, own, place))
        return self._theirs[store]

    def _matched(self, starts: Sequence[Start]) -> list[Opened]:
        return matches(starts, self._matches)


def matches(starts: Sequence[Start], numbers: count[int]) -> list[Opened]:
    """Name matches of boardgame.io; the first phone that asks for one makes it, without the moves before."""
    return [Opened(f"match{next(numbers)}", start.dealt, start.done, 0) for start in starts]


def play(stage: Stage, name: str, asked: Asked) -> Figures:
    """Play on one server for a while."""
    (figures,) = play_beside(stage, [name], asked)
    return figures


def play_beside(stage: Stage, names: Sequence[str], asked: Asked) -> list[Figures]:
    """Play on servers in the same seconds, so that the machine is the same; few moves are in nobody's way."""
    ground, halls = stage.ground, [stage.hall(name) for name in names]
    asked = replace(asked, tables=ground.some(asked.tables))
    with on_cores(REST):
        found = asyncio.run(_measured_beside(ground, halls, asked))
    what = f"{asked.games[0] if len(asked.games) == 1 else 'all'}, {asked.tables} tables"
    for name, figures in zip(names, found, strict=True):
        short_of = f", but {figures.ended} tables ran out of games" if figures.ended else ""
        say(f"  {NAMES[name]}, {what}: {figures.moves_s:.0f} moves/s, p50 {figures.p50_ms:.1f} ms{short_of}")
    return found


async def _measured_beside(ground: Ground, halls: Sequence[Hall], asked: Asked) -> list[Figures]:
    shares = (place / len(halls) for place in range(len(halls)))
    return await asyncio.gather(*(measured(ground, *each) for each in zip(halls, repeat(asked), shares)))


async def measured(ground: Ground, hall: Hall, asked: Asked, share: float = 0.0) -> Figures:
    """Let phones come and play for a while; count when all is as it will stay."""
    trial, pause_s = Trial(share=share), asked.tables / asked.rate if asked.rate else 0.0

    async def come(starts: Sequence[Start], sit: Sit) -> None:
        await sit([Table(trial, one, hall.path, pause_s) for one in hall.open(starts)], trial, hall.running.port)

    try:
        await come(started(ground, asked), clients.sit_down)
        for wait_s in (ground.warm_s, *SETTLING_S):
            more = _needed(ground, asked, trial, await _rate(trial, asked, wait_s))
            if not more:
                break
            await come(more, clients.stand_by)
        figures = await counted(asked.longer * ground.seconds, trial, hall.running)
    finally:
        trial.close()
    return figures


async def _rate(trial: Trial, asked: Asked, wait_s: float) -> float:
    """Wait, and tell how many moves a second there are, or would be if no table had ended."""
    moves, busy_s = trial.moves, trial.busy_s
    await asyncio.sleep(wait_s)
    return asked.rate or asked.tables * (trial.moves - moves) / ((trial.busy_s - busy_s) or 1)


async def counted(seconds: float, trial: Trial, running: Running) -> Figures:
    """Count what happens from now on."""

    def now() -> tuple[float, ...]:
        return time.perf_counter(), running.cpu_s(), time.process_time(), trial.received()

    before = now()
    await clients.count(trial, seconds)
    took, cpu, own, size = (after - was for after, was in zip(now(), before, strict=True))
    times = trial.all_times()
    moves = max(len(times), 1)
    return Figures(len(times) / took, times, 1e6 * cpu / moves, size / PHONES / moves, own / took, len(trial.places))


def started(ground: Ground, asked: Asked) -> list[Start]:
    """Spread the tables over the games of each kind, and over the moments of a game."""
    kinds = len(asked.games)
    parts = [
        spread(ground.games(key), len(range(place, asked.tables, kinds)), asked.first)
        for place, key in enumerate(asked.games)
    ]
    return list(chain.from_iterable(parts))


def _needed(ground: Ground, asked: Asked, trial: Trial, rate: float) -> list[Start]:
    """Tell the games that are needed now, and will be while it is counted; some more, so that nobody waits for one."""
    games = list(chain.from_iterable(zip(*(ground.games(key) for key in asked.games), strict=True)))
    usual = statistics.mean(len(dealt.moves) for dealt in games)
    seconds = asked.longer * ground.seconds + SETTLING_S[-1]
    ends = math.ceil(ROOM_FOR_MORE * rate * seconds / usual) + len(asked.games)
    fresh = [Start(games[place % len(games)]) for place in range(ends - len(trial.spare))]
    return spread(games, len(trial.places), asked.first + 1) + fresh


def median(runs: Sequence[Figures], part: str) -> float:
    """Take the median of one of the figures."""
    return float(statistics.median(getattr(run, part) for run in runs))


def compared(ours: Sequence[Figures], others: Sequence[Figures], part: str = "moves_s") -> float | None:
    """Compare two servers turn by turn, since the machine may change meanwhile; the median of it."""
    turns = list(zip(ours, others, strict=False))
    return statistics.median(getattr(a, part) / (getattr(b, part) or 1) for a, b in turns) if turns else None


def ratio(ours: Sequence[Figures], others: Sequence[Figures]) -> str:
    """Write how many moves a second there are, beside the others'."""
    found = compared(ours, others)
    return "–" if found is None else f"{found:.2f}"


def quantiles(times: Sequence[float]) -> list[float]:
    """Give the percentiles of seconds, in ms."""
    return [1000 * each for each in statistics.quantiles(times, n=100)] if len(times) > 1 else [0.0] * 99


def _watch(spy: str, running: Running, seconds: float) -> None:
    """Record where our worker spends its time."""
    habits = ["--gil", "--nonblocking", "-f", "raw", "-o", "profile.txt", "-d", str(math.ceil(seconds))]
    subprocess.Popen([spy, "record", "-p", str(running.pids[0]), *habits], stdout=subprocess.DEVNULL)


def main() -> None:
    """Play on each server in turn, several times over, and print the medians as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("servers", nargs="*", default=["phones", "sockets", MEMORY], metavar="|".join(NAMES))
    parser.add_argument("--game", choices=GAMES, action="append", help="this kind (several times: these); else all")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--warm", type=float, default=1)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--rate", type=float, default=0, help="moves a second in all, instead of as many as go")
    parser.add_argument("--fsync-ms", type=float, default=0, help="a disk that is slower by so much (needs cc)")
    parser.add_argument("--disk", default=None, help="the folder for the databases")
    parser.add_argument("--profile", default="", help="record our worker with py-spy (its path) to profile.txt")
    said = parser.parse_args()
    asked = Asked(games=tuple(said.game or GAMES), tables=said.tables, rate=said.rate)
    found: dict[str, list[Figures]] = {name: [] for name in said.servers}
    with broken(said.disk) as ground, ExitStack() as after:
        ground.times, ground.seconds, ground.warm_s = said.times, said.seconds, said.warm
        more = servers.slow_disk(ground.fresh("slow"), said.fsync_ms) if said.fsync_ms else {}
        stage = Stage(ground, after, more)
        if said.profile:
            _watch(said.profile, stage.hall(said.servers[0]).running, said.seconds + said.warm)
        for turn in range(said.times):
            for name in said.servers:
                found[name].append(play(stage, name, replace(asked, first=turn * said.tables)))
    print(f"\n{said.tables} tables × {PHONES} phones, {said.seconds:g} s, {said.times} times, medians:\n")
    print(figures(found))


def figures(found: Mapping[str, Sequence[Figures]]) -> str:
    """Write the medians as a table."""
    parts = ("moves_s", "p50_ms", "p99_ms", "cpu_us", "phone_bytes")
    rows = [[NAMES[name], *(short(median(runs, part)) for part in parts)] for name, runs in found.items()]
    return table(["server", "moves/s", "tap to all p50 ms", "p99 ms", "server's CPU µs a move", "bytes a phone"], rows)


if __name__ == "__main__":
    main()
