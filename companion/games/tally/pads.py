"""What stands on the pads of a game of points, and on its score sheet in large print: a row a round, and the total.

A pad has the rounds of a short evening. In large print what one page does not hold goes on upon the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.drawing.pads import PadHead, PadRow, fitted, pad_head
from companion.drawing.paper import SeatHead, named, typeset
from companion.games.tally.counting import Counting
from companion.games.tally.sheets import Round, rounds_of

ROWS = 10
"""So many rounds are on a pad, and on a page in large print."""
PARTS = (("points",),)


class PagedPad(PadHead):
    """What stands on a pad that may need several pages; `Pad` in drawing/pads.py says what the parts are."""

    name: str
    """The game's."""
    seats: Sequence[SeatHead]
    parts: Mapping[str, Sequence[str]]
    is_named: Mapping[str, bool]
    is_spelt: Mapping[str, bool]
    won: Sequence[int]
    pages: Sequence[Sequence[PadRow]]
    feet: Sequence[Sequence[str]]
    """What stands beneath the rows of each page: the totals so far."""


def pad_of(name: str, counting: Counting | None) -> Callable[..., PagedPad]:
    """Give what lays out the pads of a game. Args: as for `sheets.sheet_of`."""

    def score_pad(
        options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
    ) -> PagedPad:
        """Lay out a pad. Args: as for `sheets.sheet_of`."""
        fixed = counting.rounds if counting else options.get("rounds", 0)
        rounds = rounds_of(summary, fixed, ROWS)
        pages = [rounds[first : first + ROWS] for first in range(0, len(rounds), ROWS)]
        head, called = pad_head(about), str(options.get("called", ""))
        is_over = bool(summary and summary["is_finished"] and not summary["is_lost"])
        return {
            **head,
            "title": " · ".join(filter(None, (called, head["title"]))),
            "name": name,
            "seats": named(players),
            **fitted(PARTS, len(players)),
            "pages": [_rows(page, len(players)) for page in pages],
            "feet": [_totals(page) for page in pages],
            "won": [seat for seat, rank in enumerate(summary["ranks"]) if rank == 1] if is_over and summary else [],
        }

    return score_pad


def _rows(rounds: Sequence[Round], seats: int) -> list[PadRow]:
    return [
        {
            "label": str(number or ""),
            "note": 0,
            "cells": [{"points": typeset(counted["rows"][seat][-1]) if counted else ""} for seat in range(seats)],
        }
        for number, counted in rounds
    ]


def _totals(rounds: Sequence[Round]) -> list[str]:
    """Write what each seat has come to after these rounds; nothing where the last of them is still to come."""
    counted = rounds[-1][1]
    return [typeset(total) for total in counted["totals"]] if counted else []
