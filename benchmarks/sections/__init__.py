"""The parts of the page that `benchmarks/run` prints, in its order."""

from collections.abc import Callable

from benchmarks.ground import Ground
from benchmarks.sections import bare, crowd, disk, games, kills, logs, memory, printing, stores, workers

SECTIONS: dict[str, Callable[[Ground], str]] = {
    "games": games.section,
    "stores": stores.section,
    "workers": workers.section,
    "logs": logs.section,
    "disk": disk.section,
    "bare": bare.section,
    "memory": memory.section,
    "crowd": crowd.section,
    "kills": kills.section,
    "printing": printing.section,
}
