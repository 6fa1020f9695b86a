"""The parts of the page that `benchmarks/run` prints, in its order: what takes longest and is missed least is last."""

from collections.abc import Callable

from benchmarks.ground import Ground
from benchmarks.sections import bare, crowd, disk, games, kills, logs, memory, paint, printing, stores, waits, workers

SECTIONS: dict[str, Callable[[Ground], str]] = {
    "games": games.section,
    "stores": stores.section,
    "workers": workers.section,
    "logs": logs.section,
    "kills": kills.section,
    "disk": disk.section,
    "bare": bare.section,
    "memory": memory.section,
    "printing": printing.section,
    "waits": waits.section,
    "paint": paint.section,
    "crowd": crowd.section,
}
