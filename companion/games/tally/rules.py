"""Every score sheet's rules: who tells which number when, what that comes to, and when it is over.

Everybody tells the columns from the first one on, in any order among the seats; a column that waits is told when all
have told those before it. When every number of a round is there, it is counted and the next one begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import count
from typing import TypedDict

from companion.game import Accepted, Place, Refused, Remark, Seat, Standing, ranked
from companion.games.tally.counting import (
    MOST_ROUNDS,
    Column,
    Counted,
    Counting,
    Round,
    Row,
)
from companion.games.tally.moves import (
    Brought,
    Ended,
    Enter,
    Entered,
    EnteredForAll,
    Finish,
    Finished,
    Move,
    RoundCounted,
    RoundCountedForAll,
    Rule,
)
from companion.kernel.frozen import replace
from companion.kernel.once import by_value, once


@dataclass(frozen=True, slots=True)
class Position:
    """Everything true of a play."""

    counting: Counting
    """By which sheet it is counted: it stays with the table."""
    columns: type[Enum]
    """Its columns, as moves and words name them."""
    seats: int
    told: tuple[Row, ...]
    """For each line what was told in this round, a number or None for each column that is told."""
    rounds: tuple[Round, ...] = ()
    """The finished ones."""
    is_finished: bool = False
    title: str = ""
    """What the table calls its game; "" where the sheet says it."""

    @property
    def number(self) -> int:
        """Give the number of the round that is counted, or was the last."""
        return len(self.rounds) + (not self.is_finished or self.has_begun or not self.rounds)

    @property
    def counted(self) -> Counted:
        """Give the finished rounds, with what they are counted by."""
        return Counted(self.counting, self.seats, self.rounds)

    @property
    def has_begun(self) -> bool:
        """Whether any number of the round is told."""
        return any(cell is not None for row in self.told for cell in row)


def start(counting: Counting, columns: type[Enum], seats: int, title: str = "") -> Position | Refused:
    """Begin with an empty sheet."""
    fewest, most = counting.players
    if not fewest <= seats <= most:
        return Refused(Rule.PLAYERS, {"option": "players", "fewest": fewest, "most": most})
    return Position(counting, columns, seats, _empty(counting, seats), title=title)


def _empty(counting: Counting, seats: int) -> tuple[Row, ...]:
    return ((None,) * len(counting.told),) * counting.lines(seats)


@once
def current(position: Position) -> Round:
    """Work out the round that is counted, as far as it is told."""
    return position.counted.worked_out(position.told)


def totals(position: Position) -> tuple[int, ...]:
    """Give each line's total: of whole rounds, or with what is told of this one where that may end the game."""
    round_ = current(position)
    return round_.totals if position.counting.is_at_once else round_.before


@once
def due_of_each(position: Position) -> tuple[Column | None, ...]:
    """Tell which column each line is to tell now; None where it has told all, or waits."""
    if position.is_finished:
        return (None,) * len(position.told)
    following = [_next(position, line) for line in range(len(position.told))]
    return tuple([None if column is None or _waits(position, column) else column for column in following])


def _next(position: Position, line: int) -> Column | None:
    told = zip(position.counting.told, position.told[line], strict=True)
    return next((column for column, value in told if value is None), None)


def _waits(position: Position, column: Column) -> bool:
    """Say whether a column waits for what others have to tell before it."""
    place = position.counting.told.index(column)
    return column.waits and any(cell is None for row in position.told for cell in row[:place])


def judge(position: Position, move: Move) -> Accepted[Position] | Refused:
    """Rule on what is told."""
    if position.is_finished:
        return Refused(Rule.GAME_OVER)
    if isinstance(move, Finish):
        return _finish(position)
    line, column = position.counting.line(move.seat), _column(position, move)
    if column is None:
        return Refused(Rule.WORTH, {"column": move.column})
    place = position.counting.told.index(column)
    if position.told[line][place] is not None:
        return Refused(Rule.TOLD, {"column": move.column})
    following = _next(position, line)
    if following and column != following:
        return Refused(Rule.ORDER, {"column": position.columns(following.key)})
    if _waits(position, column):
        return Refused(Rule.WAITS, {"column": move.column})
    least, most = bounds(position, line, column)
    if not least <= move.value <= most:
        return Refused(Rule.RANGE, {"column": move.column, "least": least, "most": most})
    return _entered(position, move, line, place)


def _column(position: Position, move: Enter) -> Column | None:
    return next((column for column in position.counting.told if column.key == move.column.value), None)


def bounds(position: Position, line: int, column: Column) -> tuple[int, int]:
    """Tell the least and the greatest number that may be told."""
    return position.counted.limits(current(position), line, column)


def _finish(position: Position) -> Accepted[Position] | Refused:
    if position.counting.rounds:
        return Refused(Rule.FIXED, {"rounds": position.counting.rounds})
    if not position.rounds or position.has_begun:
        return Refused(Rule.OPEN)
    return Accepted(replace(position, is_finished=True), (Finished(len(position.rounds)),))


