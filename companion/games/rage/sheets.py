"""What stands on Rage's score sheet, in primitives; blank and filled are one sheet.

Source: R-cs, scoring; the columns are the table record's a, b, c, d, n.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from companion.drawing.paper import AboutTable, SeatHead, about_table, named, signed, typeset
from companion.game import ranked
from companion.games.rage.cards import VALUES, Action, Joker
from companion.games.rage.position import ACTION_CARDS, ROUNDS, Options
from companion.games.rage.schemas import OPTIONS
from companion.games.rage.scoring import DURCH_FACTOR, FIVE, MADE, MISSED

COLUMNS = ("n", "a", "b", "c", "d", "tricks")
"""A seat's cells in a round, in the order of the sheet; the tricks won stand on the pads alone."""

LAYOUTS = {3: "tall", 4: "tall", 5: "wide", 6: "wide", 7: "stacked", 8: "stacked"}
"""By players: one table on an upright page, one on a page turned sideways, two tables on an upright page."""

HOUSE_RULES = ("joker_tie", "joker_anytime", "nt_then_ct")
"""Options of the play itself, which the sheet mentions where they differ from the edition."""

STACK = 4
"""Seats in the upper table of two."""


class SeatColumns(SeatHead):
    """A seat's columns: their head, and their foot, "" on a blank sheet."""

    total: str
    exact: str
    """How many rounds it bid right."""
    rank: str
    has_won: bool


class RoundRow(TypedDict):
    """The row of a round, from 1; its cells are "" until it is finished."""

    number: int
    cards: int
    dealer: int
    tricks: str
    """Those bid, of all together."""
    cells: list[dict[str, str]]
    """A seat's, by `COLUMNS`."""
    running: list[str]
    """What each seat has after it."""


class Band(TypedDict):
    """A table of some seats."""

    seats: list[SeatColumns]
    rounds: list[RoundRow]
    has_check: bool
    """Whether the sums to compare stand here."""


class Points(TypedDict):
    """What scores."""

    made: str
    missed: str
    five: int
    durch: int


class ScoreSheet(AboutTable):
    """What stands on the score sheet."""

    layout: str
    """One of `LAYOUTS`."""
    bands: list[Band]
    finished: int
    """Rounds."""
    all_rounds: int
    is_unnamed: bool
    """Whether nobody has a name yet, nor the first deal."""
    bidding: str
    tie: str
    plus_minus_one: bool
    durch: bool
    edition: str
    """"" where it is to be ticked."""
    house_rules: dict[str, Any]
    """Those of `HOUSE_RULES` that were chosen."""
    points: Points


class ReferenceCards(TypedDict):
    """What stands on a reference card."""

    counts: dict[str, int]
    """How many of each action card there are."""
    highest: int
    joker_anytime: bool
    joker_tie: str
    five: int
    made: str
    missed: str
    durch: int
    """The points; 0 where the table does not play it."""


