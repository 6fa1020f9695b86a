"""What an operator may see: how much is done, how long it takes, and a line for each ruling.

Never a secret, and in the figures neither tables nor names. Several workers count into
files of one folder (`PROMETHEUS_MULTIPROC_DIR`, which `companion serve` names). Prometheus (`exposition`) and the
operator's page (`Figures`) read the same.
"""

from __future__ import annotations

import json
import logging
import os
from collections import Counter as Sums
from collections.abc import Callable

from flask import has_request_context, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
SLOW = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)

_own = CollectorRegistry()
MOVES = Counter("companion_moves", "Entries in the log, by game and kind.", ["game", "kind"], registry=_own)
REFUSALS = Counter("companion_refusals", "Moves that the rules refused.", ["game", "rule"], registry=_own)
STREAMS = Gauge("companion_streams", "Open event streams.", multiprocess_mode="livesum", registry=_own)
COMMIT = Histogram("companion_commit_seconds", "Until an entry is kept.", buckets=QUICK, registry=_own)
RENDER = Histogram("companion_render_seconds", "Until a page part is drawn.", buckets=QUICK, registry=_own)
STRAYS = Counter("companion_strays", "Moves ruled on where their table is not kept.", registry=_own)
PRINTING = Gauge("companion_printing", "Sheets asked for, not done.", multiprocess_mode="livesum", registry=_own)
SHEETS = Histogram("companion_sheet_seconds", "Until a sheet is printed.", buckets=SLOW, registry=_own)
OPENED = Counter("companion_opened", "Tables opened, by game.", ["game"], registry=_own)
TABLES = Gauge("companion_tables", "Tables where a phone listens.", multiprocess_mode="livesum", registry=_own)
PHONES = Gauge("companion_phones", "Phones that listen.", multiprocess_mode="livesum", registry=_own)
QUOTAS = Counter("companion_quotas", "Refused because it was too much, by kind.", ["kind"], registry=_own)
ERRORS = Counter("companion_errors", "Answers that were our fault, by kind.", ["kind"], registry=_own)
WORKERS = Gauge("companion_workers", "Processes that serve.", multiprocess_mode="livesum", registry=_own)
STARTED = Gauge(
    "companion_start_time_seconds",
    "When the oldest of these was started (since 1970).",
    multiprocess_mode="livemin",
    registry=_own,
)

is_kept: Callable[[str], bool] = lambda _code: True  # noqa: E731 (the server sets another)
"""Says whether this worker keeps a table; set where there are several."""

log = logging.getLogger("companion")
rulings = logging.getLogger("companion.rulings")


class Figures:
    """All figures as they are now: those of all workers together.

    Args:
        more: who knows others, of this machine.
    """

    def __init__(self, *more: Collector) -> None:
        """Read them."""
        self._samples: list[Sample] = [each for metric in _all(*more).collect() for each in metric.samples]

    def total(self, name: str, **labels: str) -> float:
        """Add up what has a name, and these labels."""
        return sum(each.value for each in self._samples if each.name == name and labels.items() <= each.labels.items())

    def known(self, name: str) -> float | None:
        """Give what has a name and no label; None where nobody knows it."""
        return next((each.value for each in self._samples if each.name == name), None)

    def by(self, name: str, *labels: str) -> list[tuple[tuple[str, ...], int]]:
        """Count what has a name by what these labels say, the most first; nothing of what has not happened."""
        sums = Sums[tuple[str, ...]]()
        for each in self._samples:
            if each.name == name and each.value:
                sums[tuple(each.labels[label] for label in labels)] += int(each.value)
        return sorted(sums.items(), key=lambda counted: (-counted[1], counted[0]))


def exposition(*more: Collector) -> bytes:
    """Write all figures for Prometheus."""
    return generate_latest(_all(*more))


def _all(*more: Collector) -> CollectorRegistry:
    registry = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(_own)
    for each in more:
        registry.register(each)
    return registry


def begin() -> None:
    """Note that this process serves from now on."""
    WORKERS.set(1)
    STARTED.set_to_current_time()


def entered(game: str, kind: str, code: str, number: int) -> None:
    """Count an entry of a table's log."""
    MOVES.labels(game, kind).inc()
    _count_stray(code)
    rulings.info("entered", extra={"table": code, "number": number, "kind": kind})


def refused(game: str, rule: str, code: str) -> None:
    """Count a refusal."""
    REFUSALS.labels(game, rule).inc()
    _count_stray(code)
    rulings.info("refused", extra={"table": code, "rule": rule})


def _count_stray(code: str) -> None:
    if not is_kept(code):
        STRAYS.inc()


class JsonNotes(logging.Formatter):
    """Writes a line of JSON for each note."""

    def format(self, record: logging.LogRecord) -> str:
        """Write it without the address that was asked for, which may hold a key: its rule says enough."""
        said = record.getMessage()
        if has_request_context():
            said = said.replace(request.path, str(request.url_rule or "an address of nobody"))
        line = {"at": self.formatTime(record), "level": record.levelname.lower(), "said": said}
        line |= {name: getattr(record, name) for name in ("table", "number", "kind", "rule") if hasattr(record, name)}
        if record.exc_info:
            line["problem"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def write_lines() -> None:
    """Write the log as lines of JSON, the rulings too."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonNotes())
    log.handlers = [handler]
    log.propagate = False
    rulings.setLevel(logging.INFO)
