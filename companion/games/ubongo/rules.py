"""Ubongo's referee: the ruling on every move, and the moves that are open.

The sand glass is ruled on in `glass.py`, calls and pawns in `calls.py`, gems in `taking.py`, and what is told after
the glass in `late.py`.

Source: U-cs (Czech edition with the gem board), and `docs/decisions.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product

from companion.game import Accepted, Refused
from companion.games.ubongo.calls import judge_place, judge_start, judge_ubongo, judge_void
from companion.games.ubongo.gems import COPIES, ROWS, Colour, is_full
from companion.games.ubongo.glass import judge_roll, judge_time_up
from companion.games.ubongo.late import judge_after, judge_between
from companion.games.ubongo.moves import Count, Move, Place, Roll, Rule, Take, TimeUp, Ubongo, Void
from companion.games.ubongo.position import GEMS_AT_ONCE, PLAYERS, SYMBOLS, Options, Position
from companion.games.ubongo.taking import judge_count, judge_take
from companion.kernel.frozen import replace

Ruling = Accepted[Position] | Refused
SAID = (None, True, False)
"""What may be said of hands: nothing, that they were in time, that they were late."""


def start(options: Options, seats: int) -> Position | Refused:
    """Lay out the board.

    Refuses:
        PLAYERS, FIRST_SEAT, GLASS_SECONDS, FULL_BOARD, PAWNS: these options and seats do not go together.
    """
    if seats not in PLAYERS:
        return Refused(Rule.PLAYERS, {"option": "players", "fewest": PLAYERS[0], "most": PLAYERS[-1]})
    if options.first_seat not in range(seats):
        return Refused(Rule.FIRST_SEAT, {"option": "first_seat", "seats": seats, "last": seats - 1})
    if options.glass_s < 1:
        return Refused(Rule.GLASS_SECONDS, {"option": "glass_s"})
    if options.board is not None and not is_full(options.board):
        return Refused(Rule.FULL_BOARD, {"option": "board"})
    pawns = (0,) * seats if options.pawns is None else options.pawns
    if len(pawns) != seats or any(row not in range(ROWS) for row in pawns):
        return Refused(Rule.PAWNS, {"option": "pawns", "seats": seats, "last": ROWS - 1})
    return Position(options, seats, pawns, gems=((0,) * len(Colour),) * seats)


def by_rules(position: Position, version: int) -> Position:
    """Rule a play by an older version of the rules, so that it keeps the standing that it had."""
    return replace(position, rules=version)


def judge(position: Position, move: Move) -> Ruling:
    """Rule on a move. Refuses: whatever `Rule` names, the first broken one in the rulebook's order."""
    if position.is_finished:
        return judge_after(position, move)
    match move:
        case Roll():
            return judge_roll(position, move)
        case TimeUp():
            return judge_time_up(position, move)
        case Count():
            return judge_count(position, move)
        case Place() if position.is_before_first_roll:
            return judge_start(position, move)
        case Ubongo() | Void() | Place() | Take() if position.symbol is None:
            return judge_between(position, move)
        case Ubongo():
            return judge_ubongo(position, move)
        case Void():
            return judge_void(position, move)
        case Place():
            return judge_place(position, move)
        case _:
            return judge_take(position, move)


def legal(position: Position, seat: int | None) -> Iterator[Move]:
    """Yield every move that `judge` accepts from a seat; None: the table's own (the die, the glass, the count).

    None of them says when it is made.
    """
    candidates = _table_moves(position) if seat is None else _seat_moves(position, seat)
    return (move for move in candidates if isinstance(judge(position, move), Accepted))


def may_move(position: Position, seat: int) -> bool:
    """Say whether a seat has any move: before the first roll, while the glass runs until it has taken, and if asked."""
    if position.is_between:
        return position.is_before_first_roll or seat in position.asked
    call = position.call(seat)
    return call is None or not call.has_taken


def still_means(seen: Position, now: Position, move: Move) -> bool:
    """Say whether a move made when the table stood at `seen` still means the same.

    What a seat does for itself is put in order with what the others do, within the round, and told to be too late
    right after it; the end of a glass is the end of that glass, whoever has called meanwhile, and a roll that of the
    same round, whoever has placed a pawn or told what the hands did.
    """
    match move:
        case Ubongo() | Place() | Take() if _has_overtaken(seen, now):
            return True
        case Ubongo(seat) | Void(seat) | Place(seat) | Take(seat):
            return _own(seen, seat) == _own(now, seat)
        case TimeUp():
            return _glass(seen) == _glass(now)
        case Roll():
            return seen == now or (now.symbol is None and not now.is_finished and _glass(seen) == _glass(now))
        case _:
            return seen == now


def clock(position: Position) -> tuple[object, ...]:
    """Tell which glass runs, so that it starts anew after a pause; () while none does that matters."""
    return () if position.is_between else _glass(position)


def _has_overtaken(seen: Position, now: Position) -> bool:
    """Say whether the glass has ended the round that was seen running."""
    ended = now.round if now.is_finished else now.round - 1
    return now.is_time_up and not seen.is_between and seen.round == ended


def _own(position: Position, seat: int) -> tuple[object, ...]:
    """Tell what a seat's own moves depend on."""
    calls = [call for call in position.called if call.seat == seat]
    return position.round, position.symbol, position.is_finished, calls, position.pawns[seat]


def _glass(position: Position) -> tuple[object, ...]:
    """Tell which glass it is."""
    return position.round, position.symbol, position.glass


def _seat_moves(position: Position, seat: int) -> Iterator[Move]:
    """Yield at least every move that may be open to a seat."""
    yield from (Ubongo(seat), Void(seat))
    for said in SAID:
        yield Take(seat, None, None, said)
        yield from (Place(seat, row, None, said) for row in range(ROWS))
        handfuls = chain.from_iterable(product(Colour, repeat=number) for number in range(GEMS_AT_ONCE + 1))
        yield from (Take(seat, gems, None, said) for gems in handfuls)


def _table_moves(position: Position) -> Iterator[Move]:
    """Yield at least every move of the table itself that may be open; counts come last, and they are many."""
    yield from (Roll(symbol) for symbol in SYMBOLS)
    yield TimeUp()
    if not position.is_finished:
        numbers = product(range(COPIES + 1), repeat=len(Colour) * position.seats)
        yield from (Count(tuple(zip(*[iter(flat)] * len(Colour), strict=True))) for flat in numbers)
