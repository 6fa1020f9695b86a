"""What stands on Rage's pads, and on its score sheet in large print: bid, tricks and the running total."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from companion.drawing.pads import Pad, fitted, pad_head
from companion.drawing.paper import named
from companion.games.rage.cards import Colour
from companion.games.rage.sheets import RoundRow, rounds_of, score_sheet

PARTS = (("bid", "tricks", "total"), ("bid", "total"), ("total",))
"""What is written of a seat in a round, the fullest first."""


def score_pad(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> Pad:
    """Lay out a pad. Args: as for `sheets.score_sheet`."""
    seats = len(players)
    bands = score_sheet(options, players, summary, about)["bands"]
    return {
        **pad_head(about),
        "seats": named(players),
        **fitted(PARTS, seats),
        "rows": [
            {"label": str(row["number"]), "note": row["cards"], "cells": _cells(row)}
            for row in rounds_of(options, seats, summary)
        ],
        "foot": [],
        "won": [seat["seat"] for band in bands for seat in band["seats"] if seat["has_won"]],
    }


def _cells(row: RoundRow) -> list[dict[str, str]]:
    return [
        {"bid": cells["a"], "tricks": cells["tricks"], "total": total}
        for cells, total in zip(row["cells"], row["running"], strict=True)
    ]


class TrumpTracker(TypedDict):
    """What stands on the tracker."""

    colours: Sequence[str]


def trump_tracker(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> TrumpTracker:
    """Leave a place for a token beside every trump that there can be. Args: as for `sheets.score_sheet`."""
    return {"colours": [colour.value for colour in Colour]}
