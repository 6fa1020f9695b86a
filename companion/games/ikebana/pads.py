"""What stands on Ikebana's pads, and on its score sheet in large print: each bouquet and the prestige after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.drawing.pads import Pad, fitted, pad_head
from companion.drawing.paper import named
from companion.games.ikebana.sheets import score_sheet

PARTS = (("bouquet", "prestige"), ("prestige",))
"""What is written of a seat in a round, the fullest first."""


def score_pad(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> Pad:
    """Lay out a pad. Args: as for `sheets.score_sheet`."""
    whole = score_sheet(options, players, summary, about)
    is_over = whole["finished"] == whole["all_rounds"]
    return {
        **pad_head(about),
        "seats": named(players),
        **fitted(PARTS, len(players)),
        "rows": [
            {
                "label": str(round_["number"]),
                "note": 0,
                "cells": [{"bouquet": row["bouquet"], "prestige": row["prestige"]} for row in round_["rows"]],
            }
            for round_ in whole["rounds"]
        ],
        "foot": [],
        "won": [seat["seat"] for seat in whole["seats"] if is_over and seat["rank"] == "1"],
    }
