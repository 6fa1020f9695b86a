"""Two PostgreSQL servers, of which one stands by, and two Redis with a Sentinel: what is there when a machine dies."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from pathlib import Path

from tests.databases import Cluster, Postgres
from tests.house import free_port
from tests.redises import RedisServer
from tests.waiting import until

WATCHED = "companion"
"""By which name Sentinel knows the Redis."""


@dataclass(frozen=True)
class Pair:
    """A server that confirms nothing that the other one does not have."""

    first: Cluster
    second: Cluster

    @property
    def address(self) -> str:
        """Where the app finds whichever of them takes entries."""
        hosts = f"{self.first.folder},{self.second.folder}"
        return f"postgresql://postgres@/postgres?host={hosts}&target_session_attrs=read-write"

    def start(self) -> None:
        """Start both, and wait until one stands by."""
        self.start_first()
        self.start_second()
        self.wait_for_standby()

    def start_first(self) -> None:
        """Start the one that waits for the other."""
        self.first.start("synchronous_standby_names=*")

    def start_second(self) -> None:
        """Let the other stand by."""
        (self.second.data / "standby.signal").touch()
        self.second.start(f"primary_conninfo=host={self.first.folder} user=postgres")

    def wait_for_standby(self) -> None:
        """Wait until the first one has found the other."""
        asked = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
        until(lambda: self.first.database("postgres").rows(asked), self.second.said)

    def promote(self) -> None:
        """Let the other take over, and wait until it does; what it was before is dead."""
        self.first.stop(signal.SIGQUIT)
        assert self.second.database("postgres").rows("SELECT pg_promote()") == [(True,)]

    def let_go(self) -> bool:
        """Break off a wait for the standby, as who keeps the server might; False where nobody waits."""
        waits = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        return self.first.database("postgres").rows(waits) == [(True,)]

    def remove(self) -> None:
        """Stop both, and delete all of them."""
        self.first.remove()
        self.second.remove()

    @property
    def database(self) -> Postgres:
        """Look into whichever takes entries."""
        return Postgres(self.address)


class Watched:
    """Two Redis, of which one follows the other, and the Sentinel that lets it take over."""

    def __init__(self, folder: Path) -> None:
        """Make their folders."""
        self.first, self.second, self.sentinel = (RedisServer(folder / name) for name in ("one", "two", "sentinel"))
        for server in (self.first, self.second, self.sentinel):
            server.folder.mkdir()

    @property
    def address(self) -> str:
        """Where the companion finds whichever takes what it is told."""
        return f"redis+sentinel://127.0.0.1:{self.sentinel.port},127.0.0.1:{free_port()}/{WATCHED}?db=3"

    def start(self) -> None:
        """Start all, and wait until the Sentinel knows both."""
        self.first.start()
        self.second.start("--replicaof", "127.0.0.1", str(self.first.port))
        self.sentinel.watch(WATCHED, self.first.port)
        with self.sentinel.ask() as client:
            until(lambda: client.sentinel_master(WATCHED)["num-slaves"] == 1)

    def kill(self) -> None:
        """Kill all."""
        for server in (self.first, self.second, self.sentinel):
            server.kill()
