"""What stands on Ikebana's score sheet, in primitives; blank and filled are one sheet.

Source: I-es, scoring and end of the game; I6, I7, I15.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from companion.drawing.paper import AboutTable, SeatHead, about_table, named, signed, typeset
from companion.game import ranked
from companion.games.ikebana.bouquet import FINAL_FACTOR, RUNS, SIZE, Mix
from companion.games.ikebana.position import PRESTIGE, ROUNDS
from companion.games.ikebana.schemas import OPTIONS

MULTIPLIERS = {mix.name.lower(): mix.value for mix in Mix}


class Cells(TypedDict):
    """A seat's cells in a round."""

    cards: list[tuple[str, str]]
    """Colour and value of each."""
    combinations: str
    base: str
    multiplier: str
    bouquet: str
    payments: str
    """What it paid and got, with its sign."""
    prestige: str
    """After the round."""


BLANK: Cells = {
    "cards": [("", "")] * SIZE,
    "combinations": "",
    "base": "",
    "multiplier": "",
    "bouquet": "",
    "payments": "",
    "prestige": "",
}
"""Those in a round that is not finished."""


class SeatRow(SeatHead):
    """A seat, and the place that it reached; "" until then."""

    rank: str


class RoundRows(TypedDict):
    """A round, from 1: a row for each seat, and the sums that must agree, "" until it is finished."""

    number: int
    starter: int | None
    """None where nobody knows yet."""
    is_final: bool
    rows: list[Cells]
    bouquets: str
    prestige: str


# `from` is no name in Python.
Run = TypedDict("Run", {"from": int, "to": int, "points": int})
"""What values in a row are worth."""


class ScoreSheet(AboutTable):
    """What stands on the score sheet."""

    seats: list[SeatRow]
    rounds: list[RoundRows]
    finished: int
    """Rounds."""
    all_rounds: int
    size: int
    """Of a bouquet."""
    start: int
    at_start: int
    """Of all together."""
    final_bouquet: bool
    final_factor: int
    wild: str
    """"" where it is to be ticked; so is `next_starter`."""
    next_starter: str
    runs: list[Run]
    mixes: dict[str, int]


class RunOfValues(TypedDict):
    """What values in a row are worth, each of them named."""

    values: list[int]
    points: int


class ReferenceCards(TypedDict):
    """What stands on a reference card."""

    runs: list[RunOfValues]
    mixes: dict[str, int]
    wild: str
    final_factor: int
    """0 where the table plays no final bouquet."""


def score_sheet(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> ScoreSheet:
    """Lay out the score sheet of a table.

    Args:
        options: as in the table record; what is left out takes the default.
        players: names, seat 0 first; "" leaves a line to write on.
        summary: as `scoring.on_paper` gives it; None leaves every cell blank.
        about: `code`, `link`, `date`, `title` and `place` of the table, each "" where unknown.
    """
    after = summary["after"] if summary else []
    places = {seat: str(rank) for rank, seat in ranked([(points,) for points in after[-1]])} if after else {}
    return {
        **about_table(about),
        "seats": [{**head, "rank": places.get(seat, "")} for seat, head in enumerate(named(players))],
        "rounds": [_round(index, len(players), options, summary) for index in range(ROUNDS)],
        "finished": len(after),
        "all_rounds": ROUNDS,
        "size": SIZE,
        "start": PRESTIGE,
        "at_start": PRESTIGE * len(players),
        "final_bouquet": bool(options.get("final_bouquet")),
        "final_factor": FINAL_FACTOR,
        "wild": options.get("wild", "colour") if summary else options.get("wild", ""),
        "next_starter": options.get("next_starter", "total") if summary else options.get("next_starter", ""),
        "runs": [{"from": run[0], "to": run[-1], "points": points} for run, points in RUNS.items()],
        "mixes": MULTIPLIERS,
    }


def reference_cards(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> ReferenceCards:
    """Say what a bouquet is worth, and what a turn may be.

    Args: as for `score_sheet`; only the options say something here.
    """
    chosen = OPTIONS.load(dict(options))
    return {
        "runs": [{"values": list(run), "points": points} for run, points in RUNS.items()],
        "mixes": MULTIPLIERS,
        "wild": chosen.wild.value,
        "final_factor": FINAL_FACTOR if chosen.final_bouquet else 0,
    }


def _round(index: int, players: int, options: Mapping[str, Any], summary: Mapping[str, Any] | None) -> RoundRows:
    """Write one round, from 0: who started it, a row for every seat, and the sums that must agree."""
    finished = len(summary["after"]) if summary else 0
    starter = options.get("first_seat", 0) if index == 0 else None
    if summary is None or index >= finished:
        rows, bouquets, prestige = [BLANK] * players, "", ""
    else:
        before = summary["after"][index - 1] if index else [PRESTIGE] * players
        after, readings = summary["after"][index], summary["bouquets"][index]
        starter = summary["starters"][index]
        rows = [_cells(readings[seat], before[seat], after[seat]) for seat in range(players)]
        bouquets, prestige = str(sum(one["total"] for one in readings)), str(sum(after))
    return {
        "number": index + 1,
        "starter": starter,
        "is_final": index == ROUNDS - 1 and bool(options.get("final_bouquet")),
        "rows": rows,
        "bouquets": bouquets,
        "prestige": prestige,
    }


def _cells(reading: Mapping[str, Any], before: int, after: int) -> Cells:
    """Write a seat's cells of a finished round; what it paid and got is what the bouquet does not explain."""
    return {
        "cards": [(name[:1], name[1:]) for name in reading["cards"]],
        "combinations": " + ".join(str(one["points"]) for one in reading["combinations"]),
        "base": str(reading["base"]),
        "multiplier": str(reading["multiplier"]),
        "bouquet": str(reading["total"]),
        "payments": signed(after - before - reading["total"]),
        "prestige": typeset(after),
    }
