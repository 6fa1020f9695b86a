"""A log as it was entered, without judging: for tables whose game is not installed, or has other rules by now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion import log
from companion.log.rows import Entry, Table
from companion.record import FORMAT, VERSION


@dataclass(frozen=True, slots=True)
class Counting:
    """The moves that count at one moment; must agree with `Play`, which judges them, too."""

    moves: tuple[tuple[int, Mapping[str, Any]], ...] = ()
    """Numbers of their entries, and the moves as a record has them."""
    undo: Counting | None = None
    redo: Counting | None = None

    def after(self, entry: Entry) -> Counting:
        """Fold one entry."""
        match entry.kind:
            case "move":
                move = {**entry.data, **_envelope(entry)}
                return Counting((*self.moves, (entry.number, move)), undo=self)
            case "amend":
                number, data = entry.data.get("number"), entry.data.get("move", {})
                moves = (
                    (
                        own,
                        {**data, **{name: move[name] for name in ("at", "by") if name in move}}
                        if own == number
                        else move,
                    )
                    for own, move in self.moves
                )
                return Counting(tuple(moves), undo=self)
            case "take_back":
                return replace(self.undo, redo=self) if self.undo else self
            case "put_back":
                return self.redo or self
            case _:
                return self


def record(table: Table) -> dict[str, Any]:
    """Write a table's record with the moves that count, as they were entered: what is secret is in it."""
    counting = Counting()
    for entry in log.entries(table):
        counting = counting.after(entry)
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": table.game,
        "rules": table.rules,
        "options": table.options,
        "players": [seating.name for seating in table.seatings],
        "moves": [move for _number, move in counting.moves],
        **log.about(table),
    }


def is_open(table: Table, entry: Entry, seats: Sequence[int]) -> bool:
    """Say whether who acts for these seats may read an entry, though nobody can say what is secret at this table.

    Everything, once the game is over; before, what is about those seats, and what is about nobody's.
    """
    is_move = entry.kind in {"move", "amend"}
    return table.closed is not None or not is_move or entry.seat is None or entry.seat in seats


def _envelope(entry: Entry) -> dict[str, Any]:
    return {"at": entry.at, "by": "host" if entry.by is None else entry.by} if entry.at else {}
