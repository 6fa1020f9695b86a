"""What an operator may see: how much is done, how long it takes, a line for each ruling, and who was turned away.

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
from datetime import UTC, datetime
from functools import cache
from typing import TextIO, cast

from flask import has_request_context, request
from flask.logging import has_level_handler, wsgi_errors_stream
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
refusals = logging.getLogger("companion.refusals")
TOLD = ("table", "number", "kind", "rule", "why", "status", "where", "home", "phone")
"""What a line of JSON may say beside the sentence."""


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
    _moves(game, kind).inc()
    _count_stray(code)
    rulings.info("entered", extra={"table": code, "number": number, "kind": kind})


@cache
def _moves(game: str, kind: str) -> Counter:
    return MOVES.labels(game, kind)


def refused(game: str, rule: str, code: str) -> None:
    """Count a refusal."""
    REFUSALS.labels(game, rule).inc()
    _count_stray(code)
    rulings.info("refused", extra={"table": code, "rule": rule})


def turned_away(why: str, status: int, home: str, phone: str) -> None:
    """Note who did not get what was asked for: from which home, and by the beginning of its hash which phone."""
    refusals.info("turned away", extra={"why": why, "status": status, "where": _where(), "home": home, "phone": phone})


def _count_stray(code: str) -> None:
    if not is_kept(code):
        STRAYS.inc()


class Notes(logging.Formatter):
    """Writes a line for each note, which nobody outside can end, and what went wrong below it, set in."""

    def format(self, record: logging.LogRecord) -> str:
        """Write it."""
        line = f"{_at(record)} {record.levelname.lower()} {_said(record)}"
        problem = self.formatException(record.exc_info).splitlines() if record.exc_info else []
        return "\n    ".join(map(_harmless, [line, *problem]))


class JsonNotes(logging.Formatter):
    """Writes a line of JSON for each note."""

    def format(self, record: logging.LogRecord) -> str:
        """Write it."""
        line = {"at": _at(record), "level": record.levelname.lower(), "said": _said(record)}
        line |= {name: getattr(record, name) for name in TOLD if hasattr(record, name)}
        if record.exc_info:
            line["problem"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def _at(record: logging.LogRecord) -> str:
    """Say when it was, in UTC: servers in several places may write into one log."""
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _said(record: logging.LogRecord) -> str:
    """Say it without the address that was asked for, which may hold a key: its rule says enough."""
    said = record.getMessage()
    return said.replace(request.path, _where()) if has_request_context() and len(request.path) > 1 else said


def _where() -> str:
    return str(request.url_rule or "an address of nobody")


def _harmless(line: str) -> str:
    """Show what would end a line, or steer a terminal, as an escape."""
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in line)


def write_notes() -> None:
    """Write what is worth a look, unless somebody else has said already how it is written."""
    if not has_level_handler(log):
        log.addHandler(_handler(Notes()))


def write_lines() -> None:
    """Write the log as lines of JSON, the rulings and who was turned away, too."""
    log.handlers = [_handler(JsonNotes())]
    log.propagate = False
    for each in (rulings, refusals):
        each.setLevel(logging.INFO)


def _handler(notes: logging.Formatter) -> logging.Handler:
    handler = logging.StreamHandler(cast(TextIO, wsgi_errors_stream))
    handler.setFormatter(notes)
    return handler
