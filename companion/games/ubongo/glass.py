"""Rulings on the sand glass: the roll that turns it, its end, and the end of a round.

Source: U-cs, course and end of a round. Time decides only where moves say when they were made.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from companion.game import Accepted, Refused, Remark, Seat
from companion.games.ubongo.gems import holdings
from companion.games.ubongo.moves import (
    Event,
    GameEnded,
    GlassRanOut,
    GlassTurnedAgain,
    Roll,
    Rolled,
    RoundEnded,
    Rule,
    StarterNamed,
    Timed,
    TimeUp,
    Ubongo,
)
from companion.games.ubongo.position import SYMBOLS, Position
from companion.games.ubongo.scoring import comparisons, winners
from companion.kernel.frozen import replace

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def ms_of(at: str | None) -> int | None:
    """Read a time as ms since 1970; one without a zone is UTC.

    >>> ms_of("1970-01-01T00:01:00.250Z")
    60250
    """
    if at is None:
        return None
    moment = datetime.fromisoformat(at)
    return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - EPOCH) // timedelta(milliseconds=1)


def judge_roll(position: Position, move: Roll) -> Accepted[Position] | Refused:
    """Begin a round: the symbol is known, and the glass is turned."""
    if position.symbol is not None:
        return Refused(Rule.ROUND_OPEN)
    if move.symbol not in SYMBOLS:
        return Refused(Rule.SYMBOL, {"symbol": move.symbol})
    after = replace(position, symbol=move.symbol, turned_ms=ms_of(move.at), has_sand=False)
    return Accepted(after, (Rolled(Seat(position.starter), move.symbol),))


def judge_time_up(position: Position, move: TimeUp) -> Accepted[Position] | Refused:
    """Turn the glass once more if nobody has called, or end the round.

    The glass of a round that ended early may still be seen to run out, once: it changes nothing.

    Source: U-cs, end of a round; U1, U18.
    """
    if position.symbol is None and position.has_sand:
        return Accepted(replace(position, has_sand=False), (GlassRanOut(),))
    if position.symbol is None:
        return Refused(Rule.ROLL_FIRST, {"seat": Seat(position.starter)})
    if not position.calls and position.glass == 1:
        again = replace(position, glass=2, turned_ms=ms_of(move.at))
        return Accepted(again, (GlassTurnedAgain(),), _early(position, move))
    after, events = round_over(position)
    return Accepted(after, (GlassRanOut(), *events), _early(position, move))


def _early(position: Position, move: TimeUp) -> tuple[Remark, ...]:
    """Remark on sand that would still run by the clock: that of the table may be quicker. Source: U18."""
    moment, end = ms_of(move.at), position.ends_ms
    if moment is None or end is None or moment >= end:
        return ()
    return (Remark(Rule.EARLY, {"seconds": -(-(end - moment) // 1000)}),)


def refused_late(position: Position, move: Timed) -> Refused | None:
    """Refuse what comes after the end of the running glass, unless the hands were in time; nothing without both times.

    Source: U-cs, time limit; U5, U17.
    """
    if not isinstance(move, Ubongo) and move.in_time:
        return None
    moment, end = ms_of(move.at), position.ends_ms
    return too_late(position, move) if moment is not None and end is not None and moment > end else None


def too_late(position: Position, move: Timed) -> Refused:
    """Refuse what the sand has overtaken, and say what was too late."""
    late = replace(move, seat=Seat(move.seat))
    return Refused(Rule.TOO_LATE, {"late": late, "seconds": position.options.glass_s})


def round_over(position: Position, is_early: bool = False) -> tuple[Position, tuple[Event, ...]]:
    """End a round: the next one begins, or the game is over.

    Args:
        position: as it stands at the end.
        is_early: everybody was done while the sand still ran, or has said what the hands did.

    Source: U-cs, end of a round; pawns stay where they are: U8.
    """
    ended = RoundEnded(position.round)
    position = replace(position, is_cut_off=not is_early)
    if position.round == position.rounds:
        after, events = game_over(position)
        return after, (ended, *events)
    after = replace(
        position,
        round=position.round + 1,
        symbol=None,
        glass=1,
        turned_ms=None,
        calls=(),
        calls_before=position.calls,
        has_sand=is_early,
    )
    return after, (ended, StarterNamed(Seat(after.starter)))


def game_over(position: Position) -> tuple[Position, tuple[Event, ...]]:
    """End the game, and say how it was decided."""
    after = replace(position, is_finished=True)
    return after, (GameEnded(winners(after)), *holdings(after.gems), *comparisons(after))
