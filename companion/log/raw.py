"""A log as it was entered, without judging: for tables whose game is not installed, or has other rules by now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from companion import log
from companion.log.folding import changes, folded
from companion.log.rows import Entry, Table
from companion.play import Undoable
from companion.record import FORMAT, VERSION


@dataclass(frozen=True, slots=True)
class Counting(Undoable):
    """The last move or amendment that counts; taking back leads to the one before it."""

    last: Entry | None = None
    """None at the start."""

    def after(self, entry: Entry) -> Counting:
        """Let another one count."""
        return self.then(last=entry)


def record(table: Table) -> dict[str, Any]:
    """Write a table's record with the moves that count, as they were entered: what is secret is in it."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": table.game,
        "rules": table.rules,
        "options": table.options,
        "players": [seating.name for seating in table.seatings],
        "moves": _moves(log.entries(table)),
        **log.about(table),
    }


def is_open(table: Table, entry: Entry, seats: Sequence[int]) -> bool:
    """Say whether who acts for these seats may read an entry, though nobody can say what is secret at this table.

    Everything, once the game is over; before, what is about those seats, and what is about nobody's.
    """
    is_move = entry.kind in {"move", "amend"}
    return table.closed is not None or not is_move or entry.seat is None or entry.seat in seats


def _moves(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """List the moves that count, as a record has them: each as it was amended last, when it was made, and by whom."""
    moves: dict[int, tuple[Entry, Mapping[str, Any]]] = {}
    for entry in _counting(entries):
        if entry.kind == "move":
            moves[entry.number] = entry, entry.data
        else:
            _amend(moves, entry)
    return [{**data, **_envelope(entry)} for entry, data in moves.values()]


def _amend(moves: dict[int, tuple[Entry, Mapping[str, Any]]], entry: Entry) -> None:
    """Put in the place of moves what an amendment says; an entry that says nothing changes nothing."""
    for number, said in changes(entry.data) if "number" in entry.data else ():
        if said is None:
            moves.pop(number, None)
        elif number in moves:
            moves[number] = moves[number][0], said


def _counting(entries: Sequence[Entry]) -> list[Entry]:
    """List the moves and amendments that count, the first one first."""
    counting: Counting | None = reduce(partial(folded, Counting.after), entries, Counting())
    found = []
    while counting and counting.last:
        found.append(counting.last)
        counting = counting.undo
    return found[::-1]


def _envelope(entry: Entry) -> dict[str, Any]:
    return {"at": entry.at, "by": "host" if entry.by is None else entry.by} if entry.at else {}
