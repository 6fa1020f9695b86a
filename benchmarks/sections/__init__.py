"""The parts of the page that `benchmarks/run` prints, in its order."""

from collections.abc import Callable

from benchmarks.ground import Ground
from benchmarks.sections import bare, crowd, disk, kills, logs, memory, moves, printing, taps

SECTIONS: dict[str, Callable[[Ground], str]] = {
    "moves": moves.section,
    "taps": taps.section,
    "logs": logs.section,
    "disk": disk.section,
    "bare": bare.section,
    "memory": memory.section,
    "crowd": crowd.section,
    "kills": kills.section,
    "printing": printing.section,
}
