"""What stands on a score sheet, in primitives; blank and filled are one sheet.

A row for each column of each round, and a column a player; where that would be too long, a row a round with its points.
What one page does not hold in rows to write in goes on upon the next, with the totals so far.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from math import ceil
from typing import Any, TypedDict

from companion.drawing.paper import AboutTable, SeatHead, about_table, named, typeset
from companion.games.tally.counting import MOST_ROUNDS, Counting

ROWS, ROOMY_ROWS = 24, 15
"""So many rows of a height to write in fit a page, and so many with room to spare."""
MOST_PAGES = 2
"""On so many the columns of each round have room; on more, only its points."""
BLANK_ROUNDS = (8, 15)
"""So many rounds are ruled where nobody knows their number: between these as many as a page holds."""
OPEN_ROUNDS = 3
"""So many of them, the last ones, have no number: they are for what is played beyond those that have one."""


Round = tuple[int, Mapping[str, Any] | None]
"""Its number, 0 for an open one, and how it was counted, None if it was not."""


class SheetRow(TypedDict):
    """A row of the sheet."""

    begins: bool
    """Whether it is the first of its round."""
    round: int
    """0 for a round that is open: whether it is played nobody knows."""
    rows: int
    """How many rows the round has."""
    column: str
    """Its name in English; "" for the total after the round."""
    cells: list[str]
    """One a line; "" where it is left open."""


class SheetPage(TypedDict):
    """A page of the sheet."""

    rows: list[SheetRow]
    last: int
    """The number of its last round; 0 where that is open."""
    totals: list[str]
    """What each line has come to after that; "" where it is left open."""


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
    pages: list[SheetPage]
    is_shared: bool
    is_low: bool
    is_roomy: bool
    """Whether its rows are higher than they have to be."""
    tiebreaks: list[str]
    """What decides between equal totals, the highest first: the name of a column in English, or an expression."""
    is_blank: bool
    """Whether there is nothing on it yet."""


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
        columns = list(names.values()) if counting and not counting.is_plain else []
        pages = _pages(columns, summary, counting.rounds if counting else options.get("rounds", 0), lines)
        return {
            **about_table(about),
            "name": name,
            "title_of_game": str(options.get("called", "")),
            "seats": _heads(players, summary, lines),
            "pages": pages,
            "is_shared": is_shared,
            "is_low": is_low,
            "is_roomy": len(pages[0]["rows"]) <= ROOMY_ROWS,
            "tiebreaks": [names.get(each, each) for each in counting.tiebreaks] if counting else [],
            "is_blank": summary is None,
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


def _pages(columns: Sequence[str], summary: Mapping[str, Any] | None, fixed: int, lines: int) -> list[SheetPage]:
    """Deal the rounds out to pages, as many to each; with their columns where that takes few."""
    most = ROWS // (len(columns) + 1)
    rounds = rounds_of(summary, fixed, most)
    count = ceil(len(rounds) / most)
    if columns and count > MOST_PAGES:
        return _pages((), summary, fixed, lines)
    each = ceil(len(rounds) / count)
    return [_page(columns, rounds[first : first + each], lines) for first in range(0, len(rounds), each)]


def rounds_of(summary: Mapping[str, Any] | None, fixed: int, a_page: int) -> list[Round]:
    """List the rounds that are ruled: those that were counted, and those that may come."""
    counted = list(summary["rounds"]) if summary else []
    fewest, most = BLANK_ROUNDS
    open_ones = 0 if fixed or (summary and summary["is_finished"]) else OPEN_ROUNDS
    ruled = fixed or min(MOST_ROUNDS, max(len(counted) + open_ones, fewest, min(most, a_page)))
    numbers = [*range(1, ruled - open_ones + 1), *([0] * open_ones)]
    return [*zip_longest(numbers, counted)]


def _page(columns: Sequence[str], rounds: Sequence[Round], lines: int) -> SheetPage:
    number, counted = rounds[-1]
    return {
        "rows": [row for round_ in rounds for row in _of_round(columns, *round_, lines)],
        "last": number,
        "totals": [typeset(total) for total in counted["totals"]] if counted else [""] * lines,
    }


def _of_round(columns: Sequence[str], number: int, counted: Mapping[str, Any] | None, lines: int) -> list[SheetRow]:
    """Write the rows of a round, its points last."""
    names = [*columns, ""]
    return [
        {
            "begins": not place,
            "round": number,
            "rows": len(names),
            "column": name,
            # Before the points, which are the last cell, stand the columns, whether they have rows or not.
            "cells": [_cell(counted["rows"][line][place if name else -1]) if counted else "" for line in range(lines)],
        }
        for place, name in enumerate(names)
    ]


def _cell(number: int | None) -> str:
    return "" if number is None else typeset(number)
