"""The machine under a benchmark: its name, its cores, and what processes cost it."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PRECISE = 2
"""With a process's number it names that process's own clock, as clock_getcpuclockid does: exact, not in ticks."""
CORES = sorted(os.sched_getaffinity(0))
SERVER = frozenset(CORES[:1])
"""The core of the server that is measured; the phones and the databases have the others."""
REST = frozenset(CORES[1:] or CORES)


def described() -> str:
    """Name the machine, and say how busy it is already."""
    about = Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*: (.*)", about)
    memory = re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())
    assert memory
    return (
        f"{len(CORES)} cores ({model[1] if model else os.uname().machine}), {int(memory[1]) / 2**20:.0f} GiB, "
        f"{os.uname().sysname} {os.uname().release}; load average at the start {os.getloadavg()[0]:.1f}; "
        f"three million sums take {_sums_s():.2f} s"
    )


def _sums_s() -> float:
    """Tell how quick Python is here, without which no figure in µs can be compared with another machine's."""
    began, total = time.perf_counter(), 0
    for number in range(3_000_000):
        total += number * number
    return time.perf_counter() - began


@contextmanager
def on_cores(cores: Collection[int]) -> Iterator[None]:
    """Keep this thread, and the processes that it starts, to some cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def children(pid: int) -> list[int]:
    """List the processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def cpu_s(pids: Sequence[int]) -> float:
    """Tell the seconds that processes have computed."""
    return sum(time.clock_gettime(~pid << 3 | PRECISE) for pid in pids)


def memory_kb(pids: Sequence[int]) -> float:
    """Tell the memory of processes; what several share counts once."""
    said = [re.search(r"Pss:\s*(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text()) for pid in pids]
    return float(sum(int(each[1]) for each in said if each))
