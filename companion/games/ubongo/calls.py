"""Rulings on calls and pawns: who has finished, in which order, and how far a pawn may go.

Source: U-cs, course of a round, moving and taking.
"""

from __future__ import annotations

from companion.game import Accepted, Refused, Seat
from companion.games.ubongo.gems import ROWS
from companion.games.ubongo.glass import ms_of, refused_late, too_late
from companion.games.ubongo.moves import (
    Called,
    CallVoided,
    PawnMoved,
    PawnStarts,
    PawnStayed,
    Place,
    Rule,
    Ubongo,
    Void,
)
from companion.games.ubongo.position import Call, Position, reach
from companion.kernel.frozen import put, replace

Ruling = Accepted[Position] | Refused


def judge_ubongo(position: Position, move: Ubongo) -> Ruling:
    """Note a call; the order in which calls are judged is the order of finishing. Source: U7."""
    seat = Seat(move.seat)
    if rank := position.rank(seat):
        return Refused(Rule.CALLED_ALREADY, {"seat": seat, "place": rank})
    if refused := refused_late(position, move):
        return refused
    call = Call(move.seat, ms_of(move.at), position.pawns[seat])
    return Accepted(replace(position, calls=(*position.calls, call)), (Called(seat, len(position.calls) + 1),))


def judge_void(position: Position, move: Void) -> Ruling:
    """Strike a false call: its pawn goes back, those behind it move up.

    Source: U12; the pawn: decided here, for nothing that rests on a false call counts.
    """
    seat, call = Seat(move.seat), position.call(move.seat)
    if call is None:
        return Refused(Rule.NOT_CALLED, {"seat": seat})
    if call.has_taken:
        return Refused(Rule.CALL_STANDS, {"seat": seat})
    calls = tuple(other for other in position.calls if other is not call)
    return Accepted(replace(position, calls=calls, pawns=put(position.pawns, seat, call.home)), (CallVoided(seat),))


def judge_place(position: Position, move: Place) -> Ruling:
    """Move a pawn, as far as the order of finishing allows. Source: U-cs, moving and taking; U17."""
    seat, call = Seat(move.seat), position.call(move.seat)
    if call is None:
        return Refused(Rule.NOT_CALLED, {"seat": seat})
    if call.has_taken:
        return Refused(Rule.MOVE_BEFORE_TAKING, {"seat": seat})
    if call.has_placed:
        return Refused(Rule.ONE_MOVE, {"seat": seat})
    if position.rules > 1 and (refused := refused_late(position, move)):
        return refused
    if move.in_time is False:
        return too_late(position, move)
    rank = position.calls.index(call) + 1
    rows = reach(position.pawns[seat], rank)
    if move.row not in rows:
        facts = {"seat": seat, "place": rank, "row": position.pawns[seat] + 1, "open": len(rows)}
        return Refused(Rule.PAWN_REACH, {**facts, "rows": tuple(row + 1 for row in rows)})
    moved = PawnStayed if move.row == position.pawns[seat] else PawnMoved
    after = replace(position, pawns=put(position.pawns, seat, move.row))
    return Accepted(with_call(after, replace(call, has_placed=True)), (moved(seat, move.row + 1),))


def judge_start(position: Position, move: Place) -> Ruling:
    """Put a pawn where it starts: on any field, as often as its owner likes. Source: U-cs, setup; U20."""
    if move.row not in range(ROWS):
        return Refused(Rule.PAWNS, {"seats": position.seats, "last": ROWS - 1})
    started = (*(seat for seat in position.started if seat != move.seat), move.seat)
    after = replace(position, pawns=put(position.pawns, move.seat, move.row), started=started)
    return Accepted(after, (PawnStarts(Seat(move.seat), move.row + 1),))


def with_call(position: Position, call: Call) -> Position:
    """Put a call in the place of its seat's earlier one."""
    return replace(position, calls=tuple(call if other.seat == call.seat else other for other in position.calls))
