"""What an operator may see: how much is done, how long it takes, and a line for each ruling.

Never a secret, and in the figures neither tables nor names. Several workers count into
files of one folder (`PROMETHEUS_MULTIPROC_DIR`, which `companion serve` names).
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Callable

from flask import has_request_context, request
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)

_own = CollectorRegistry()
MOVES = Counter("companion_moves", "Entries in the log, by game and kind.", ["game", "kind"], registry=_own)
REFUSALS = Counter("companion_refusals", "Moves that the rules refused.", ["game", "rule"], registry=_own)
STREAMS = Gauge("companion_streams", "Open event streams.", multiprocess_mode="livesum", registry=_own)
COMMIT = Histogram("companion_commit_seconds", "Until an entry is kept.", buckets=QUICK, registry=_own)
RENDER = Histogram("companion_render_seconds", "Until a page part is drawn.", buckets=QUICK, registry=_own)
STRAYS = Counter("companion_strays", "Moves ruled on where their table is not kept.", registry=_own)
PRINTING = Gauge("companion_printing", "Sheets asked for, not done.", multiprocess_mode="livesum", registry=_own)

is_kept: Callable[[str], bool] = lambda _code: True  # noqa: E731 (the server sets another)
"""Says whether this worker keeps a table; set where there are several."""

log = logging.getLogger("companion")
rulings = logging.getLogger("companion.rulings")


def exposition() -> bytes:
    """Write all figures for Prometheus: those of all workers together."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(_own)
    all_workers = CollectorRegistry()
    MultiProcessCollector(all_workers)  # type: ignore[no-untyped-call]
    return generate_latest(all_workers)


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
