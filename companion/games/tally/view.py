"""What one seat may see and do at a score sheet. Everything lies open; nothing is secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from companion.game import Accepted
from companion.games.tally.counting import Round
from companion.games.tally.moves import Finish
from companion.games.tally.rules import (
    Position,
    all_rounds,
    bounds,
    current,
    due_of_each,
    has_lost,
    judge,
    standing,
    totals,
)
from companion.kernel.frozen import replace
from companion.kernel.once import once, part

PADS = (12, 18)
"""So many numbers have a key each, as many as the column ever needs; more are told by steps."""
LARGE = 10
"""Letters of a title that a screen shows as large as the names of our own games."""


class Phase(Enum):
    """What the table is doing."""

    COUNTING = "counting"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Asked:
    """The number that a seat is to tell."""

    column: Enum
    least: int
    most: int
    keys: tuple[int | None, ...]
    """The numbers that have a key, in their places, None for one that cannot be now; () where there are too many."""
    first: int
    """What the steps begin with."""


@dataclass(frozen=True, slots=True)
class Player:
    """One seat, as everybody sees it."""

    seat: int
    cells: tuple[int | None, ...]
    """Of this round, a number or None for each column."""
    points: int | None
    """What this round brings it; None while that cannot be said."""
    total: int
    rank: int
    is_due: bool
    """Whether it has a number to tell."""


@dataclass(frozen=True, slots=True)
class Line:
    """A finished round: what it brought to each line."""

    number: int
    points: tuple[int | None, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The page of one seat (None: the spectator's screen)."""

    seat: int | None
    phase: Phase
    title: str
    """What the table calls its game; "" where the game's name says it."""
    round: int
    rounds: int
    """How many there will be; 0 where nobody knows."""
    is_low: bool
    is_shared: bool
    is_lost: bool
    columns: tuple[Enum, ...]
    told: tuple[int, ...]
    """The places of those that are told."""
    has_signs: bool
    """Whether any column of the sheet may be told less than 0."""
    has_points: bool
    """Whether the points of a round are other than its one number."""
    players: tuple[Player, ...]
    """One per seat, clockwise from seat 0."""
    asked: Asked | None
    """What the viewing seat is to tell; None: nothing."""
    may_finish: bool
    """Whether the table may end the game now."""
    lines: tuple[Line, ...]
    """The rounds so far, the first one first."""
    winners: tuple[int, ...]
    """The seats in first place, once the game is over; nobody where all have lost."""

    @property
    def has_long_title(self) -> bool:
        """Whether what the table calls its game has no room in large letters."""
        return len(self.title) > LARGE


def view(position: Position, seat: int | None) -> View:
    """Show the play to a seat, or to everyone (None)."""
    shown = _shown(position)
    return shown if seat is None else replace(shown, **own(position, seat))


def own(position: Position, seat: int) -> Mapping[str, Any]:
    """Show what is a seat's own. What one may do must agree with `judge`."""
    return {"seat": seat, "asked": _asked(position, position.counting.line(seat))}


@once
def _shown(position: Position) -> View:
    counting, is_over, is_lost = position.counting, position.is_finished, has_lost(position)
    places = standing(position).places
    return View(
        seat=None,
        phase=Phase.OVER if is_over else Phase.COUNTING,
        title=position.title,
        round=position.number,
        rounds=counting.rounds,
        is_low=counting.is_low,
        is_shared=counting.is_shared,
        is_lost=is_lost,
        columns=tuple([position.columns(column.key) for column in counting.columns]),
        told=tuple([place for place, column in enumerate(counting.columns) if column.worth is None]),
        has_signs=any(column.least for column in counting.columns),
        has_points=not counting.is_plain,
        players=_players(position, {place.seat: place.rank for place in places}),
        asked=None,
        may_finish=isinstance(judge(position, Finish()), Accepted),
        lines=_lines(all_rounds(position)),
        winners=tuple([place.seat for place in places if place.rank == 1]) if is_over and not is_lost else (),
    )


def _players(position: Position, ranks: dict[int, int]) -> tuple[Player, ...]:
    round_, points, awaited = current(position), totals(position), due_of_each(position)
    return tuple(
        [
            Player(
                seat=seat,
                cells=round_.rows[line][:-1],
                points=round_.rows[line][-1],
                total=points[line],
                rank=ranks[seat],
                is_due=awaited[line] is not None,
            )
            for seat, line in enumerate(position.counting.line_of_each(position.seats))
        ]
    )


@part
def _lines(rounds: tuple[Round, ...]) -> tuple[Line, ...]:
    return tuple([_line(round_) for round_ in rounds])


@part
def _line(round_: Round) -> Line:
    return Line(round_.number, round_.points, round_.totals)


def _asked(position: Position, line: int) -> Asked | None:
    column = due_of_each(position)[line]
    if column is None:
        return None
    least, most = bounds(position, line, column)
    fewest, widest = position.counted.widest(column)
    size = next((pad for pad in PADS if max(most, widest) - min(least, fewest) < pad), 0)
    places = range(min(least, fewest), min(least, fewest) + size)
    keys = tuple([value if least <= value <= most else None for value in places])
    return Asked(position.columns(column.key), least, most, keys, max(least, min(most, 0)))
