"""Hours of light load: some tables play whole games at a person's pace, and their phones come and go. Nothing grows.

`bin/test --long tests/test_light_load.py --hours 2` watches for two hours, or for twelve; without hours it is three minutes.
"""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, fields
from itertools import count
from pathlib import Path
from statistics import linear_regression
from urllib.parse import parse_qsl

import pytest

from benchmarks.dealt import PHONES, Dealt, deal
from benchmarks.machine import children, memory_kb
from companion.games import GAMES
from companion.server.start import server_command
from companion.server.waitress_server import STREAMS
from tests.databases import PATIENCE_S, Lite
from tests.house import FOUR, Client, House, Server
from tests.test_bad_days import AT_HOME, TOGETHER, housed
from tests.test_several_servers import Stream

TABLES = 6
PAUSE_S = 1.5, 4.5
"""So long a table thinks, from one move to the next."""
GONE_S = 2.0
"""So long a phone is gone that goes; another one may tap meanwhile."""
GOES = 0.1
"""So often, before a move, a phone goes: it is locked, or looks at something else."""
SAMPLES = 60
WARM = 0.25
"""In this part of the time games are folded for the first time, and what is remembered fills."""
MOST_MB_AN_HOUR = 8.0
WARMING_MB = 64.0
"""What memory may grow by beside that where less than an hour is watched: the first games of each kind are still remembered."""
MOST_MORE = 16
"""Descriptors and threads that a process may have more at the end, when all phones have gone, than before the first came: connections
to the database are kept, and threads that wait."""
MOST_WAL_MB = 16.0


@dataclass(frozen=True)
class Sample:
    """What the processes of a server hold, and the log's file beside the database."""

    memory_mb: float
    descriptors: float
    threads: float
    wal_mb: float


@dataclass
class Watched:
    """A server that is played at."""

    house: House
    server: Server
    games_of: Sequence[Sequence[Dealt]]
    """Whole games, by their kind."""
    ends: threading.Event = field(default_factory=threading.Event)
    opens: threading.Lock = field(default_factory=threading.Lock)
    samples: list[tuple[float, Sample]] = field(default_factory=list)
    """With the hours since it began."""
    moves: int = 0
    games: int = 0
    returns: int = 0

    @property
    def processes(self) -> list[int]:
        """List the server's processes: its master, the workers and those that print."""
        assert self.server.process is not None
        found = [self.server.process.pid]
        for pid in found:
            found += children(pid)
        return found

    def sample(self) -> Sample:
        """Look at the processes."""
        pids = self.processes
        descriptors, threads = (
            sum(1 for pid in pids for _ in Path(f"/proc/{pid}/{what}").iterdir()) for what in ("fd", "task")
        )
        database = self.house.database
        wal = Path(f"{database.file}-wal") if isinstance(database, Lite) else Path()
        return Sample(
            memory_kb(pids) / 1024, descriptors, threads, wal.stat().st_size / 2**20 if wal.is_file() else 0.0
        )

    def play(self, place: int) -> None:
        """Play one game after the other at a table, as long as it was said; what fails ends it for all."""
        chance = random.Random(place)
        try:
            for number in count():
                dealt = chance.choice(self.games_of[(place + number) % len(self.games_of)])
                if not self._is_played(dealt, f"{place}.{number}", chance):
                    return
                self.games += 1
        except BaseException:
            self.ends.set()
            raise

    def _is_played(self, dealt: Dealt, name: str, chance: random.Random) -> bool:
        """Play a game with four phones and a screen; False when the time is over."""
        phones = {seat: f"p{seat}.{name}" if seat else "host" for seat in range(PHONES)}
        with self.opens:
            code = self.house.open(FOUR, phones, dealt.game.key, **dealt.options)
        port, streams = self.server.port, dict[str, Stream]()

        def comes(place: str) -> None:
            phone = phones[int(place)] if place.isdigit() else f"screen.{name}"
            with Client(port, phone) as client:
                assert client.get(f"/t/{code}/{place}").status == 200
            streams[place] = Stream(port, code, phone, place)

        # Who is the host of all these tables may not listen at all of them.
        places = [*map(str, [*phones][1:]), "screen"]
        try:
            for place in places:
                comes(place)
            for turn, move in enumerate(dealt.moves):
                if self.ends.wait(chance.uniform(*PAUSE_S)):
                    return False
                gone = chance.choice(places) if chance.random() < GOES else ""
                if gone:
                    streams.pop(gone).close()
                with Client(port, phones[move.seat or 0]) as client:
                    filled = [*parse_qsl(move.form, keep_blank_values=True), ("key", f"k{turn}")]
                    said = client.post(f"/t/{code}/{move.seat or 0}/move", filled)
                assert said.status == 303, (dealt.game.key, move.data, said.body.decode())
                self.moves += 1
                number = len(self.house.entries(code))
                for stream in streams.values():
                    stream.reaches(number)
                if gone:
                    self.ends.wait(GONE_S)
                    comes(gone)
                    streams[gone].reaches(number)
                    self.returns += 1
            return True
        finally:
            for stream in streams.values():
                stream.close()

    def watch(self, hours: float) -> None:
        """Let the tables play so long, and look at the server again and again."""
        begun = time.monotonic()
        with ThreadPoolExecutor(TABLES) as people:
            tables = [people.submit(self.play, place) for place in range(TABLES)]
            while (now := (time.monotonic() - begun) / 3600) < hours and not self.ends.wait(hours * 3600 / SAMPLES):
                self.samples.append((now, self.sample()))
            self.ends.set()
            for table in tables:
                table.result()

    def slopes(self) -> dict[str, float]:
        """Tell by how much an hour each of the figures grows, once all is warm."""
        kept = self.samples[int(len(self.samples) * WARM) :]
        hours = [now for now, _ in kept]
        names = [each.name for each in fields(Sample)]
        return {name: linear_regression(hours, [getattr(one, name) for _, one in kept]).slope for name in names}


