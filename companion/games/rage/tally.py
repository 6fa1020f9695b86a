"""Rulings on the round as a whole: the tally, the seats' own counts of it, and the deal of the next round.

Source: R-cs, scoring of the round.
"""

from __future__ import annotations

from companion.game import Accepted, Refused, Remark, Seat
from companion.games.rage.cards import Action
from companion.games.rage.moves import (
    FIVES,
    BidRevealed,
    Count,
    CountTold,
    CountWithFivesTold,
    GameEnded,
    RoundScored,
    RoundTallied,
    Rule,
    Tally,
)
from companion.games.rage.position import RULES, Options, Position, Round, Way
from companion.games.rage.scoring import scored, standing
from companion.games.rage.terms import terms
from companion.games.rage.whys import LieInTrick, NoRoomBeside, Recorded, added, off, why_not_fives
from companion.kernel.frozen import put, replace

Ruling = Accepted[Position] | Refused


def dealt(options: Options, seats: int, sheet: tuple[Round, ...], rules: int = RULES, way: Way = Way.COUNT) -> Position:
    """Lay out the round after the finished ones, of which the last was recorded in such a way."""
    nobody, none = (None,) * seats, (0,) * seats
    fresh = Position(options, seats, sheet, bids=nobody, counts=nobody, taken=none, plus=none, minus=none, leader=0)
    return replace(fresh, leader=(fresh.dealer + 1) % seats, rules=rules, way_before=way)


def judge_count(position: Position, move: Count) -> Ruling:
    """Note what a seat says it took. The last one makes the tally; if that does not hold, a remark says why."""
    if move.tricks > position.cards:
        facts = {"seat": Seat(move.seat), "told": move.tricks, "cards": position.cards}
        return Refused(Rule.COUNT_RANGE, facts)
    if refused := _won(position, move.seat, (move.tricks, move.plus, move.minus)):
        return refused
    after = with_count(position, move)
    seat, fives = Seat(move.seat), FIVES[move.plus][move.minus]
    told = CountWithFivesTold(seat, move.tricks, fives) if fives else CountTold(seat, move.tricks)
    if None in after.counts:
        return Accepted(after, (told,))
    ruling = judge_tally(after, tally_of(after))
    if isinstance(ruling, Refused):
        return Accepted(after, (told,), (Remark(ruling.rule, ruling.facts),))
    return Accepted(ruling.position, (told, *ruling.events))


def with_count(position: Position, move: Count) -> Position:
    """Put a seat's count in its place."""
    return replace(position, counts=put(position.counts, move.seat, move), acts=position.acts + 1)


def tally_of(position: Position) -> Tally:
    """Make the tally of complete counts."""
    counts = [count for count in position.counts if count]
    return Tally(
        tuple(count.tricks for count in counts),
        tuple(count.plus for count in counts),
        tuple(count.minus for count in counts),
    )


def judge_tally(position: Position, move: Tally) -> Ruling:
    """Record a round as a whole: all its tricks, and not less than is recorded of it already."""
    if sum(move.tricks) != position.cards:
        facts = {"added": added(move.tricks), "told": sum(move.tricks), "cards": position.cards}
        return Refused(Rule.TALLY_SUM, {**facts, "off": off(move.tricks, position.cards)})
    for seat, won in enumerate(zip(move.tricks, move.plus, move.minus, strict=True)):
        if refused := _won(position, seat, won):
            return refused
    plus, minus = sum(move.plus) - sum(position.plus), sum(move.minus) - sum(position.minus)
    if refused := action_cards(position, plus, minus, position.cards):
        return refused
    if position.rules > 1 and (refused := _begun(position, move)):
        return refused
    told = replace(position, taken=move.tricks, plus=move.plus, minus=move.minus, trick=())
    after, events = finished(told, Way.COUNT)
    return Accepted(after, (RoundTallied(position.round), *events))


def _won(position: Position, seat: int, won: tuple[int, int, int]) -> Refused | None:
    """Refuse a seat's tricks, +5 and −5 of the whole round if less is recorded already or more cannot be."""
    before = position.taken[seat], position.plus[seat], position.minus[seat]
    tricks, plus, minus = (now - then for now, then in zip(won, before, strict=True))
    if min(tricks, plus, minus) < 0:
        return Refused(Rule.TALLY_LESS, {"known": Recorded(Seat(seat), *before)})
    return action_cards(position, plus, minus, tricks)


def _begun(position: Position, move: Tally) -> Refused | None:
    """Refuse a round in which nobody can have the trick that lies on the table, with all the cards in it."""
    lying = tuple(card for card in position.trick if card in (Action.PLUS_FIVE, Action.MINUS_FIVE))
    told = zip(move.tricks, position.taken, move.plus, position.plus, move.minus, position.minus, strict=True)
    gained = [(tricks - taken, plus - plus_5, minus - minus_5) for tricks, taken, plus, plus_5, minus, minus_5 in told]
    takers = [
        (tricks, plus + minus)
        for tricks, plus, minus in gained
        if tricks and plus >= lying.count(Action.PLUS_FIVE) and minus >= lying.count(Action.MINUS_FIVE)
    ]
    if not takers:
        return Refused(Rule.TALLY_LESS, {"known": LieInTrick(lying)})
    rooms = [(tricks * position.seats - len(position.trick) + len(lying), fives) for tricks, fives in takers]
    if all(fives > room for room, fives in rooms):
        room, fives = max(rooms)
        return Refused(Rule.ACTION_CARDS, {"why": NoRoomBeside(fives, room)})
    return None


def fives_left(position: Position) -> tuple[int, int]:
    """Count the +5 and the −5 that are in nobody's tricks yet.

    Those of a trick in progress still lie on the table, and may be anyone's by its end.
    """
    plus, minus = (position.left(five) + position.trick.count(five) for five in (Action.PLUS_FIVE, Action.MINUS_FIVE))
    return plus, minus


def action_cards(position: Position, plus: int, minus: int, tricks: int) -> Refused | None:
    """Refuse more +5 and −5 than the round still has, or than fit into so many tricks."""
    why = why_not_fives((plus, minus), fives_left(position), tricks * position.seats)
    return Refused(Rule.ACTION_CARDS, {"why": why}) if why else None


def finished(position: Position, way: Way) -> tuple[Position, tuple[object, ...]]:
    """Write a complete round on the sheet, and deal the next one; the last one ends the game."""
    lines = scored(position)
    shown = () if position.are_bids_open else revealed(position)
    points = tuple(RoundScored(Seat(seat), row.n, terms(row)) for seat, row in enumerate(lines.rows))
    after = replace(position, sheet=(*position.sheet, lines))
    if not after.is_finished:
        return dealt(after.options, after.seats, after.sheet, after.rules, way), (*shown, *points)
    winners = tuple(Seat(place.seat) for place in standing(after).places if place.rank == 1)
    return after, (*shown, *points, GameEnded(winners))


def revealed(position: Position) -> tuple[object, ...]:
    """Show every bid."""
    return tuple(BidRevealed(Seat(seat), bid or 0) for seat, bid in enumerate(position.bids))