def _entered(position: Position, move: Enter, line: int, place: int) -> Accepted[Position]:
    """Write a number down; the last one of a round counts it."""
    row = position.told[line]
    row = (*row[:place], move.value, *row[place + 1 :])
    after = replace(position, told=(*position.told[:line], row, *position.told[line + 1 :]))
    said = (
        EnteredForAll(move.column, move.value)
        if position.counting.is_shared
        else Entered(Seat(move.seat), move.column, move.value)
    )
    if all(cell is not None for row in after.told for cell in row):
        return _counted(after, said)
    if position.counting.is_at_once and _is_over(after, current(after)):
        return Accepted(replace(after, is_finished=True), (said, Ended(after.number)))
    return Accepted(after, (said,))


def _counted(position: Position, said: object) -> Accepted[Position]:
    """Count a round in which everything is told, and begin the next one, or end."""
    counting, round_ = position.counting, current(position)
    is_over = _is_over(position, round_) or round_.number in (counting.rounds, MOST_ROUNDS)
    remarks = () if position.counted.is_right(round_) else (_doubt(position, round_),)
    after = replace(
        position, rounds=(*position.rounds, round_), told=_empty(counting, position.seats), is_finished=is_over
    )  # fmt: skip
    events = (said, _brought(counting, round_), *([Ended(round_.number)] if is_over else []))
    return Accepted(after, events, remarks)


def _is_over(position: Position, round_: Round) -> bool:
    return position.counted.has_ended(round_)


def _brought(counting: Counting, round_: Round) -> RoundCounted | RoundCountedForAll:
    points = [each or 0 for each in round_.points]
    if counting.is_shared:
        return RoundCountedForAll(round_.number, points[0])
    return RoundCounted(round_.number, tuple([Brought(Seat(seat), each) for seat, each in enumerate(points)]))


def _doubt(position: Position, round_: Round) -> Remark:
    """Ask the table to look at the numbers that were told last, one a line."""
    return Remark(Rule.CHECK, {"round": round_.number}, tuple(range(1, len(position.told))))


def legal(position: Position, seat: int | None) -> Iterator[Move]:
    """Yield the moves open to a seat: of numbers the smallest first; None asks for the table's own."""
    if seat is None:
        if isinstance(judge(position, Finish()), Accepted):
            yield Finish()
        return
    line = position.counting.line(seat)
    if column := due_of_each(position)[line]:
        least, most = bounds(position, line, column)
        yield from (Enter(seat, position.columns(column.key), value) for value in _outwards(least, most))


def _outwards(least: int, most: int) -> Iterator[int]:
    """Count from what is nearest to 0."""
    first = max(least, min(most, 0))
    for step in count():
        if first + step > most and first - step < least:
            return
        if first + step <= most:
            yield first + step
        if step and first - step >= least:
            yield first - step


def may_move(position: Position, seat: int) -> bool:
    """Say whether a seat has a number to tell."""
    return due_of_each(position)[position.counting.line(seat)] is not None


def still_means(seen: Position, now: Position, move: Move) -> bool:
    """Hold a number if its round is the same and its line has told nothing since: others do not matter."""
    if isinstance(move, Finish):
        return seen == now
    line = seen.counting.line(move.seat)
    return len(seen.rounds) == len(now.rounds) and seen.told[line] == now.told[line]


_ranked = by_value(ranked)
"""Most numbers that are told change no total."""


@once
def standing(position: Position) -> Standing:
    """Rank the seats; all together share the place."""
    counting, points = position.counting, totals(position)
    lines = counting.line_of_each(position.seats)
    scores = [points[line] for line in lines]
    ties = [_ties(position, line) if position.is_finished else () for line in lines]
    merits = tuple([(-score if counting.is_low else score, *tie) for score, tie in zip(scores, ties, strict=True)])
    places = [Place(seat, rank, scores[seat], ties[seat]) for rank, seat in _ranked(merits)]
    return Standing(tuple(places), position.is_finished)


def _ties(position: Position, line: int) -> tuple[int, ...]:
    return Counted(position.counting, position.seats, all_rounds(position)).decided(line, position.counting.ties)


def all_rounds(position: Position) -> tuple[Round, ...]:
    """List the rounds that are over, with the one in the middle of which the game has ended."""
    is_cut = position.is_finished and position.has_begun
    return (*position.rounds, current(position)) if is_cut else position.rounds


def has_lost(position: Position) -> bool:
    """Say whether all have lost."""
    lost = position.counting.lost
    if lost is None or not position.is_finished:
        return False
    return any(Counted(position.counting, position.seats, all_rounds(position)).decided(0, (lost,)))


class Told(TypedDict):
    """A round that is over."""

    rows: list[list[int | None]]
    totals: list[int]


class Summary(TypedDict):
    """A position, as the table record has it."""

    title: str
    columns: list[str]
    round: int
    rounds: list[Told]
    told: list[list[int | None]]
    """Of each line, in this round."""
    totals: list[int]
    to_move: None
    is_lost: bool


def summary(position: Position) -> Summary:
    """Write the position as data."""
    return {
        "title": position.title,
        "columns": [column.key for column in position.counting.columns],
        "round": position.number,
        "rounds": [
            {"rows": [list(row) for row in round_.rows], "totals": list(round_.totals)}
            for round_ in all_rounds(position)
        ],
        "told": [] if position.is_finished else [list(row) for row in position.told],
        "totals": list(totals(position)),
        "to_move": None,
        "is_lost": has_lost(position),
    }
