"""What stands on a score sheet, in primitives; blank and filled are one sheet.

A row for each column of each round, and a column a player; where that would be too long, a row a round with its points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from companion.drawing.paper import AboutTable, SeatHead, about_table, named, typeset
from companion.games.tally.counting import Counting

HEIGHTS = (("roomy", 14), ("wide", 24), ("tight", 32))
"""So many rows of a height fit a page to be written in; more are `long`, and go on upon the next page."""
BLANK_ROUNDS = 12
"""So many rounds are ruled where nobody knows their number."""


class SheetRow(TypedDict):
    """A row of the sheet."""

    round: int
    """0 where it goes on with the round above."""
    rows: int
    """How many rows the round has."""
    column: str
    """Its name in English; "" for the total after the round."""
    cells: list[str]
    """One a line; "" where it is left open."""


class SeatRow(SeatHead):
    """A line's head, and its end."""

    total: str
    rank: str
    has_won: bool


class ScoreSheet(AboutTable):
    """What stands on the score sheet."""

    name: str
    """The game's."""
    title_of_game: str
    """What the table calls it; "" where the name says it."""
    seats: list[SeatRow]
    rows: list[SheetRow]
    is_shared: bool
    is_low: bool
    height: str
    """Of the rows, one of `HEIGHTS`, or `long`."""


def sheet_of(name: str, counting: Counting | None, names: Mapping[str, str]) -> Callable[..., ScoreSheet]:
    """Give what lays out the score sheet of a game.

    Args:
        name: the game's.
        counting: its sheet; None for any other game, where the options say it.
        names: the columns' names, by key.
    """

    def score_sheet(
        options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
    ) -> ScoreSheet:
        """Lay out the score sheet of a table; `summary` as `ending.on_paper` gives it, None leaves every cell blank."""
        is_shared, is_low = bool(counting and counting.is_shared), _is_low(counting, options)
        lines = 1 if is_shared else len(players)
        rounds = counting.rounds if counting else options.get("rounds", 0)
        columns = list(names.values()) if counting and not counting.is_plain else []
        rows = _rows(columns, _filled(summary, rounds or BLANK_ROUNDS), lines)
        return {
            **about_table(about),
            "name": name,
            "title_of_game": str(options.get("called", "")),
            "seats": _heads(players, summary, lines),
            "rows": rows,
            "is_shared": is_shared,
            "is_low": is_low,
            "height": next((height for height, most in HEIGHTS if len(rows) <= most), "long"),
        }

    return score_sheet


def _is_low(counting: Counting | None, options: Mapping[str, Any]) -> bool:
    return counting.is_low if counting else options.get("wins") == "low"


def _heads(players: Sequence[str], summary: Mapping[str, Any] | None, lines: int) -> list[SeatRow]:
    if summary is None or not summary["rounds"]:
        return [{**head, "total": "", "rank": "", "has_won": False} for head in named(players)]
    totals, ranks = summary["totals"], summary["ranks"]
    has_winner = summary["is_finished"] and not summary["is_lost"]
    return [
        {
            **head,
            "total": typeset(totals[head["seat"] % lines]),
            "rank": str(ranks[head["seat"]]),
            "has_won": has_winner and ranks[head["seat"]] == 1,
        }
        for head in named(players)
    ]


def _filled(summary: Mapping[str, Any] | None, rounds: int) -> list[Mapping[str, Any] | None]:
    """List the rounds, None for one that is not counted."""
    counted = list(summary["rounds"]) if summary else []
    return [*counted, *([None] * (rounds - len(counted)))]


def _rows(names: Sequence[str], rounds: Sequence[Mapping[str, Any] | None], lines: int) -> list[SheetRow]:
    has_columns = bool(names) and len(rounds) * (len(names) + 1) <= HEIGHTS[-1][1]
    return [
        row
        for number, round_ in enumerate(rounds, 1)
        for row in (_of_round(number, names, round_, lines) if has_columns else [_points(number, 1, round_, lines)])
    ]


def _of_round(number: int, names: Sequence[str], round_: Mapping[str, Any] | None, lines: int) -> list[SheetRow]:
    height = len(names) + 1
    cells: list[SheetRow] = [
        {
            "round": 0 if place else number,
            "rows": height,
            "column": name,
            "cells": [_cell(round_["rows"][line][place]) if round_ else "" for line in range(lines)],
        }
        for place, name in enumerate(names)
    ]
    return [*cells, {**_points(number, height, round_, lines), "round": 0}]


def _points(number: int, height: int, round_: Mapping[str, Any] | None, lines: int) -> SheetRow:
    cells = [_cell(round_["rows"][line][-1]) if round_ else "" for line in range(lines)]
    return {"round": number, "rows": height, "column": "", "cells": cells}


def _cell(number: int | None) -> str:
    return "" if number is None else typeset(number)
