"""Durable moves a second, as many as go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchmarks.ground import Ground, say, short, table
from benchmarks.load import FLATFILE, MEMORY, NAMES, POSTGRES, Asked, Figures, median, ratio, rounds

SERVERS = ("sqlite", "postgres", "sqlite-posts", MEMORY, FLATFILE, POSTGRES)


def section(ground: Ground) -> str:
    """Play at fifty tables on every server, at one and at a thousand on two, and once as the pages do."""
    many = rounds(ground, SERVERS, Asked(tables=50))
    parts = [
        "## Moves a second\n\nThe next move of a table goes out when all four of its phones have the last. "
        "Ratios are medians of the turns' own.\n",
        _compared(many),
    ]
    once = replace(ground, times=1)
    for tables in (1, 1_000):
        say(f"  {tables} tables")
        found = rounds(once, ("sqlite", MEMORY), Asked(tables=tables))
        parts.append(f"{_few(found, ground.some(tables))}: {ratio(found, 'sqlite', MEMORY)} ×.")
    pages = rounds(once, ("sqlite-pages",), Asked(tables=50))
    parts.append(f"{_few(pages, ground.some(50))}, {short(median(pages['sqlite-pages'], 'cpu_us'))} µs of CPU a move.")
    return "\n\n".join(parts)


def _compared(found: Mapping[str, Sequence[Figures]]) -> str:
    head = ["50 tables", "moves/s", "server's CPU µs a move", "× memory", "× FlatFile", "× PostgreSQL"]
    rows = [
        [
            NAMES[name],
            short(median(runs, "moves_s")),
            short(median(runs, "cpu_us")),
            *(ratio(found, name, other) for other in (MEMORY, FLATFILE, POSTGRES)),
        ]
        for name, runs in found.items()
    ]
    return table(head, rows)


def _few(found: Mapping[str, Sequence[Figures]], tables: int) -> str:
    said = ", ".join(
        f"{NAMES[name]} {short(median(runs, 'moves_s'))} moves/s, p99 {short(median(runs, 'p99_ms'))} ms"
        for name, runs in found.items()
    )
    return f"{tables:,} table{'s' if tables > 1 else ''}, once: {said}"
