"""What stands on Ubongo's score sheet, in primitives; blank and filled are one sheet.

Source: U-cs, end of the game; U2, U3, U9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from companion.drawing.paper import AboutTable, SeatHead, about_table, named
from companion.games.ubongo.gems import COPIES, Colour, Counts, descending, in_order
from companion.games.ubongo.position import CARDS, GEMS_AT_ONCE, MOST_STEPS, PLAYERS, ROUNDS

LAYOUTS = {2: "upright", 3: "upright", 4: "sideways"}
"""By players: how the page is turned, so that six columns for each are wide enough to write in."""

HEIGHTS = {9: "few", 12: "some", 18: "many"}
"""By rounds: how high a row is."""

BLANK = ("",) * len(Colour)
"""A seat's cells where nothing is told yet."""


class SeatColumns(SeatHead):
    """A seat's columns: their head, and their foot."""

    gems: Sequence[str]
    """One per colour."""
    sorted: Sequence[str]
    """The same as they are compared."""
    rank: str
    has_won: bool


class RoundRow(TypedDict):
    """The row of a round, from 1."""

    number: int
    starter: int
    """Who rolls."""
    cells: list[Sequence[str]]
    """A seat's, one per colour."""


class ScoreSheet(AboutTable):
    """What stands on the score sheet."""

    layout: str
    """One of `LAYOUTS`."""
    height: str
    """One of `HEIGHTS`."""
    colours: list[str]
    seats: list[SeatColumns]
    rounds: list[RoundRow]
    finished: int
    """Rounds."""
    is_counted: bool
    """Whether all gems were counted at the end."""
    all_rounds: int
    side: int | None
    """Of the cards; None where it is to be ticked."""
    long_game: bool
    copies: int
    """Of each gem."""
    gems_at_once: int


class ReferenceCards(TypedDict):
    """What stands on a reference card."""

    steps: list[int]
    """How far the pawn of each place may go."""
    gems_at_once: int
    copies: int
    """Of each gem."""
    colours: list[str]


def score_sheet(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> ScoreSheet:
    """Lay out the score sheet of a table.

    Args:
        options: as in the table record; what is left out takes the default.
        players: names, seat 0 first; "" leaves a line to write on.
        summary: as `ending.on_paper` gives it; None leaves every cell blank.
        about: `code`, `link`, `date`, `title` and `place` of the table, each "" where unknown.
    """
    rounds = CARDS // len(players) if options.get("long_game") else ROUNDS
    counts = [tuple(gems[colour.value] for colour in Colour) for gems in summary["gems"]] if summary else []
    taken, is_over = (summary["taken"], summary["is_over"]) if summary else ([], False)
    return {
        **about_table(about),
        "layout": LAYOUTS[len(players)],
        "height": HEIGHTS[rounds],
        "colours": [colour.value for colour in Colour],
        "seats": _seats(players, counts if is_over or any(map(any, counts)) else [], is_over=is_over),
        "rounds": [_round(index, len(players), options, taken) for index in range(rounds)],
        "finished": len(taken) - (None in taken[-1]) if taken else 0,
        "is_counted": bool(summary and summary["is_counted"]),
        "all_rounds": rounds,
        "side": options.get("side", 3) if summary else None,
        "long_game": bool(options.get("long_game")),
        "copies": COPIES,
        "gems_at_once": GEMS_AT_ONCE,
    }


def reference_cards(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> ReferenceCards:
    """Say how far each pawn moves, what is taken, and how gems are compared.

    Args: as for `score_sheet`; only the options say something here.
    """
    return {
        "steps": [max(0, MOST_STEPS + 1 - place) for place in range(1, PLAYERS[-1] + 1)],
        "gems_at_once": GEMS_AT_ONCE,
        "copies": COPIES,
        "colours": [colour.value for colour in Colour],
    }


def _round(index: int, players: int, options: Mapping[str, Any], taken: Sequence[Sequence[Counts | None]]) -> RoundRow:
    """Write one round, from 0: who rolls, and six cells for every seat, blank until it has taken."""
    told = taken[index] if index < len(taken) else [None] * players
    return {
        "number": index + 1,
        "starter": (options.get("first_seat", 0) + index) % players,
        "cells": [BLANK if counts is None else tuple(map(str, counts)) for counts in told],
    }


def _seats(players: Sequence[str], counts: Sequence[tuple[int, ...]], *, is_over: bool) -> list[SeatColumns]:
    """Write the head of each seat's columns, and their foot: gems, gems sorted, place."""
    places = {seat: str(rank) for rank, seat in in_order(counts)}
    return [
        {
            **head,
            "gems": list(map(str, counts[seat])) if counts else BLANK,
            "sorted": list(map(str, descending(counts[seat]))) if counts else BLANK,
            "rank": places.get(seat, ""),
            "has_won": is_over and places.get(seat) == "1",
        }
        for seat, head in enumerate(named(players))
    ]
