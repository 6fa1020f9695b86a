"""Who has held a seat, as the log tells it."""

from __future__ import annotations

from collections.abc import Iterator

from companion import log
from companion.log import Table
from companion.tables.seating import STAYING


def was_freed(table: Table, seat: int) -> bool:
    """Say whether the host has taken a seat away from the phone that had it before it was as it is now."""
    acts = [act for there, act in _acts(table) if there == seat and act not in STAYING]
    return "free" in acts[-2:]


def _acts(table: Table) -> Iterator[tuple[int | None, str]]:
    """Go through what became of the seats, each as the people of it sit now."""
    of_seats = log.entries(table, kind="seat")
    if not (of_seats and log.entries(table, kind="start")):
        yield from ((entry.seat, entry.data["act"]) for entry in of_seats)
        return
    now = log.read(table).play
    for entry, then, _ in log.again(table, range(1, of_seats[-1].number + 1)):
        if entry.kind == "seat" and entry.seat is not None:
            yield now.seat_now(entry.seat, then), entry.data["act"]
