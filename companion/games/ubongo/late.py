"""Rulings on what hands did in time, and thumbs tell when the glass has run out.

The table knows whether it was in time; the referee only asks. Source: U17.
"""

from __future__ import annotations

from companion.game import Accepted, Refused, Seat
from companion.games.ubongo.calls import judge_place
from companion.games.ubongo.glass import game_over, too_late
from companion.games.ubongo.moves import Handed, Move, Place, Rule, Take, Ubongo, Void
from companion.games.ubongo.position import Position
from companion.games.ubongo.taking import taken
from companion.kernel.frozen import replace

Ruling = Accepted[Position] | Refused


def judge_between(position: Position, move: Ubongo | Void | Place | Take) -> Ruling:
    """Rule on what a seat does while no sand runs.

    It is too late for the round that the glass has ended, but for what hands did in time; or too early for the next.
    """
    if not position.is_time_up or isinstance(move, Void):
        return Refused(Rule.ROLL_FIRST, {"seat": Seat(position.starter)})
    if isinstance(move, Ubongo) or move.in_time is None or all(call.seat != move.seat for call in position.called):
        return too_late(position, move)
    return _handed(position, move)


def judge_after(position: Position, move: Move) -> Ruling:
    """Rule on what comes when the game is over: hands may have been in time for its last glass."""
    if position.is_time_up and isinstance(move, Ubongo | Place | Take):
        return judge_between(position, move)
    return Refused(Rule.GAME_OVER)


def _handed(position: Position, move: Handed) -> Ruling:
    """Rule on a pawn or gems as in the round that has ended, whose calls are those that count."""
    then = replace(position, calls=position.called)
    ruling = judge_place(then, move) if isinstance(move, Place) else taken(then, move)
    if isinstance(ruling, Refused):
        return ruling
    after = ruling.position
    if not position.is_finished:
        after = replace(after, calls=(), calls_before=after.calls)
    elif after.gems != position.gems:
        after, events = game_over(after)
        return Accepted(after, (*ruling.events, *events))
    return Accepted(after, ruling.events)
