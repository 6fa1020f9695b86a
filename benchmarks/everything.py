"""All that is measured, as one page of Markdown; how far it has come is told on stderr.

Run: benchmarks/run [SECTION…]
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import FrameType

from benchmarks.ground import Ground, broken, say
from benchmarks.machine import described
from benchmarks.sections import SECTIONS

LIMIT_S = 900
"""No section takes longer than all of them should."""


def main() -> None:
    """Measure, and print."""
    asked = _asked()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that everything that was started is ended
    print(f"{datetime.now(UTC):%Y-%m-%d}, {described()}.", flush=True)
    failed = []
    with broken(asked.disk) as ground:
        ground.times, ground.seconds, ground.warm_s = asked.times, asked.seconds, asked.warm
        ground.scale = asked.scale
        began = time.monotonic()
        for name in asked.sections or SECTIONS:
            say(f"{name} (after {time.monotonic() - began:.0f} s)")
            if not _printed(name, SECTIONS[name], ground):
                failed.append(name)
        print(f"\nIt took {(time.monotonic() - began) / 60:.0f} minutes.")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks/run", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="|".join(SECTIONS), help="all of them, when left out")
    parser.add_argument("--times", type=int, default=3, help="turns of each server")
    parser.add_argument("--seconds", type=float, default=2.5, help="of a turn")
    parser.add_argument("--warm", type=float, default=0.8, help="seconds before each turn")
    parser.add_argument("--scale", type=float, default=1, help="less than 1: fewer tables and phones, to try it out")
    parser.add_argument("--disk", help="the folder for the databases")
    asked = parser.parse_args()
    if unknown := set(asked.sections) - SECTIONS.keys():
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    return asked


def _printed(name: str, section: Callable[[Ground], str], ground: Ground) -> bool:
    """Print a section, or that it could not be measured: the others go on."""
    try:
        with _limited():
            print(f"\n{section(ground)}", flush=True)
    except Exception as problem:
        traceback.print_exc()
        print(f"\n## {name}\n\nNot measured: {type(problem).__name__}. {str(problem)[:200]}", flush=True)
        return False
    return True


@contextmanager
def _limited() -> Iterator[None]:
    """Give up what takes too long. Raises: TimeoutError."""

    def over(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(f"not done after {LIMIT_S} s")

    signal.signal(signal.SIGALRM, over)
    signal.alarm(LIMIT_S)
    try:
        yield
    finally:
        signal.alarm(0)


if __name__ == "__main__":
    main()
