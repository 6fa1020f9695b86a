"""Hanabi's referee: the ruling on every move, and the moves that are open.

Hints are ruled in `hints.py`, cards that leave a hand in `plays.py`, reward tiles in `rewards.py`; every turn ends in
`turns.py`. The referee never sees a hand: it rules on what is said and shown, and remarks on what does not agree.

Source: H-cs, H-es, H-pl; `docs/decisions.md`.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Accepted, Refused, Seat
from companion.games.hanabi.candidates import candidates
from companion.games.hanabi.cards import VALUES
from companion.games.hanabi.events import HandArranged
from companion.games.hanabi.hints import judge_hint
from companion.games.hanabi.moves import Arrange, Discard, Hint, Move, PlayCard, Reward, Rule
from companion.games.hanabi.options import Edition, Options, suits
from companion.games.hanabi.plays import judge_discard, judge_play
from companion.games.hanabi.position import HAND, PLAYERS, Position, Slot
from companion.games.hanabi.rewards import judge_reward
from companion.games.hanabi.turns import Ruling
from companion.kernel.frozen import put, replace


def start(options: Options, seats: int) -> Position | Refused:
    """Deal the hands.

    Refuses:
        PLAYERS, FIRST_SEAT, ONE_BLACK: these options and seats do not go together.
    """
    if seats not in PLAYERS:
        return Refused(Rule.PLAYERS, {"option": "players", "fewest": PLAYERS[0], "most": PLAYERS[-1]})
    if options.first_seat not in range(seats):
        return Refused(Rule.FIRST_SEAT, {"option": "first_seat", "last": seats - 1})
    if options.black_powder and options.edition is Edition.ES:
        return Refused(Rule.ONE_BLACK, {"option": "black_powder"})
    fireworks = suits(options)
    cards = sum(sum(suit.copies) for suit in fireworks)
    return Position(
        options,
        fireworks,
        seats,
        turn=options.first_seat,
        deck=cards - seats * HAND[seats],
        tokens=int(options.hint_tokens),
        fireworks=(0,) * len(fireworks),
        discards=((0,) * len(VALUES),) * len(fireworks),
        hands=((Slot(),) * HAND[seats],) * seats,
        arranged=(tuple(range(HAND[seats])),) * seats,
    )


def judge(position: Position, move: Move) -> Ruling:
    """Rule on a move. Refuses: whatever `Rule` names, the first broken one in the rulebook's order."""
    if position.is_finished:
        return Refused(Rule.GAME_OVER)
    return _ruling(replace(position, moves=position.moves + 1), move)


def legal(position: Position, seat: int | None) -> Iterator[Move]:
    """Yield every move that `judge` accepts from a seat: any cards may be in a hand; the table has no moves itself."""
    moves = iter(()) if seat is None or position.is_finished else candidates(position, seat)
    return (move for move in moves if isinstance(judge(position, move), Accepted))


def may_move(position: Position, seat: int) -> bool:
    """Say whether a seat has any move: its hand may be re-ordered at any time, an empty one, too. Source: H24."""
    return not position.is_finished


def still_means(seen: Position, now: Position, move: Move) -> bool:
    """Say whether a move made when the table stood at `seen` still means the same.

    Hands that others have re-ordered meanwhile do not matter, unless the move is about their places.
    """
    about = {move.seat, getattr(move, "to", None)}
    if any(seen.arranged[seat] != now.arranged[seat] for seat in about if seat is not None):
        return False
    if isinstance(move, Arrange):
        return seen.hands[move.seat] == now.hands[move.seat]
    before, after = (
        replace(
            position, moves=0, turns=0, hands=tuple(hand for seat, hand in enumerate(position.hands) if seat in about)
        )
        for position in (replace(seen, arranged=now.arranged), now)
    )
    return before == after


def _ruling(position: Position, move: Move) -> Ruling:
    match move:
        case Hint():
            return judge_hint(position, move)
        case Discard():
            return judge_discard(position, move)
        case PlayCard():
            return judge_play(position, move)
        case Reward():
            return judge_reward(position, move)
    return _judge_arrange(position, move)


def _judge_arrange(position: Position, move: Arrange) -> Ruling:
    """Re-order a hand, at any time. Source: H24."""
    hand = position.hands[move.seat]
    if sorted(move.order) != list(range(len(hand))):
        return Refused(Rule.ORDER, {"cards": len(hand)})
    before = position.arranged[move.seat]
    places = before if len(before) == len(hand) else range(len(hand))
    after = replace(
        position,
        hands=put(position.hands, move.seat, tuple(hand[slot] for slot in move.order)),
        arranged=put(position.arranged, move.seat, tuple(places[slot] for slot in move.order)),
    )
    return Accepted(after, (HandArranged(Seat(move.seat)),))
