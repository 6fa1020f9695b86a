"""Somebody else who asks for a page meanwhile, in a process of its own: what others feel of a load.

Run: .venv/bin/python -m benchmarks.asking PORT SECONDS PATH (prints milliseconds as JSON)
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from tests.house import Client

EVERY_S = 0.005
LOBBY = "/"


def main() -> None:
    """Ask, again and again, and say how long each answer took."""
    port, seconds, path = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    found, until = [], time.monotonic() + seconds
    with Client(port, "somebody") as client:
        while time.monotonic() < until:
            started = time.perf_counter()
            answer = client.get(path)
            found.append(1000 * (time.perf_counter() - started))
            assert answer.status < 400, answer.body.decode()  # noqa: PLR2004
            time.sleep(EVERY_S)
    print(json.dumps(found))


class Asking:
    """One who asks a server for a page, as long as it was said."""

    def __init__(self, port: int, seconds: float, path: str = LOBBY) -> None:
        command = [sys.executable, "-m", "benchmarks.asking", str(port), str(seconds), path]
        self._process = subprocess.Popen(command, cwd=Path(__file__).parents[1], stdout=subprocess.PIPE)

    def times(self) -> list[float]:
        """Wait for the end of it; milliseconds of each answer."""
        said, _ = self._process.communicate()
        assert self._process.returncode == 0, "the page did not come"
        found: list[float] = json.loads(said)
        return found


def p99(times: list[float]) -> float:
    """Give the 99th percentile."""
    return statistics.quantiles(times, n=100)[98]


if __name__ == "__main__":
    main()
