"""Ubongo's options and moves as data, the table record's way (`docs/record.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

from companion.fields import AnySeat, Choice, EverySeat, Moment, SeatNumber, Several, Switch, Whole, shape
from companion.game import Schema
from companion.games.ubongo.gems import HOLES, ROWS, Colour
from companion.games.ubongo.moves import Count, Place, Roll, Take, TimeUp, Ubongo, Void
from companion.games.ubongo.position import Options, Side, Tie

OPTIONS = shape(
    Options,
    side=Choice(Side),
    long_game=Switch(),
    glass_s=Whole(),
    first_seat=AnySeat(),
    board=Several(Several(Choice(Colour), HOLES), ROWS),
    pawns=EverySeat(Whole()),
    tie=Choice(Tie),
)


@cache
def moves(seats: int) -> Mapping[str, Schema]:
    """Give the schema of each kind of move, for so many seats."""
    seat, number = partial(SeatNumber, seats, required=True), partial(Whole, required=True)
    counts = Several(Several(Whole(), len(Colour)), seats, required=True)
    return {
        "roll": shape(Roll, symbol=number(), at=Moment()),
        "ubongo": shape(Ubongo, seat=seat(), at=Moment()),
        "void": shape(Void, seat=seat()),
        "place": shape(Place, seat=seat(), row=number(), at=Moment(), in_time=Switch()),
        "take": shape(Take, seat=seat(), gems=Several(Choice(Colour)), at=Moment(), in_time=Switch()),
        "time_up": shape(TimeUp, at=Moment()),
        "count": shape(Count, gems=counts),
    }
