"""What the first round of Rage teaches, step by step: the rule card says it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from companion.games.rage.cards import Action, Card, Joker
from companion.games.rage.position import Bidding, Position, Talon
from companion.games.rage.rules import barred_bid


class Step(Enum):
    """A step of the first round, by what is to be known there."""

    TRUMP = auto()
    BID = auto()
    LAST_BID = auto()
    """A bid is barred by plus/minus one."""
    WAIT = auto()
    HIDDEN = auto()
    SECRET = auto()
    LEAD = auto()
    FREE = auto()
    """There is no colour to follow yet."""
    FOLLOW = auto()
    WINNER = auto()
    JOKER = auto()
    NO_TRUMP = auto()
    CHANGE = auto()
    FIVE = auto()
    POINTS = auto()


_AFTER_BID = {Bidding.OPEN: Step.WAIT, Bidding.HIDDEN: Step.HIDDEN, Bidding.SECRET: Step.SECRET}
_ACTIONS = {
    Action.NO_TRUMP: Step.NO_TRUMP,
    Action.CHANGE_OF_TRUMP: Step.CHANGE,
    Action.PLUS_FIVE: Step.FIVE,
    Action.MINUS_FIVE: Step.FIVE,
}


def lesson(position: Position, seats: Sequence[int]) -> Step | None:
    """Name the step of the first round for who acts for seats, or for everyone (()); None once the second has begun."""
    if position.sheet:
        has_begun = any(bid is not None for bid in position.bids)
        return None if has_begun or len(position.sheet) > 1 else Step.POINTS
    awaited = (seat for seat in seats if _is_awaited(position, seat))
    seat = next(awaited, seats[0] if seats else None)
    return _played(position, seat) if position.are_bids_in else _bid(position, seat)


def _is_awaited(position: Position, seat: int) -> bool:
    return position.to_move in (None, seat) and (position.are_bids_in or position.bids[seat] is None)


def _bid(position: Position, seat: int | None) -> Step:
    if seat is None:
        return Step.TRUMP if not any(bid is not None for bid in position.bids) else Step.BID
    if position.bids[seat] is not None:
        return _AFTER_BID[position.options.bidding]
    if position.to_move not in (None, seat):
        return Step.TRUMP
    return Step.BID if barred_bid(position) is None else Step.LAST_BID


def _played(position: Position, seat: int | None) -> Step:
    if any(position.counts):
        return Step.POINTS
    if position.talon is Talon.DUE:
        return Step.CHANGE if position.trick else Step.NO_TRUMP
    if seat is not None and seat == position.to_move:
        return _on_turn(position)
    if position.trick:
        return _shown(position.trick[-1])
    return Step.WINNER if seat is None or any(position.taken) else Step.FOLLOW


def _on_turn(position: Position) -> Step:
    if position.led:
        return Step.FOLLOW
    return Step.FREE if position.trick or any(position.taken) else Step.LEAD


def _shown(card: Card) -> Step:
    """Name what is to be known of the card that was played last."""
    if isinstance(card, Joker):
        return Step.JOKER
    return _ACTIONS[card] if isinstance(card, Action) else Step.WINNER
