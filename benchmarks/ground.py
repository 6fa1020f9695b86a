"""What a benchmark stands on: a folder, a PostgreSQL of its own where it is needed, and how long it may take."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from pathlib import Path

from benchmarks.dealt import DIFFERENT, PHONES, Dealt, deal, usual_views
from benchmarks.machine import REST, on_cores
from companion.games import GAMES
from tests.databases import Cluster


@dataclass
class Ground:
    """Where all of it happens."""

    folder: Path
    times: int = 3
    """Every server has so many turns; the medians count."""
    seconds: float = 4.0
    """Of each turn."""
    warm_s: float = 1.5
    """Before each."""
    scale: float = 1.0
    """How many of the tables and phones there are; less than 1 only tries whether everything runs."""
    kinds: Sequence[str] = tuple(GAMES)
    paths: Sequence[str] = ()
    """The section of whole games can be asked for some of them alone."""
    after: ExitStack = field(default_factory=ExitStack)
    turns: Iterator[int] = field(default_factory=count)

    def some(self, number: int) -> int:
        """Say how many there are, of so many in a real run."""
        return max(1, round(number * self.scale))

    def fresh(self, name: str) -> Path:
        """Make an empty folder."""
        own = self.folder / f"{name}-{next(self.turns)}"
        own.mkdir()
        return own

    def games(self, key: str) -> list[Dealt]:
        """Deal the games of a kind."""
        return deal(key, self.some(DIFFERENT))

    @cached_property
    def their_games(self) -> Path:
        """Write what boardgame.io plays: the names of our moves, and views of ours as its state."""
        views = {key: usual_views(self.games(key)) for key in GAMES}
        told = {
            key: {"moves": list(GAMES[key].moves(PHONES)), "shared": each.shared, "own": each.own}
            for key, each in views.items()
        }
        file = self.fresh("theirs") / "games.json"
        file.write_text(json.dumps(told))
        return file

    @cached_property
    def cluster(self) -> Cluster:
        """Start PostgreSQL, beside the core of the servers."""
        cluster = Cluster(self.fresh("cluster"))
        with on_cores(REST):
            cluster.make()
        self.after.callback(cluster.remove)
        return cluster


@contextmanager
def broken(disk: str | None = None) -> Iterator[Ground]:
    """Break ground in a folder that goes away afterwards; PostgreSQL's own user can reach it, too."""
    with (
        tempfile.TemporaryDirectory(prefix="companion-load-", dir=disk, ignore_cleanup_errors=True) as folder,
        ExitStack() as after,
    ):
        Path(folder).chmod(0o755)
        yield Ground(Path(folder), after=after)


def say(what: str) -> None:
    """Tell who waits how far it has come."""
    print(what, file=sys.stderr, flush=True)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Write a table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def short(number: float) -> str:
    """Write a number with as many digits as matter."""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"  # noqa: PLR2004