def score_sheet(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> ScoreSheet:
    """Lay out the score sheet of a table.

    Args:
        options: as in the table record; what is left out takes the default.
        players: names, seat 0 first; "" leaves a line to write on.
        summary: as in the table record; None leaves every cell blank.
        about: `code`, `link`, `date`, `title` and `place` of the table, each "" where unknown.
    """
    finished = list(summary["rounds"]) if summary else []
    seats = _seats(options, players, finished)
    layout = LAYOUTS[len(players)]
    cut = STACK if layout == "stacked" else len(players)
    rounds = rounds_of(options, len(players), summary)
    return {
        **about_table(about),
        "layout": layout,
        "bands": [
            {"seats": seats[start:end], "rounds": rounds, "has_check": end == len(players)}
            for start, end in _spans(len(players), cut)
        ],
        "finished": len(finished),
        "all_rounds": ROUNDS,
        "is_unnamed": not any(players) and options.get("first_dealer") is None,
        "bidding": options.get("bidding", "open"),
        "tie": options.get("tie", "shared"),
        "plus_minus_one": bool(options.get("plus_minus_one")),
        "durch": bool(options.get("durch")),
        "edition": options.get("edition", Options().edition.value if summary else ""),
        "house_rules": {option: options[option] for option in HOUSE_RULES if option in options},
        "points": {"made": signed(MADE), "missed": signed(MISSED), "five": FIVE, "durch": DURCH_FACTOR},
    }


def rounds_of(options: Mapping[str, Any], seats: int, summary: Mapping[str, Any] | None) -> list[RoundRow]:
    """Write every round, those that are finished with their numbers."""
    finished = list(summary["rounds"]) if summary else []
    return [_round(index, seats, options, finished) for index in range(ROUNDS)]


def reference_cards(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> ReferenceCards:
    """Say what each action card does, and how many this table's edition has.

    Args: as for `score_sheet`; only the options say something here.
    """
    chosen = OPTIONS.load(dict(options))
    counts = ACTION_CARDS[chosen.edition]
    return {
        "counts": {"joker": counts[Joker]} | {action.name.lower(): counts[action] for action in Action},
        "highest": VALUES[-1],
        "joker_anytime": chosen.joker_anytime,
        "joker_tie": chosen.joker_tie.value,
        "five": FIVE,
        "made": signed(MADE),
        "missed": signed(MISSED),
        "durch": DURCH_FACTOR if chosen.durch else 0,
    }


def _spans(players: int, cut: int) -> list[tuple[int, int]]:
    """Cut the seats into tables: (first, end) of each."""
    return [(start, min(start + cut, players)) for start in range(0, players, cut)]


def _seats(
    options: Mapping[str, Any], players: Sequence[str], finished: Sequence[Mapping[str, Any]]
) -> list[SeatColumns]:
    """Write the head and the foot of each seat's columns."""
    rows = [[round_["rows"][seat] for round_ in finished] for seat in range(len(players))]
    totals = [sum(row["n"] for row in mine) for mine in rows]
    exact = [sum(row["a"] == row["tricks"] for row in mine) for mine in rows]
    counts_exact = options.get("tie") == "most_exact_bids"
    merits = [(totals[seat], exact[seat]) if counts_exact else (totals[seat],) for seat in range(len(players))]
    ranks = {seat: rank for rank, seat in ranked(merits)}
    return [
        {
            **head,
            "total": typeset(totals[seat]) if finished else "",
            "exact": str(exact[seat]) if finished else "",
            "rank": str(ranks[seat]) if finished else "",
            "has_won": len(finished) == ROUNDS and ranks[seat] == 1,
        }
        for seat, head in enumerate(named(players))
    ]


def _round(index: int, players: int, options: Mapping[str, Any], finished: Sequence[Mapping[str, Any]]) -> RoundRow:
    """Write one round, from 0: who deals, and a line of cells for every seat."""
    first_dealer = options.get("first_dealer")
    first = players - 1 if first_dealer is None else first_dealer
    is_finished = index < len(finished)
    rows = finished[index]["rows"] if is_finished else []
    return {
        "number": index + 1,
        "cards": ROUNDS - index,
        "dealer": finished[index]["dealer"] if is_finished else (first + index) % players,
        "tricks": str(sum(row["tricks"] for row in rows)) if is_finished else "",
        "cells": [_cells(row) for row in rows] or [dict.fromkeys(COLUMNS, "") for _ in range(players)],
        "running": _running(finished[: index + 1], players) if is_finished else [""] * players,
    }


def _cells(row: Mapping[str, int]) -> dict[str, str]:
    """Write a seat's cells of a finished round; a round without ±5 leaves d empty, as a scorekeeper does."""
    return {column: typeset(row[column]) if row[column] or column != "d" else "" for column in COLUMNS}


def _running(finished: Sequence[Mapping[str, Any]], players: int) -> list[str]:
    """Add up what each seat has after these rounds."""
    return [typeset(sum(round_["rows"][seat]["n"] for round_ in finished)) for seat in range(players)]
