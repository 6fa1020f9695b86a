"""A score sheet's moves, and the options of any other game, as data, the table record's way (`docs/record.md`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache

from companion.errors import Told
from companion.fields import CardName, Choice, HalfRead, SeatNumber, Whole, shape
from companion.game import Schema
from companion.games.tally.any_other import Options, Wins
from companion.games.tally.moves import Enter, Finish

MOST_LETTERS = 40


def parse_title(text: str) -> str:
    """Read what a game is called: a few words on one line. Raises: HalfRead."""
    if len(text) > MOST_LETTERS or not text.isprintable():
        raise HalfRead(Told("Not a name of up to %(most)s letters.", most=MOST_LETTERS))
    return text.strip()


OPTIONS = shape(Options, called=CardName(parse_title, str), wins=Choice(Wins), rounds=Whole(), target=Whole())


@dataclass(frozen=True, slots=True)
class NoOptions:
    """A sheet of a file leaves nothing open."""


NO_OPTIONS = shape(NoOptions)


def moves_of(columns: type[Enum]) -> Callable[[int], Mapping[str, Schema]]:
    """Give what gives the schema of each kind of move, for so many seats; `columns` are those that are told."""

    @cache
    def moves(seats: int) -> Mapping[str, Schema]:
        return {
            "enter": shape(
                Enter,
                seat=SeatNumber(seats, required=True),
                column=Choice(columns, required=True),
                value=Whole(required=True),
            ),
            "finish": shape(Finish),
        }

    return moves
