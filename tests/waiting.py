"""Waiting for what another thread, process or server is about to do."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeVar

PATIENCE_S = 60
"""After so long without an answer a test gives up; no test measures time by it."""
AGAIN_S = 0.02
"""Between two looks."""
T = TypeVar("T")


class Running(Protocol):
    """A process."""

    def poll(self) -> int | None:
        """Give its exit status; None while it runs."""


def until(holds: Callable[[], T], why: Callable[[], str] | str = "") -> T:
    """Wait until something holds, and give it.

    Args:
        holds: gives nothing, or false, as long as it does not.
        why: what was waited for in vain; or says how it is instead.
    """
    give_up = time.monotonic() + PATIENCE_S
    while not (found := holds()):
        assert time.monotonic() < give_up, why if isinstance(why, str) else why()
        time.sleep(AGAIN_S)
    return found


def wait_until(
    asks: Callable[[], object],
    process: Running,
    said: Callable[[], str],
    trouble: type[Exception] = OSError,
) -> None:
    """Ask until there is no trouble.

    Args:
        asks: is in `trouble` as long as nobody answers.
        process: who shall answer; nobody waits for one that has ended.
        said: what stands in its log, for whoever reads why it never answered.
        trouble: what `asks` then raises.
    """
    give_up = time.monotonic() + PATIENCE_S
    while True:
        assert process.poll() is None, said()
        assert time.monotonic() < give_up, said()
        try:
            asks()
        except trouble:
            time.sleep(AGAIN_S)
        else:
            return