@pytest.fixture(params=[AT_HOME, TOGETHER])
def watched(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Watched]:
    """Start a server of either kind; the second has two workers."""
    with ExitStack() as after:
        house, workers = after.enter_context(housed(request, tmp_path))
        server = house.server(workers)
        more = {"COMPANION_HOMES": str(TABLES), "COMPANION_STREAMS": str(STREAMS)}
        server.environment = {**server.environment, **more}
        server.command = server_command("127.0.0.1", server.port, streams=STREAMS, workers=workers)
        after.callback(server.kill)
        server.start()
        yield Watched(house, server, [deal(key) for key in GAMES])


@pytest.mark.long
@pytest.mark.promise(26)
def test_hours_of_light_load_make_nothing_grow(
    watched: Watched, request: pytest.FixtureRequest, figure: Callable[[str], None]
) -> None:
    hours: float = request.config.getoption("--hours")
    with Client(watched.server.port, "visitor") as visitor:
        assert visitor.get("/").status == 200
    before = watched.sample()
    watched.watch(hours)
    slopes, (_, last) = watched.slopes(), watched.samples[-1]
    figure(
        f"{hours:g} h, {TABLES} tables: {watched.games} games, {watched.moves:,} moves, {watched.returns:,} phones went and came back; "
        f"an hour {slopes['memory_mb']:+.1f} MB of memory (of {last.memory_mb:.0f}), {slopes['descriptors']:+.1f} descriptors (of "
        f"{last.descriptors}), {slopes['threads']:+.1f} threads (of {last.threads}), {slopes['wal_mb']:+.2f} MB of WAL (of {last.wal_mb:.1f})"
    )
    assert watched.moves > 0
    assert watched.returns > 0
    grown = slopes["memory_mb"] * hours * (1 - WARM)
    assert grown < MOST_MB_AN_HOUR * hours + (WARMING_MB if hours < 1 else 0), watched.samples
    assert max(one.wal_mb for _, one in watched.samples) < MOST_WAL_MB

    def is_as_before() -> bool:
        now = watched.sample()
        most = MOST_MORE * len(watched.processes)
        return now.descriptors <= before.descriptors + most and now.threads <= before.threads + most

    until = time.monotonic() + PATIENCE_S
    while not is_as_before():
        assert time.monotonic() < until, (before, watched.sample())
        time.sleep(0.5)
    said = watched.server.output()
    assert not re.search(r"Traceback|Error", said), said
