"""What stands on Hanabi's pads, on its score sheet in large print, and on its log of many games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from companion.drawing.pads import PadHead, pad_head
from companion.games.hanabi.schemas import OPTIONS
from companion.games.hanabi.sheets import Rating, SeatRow, SuitRow, scale_of, score_sheet

GAMES = {"sheet": 25, "large": 15}
"""Of a log, on a page, by form."""


class ScorePad(PadHead):
    """What stands on a pad."""

    seats: Sequence[SeatRow]
    suits: Sequence[SuitRow]
    tokens: int
    spent: int
    errors: int
    made: int
    score: str
    scale: Sequence[Rating]
    """How it is rated."""


class GameLog(TypedDict):
    """What stands on a log; `seats` are the names that play each time, where they are known."""

    seats: Sequence[SeatRow]
    games: Mapping[str, int]
    """By form."""
    scale: Sequence[Rating]
    """How scores are rated."""


def score_pad(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> ScorePad:
    """Lay out a pad: fireworks, tokens and errors to tick, and the score. Args: as for `sheets.score_sheet`."""
    whole = score_sheet(options, players, summary, about)
    return {
        **pad_head(about),
        "seats": whole["seats"],
        "suits": whole["suits"],
        "tokens": whole["tokens"],
        "spent": whole["spent"],
        "errors": whole["errors"],
        "made": whole["made"],
        "score": whole["score"],
        "scale": whole["scale"],
    }


def game_log(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> GameLog:
    """Lay out a log: a row a game. Args: as for `sheets.score_sheet`; only options and names say something here."""
    chosen = OPTIONS.load(dict(options))
    whole = score_sheet(options, players, None, about)
    return {
        "seats": whole["seats"],
        "games": GAMES,
        "scale": [] if chosen.endless else scale_of(chosen, None),
    }
