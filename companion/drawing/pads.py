"""Pads: the score sheets of several evenings on a page, and one in large print; in primitives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from companion.drawing.paper import SeatHead, about_table

CELL_MM = 8
"""A cell to write in is no narrower."""
ROOM_MM = {"two": 172.0, "four": 78.0, "wide": 236.0, "large": 160.0}
"""The room for all seats, by form; in large print more of them turn the page."""
UPRIGHT, TURNED_MM, LARGE_MM = 4, 236.0, 13.0
"""So many seats stand upright in large print; the room for more; and the narrowest cell there."""
NAMED_MM = 20
"""A narrower column has no name, but room to write a short one."""
SPELT_MM = {"two": 19.0, "four": 19.0, "wide": 19.0, "large": 28.0}
"""In a narrower cell a letter stands for what is written there, and a legend says what it means."""


class PadRow(TypedDict):
    """A row of a pad."""

    label: str
    """A round's number, or a colour."""
    note: int
    """What more is said of it; 0 for nothing."""
    cells: Sequence[Mapping[str, str]]
    """A seat's, by part."""


class PadHead(TypedDict):
    """Which table it is, where it is of one."""

    code: str
    date: str
    """ISO 8601."""
    title: str
    link: str
    """What opens it."""


class Pad(PadHead):
    """What stands on a pad."""

    seats: Sequence[SeatHead]
    parts: Mapping[str, Sequence[str]]
    """What is written of a seat in a row, by form: as much as there is room for."""
    is_named: Mapping[str, bool]
    """Whether there is room for names, by form."""
    is_spelt: Mapping[str, bool]
    """Whether there is room for words over the parts, by form."""
    rows: Sequence[PadRow]
    foot: Sequence[str]
    """What stands beneath a seat's rows; empty where that is left open."""
    won: Sequence[int]
    """The seats that have won; none before the end."""


def pad_head(about: Mapping[str, str]) -> PadHead:
    """Say which table it is."""
    known = about_table(about)
    return {"code": known["code"], "date": known["date"], "title": known["title"], "link": known["link"]}


class Fitted(TypedDict):
    """How many columns there is room for, and what stands over them, by form."""

    parts: Mapping[str, Sequence[str]]
    is_named: Mapping[str, bool]
    is_spelt: Mapping[str, bool]


def fitted(ways: Sequence[Sequence[str]], seats: int) -> Fitted:
    """Choose what is written of each seat: the first of the ways that fits, or the last one.

    >>> fitted([("bid", "tricks", "total"), ("bid", "total"), ("total",)], 8)["parts"]
    {'two': ('bid', 'total'), 'four': ('total',), 'wide': ('bid', 'tricks', 'total'), 'large': ('bid', 'total')}
    """
    parts = {form: _parts(ways, form, seats) for form in ROOM_MM}
    return {
        "parts": parts,
        "is_named": {form: seat_mm(form, seats) >= NAMED_MM for form in ROOM_MM},
        "is_spelt": {form: seat_mm(form, seats) >= SPELT_MM[form] * len(parts[form]) for form in ROOM_MM},
    }


def _parts(ways: Sequence[Sequence[str]], form: str, seats: int) -> Sequence[str]:
    narrowest = LARGE_MM if form == "large" else CELL_MM
    return next((parts for parts in ways if seat_mm(form, seats) >= narrowest * len(parts)), ways[-1])


def seat_mm(form: str, seats: int) -> float:
    """Measure the columns of a seat."""
    return (TURNED_MM if form == "large" and seats > UPRIGHT else ROOM_MM[form]) / seats
