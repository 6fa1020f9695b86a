"""What somebody who has no cards may well do at a table of Ubongo."""

from __future__ import annotations

from random import Random

from companion.game import Accepted
from companion.games.ubongo.gems import ROWS, Colour
from companion.games.ubongo.glass import ms_of
from companion.games.ubongo.moves import Move, Place, Roll, Take, TimeUp, Ubongo
from companion.games.ubongo.position import SYMBOLS, Position, reach
from companion.games.ubongo.rules import judge

QUICK = 0.25
"""How often somebody who is looked at has just solved the card."""
TRIES = 20
"""So often gems are drawn until some are found that can lie there."""


def likely(position: Position, seat: int, at: str, chance: Random) -> Move | None:
    """Put the pawn down, roll, solve the card sooner or later, and take gems; None to wait."""
    if seat in position.asked:
        return _gems(position, seat, chance, in_time=True)
    if position.is_finished:
        return None
    if position.symbol is None:
        return _before(position, seat, chance)
    return TimeUp() if _has_run(position, at) else _running(position, seat, chance)


def _before(position: Position, seat: int, chance: Random) -> Move | None:
    """Begin, or go on: who starts rolls when everybody is ready."""
    if position.is_before_first_roll and seat not in position.started:
        return Place(seat, chance.randrange(ROWS))
    is_ready = not position.asked and (position.round > 1 or len(position.started) == position.seats)
    return Roll(chance.choice(list(SYMBOLS))) if is_ready and seat == position.starter else None


def _running(position: Position, seat: int, chance: Random) -> Move | None:
    call, rank = position.call(seat), position.rank(seat)
    if call is None or rank is None:
        return Ubongo(seat) if chance.random() < QUICK else None
    if call.has_taken:
        return None
    if not call.has_placed:
        return Place(seat, chance.choice(reach(position.pawns[seat], rank)))
    return _gems(position, seat, chance)


def _gems(position: Position, seat: int, chance: Random, in_time: bool | None = None) -> Take | None:
    """Take what lies before the pawn; where nobody knows the board, any gems."""
    number = position.due(seat)
    is_known = not number or position.left(position.pawns[seat]) is not None
    for _ in range(TRIES):
        gems = None if is_known else tuple(chance.choices(list(Colour), k=number))
        take = Take(seat, gems, None, in_time)
        if isinstance(judge(position, take), Accepted):
            return take
    return None


def _has_run(position: Position, at: str) -> bool:
    now, end = ms_of(at), position.ends_ms
    return now is not None and end is not None and now > end
