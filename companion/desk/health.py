"""What a server stands upon, for who looks after it: its database, its Redis, its disk, its release.

It is looked at whenever somebody asks, for Prometheus and for the operator's page alike, and never for long: what does
not answer soon is away.
"""

from __future__ import annotations

import shutil
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread

from flask import Flask, current_app
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from companion import __version__, log, metrics
from companion.metrics import Figures
from companion.settings import Settings

PATIENCE_S = 1.0
"""So long is waited for an answer."""
OVER_S = 60.0
"""Over so long it is told how quickly something grows, where somebody looked that long ago."""


class Probe:
    """Asks what may not answer. One question at a time is open, however many want to know."""

    def __init__(self, ask: Callable[[], bool]) -> None:
        """Take what asks: it says whether all is well, or raises what it likes."""
        self._ask = ask
        self._lock = Lock()
        self._thread: Thread | None = None
        self._took_s: float | None = None

    def took_s(self) -> float | None:
        """Ask; give the seconds that the answer took, or None where it did not come, or was no good one."""
        try:
            thread = self._asking()
        except RuntimeError:  # there is no thread
            return None
        thread.join(PATIENCE_S)
        return None if thread.is_alive() else self._took_s

    def _asking(self) -> Thread:
        """Give the thread that asks; start one where none does. Raises: RuntimeError."""
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._took_s = None
                self._thread = Thread(target=self._run, daemon=True, name="probe")
                self._thread.start()
            return self._thread

    def _run(self) -> None:
        began = time.perf_counter()
        with suppress(Exception):  # whatever it is, it is away
            if self._ask():
                self._took_s = time.perf_counter() - began


class Ground(Collector):
    """What a server stands upon."""

    def __init__(self, app: Flask) -> None:
        """Take whose it is."""
        settings: Settings = app.config["COMPANION"]

        def is_ready() -> bool:
            with app.app_context():
                return log.is_ready()

        self._folder = settings.data
        self._database = Probe(is_ready)
        self._redis = Probe(app.extensions["companion.bell"].has_others) if settings.redis else None

    def collect(self) -> Iterator[Metric]:
        """Look at all of it."""
        info = GaugeMetricFamily("companion_info", "1, with the release that serves.", labels=["version"])
        info.add_metric([__version__], 1)
        yield info
        yield from _answering("database", "the database, with the schema of this release,", self._database)
        yield from _answering("redis", "Redis", self._redis)
        free, size = _room(self._folder)
        yield GaugeMetricFamily("companion_disk_free_bytes", "What is left on the disk of the data folder.", free)
        yield GaugeMetricFamily("companion_disk_size_bytes", "How large it is.", size)


def _room(folder: Path) -> tuple[float | None, float | None]:
    """Tell what is left on a disk, and how large it is; nothing of one that is gone."""
    with suppress(OSError):
        disk = shutil.disk_usage(folder)
        return disk.free, disk.total
    return None, None


def _answering(name: str, what: str, probe: Probe | None) -> Iterator[Metric]:
    """Say whether something answers, and how soon; nothing of what is not used."""
    took_s = probe.took_s() if probe else None
    is_there = None if probe is None else float(took_s is not None)
    yield GaugeMetricFamily(f"companion_{name}_up", f"Whether {what} answers: 1, or 0.", is_there)
    yield GaugeMetricFamily(f"companion_{name}_seconds", f"How soon {what} answered just now.", took_s)


class Pace:
    """How quickly a figure grows, told by how it stood when somebody looked before."""

    def __init__(self, at_s: float) -> None:
        """Begin with nothing, at a time by a clock that nobody sets."""
        self._lock = Lock()
        self._stood = deque([(at_s, 0.0)])

    def of(self, count: float, now_s: float) -> tuple[float, float]:
        """Tell how much it grows in a second, and over how many seconds that is so."""
        with self._lock:
            while len(self._stood) > 1 and self._stood[1][0] <= now_s - OVER_S:
                self._stood.popleft()
            then_s, was = self._stood[0]
            if now_s >= self._stood[-1][0] + 1:
                self._stood.append((now_s, count))
        span_s = max(now_s - then_s, 1.0)
        return max(count - was, 0.0) / span_s, span_s


def init_app(app: Flask) -> None:
    """Let an app say how it is; it serves from now on."""
    metrics.begin()
    app.extensions["companion.ground"] = Ground(app)
    app.extensions["companion.pace"] = Pace(time.monotonic())


def exposition() -> bytes:
    """Write all figures for Prometheus."""
    return metrics.exposition(current_app.extensions["companion.ground"])


def figures() -> Figures:
    """Give all figures."""
    return Figures(current_app.extensions["companion.ground"])


def moves_a_second(moves: float) -> tuple[float, float]:
    """Tell how many of so many moves come in a second lately, and over how many seconds that is so."""
    pace: Pace = current_app.extensions["companion.pace"]
    return pace.of(moves, time.monotonic())
