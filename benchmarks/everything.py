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

from benchmarks.aims import MOVES
from benchmarks.ground import Ground, broken, say
from benchmarks.load import PATHS
from benchmarks.machine import described
from benchmarks.sections import SECTIONS
from companion.games import GAMES

MINUTES = 15
"""All of them should not take longer: a section that finds less time than it needs is not measured."""


class Over(KeyboardInterrupt):
    """The time for all sections is over; any other error might end in an event loop, which would go on."""


def main() -> None:
    """Measure, and print."""
    asked = _asked()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that everything that was started is ended
    print(f"{datetime.now(UTC):%Y-%m-%d}, {described()}.", flush=True)
    failed = []
    with broken(asked.disk) as ground:
        ground.times, ground.seconds, ground.warm_s = asked.times, asked.seconds, asked.warm
        ground.scale, ground.kinds, ground.paths = asked.scale, asked.game or tuple(MOVES), asked.path or ()
        began = time.monotonic()
        for name in asked.sections or SECTIONS:
            took = time.monotonic() - began
            say(f"{name} (after {took:.0f} s)")
            if not printed(name, SECTIONS[name], ground, 60 * asked.minutes - took):
                failed.append(name)
        print(f"\nIt took {(time.monotonic() - began) / 60:.0f} minutes.")
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks/run", description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="|".join(SECTIONS), help="all of them, when left out")
    parser.add_argument("--times", type=int, default=3, help="turns of each server")
    parser.add_argument("--seconds", type=float, default=2.0, help="of a turn")
    parser.add_argument("--warm", type=float, default=0.8, help="seconds before each turn")
    parser.add_argument("--scale", type=float, default=1, help="less than 1: fewer tables and phones, to try it out")
    parser.add_argument("--minutes", type=float, default=MINUTES, help="after so long nothing more is measured")
    parser.add_argument("--game", choices=GAMES, action="append", help="of `games`: this kind alone, or these")
    parser.add_argument("--path", choices=PATHS, action="append", help="of `games`: this path alone, or these")
    parser.add_argument("--disk", help="the folder for the databases")
    asked = parser.parse_args()
    if unknown := set(asked.sections) - SECTIONS.keys():
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    if (asked.game or asked.path) and asked.sections != ["games"]:
        parser.error("only `games` can be asked for a part of it")
    return asked


def printed(name: str, section: Callable[[Ground], str], ground: Ground, left_s: float) -> bool:
    """Print a section, or that it could not be measured: the others go on."""
    try:
        with _limited(left_s):
            print(f"\n{section(ground)}", flush=True)
    except (Exception, Over) as problem:
        traceback.print_exc()
        print(f"\n## {name}\n\nNot measured: {type(problem).__name__}. {str(problem)[:200]}", flush=True)
        return False
    return True


@contextmanager
def _limited(left_s: float) -> Iterator[None]:
    """Give up what takes too long, and begin nothing that has no time at all. Raises: Over."""
    if left_s <= 0:
        raise Over("there was no time left")

    def over(number: int, frame: FrameType | None) -> None:
        raise Over("there was no time left")

    signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, left_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


if __name__ == "__main__":
    main()
