"""What one seat of Ubongo may see and do. Everything on the table is open, so all seats see the same.

Times are in ms since 1970 (UTC), by the clock that wrote them into the moves; None where nobody measured them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any

from companion.games.ubongo import scoring
from companion.games.ubongo.gems import COPIES, ROWS, Board, Colour, Comparison, Counts, descending
from companion.games.ubongo.position import Call, Position, Side, in_row, reach
from companion.kernel.frozen import replace
from companion.kernel.once import by_value, once, part

CLOSE_MS = 150
"""Calls no farther apart than this are too close to call: an allowance for the way to the server may be as large."""


class Phase(Enum):
    """What the table is doing."""

    ROLLING = "rolling"
    """The starter rolls."""
    SOLVING = "solving"
    """The sand runs: all solve, call, move and take."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class TimedCall:
    """One call of a round, in the order of finishing."""

    seat: int
    rank: int
    """From 1."""
    at_ms: int | None
    gap_ms: int | None
    """After the call before; negative where they arrived in the other order; None for the first, or without a time."""
    is_close: bool
    """Whether it is too close to call between this call and the one before."""
    has_placed: bool
    has_taken: bool


@dataclass(frozen=True, slots=True)
class Player:
    """One seat, as everybody sees it."""

    seat: int
    gems: tuple[tuple[Colour, int], ...]
    """All six colours, in the order of `Colour`."""
    counts: Counts
    """The same numbers in descending order, as they are compared."""
    place: int
    """In the standing as it is now, from 1; tied seats share it."""
    pawn: int
    """The row of the pawn, 0..5."""
    has_started: bool
    """Whether it was said where the pawn starts."""
    rank: int | None
    """Among those who called in this round, from 1; None before the call."""
    has_placed: bool
    has_taken: bool
    is_starter: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the board."""

    left: int
    """How many gems are in it."""
    gems: tuple[Colour, ...] | None
    """Which, the front one first; None without a known board."""
    pawns: tuple[int, ...]
    """The seats whose pawns stand at it."""


@dataclass(frozen=True, slots=True)
class Own:
    """What the page's own seat may do now."""

    may_call: bool
    may_void: bool
    may_take: bool
    may_start: bool
    """Whether the pawn is put where it starts: before the first roll. Source: U20."""
    is_asked: bool
    """Whether the hands were in time, after the glass: what they did may be told. Source: U17."""
    rows: tuple[int, ...]
    """Where the pawn may be placed, its own row among them; () when it may not move."""
    due: int
    """How many gems the seat would take: 0, 1 or 2."""
    front: tuple[Colour, ...] | None
    """Which, the front one first; None without a known board: then the seat says what it took."""


@dataclass(frozen=True, slots=True)
class View:
    """The page of one seat (None: the spectator's screen)."""

    seat: int | None
    phase: Phase
    round: int
    rounds: int
    side: Side
    starter: int
    symbol: int | None
    """What the die shows; None before the roll."""
    glass: int
    """1, or 2 after the glass was turned once more."""
    glass_s: int
    """Seconds that a glass runs."""
    turned_ms: int | None
    """When the running glass was turned."""
    ends_ms: int | None
    """When it will have run out."""
    calls: tuple[TimedCall, ...]
    """This round's, in the order of finishing."""
    calls_before: tuple[TimedCall, ...]
    """Those of the round before."""
    is_first: bool
    """Whether the first roll is still to come: pawns are put where they start. Source: U20."""
    asked: tuple[int, ...]
    """The seats that called in time and have not said what their hands did, after the glass, in the order of calls."""
    players: tuple[Player, ...]
    """One per seat, clockwise from seat 0."""
    rows: tuple[Row, ...]
    """The six rows, from the left."""
    knows_board: bool
    """Whether the referee knows which gems lie in the rows."""
    colours_left: tuple[tuple[Colour, int], ...]
    """How many gems of each colour nobody has taken."""
    own: Own | None
    """None on the spectator's screen."""
    comparisons: tuple[Comparison, ...]
    """Why the standing is as it is: for each two neighbours in it, the leader's first; each can be said."""
    winners: tuple[int, ...]
    """The seats in first place, once the game is over."""


def view(position: Position, seat: int | None) -> View:
    """Show the play to a seat, or to everyone (None)."""
    shown = _shown(position)
    return shown if seat is None else replace(shown, **own(position, seat))


def own(position: Position, seat: int) -> Mapping[str, Any]:
    """Show what is a seat's own."""
    return {"seat": seat, "own": _own(position, seat, _shown(position))}


