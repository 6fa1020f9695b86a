"""One lock for a data folder, and for a database file wherever it lies: who serves holds it, or who changes all of it.

The system gives it back, however its holder ends; what was started by that holder holds it, too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from companion import machine
from companion.errors import StartError
from companion.settings import Settings
from companion.settings.written import sqlite_file

PATIENCE_S = 2.0
"""So long is waited for one who is just ending: workers notice only after a moment that their server was killed."""

_held: list[machine.Release] = []


def claim_to_serve(settings: Settings, told: str, patience_s: float = PATIENCE_S) -> None:
    """Be the one server of the data; where several hear of each other's moves, be one of them.

    Args:
        settings: where the data is.
        told: what is said where another one has it.
        patience_s: so long is waited for it.

    Raises:
        StartError: it is served already, or being changed; or nothing can be written there.
    """
    _claim(settings, told, patience_s, is_shared=_is_shared(settings))


def claim_to_change(settings: Settings) -> None:
    """Be alone with the data. Raises: StartError, as above."""
    told = "The companion serves these tables, or another command changes them. Stop it first."
    _claim(settings, told, PATIENCE_S)


def release() -> None:
    """Give back what this process has claimed."""
    while _held:
        _held.pop()()


def _is_shared(settings: Settings) -> bool:
    """Say whether several servers may have the same tables."""
    return bool(settings.redis) and not settings.database.startswith("sqlite")


def _locks(settings: Settings) -> Iterator[Path]:
    """Name the files that are locked; the database's own is found by whoever names it, from whatever folder."""
    yield settings.data / "serving.lock"
    if file := sqlite_file(settings.database):
        whole = file.resolve()
        yield whole.with_name(f"{whole.name}.lock")


def _claim(settings: Settings, told: str, patience_s: float, *, is_shared: bool = False) -> None:
    give_up = time.monotonic() + patience_s
    for file in _locks(settings):
        try:
            _hold(file, is_shared, give_up)
        except BlockingIOError:
            release()
            raise StartError(f"{told} (It holds {file}.)") from None
        except OSError as error:
            release()
            raise StartError(f"{file.parent} cannot be written to: {error.strerror}.") from None


def _hold(file: Path, is_shared: bool, give_up: float) -> None:
    """Hold a file, perhaps soon. Raises: BlockingIOError, OSError."""
    while True:
        try:
            _held.append(machine.hold(file, is_shared=is_shared))
        except BlockingIOError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.05)
        else:
            return
