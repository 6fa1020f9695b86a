"""Festivals that two cores cannot hold: workers, database partitions and the bell, with service times as measured.

Tables move at random, together as often as it was said. A move takes its worker's time, waits for the commit of its
worker's batch at its table's partition, is told to the workers that hear its Redis shard, and to four phones. Every
worker, partition and shard does one thing after the other. Phones have lines; with `--forms` they post, and the server
draws. What is printed: how busy the busiest of each is, and how long after the tap the last of the four phones has it.

Run: .venv/bin/python -m benchmarks.simulation --help
"""

from __future__ import annotations

import argparse
import heapq
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import count
from random import Random

from benchmarks.ground import short, table


@dataclass(frozen=True)
class Festival:
    """What is simulated; times in µs, as they were measured."""

    tables: int = 100_000
    pause_s: float = 20.0
    """Between two moves of a table, on average."""
    workers: int = 64
    partitions: int = 4
    shards: int = 1
    """Redis servers; each worker hears all tables of those shards where it has phones."""
    is_gathered: bool = True
    """Whether the proxy sends a table's phones to the same worker, by the code in the address."""
    rule_us: float = 300.0
    """A worker's time for a move: the tap, the ruling, the way to the database and back."""
    frame_us: float = 90.0
    """For what one phone is told: its seat's view, and what has changed."""
    query_us: float = 800.0
    """More for the first frame of a table where the move was not made in the same worker: it reads the log."""
    hear_us: float = 40.0
    """For one number that Redis tells; every worker of the shard hears every one."""
    commit_us: float = 1_000.0
    """Of a partition, for a commit."""
    row_us: float = 50.0
    """More for every entry in it."""
    bell_us: float = 8.0
    """Of Redis, for a number that comes in."""
    deliver_us: float = 2.0
    """Of Redis, for every worker that it goes out to."""
    seconds: float = 4.0
    seed: int = 1

    @property
    def rate(self) -> float:
        """Moves a second."""
        return self.tables / self.pause_s


FORMS = {"rule_us": 2_500.0, "frame_us": 1_800.0}
"""The same for a post, and a phone's part of a page."""


@dataclass
class Line:
    """Somebody who does one thing after the other."""

    free_s: float = 0.0
    busy_s: float = 0.0

    def do(self, now: float, us: float) -> float:
        """Take a job; when it is done."""
        self.free_s = max(now, self.free_s) + us / 1e6
        self.busy_s += us / 1e6
        return self.free_s


@dataclass
class Partition(Line):
    """A database; entries that come during a commit share the next."""

    waiting: list[Callable[[float], None]] = field(default_factory=list)
    is_committing: bool = False


@dataclass
class Outcome:
    """What a simulation has shown."""

    busy: dict[str, float]
    """Of each kind the busiest: the part of the time in which it had something to do, or more than 1."""
    times: list[float]


