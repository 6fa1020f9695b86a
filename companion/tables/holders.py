"""Who has held a seat, as the log tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion import log
from companion.log import Entry, Table, raw
from companion.tables.seating import FROM_HOST_TO_HOST, STAYING, Asker


def was_freed(table: Table, seat: int) -> bool:
    """Say whether the host has taken a seat away from the phone that had it before it was as it is now."""
    acts = [act for there, act in _acts(table) if there == seat and act not in STAYING]
    return "free" in acts[-2:]


def readable(asker: Asker, entries: Sequence[Entry]) -> frozenset[int]:
    """Number the entries that a phone may read, though nobody can say what is secret at this table.

    Of a seat it may read what was entered since it acts for it: what was sealed there before is another's.
    """
    since = _since(asker)
    acted = {entry.number: [seat for seat, number in since.items() if number < entry.number] for entry in entries}
    return frozenset(entry.number for entry in entries if raw.is_open(asker.table, entry, acted[entry.number]))


def _since(asker: Asker) -> Mapping[int, int]:
    """Number, for each seat that a phone acts for, the last entry by which that may have come to it; 0 for none."""
    hosts = [entry.number for entry in log.entries(asker.table, kind="table") if entry.data["act"] in FROM_HOST_TO_HOST]
    since = {seat: 0 if seat == asker.seat else max(hosts, default=0) for seat in asker.seats}
    for entry in log.entries(asker.table, kind="seat"):
        if entry.seat in since and entry.data["act"] not in STAYING:
            since[entry.seat] = max(since[entry.seat], entry.number)
    return since


def _acts(table: Table) -> Iterator[tuple[int | None, str]]:
    """Go through what became of the seats, each as the people of it sit now."""
    of_seats = log.entries(table, kind="seat")
    if not (of_seats and log.entries(table, kind="start")):
        yield from ((entry.seat, entry.data["act"]) for entry in of_seats)
        return
    now = log.read(table).play
    for entry, then, _ in log.entries_with_plays(table, range(1, of_seats[-1].number + 1)):
        if entry.kind == "seat" and entry.seat is not None:
            yield now.seat_now(entry.seat, then), entry.data["act"]
