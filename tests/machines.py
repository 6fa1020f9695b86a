"""Machines of a club, each a group of processes on loopback: PostgreSQL by Patroni, etcd, Redis, Sentinel, by our files."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import psycopg
import redis

from tests.databases import PATIENCE_S, Postgres
from tests.house import free_port
from tests.nginx import FILES

MARK = "MACHINE_OF_A_TRIAL"
"""The variable by which the processes of a machine are known."""
PORTS = (2379, 2380, 5432, 6379, 8008, 26379)
"""Where on a machine something listens, as our files have it."""
STANDS_BY = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
MAY_LEAD = "sync"
"""What Patroni answers 200 to on a standby that may take over. PostgreSQL waits for it some seconds before that."""


@dataclass
class Machine:
    """A machine: its folder is its disk."""

    name: str
    number: int
    folder: Path
    ports: dict[int, int] = field(default_factory=lambda: {port: free_port() for port in PORTS})
    """By the port that the files name."""
    started: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def place(self, port: int) -> str:
        """Say where something listens."""
        return f"127.0.0.1:{self.ports[port]}"

    def begin(self, *words: object) -> None:
        """Start one of its programs."""
        program = shutil.which(str(words[0]))
        assert program, f"{words[0]} is not here; bin/test --long installs it."
        nobody: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = {"user": "postgres", "group": "postgres", "extra_groups": []}
        around = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", MARK: str(self.folder)}
        with (self.folder / f"{Path(program).name}.log").open("ab") as output:
            command = [program, *map(str, words[1:])]
            self.started.append(
                subprocess.Popen(command, cwd=self.folder, env=around, stdout=output, stderr=output, **nobody)
            )

    def processes(self) -> Iterator[int]:
        """List its processes, and what these have started."""
        mark, parents, own = f"{MARK}={self.folder}".encode(), dict[int, int](), set[int]()
        for process in Path("/proc").glob("[0-9]*"):
            try:
                state, parent = (process / "stat").read_text().rpartition(")")[2].split()[:2]
                if state == "Z":
                    continue
                parents[int(process.name)] = int(parent)
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    own.add(int(process.name))
            except OSError:
                continue
        yield from own
        yield from (pid for pid, parent in parents.items() if parent in own and pid not in own)

    def die(self) -> None:
        """Lose all of it at once but the disk."""
        for one in self.started:  # Redis writes over what it was started with.
            one.kill()
        while found := list(self.processes()):
            for pid in found:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
        for one in self.started:
            one.wait()
        self.started.clear()

    def says(self, what: str) -> bool:
        """Ask its Patroni whether it is something."""
        try:
            with urlopen(f"http://{self.place(8008)}/{what}", timeout=2):
                return True
        except OSError:
            return False

    def postmaster(self) -> int:
        """Name the first process of its PostgreSQL."""
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])


class Club:
    """Three machines: two with PostgreSQL and Redis, all with etcd and Sentinel."""

    def __init__(self) -> None:
        """Give each a disk."""
        self.folder = Path(tempfile.mkdtemp(prefix="companion-club-"))
        self.folder.chmod(0o755)
        self.machines = []
        for number, name in enumerate(("one", "two", "three"), 1):
            machine = Machine(name, number, self.folder / name)
            machine.folder.mkdir()
            if os.geteuid() == 0:
                shutil.chown(machine.folder, "postgres", "postgres")
            self.machines.append(machine)
        self._write()

    @property
    def database(self) -> Postgres:
        """Look into whichever PostgreSQL takes entries."""
        ports = ",".join(str(machine.ports[5432]) for machine in self.machines[:2])
        hosts = f"host=127.0.0.1,127.0.0.1&port={ports}&target_session_attrs=read-write"
        return Postgres(f"postgresql://postgres:hush@/postgres?{hosts}")

    @property
    def redis(self) -> str:
        """Where the companion finds Redis."""
        places = ",".join(machine.place(26379) for machine in self.machines)
        return f"redis+sentinel://{places}/companion?db=0"

    def start(self, machine: Machine) -> None:
        """Start a machine, or start it again."""
        peers = ",".join(f"{one.name}=http://{one.place(2380)}" for one in self.machines)
        own, peer = f"http://{machine.place(2379)}", f"http://{machine.place(2380)}"
        listens = ["--listen-client-urls", own, "--advertise-client-urls", own, "--listen-peer-urls", peer]
        told = ["--initial-advertise-peer-urls", peer, "--initial-cluster", peers]
        machine.begin("etcd", "--name", machine.name, "--data-dir", machine.folder / "etcd", *listens, *told)
        machine.begin("redis-server", machine.folder / "sentinel.conf", "--sentinel")
        if machine.number < 3:
            machine.begin("redis-server", machine.folder / "redis.conf")
            machine.begin("patroni", machine.folder / "patroni.yml")

    def first(self) -> Machine:
        """Say whose PostgreSQL takes entries."""
        ((port,),) = self.database.rows("SELECT current_setting('port')")
        return next(machine for machine in self.machines[:2] if machine.ports[5432] == int(port))

    def first_redis(self) -> Machine:
        """Say whose Redis takes what it is told, as the third machine's Sentinel knows."""
        with redis.Redis(port=self.machines[2].ports[26379], decode_responses=True) as client:
            _host, port = client.sentinel_get_master_addr_by_name("companion")
        return next(machine for machine in self.machines[:2] if machine.ports[6379] == int(port))

    def is_whole(self) -> bool:
        """Whether one takes entries, and the other stands by and may take over."""
        try:
            stands_by = self.database.rows(STANDS_BY)
        except psycopg.Error:
            return False
        return bool(stands_by) and any(machine.says(MAY_LEAD) for machine in self.machines[:2])

    def wait_until_whole(self) -> None:
        """Wait until it is."""
        give_up = time.monotonic() + 3 * PATIENCE_S
        while not self.is_whole():
            assert time.monotonic() < give_up, self.said()
            time.sleep(0.2)

    def said(self) -> str:
        """Read what Patroni has said."""
        return "\n".join((machine.folder / "patroni.log").read_text()[-3000:] for machine in self.machines[:2])

    def remove(self) -> None:
        """End all, and delete the disks."""
        for machine in self.machines:
            machine.die()
        shutil.rmtree(self.folder)

    def _write(self) -> None:
        """Write our files, with the places that are free here."""
        (program,) = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:]
        for machine in self.machines:
            text = (FILES / "patroni.yml").read_text()
            for other in self.machines:
                text = text.replace(f"- 10.0.0.{other.number}:2379", f"- {other.place(2379)}")
            for port in (8008, 5432):
                text = text.replace(f"10.0.0.1:{port}", machine.place(port))
            text = text.replace("name: one\n", f"name: {machine.name}\n").replace("…", "hush")
            text = text.replace("/var/lib/postgresql/companion", str(machine.folder / "data"))
            text = text.replace("/usr/lib/postgresql/15/bin", str(program)).replace("10.0.0.0/24", "127.0.0.0/8")
            (machine.folder / "patroni.yml").write_text(text)
            watches = (FILES / "sentinel.conf").read_text().replace("port 26379", f"port {machine.ports[26379]}")
            first = self.machines[0].place(6379).replace(":", " ")
            watches = watches.replace("10.0.0.1 6379", first)
            (machine.folder / "sentinel.conf").write_text(f"{watches}\nbind 127.0.0.1\n")
            follows = f"replicaof {first}\n" if machine.number > 1 else ""
            (machine.folder / "redis.conf").write_text(f"bind 127.0.0.1\nport {machine.ports[6379]}\n{follows}")
            for file in machine.folder.iterdir():
                if os.geteuid() == 0:
                    shutil.chown(file, "postgres", "postgres")