class Simulation:
    """One festival, from its first move to its last."""

    def __init__(self, festival: Festival) -> None:
        self.festival = festival
        self.random = Random(festival.seed)
        self.events: list[tuple[float, int, Callable[[float], None]]] = []
        self.order = count()
        self.workers = [Line() for _ in range(festival.workers)]
        self.partitions = [Partition() for _ in range(festival.partitions)]
        self.shards = [Line() for _ in range(festival.shards)]
        self.times: list[float] = []

    def at(self, when: float, do: Callable[[float], None]) -> None:
        """Let something happen later."""
        heapq.heappush(self.events, (when, next(self.order), do))

    def run(self) -> Outcome:
        """Let all of it happen."""
        when = 0.0
        while (when := when + self.random.expovariate(self.festival.rate)) < self.festival.seconds:
            self.at(when, self.tap)
        while self.events:
            when, _, do = heapq.heappop(self.events)
            do(when)
        length = self.festival.seconds
        kinds: dict[str, Sequence[Line]] = {
            "worker": self.workers, "partition": self.partitions, "Redis": self.shards
        }  # fmt: skip
        return Outcome({name: max(one.busy_s for one in some) / length for name, some in kinds.items()}, self.times)

    def tap(self, began: float) -> None:
        """A phone moves."""
        festival, own = self.festival, self.random.randrange(self.festival.tables)
        homes = [own % festival.workers] * 4
        if not festival.is_gathered:
            homes = [self.random.randrange(festival.workers) for _ in range(4)]
        partition = self.partitions[own % festival.partitions]
        done = self.workers[homes[0]].do(began, festival.rule_us)
        self.at(done, lambda now: self.commit(now, partition, lambda kept: self.kept(kept, began, homes)))

    def commit(self, now: float, partition: Partition, then: Callable[[float], None]) -> None:
        """Wait for a commit."""
        partition.waiting.append(then)
        if not partition.is_committing:
            self.write(now, partition)

    def write(self, now: float, partition: Partition) -> None:
        """Commit all who wait."""
        batch, partition.waiting = partition.waiting, []
        partition.is_committing = bool(batch)
        if not batch:
            return
        done = partition.do(now, self.festival.commit_us + self.festival.row_us * len(batch))
        for then in batch:
            self.at(done, then)
        self.at(done, lambda then: self.write(then, partition))

    def kept(self, now: float, began: float, homes: list[int]) -> None:
        """Tell the other workers, and the table's phones."""
        festival = self.festival
        shard = homes[0] % festival.shards
        hearing = range(shard, festival.workers, festival.shards) if festival.is_gathered else range(festival.workers)
        told = self.shards[shard].do(now, festival.bell_us + festival.deliver_us * len(hearing))
        self.at(told, partial(self.hear, hearing))
        drawn: list[float] = []
        for place, home in enumerate(homes):
            is_here = home == homes[0]
            more = 0.0 if is_here or home in homes[:place] else festival.query_us
            self.at(now if is_here else told, partial(self.draw, began, drawn, home, more))

    def hear(self, hearing: range, now: float) -> None:
        """Look whether somebody here sits at that table."""
        for worker in hearing:
            self.workers[worker].do(now, self.festival.hear_us)

    def draw(self, began: float, drawn: list[float], worker: int, more_us: float, now: float) -> None:
        """Draw a frame; the last of the four counts."""
        drawn.append(self.workers[worker].do(now, self.festival.frame_us + more_us))
        if len(drawn) == 4:  # noqa: PLR2004
            self.times.append(max(drawn) - began)


def row(festival: Festival) -> list[str]:
    """Simulate a festival, as a line of a table."""
    outcome = Simulation(festival).run()
    times = statistics.quantiles(outcome.times, n=100)
    busy = [f"{100 * each:.0f} %" for each in outcome.busy.values()]
    way = "a table in one worker" if festival.is_gathered else "anywhere"
    said = [f"{festival.tables:,}", way, str(festival.workers), str(festival.partitions), str(festival.shards)]
    return [*said, *busy, short(1000 * times[49]), short(1000 * times[98])]


def main() -> None:
    """Print festivals of several sizes, with as many workers as asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for each in fields(Festival):
        if each.name != "is_gathered":
            parser.add_argument(f"--{each.name.replace('_', '-')}", type=type(each.default), default=each.default)
    parser.add_argument("--spread", action="store_true", help="a table's phones are at any worker")
    parser.add_argument("--forms", action="store_true", help="phones post, and the server draws")
    if parser.parse_known_args()[0].forms:
        parser.set_defaults(**FORMS)
    said = {name: value for name, value in vars(parser.parse_args()).items() if name != "forms"}
    festival = Festival(is_gathered=not said.pop("spread"), **said)
    rows = [row(replace(festival, workers=max(1, round(festival.workers * part)))) for part in (0.5, 0.75, 1, 1.5, 2)]
    head = ["tables", "phones are", "workers", "partitions", "Redis", "worker busy", "partition", "Redis busy"]
    print(f"{festival.rate:,.0f} moves a second; {festival.seconds:g} s of it.\n")
    print(table([*head, "p50 ms", "p99 ms"], rows))


if __name__ == "__main__":
    main()
