"""Another page, while two clients print in a loop."""

from __future__ import annotations

from benchmarks.asking import p99
from benchmarks.ground import Ground, short, table
from benchmarks.printing import CLIENTS, beside


def section(ground: Ground) -> str:
    """Ask for the page quietly, and beside them."""
    sheets, quiet, busy = beside(ground.fresh("printing"), 2 * ground.seconds, 4 * ground.seconds)
    before, after = p99(quiet), p99(busy)
    rows = [
        ["quiet", short(before), ""],
        [f"{CLIENTS} clients print ({sheets} sheets)", short(after), short(after - before)],
    ]
    return f"## Another page beside printing\n\n{table(['', 'p99 ms', 'more'], rows)}"
