"""What a move costs when its log is long."""

from __future__ import annotations

from benchmarks.ground import Ground, say, short, table
from benchmarks.load import FLATFILE, NAMES, Asked, Figures, median, play

OURS = (10, 100, 1_000, 5_000)
THEIRS = (10, 1_000)
TABLES, RATE = 4, 40


def section(ground: Ground) -> str:
    """Play on where logs are long already; the lengths take turns."""
    lengths = [("sqlite", each) for each in OURS] + [(FLATFILE, each) for each in THEIRS]
    found: dict[tuple[str, int], list[Figures]] = {each: [] for each in lengths}
    for _ in range(min(2, ground.times)):
        for name, entries in lengths:
            asked = Asked(tables=TABLES, rate=RATE * ground.scale, entries=ground.some(entries))
            found[name, entries].append(play(ground, name, asked))
            say(f"  {NAMES[name]}, {entries} entries: {found[name, entries][-1].cpu_us:.0f} µs")
    rows = [
        [
            NAMES[name],
            f"{entries:,}",
            short(cost := median(runs, "cpu_us")),
            f"{cost / median(found[name, 10], 'cpu_us'):.2f}",
        ]
        for (name, entries), runs in found.items()
    ]
    head = ["server", "entries at the start", "server's CPU µs a move", "× at 10"]
    about = f"{TABLES} tables, {RATE} moves/s, so that a log grows by little meanwhile."
    return f"## Long logs\n\n{about}\n\n{table(head, rows)}"
