"""How many moves a second a server takes, and how soon all phones of a table see one; boardgame.io beside it.

Run: PYTHONPATH=. .venv/bin/python benchmarks/load.py --help
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.clients import PHONES, OurSockets, OurTable, TheirTable, Trial, measure
from companion.serving import server_command
from tests.databases import Cluster
from tests.house import House, Server, environment, free_port, secret

HERE = Path(__file__).parent
TICKS = os.sysconf("SC_CLK_TCK")
PACKAGES = ("boardgame.io@0.50.2", "node-persist@3", "bgio-postgres")


@dataclass(frozen=True)
class Figures:
    """What one run has shown."""

    moves_s: float
    p50_ms: float
    p99_ms: float
    cpu_us: float
    """Of the server, a move."""


def main() -> None:
    """Play on each server in turn, several times over, and print the medians as Markdown."""
    asked = _asked()
    with (
        tempfile.TemporaryDirectory(prefix="companion-load-", dir=asked.disk, ignore_cleanup_errors=True) as folder,
        ExitStack() as more,
    ):
        place = Path(folder)
        place.chmod(0o755)
        cluster = more.enter_context(_cluster()) if any("postgres" in name for name in asked.servers) else None
        found: dict[str, list[Figures]] = {name: [] for name in asked.servers}
        for turn in range(asked.times):
            for name in asked.servers:
                own = place / f"{name}-{turn}"
                own.mkdir()
                figures = _trial(name, own, cluster, asked)
                found[name].append(figures)
                print(f"{name}: {figures.moves_s:.0f} moves/s", file=sys.stderr)
    print(f"\n{asked.tables} tables × {PHONES} phones, {asked.seconds:g} s, {asked.times} times, medians:\n")
    print("| server | moves/s | tap to all p50 ms | p99 ms | server's CPU µs a move |\n|---|---|---|---|---|")
    for name, runs in found.items():
        moves, p50, p99, cpu = (
            statistics.median(getattr(run, part) for run in runs) for part in ("moves_s", "p50_ms", "p99_ms", "cpu_us")
        )
        print(f"| {name} | {moves:.0f} | {p50:.1f} | {p99:.1f} | {cpu:.0f} |")


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    kinds = ["sqlite", "postgres", "sqlite-posts", "postgres-posts", "bgio-memory", "bgio-flatfile", "bgio-postgres"]
    parser.add_argument(
        "servers", nargs="*", default=["sqlite", "bgio-memory", "bgio-flatfile"], metavar="|".join(kinds)
    )
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--warm", type=float, default=2)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--rate", type=float, default=0, help="moves a second in all, instead of as many as go")
    parser.add_argument("--entries", type=int, default=0, help="so many entries lie in each of our logs already")
    parser.add_argument(
        "--fsync-ms", type=float, default=0, help="a disk that is slower by so much (needs a C compiler)"
    )
    parser.add_argument("--disk", default=None, help="the folder for the databases")
    parser.add_argument("--profile", help="record our worker with py-spy (its path) to profile.txt")
    return parser.parse_args()


def _trial(name: str, folder: Path, cluster: Cluster | None, asked: argparse.Namespace) -> Figures:
    pause = max(asked.tables / asked.rate, 0) if asked.rate else 0.0
    trial = Trial()
    tables: Sequence[OurTable | OurSockets | TheirTable]
    with ExitStack() as after:
        if name.startswith("bgio-"):
            port, pid = after.enter_context(_theirs(name.removeprefix("bgio-"), folder, cluster, asked))
            tables = [TheirTable(trial, f"match{number}", pause) for number in range(asked.tables)]
        else:
            database = cluster.database("postgres") if cluster and name.startswith("postgres") else None
            house = House(folder, database)
            if database:
                database.empty()
            kind = OurTable if name.endswith("-posts") else OurSockets
            tables = [_ours(kind, house, number, trial, (pause, asked.entries)) for number in range(asked.tables)]
            house.close()
            port, pid = after.enter_context(_our_server(house, asked))
        marks: list[tuple[float, float]] = []

        def mark() -> None:
            marks.append((time.perf_counter(), _cpu_s(pid)))

        asyncio.run(measure(tables, trial, port, (asked.warm, asked.seconds), mark))
    assert not trial.wrong, trial.wrong[0]
    (began, cpu), (ended, cpu_after) = marks
    count = len(trial.times)
    times = statistics.quantiles(trial.times, n=100)
    return Figures(count / (ended - began), 1000 * times[49], 1000 * times[98], 1e6 * (cpu_after - cpu) / count)


def _ours(
    kind: type[OurTable] | type[OurSockets], house: House, number: int, trial: Trial, asked: tuple[float, int]
) -> OurTable | OurSockets:
    phones = {seat: f"p{seat}.t{number}" for seat in range(PHONES)}
    code = house.open(["A", "B", "C", "D"], phones=phones, bidding="hidden")
    first = house.read(code).number
    pause_s, entries = asked
    for done in range(entries):
        house.move(code, phones[done % 3], {"move": "bid", "seat": done % 3, "tricks": done % 11}, f"k{done}")
    return kind(trial, code, [secret(phone) for phone in phones.values()], first + entries, pause_s)


@contextmanager
def _our_server(house: House, asked: argparse.Namespace) -> Iterator[tuple[int, int]]:
    port = free_port()
    more = _slow_disk(house.folder, asked.fsync_ms) if asked.fsync_ms else {}
    streams = PHONES * asked.tables + 8
    known = {"COMPANION_DATABASE": house.database.address, "COMPANION_STREAMS": str(streams)}
    surroundings = environment(house.folder, **known, **more)
    command = server_command("127.0.0.1", port, streams)
    server = Server(house.folder, port, command, surroundings)
    server.start()
    assert server.process
    try:
        worker = int(Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()[0])
        if asked.profile:
            length = str(int(asked.seconds + asked.warm))
            spy = [
                asked.profile,
                "record",
                "-p",
                str(worker),
                "--gil",
                "--nonblocking",
                "-f",
                "raw",
                "-o",
                "profile.txt",
                "-d",
                length,
            ]
            subprocess.Popen(spy, stdout=subprocess.DEVNULL)
        yield port, worker
    finally:
        server.kill()


@contextmanager
def _theirs(kind: str, folder: Path, cluster: Cluster | None, asked: argparse.Namespace) -> Iterator[tuple[int, int]]:
    port, packages = free_port(), _installed()
    place = str(folder / "flat")
    if kind == "postgres":
        assert cluster
        place = cluster.database("postgres").address
    more = _slow_disk(folder, asked.fsync_ms) if asked.fsync_ms else {}
    with (folder / "node.log").open("wb") as output:
        command = ["node", str(HERE / "boardgameio/server.cjs"), str(port), kind, place]
        surroundings = {**os.environ, "NODE_ENV": "production", **more}
        process = subprocess.Popen(command, cwd=packages, env=surroundings, stdout=output, stderr=output)
    try:
        give_up = time.monotonic() + 30
        while b"ready" not in (folder / "node.log").read_bytes():
            is_waiting = process.poll() is None and time.monotonic() < give_up
            assert is_waiting, (folder / "node.log").read_text()
            time.sleep(0.05)
        yield port, process.pid
    finally:
        process.kill()
        process.wait()


def _installed() -> Path:
    """Find boardgame.io; install it once, outside the tree."""
    folder = Path(os.environ.get("BOARDGAMEIO", Path.home() / ".cache" / "companion-benchmarks"))
    if not (folder / "node_modules" / "boardgame.io").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm")
        assert npm, "npm is not here"
        subprocess.run(
            [npm, "install", "--no-save", "--no-package-lock", "--no-audit", *PACKAGES], cwd=folder, check=True
        )
    return folder


@contextmanager
def _cluster() -> Iterator[Cluster]:
    cluster = Cluster()
    cluster.make()
    try:
        yield cluster
    finally:
        cluster.remove()


def _slow_disk(folder: Path, more_ms: float) -> dict[str, str]:
    """Build the library that makes every fsync of a process take longer."""
    library = folder / "slow.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", library, HERE / "slow_disk.c", "-ldl"], check=True)
    return {"LD_PRELOAD": str(library), "SLOWER_US": str(int(1000 * more_ms))}


def _cpu_s(pid: int) -> float:
    """Tell the seconds that a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


if __name__ == "__main__":
    main()