@once
def _shown(position: Position) -> View:
    """Show the play to everyone."""
    is_over = position.is_finished
    return View(
        seat=None,
        phase=Phase.OVER if is_over else Phase.ROLLING if position.symbol is None else Phase.SOLVING,
        round=position.round,
        rounds=position.rounds,
        side=position.options.side,
        starter=position.starter,
        symbol=position.symbol,
        glass=position.glass,
        glass_s=position.options.glass_s,
        turned_ms=position.turned_ms,
        ends_ms=position.ends_ms,
        calls=_called(position.calls),
        calls_before=_called(position.calls_before),
        is_first=position.is_before_first_roll,
        asked=position.asked,
        players=_players(position),
        rows=_rows(position.rows, position.pawns, position.options.board),
        knows_board=position.options.board is not None,
        colours_left=_colours_left(position.gems),
        own=None,
        comparisons=scoring.comparisons(position),
        winners=scoring.winners(position) if is_over else (),
    )


@part
def _called(calls: tuple[Call, ...]) -> tuple[TimedCall, ...]:
    gaps = [None, *[_gap(before, call) for before, call in pairwise(calls)]]
    return tuple(
        [
            TimedCall(
                seat=call.seat,
                rank=rank,
                at_ms=call.at_ms,
                gap_ms=gap,
                is_close=gap is not None and gap <= CLOSE_MS,
                has_placed=call.has_placed,
                has_taken=call.has_taken,
            )
            for rank, (call, gap) in enumerate(zip(calls, gaps, strict=False), 1)
        ]
    )


def _gap(before: Call, call: Call) -> int | None:
    return None if before.at_ms is None or call.at_ms is None else call.at_ms - before.at_ms


def _players(position: Position) -> tuple[Player, ...]:
    places = {place.seat: place.rank for place in scoring.standing(position).places}
    calls = {call.seat: (rank, call) for rank, call in enumerate(position.calls, 1)}
    starter = position.starter
    return tuple(
        [
            _player(
                seat,
                gems,
                places[seat],
                position.pawns[seat],
                seat in position.started,
                rank,
                call is not None and call.has_placed,
                call is not None and call.has_taken,
                seat == starter,
            )
            for seat, gems in enumerate(position.gems)
            for rank, call in [calls.get(seat, (None, None))]
        ]
    )


@by_value
def _player(  # noqa: PLR0913, PLR0917 (what makes one player the same as before)
    seat: int,
    gems: Counts,
    place: int,
    pawn: int,
    has_started: bool,
    rank: int | None,
    has_placed: bool,
    has_taken: bool,
    is_starter: bool,
) -> Player:
    by_colour, counts = _by_colour(gems), descending(gems)
    return Player(seat, by_colour, counts, place, pawn, has_started, rank, has_placed, has_taken, is_starter)


@part
def _rows(rows: tuple[int, ...], pawns: tuple[int, ...], board: Board | None) -> tuple[Row, ...]:
    return tuple(
        [
            _lying(left, in_row(board, row, left), tuple([seat for seat, at in enumerate(pawns) if at == row]))
            for row, left in enumerate(rows)
        ]
    )


@by_value
def _lying(left: int, gems: tuple[Colour, ...] | None, pawns: tuple[int, ...]) -> Row:
    return Row(left, gems, pawns)


def _own(position: Position, seat: int, shown: View) -> Own:
    is_open, is_asked, is_first = not position.is_between, seat in shown.asked, shown.is_first
    rank, call = next(((rank, call) for rank, call in enumerate(position.called, 1) if call.seat == seat), (0, None))
    may_take = is_asked or (is_open and call is not None and not call.has_taken)
    rows = reach(position.pawns[seat], rank) if may_take and call and not call.has_placed else ()
    due, left = position.due(seat), position.left(position.pawns[seat])
    return _may(
        is_open and call is None,
        is_open and may_take,
        may_take,
        is_first,
        is_asked,
        tuple(range(ROWS)) if is_first else rows,
        due,
        None if left is None else left[:due],
    )


@by_value
def _may(  # noqa: PLR0913, PLR0917 (what makes what a seat may do the same as before)
    may_call: bool,
    may_void: bool,
    may_take: bool,
    may_start: bool,
    is_asked: bool,
    rows: tuple[int, ...],
    due: int,
    front: tuple[Colour, ...] | None,
) -> Own:
    return Own(may_call, may_void, may_take, may_start, is_asked, rows, due, front)


@by_value
def _colours_left(gems: tuple[Counts, ...]) -> tuple[tuple[Colour, int], ...]:
    return _by_colour(tuple([COPIES - sum(taken) for taken in zip(*gems, strict=True)]))


@by_value
def _by_colour(counts: Counts) -> tuple[tuple[Colour, int], ...]:
    return tuple(zip(Colour, counts, strict=True))
