"""A log as it was entered, without judging: for tables whose game is not installed, or has other rules by now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from companion import log
from companion.kernel.frozen import replace
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


def played_to(table: Table) -> str:
    """Tell when the last move that counts was made; "" where nobody knows."""
    return "".join(move.get("at", "") for move in _moves(log.entries(table))[-1:])


def is_open(table: Table, entry: Entry, seats: Sequence[int]) -> bool:
    """Say whether who acted for these seats may read an entry, though nobody can say what is secret at this table.

    Everything, once the game is over; before, what is about those seats, and what is about nobody's.
    """
    is_move = entry.kind in {"move", "amend", "start"}
    return table.closed is not None or not is_move or entry.seat is None or entry.seat in seats


@dataclass(frozen=True, slots=True)
class Made:
    """A move that counts, as it was amended last; when it was made, and by whom."""

    data: Mapping[str, Any]
    at: str
    by: int | None

    @property
    def written(self) -> dict[str, Any]:
        """Write it as a record has it."""
        return {**self.data, **({"at": self.at, "by": "host" if self.by is None else self.by} if self.at else {})}


def _moves(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """List the moves that count, as a record has them."""
    moves: dict[int, Made] = {}
    for entry in _counting(entries):
        if entry.kind == "move":
            moves[entry.number] = Made(entry.data, entry.at, entry.by)
        elif entry.kind == "start":
            _begin_again(moves, entry.data)
        elif "number" in entry.data:
            _amend(moves, changes(entry.data))
    return [made.written for made in moves.values()]


def _begin_again(moves: dict[int, Made], data: Mapping[str, Any]) -> None:
    """Let people sit as an entry says, and put in the place of moves what it says."""
    if moved := data.get("moved"):
        for number, made in moves.items():
            moves[number] = replace(made, by=None if made.by is None else moved[made.by])
    for part in ("moves", "later"):
        _amend(moves, [(one["number"], one["move"]) for one in data.get(part, ())])


def _amend(moves: dict[int, Made], said: Sequence[tuple[int, Mapping[str, Any] | None]]) -> None:
    """Put in the place of moves what an amendment says."""
    for number, data in said:
        if data is None:
            moves.pop(number, None)
        elif number in moves:
            moves[number] = replace(moves[number], data=data)


def _counting(entries: Sequence[Entry]) -> list[Entry]:
    """List the moves and amendments that count, the first one first."""
    counting: Counting | None = reduce(partial(folded, Counting.after), entries, Counting())
    found = []
    while counting and counting.last:
        found.append(counting.last)
        counting = counting.undo
    return found[::-1]
