"""The parts of the page that `benchmarks/run` prints: what has an aim first, what is missed least last."""

from collections.abc import Callable

from benchmarks.ground import Ground
from benchmarks.sections import bare, crowd, disk, games, kills, logs, memory, paint, printing, stores, waits, workers

SECTIONS: dict[str, Callable[[Ground], str]] = {
    "games": games.section,
    "paint": paint.section,
    "waits": waits.section,
    "workers": workers.section,
    "kills": kills.section,
    "memory": memory.section,
    "stores": stores.section,
    "printing": printing.section,
    "disk": disk.section,
    "logs": logs.section,
    "bare": bare.section,
    "crowd": crowd.section,
}
