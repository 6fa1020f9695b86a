"""Debian's Caddy with our own file before a server: only its ports are others, and who has signed for its name."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.house import free_port
from tests.nginx import FILES
from tests.waiting import wait_until

HEAD = """{{
	admin off
	http_port {plain}
	https_port {port}
	default_sni table.example
	local_certs
	skip_install_trust
	storage file_system {folder}/caddy
}}
"""


@dataclass
class Caddy:
    """Caddy on 127.0.0.1 as table.example, before a server on another port."""

    folder: Path
    behind: int
    """The port of the server."""
    port: int = field(default_factory=free_port)
    plain: int = field(default_factory=free_port)
    """Where it leads pages to https."""
    process: subprocess.Popen[bytes] | None = None

    def start(self, is_there: Callable[[], object]) -> None:
        """Write its file, start it, and wait until asking raises no OSError."""
        text = (FILES / "Caddyfile").read_text()
        assert "127.0.0.1:8000" in text
        head = HEAD.format(folder=self.folder, port=self.port, plain=self.plain)
        file, log = self.folder / "Caddyfile", self.folder / "caddy.log"
        file.write_text(head + text.replace("127.0.0.1:8000", f"127.0.0.1:{self.behind}"))
        with log.open("wb") as told:
            self.process = subprocess.Popen(["caddy", "run", "--config", file], stderr=told)
        wait_until(is_there, self.process, log.read_text)

    def stop(self) -> None:
        """Stop it."""
        if self.process:
            self.process.terminate()
            self.process.wait()
