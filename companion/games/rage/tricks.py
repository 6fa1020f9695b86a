"""Rulings card by card and trick by trick: the talon, the trick, the trump.

Source: R-cs, trump and trick play; R3–R14, R18.
"""

from __future__ import annotations

from companion.game import Accepted, Refused, Remark, Seat
from companion.games.rage.cards import Action, BareJoker, Card, Coloured, Joker, winner
from companion.games.rage.moves import (
    FIVES,
    CardPlayed,
    CardTurned,
    PlayCard,
    Rule,
    Trick,
    TrickTaken,
    TrickWithFivesTaken,
    TrumpTurned,
    Turn,
)
from companion.games.rage.position import JokerTie, NoTrumpThenChange, Played, Position, Talon, Void
from companion.games.rage.tally import action_cards, finished
from companion.games.rage.whys import why_seen
from companion.kernel.frozen import put, replace

Ruling = Accepted[Position] | Refused


def judge_turn(position: Position, move: Turn) -> Ruling:
    """Turn a talon card; action cards are passed over until a coloured one comes up."""
    if position.talon is Talon.UP:
        return Refused(Rule.NO_TURN_DUE)
    if not position.left(move.card):
        return _twice(position, move.card)
    seen = (*position.seen, move.card)
    if not isinstance(move.card, Coloured):
        after = replace(position, talon=Talon.DUE, seen=seen, acts=position.acts + 1)
        return Accepted(after, (CardTurned(move.card),))
    choice = position.options.nt_then_ct
    turned = replace(
        position,
        seen=seen,
        acts=position.acts + 1,
        talon=Talon.UP,
        turned=move.card.colour,
        is_without_trump=position.is_without_trump and choice is NoTrumpThenChange.NT_DOMINATES,
        is_returning=position.is_returning and choice is NoTrumpThenChange.CT_WINS_BUT_REFLIP,
    )
    return _if_full(turned, TrumpTurned(move.card, move.card.colour))


def judge_play(position: Position, move: PlayCard) -> Ruling:
    """Play a card to the trick; the last one takes it."""
    if position.talon is Talon.CLOSED or position.talon is Talon.DUE:
        return Refused(Rule.TURN_FIRST)
    if move.seat != position.to_move:
        return Refused(Rule.NOT_YOUR_TURN, {"seat": Seat(position.to_move or 0)})
    if not position.left(move.card):
        return _twice(position, move.card)
    is_no_trump = move.card is Action.NO_TRUMP
    after = replace(
        position,
        trick=(*position.trick, move.card),
        seen=(*position.seen, move.card),
        acts=position.acts + 1,
        plays=(*position.plays, Played(move.seat, move.card, sum(position.taken) + 1)),
        voids=_voids(position, move),
        talon=Talon.DUE if move.card is Action.CHANGE_OF_TRUMP else Talon.UP,
        is_without_trump=position.is_without_trump or is_no_trump,
        is_returning=position.is_returning or is_no_trump,
    )
    return _if_full(after, CardPlayed(Seat(move.seat), move.card), _revokes(position, move))


def judge_trick(position: Position, move: Trick) -> Ruling:
    """Record a whole trick. What was turned meanwhile is not known, so a new trump may be told after it."""
    if position.trick:
        return Refused(Rule.TRICK_OPEN)
    if refused := action_cards(position, move.plus, move.minus, tricks=1):
        return refused
    seen = (*position.seen, *[Action.PLUS_FIVE] * move.plus, *[Action.MINUS_FIVE] * move.minus)
    talon = Talon.UNSURE if position.talon is Talon.UP else position.talon
    after = replace(position, seen=seen, talon=talon, acts=position.acts + 1)
    return Accepted(*_taken(after, move))


def _twice(position: Position, card: Card) -> Refused:
    """Refuse a card that no copy is left of, and say where it has gone."""
    named = BareJoker() if isinstance(card, Joker) else card
    return Refused(Rule.CARD_TWICE, {"card": named, "seen": why_seen(position, card)})


def _voids(position: Position, move: PlayCard) -> tuple[Void, ...]:
    """Forget what this card puts in doubt, and note whether it follows itself. Must agree with `rules.may_play`."""
    led, card = position.led, move.card
    doubted = _doubted(position, move)
    voids = tuple(void for void in position.voids if void not in doubted)
    follows = isinstance(card, Coloured) and card.colour is led
    if led is None or follows or (position.options.joker_anytime and isinstance(card, Joker)):
        return voids
    return (*voids, Void(move.seat, led, card, sum(position.taken) + 1, position.acts))


def _doubted(position: Position, move: PlayCard) -> tuple[Void, ...]:
    """Find where the seat did not follow the colour that it plays now."""
    if not isinstance(move.card, Coloured):
        return ()
    played = move.seat, move.card.colour
    return tuple(void for void in position.voids if (void.seat, void.colour) == played)


def _revokes(position: Position, move: PlayCard) -> tuple[Remark, ...]:
    """Remark on each earlier trick in which the seat did not follow what it plays now, once. Source: R25."""
    return tuple(
        Remark(
            Rule.REVOKE,
            {"seat": Seat(void.seat), "colour": void.colour, "trick": void.trick, "card": void.card, "now": move.card},
            (position.acts - void.acts,),
        )
        for void in _doubted(position, move)
    )


def _if_full(position: Position, event: object, remarks: tuple[Remark, ...] = ()) -> Accepted[Position]:
    """Take the trick if it is complete and no talon card is due."""
    if len(position.trick) < position.seats or position.talon is Talon.DUE:
        return Accepted(position, (event,), remarks)
    is_later = position.options.joker_tie is JokerTie.LATER
    seat = (position.leader + winner(position.trick, position.trump, is_later)) % position.seats
    plus, minus = position.trick.count(Action.PLUS_FIVE), position.trick.count(Action.MINUS_FIVE)
    after, events = _taken(replace(position, trick=()), Trick(seat, plus, minus))
    return Accepted(after, (event, *events), remarks)


def _taken(position: Position, trick: Trick) -> tuple[Position, tuple[object, ...]]:
    """Give a trick to its winner, and score the round after the last one."""
    seat = trick.seat
    after = replace(
        position,
        taken=put(position.taken, seat, position.taken[seat] + 1),
        plus=put(position.plus, seat, position.plus[seat] + trick.plus),
        minus=put(position.minus, seat, position.minus[seat] + trick.minus),
        leader=seat,
    )
    fives = FIVES[trick.plus][trick.minus]
    event = TrickWithFivesTaken(Seat(seat), fives) if fives else TrickTaken(Seat(seat))
    if sum(after.taken) == after.cards:
        after, events = finished(after, after.way)
        return after, (event, *events)
    if after.is_returning:
        after = replace(after, talon=Talon.DUE, turned=None)
    return replace(after, is_without_trump=False, is_returning=False), (event,)
