"""From a tap until all four phones show it, at a given number of moves a second."""

from __future__ import annotations

from benchmarks.ground import Ground, short, table
from benchmarks.load import MEMORY, NAMES, Asked, median, ratio, rounds

OURS = {100: ("sqlite", "sqlite-posts"), 400: ("sqlite",)}
"""By the moves a second that are asked; each can keep up with them."""


def section(ground: Ground) -> str:
    """Tap at two rates, at fifty tables."""
    rows = []
    for rate, ours in OURS.items():
        found = rounds(ground, (*ours, MEMORY), Asked(tables=50, rate=rate * ground.scale))
        rows += [
            [
                rate,
                NAMES[name],
                *(short(median(runs, part)) for part in ("moves_s", "p50_ms", "p99_ms")),
                *(ratio(found, name, MEMORY, part) for part in ("p50_ms", "p99_ms")),
            ]
            for name, runs in found.items()
        ]
    head = ["moves/s asked", "server", "came", "p50 ms", "p99 ms", "× memory p50", "× memory p99"]
    return f"## From a tap to all four phones\n\n50 tables.\n\n{table(head, rows)}"
