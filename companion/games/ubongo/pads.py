"""What stands on Ubongo's pads, and on its score sheet in large print: a row a colour, to draw strokes in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from companion.drawing.pads import Pad, fitted, pad_head
from companion.drawing.paper import named
from companion.games.ubongo.gems import HOLES, ROWS, Colour
from companion.games.ubongo.sheets import score_sheet

PARTS = (("gems",),)


def score_pad(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> Pad:
    """Lay out a pad. Args: as for `sheets.score_sheet`."""
    seats = score_sheet(options, players, summary, about)["seats"]
    counts = summary["gems"] if summary else [dict.fromkeys((colour.value for colour in Colour), "")] * len(players)
    return {
        **pad_head(about),
        "seats": named(players),
        **fitted(PARTS, len(players)),
        "rows": [
            {"label": colour.value, "note": 0, "cells": [{"gems": str(gems[colour.value])} for gems in counts]}
            for colour in Colour
        ],
        "foot": [" ".join(filter(None, seat["sorted"])) for seat in seats],
        "won": [seat["seat"] for seat in seats if seat["has_won"]],
    }


class BoardPlan(TypedDict):
    """What stands on a plan of the board."""

    rows: int
    holes: int
    """Of a row."""
    colours: Sequence[str]


def board_plan(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> BoardPlan:
    """Leave a place for the letter of every gem of the board. Args: as for `sheets.score_sheet`."""
    return {"rows": ROWS, "holes": HOLES, "colours": [colour.value for colour in Colour]}
