"""A Redis server for the tests, with nothing on the disk, that can be killed, frozen and brought back."""

from __future__ import annotations

import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import redis

from tests.house import free_port
from tests.waiting import wait_until


@dataclass
class RedisServer:
    """A server on 127.0.0.1; it comes back at the same port."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Where the companion finds it."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self, *more: str) -> None:
        """Start it, and wait until it answers."""
        program = shutil.which("redis-server")
        assert program, "redis-server is not here; bin/test installs it."
        habits = ["--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--dir", str(self.folder)]
        with (self.folder / "redis.log").open("ab") as output:
            self.process = subprocess.Popen([program, *more, *habits], stdout=output, stderr=output)
        with redis.Redis(port=self.port) as client:
            wait_until(client.ping, self.process, (self.folder / "redis.log").read_text, redis.RedisError)

    def watch(self, name: str, port: int) -> None:
        """Start as a Sentinel that watches another one; alone it decides that this one is dead, and soon."""
        file = self.folder / "sentinel.conf"
        soon = [f"down-after-milliseconds {name} 300", f"failover-timeout {name} 2000"]
        watched = [f"monitor {name} 127.0.0.1 {port} 1", *soon]
        file.write_text("".join(f"sentinel {line}\n" for line in watched))
        self.start(str(file), "--sentinel")

    def kill(self) -> None:
        """Kill it."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def freeze(self) -> None:
        """Let it keep its connections, and answer nothing."""
        assert self.process
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        assert self.process
        self.process.send_signal(signal.SIGCONT)

    def ask(self) -> redis.Redis:
        """Give a client that looks into it."""
        return redis.Redis(port=self.port, decode_responses=True)
