"""Rage's referee: the ruling on every move, and the moves that are open.

Bidding is ruled here, cards and tricks in `tricks.py`, the round as a whole in `tally.py`.

Source: R-cs (Czech translation, 2004, of the Amigo rules of 2000), and `docs/decisions.md`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import product

from companion.game import Accepted, Refused, Seat
from companion.games.rage.cards import BareJoker, Card, Colour, Coloured, Joker, every_card
from companion.games.rage.moves import Bid, BidMade, BidSealed, Count, Move, PlayCard, Rule, Tally, Trick, Turn
from companion.games.rage.position import PLAYERS, Bidding, Options, Position
from companion.games.rage.tally import dealt, fives_left, judge_count, judge_tally, revealed, tally_of, with_count
from companion.games.rage.tricks import judge_play, judge_trick, judge_turn
from companion.kernel.frozen import put, replace

Ruling = Accepted[Position] | Refused


def start(options: Options, seats: int) -> Position | Refused:
    """Lay out the first round.

    Refuses:
        PLAYERS, FIRST_DEALER, OPEN_BIDS_ONLY: these options and seats do not go together.
    """
    if seats not in PLAYERS:
        return Refused(Rule.PLAYERS, {"option": "players", "fewest": PLAYERS[0], "most": PLAYERS[-1]})
    if options.first_dealer is not None and options.first_dealer not in range(seats):
        return Refused(Rule.FIRST_DEALER, {"option": "first_dealer", "seats": seats, "last": seats - 1})
    if options.plus_minus_one and options.bidding is not Bidding.OPEN:
        return Refused(Rule.OPEN_BIDS_ONLY, {"option": "plus_minus_one"})
    return dealt(options, seats, sheet=())


def by_rules(position: Position, version: int) -> Position:
    """Rule a play by an older version of the rules, so that it keeps every entry that it has."""
    return replace(position, rules=version)


def judge(position: Position, move: Move) -> Ruling:
    """Rule on a move. Refuses: whatever `Rule` names, the first broken one in the rulebook's order."""
    if position.is_finished:
        return Refused(Rule.GAME_OVER)
    match move:
        case Turn():
            return judge_turn(position, move)
        case Bid():
            return _judge_bid(position, move)
        case PlayCard() | Trick() | Count() | Tally() if not position.are_bids_in:
            return Refused(Rule.BID_FIRST, {"seats": _not_bid(position)})
        case PlayCard():
            return judge_play(position, move)
        case Trick():
            return judge_trick(position, move)
        case Count():
            return judge_count(position, move)
    return judge_tally(position, move)


def legal(position: Position, seat: int | None) -> Iterator[Move]:
    """Yield every move that `judge` accepts from a seat; None: the table's own (turns and tallies)."""
    if seat is not None and not position.are_bids_in:
        return (Bid(seat, tricks) for tricks in open_bids(position, seat))
    candidates = _table_moves(position) if seat is None else _seat_moves(position, seat)
    return (move for move in candidates if isinstance(judge(position, move), Accepted))


def may_move(position: Position, seat: int) -> bool:
    """Say whether a seat has any move: it may bid, and once all have bid, tell of its tricks until the end."""
    return not position.is_finished if position.are_bids_in else position.to_move in (None, seat)


def may_play(hand: Collection[Card], led: Colour | None, card: Card, options: Options) -> Refused | None:
    """Rule on the duty to follow, for who shows a hand; the referee at the table never sees one.

    Source: R-cs, trick play; R12.
    """
    must_follow = any(isinstance(held, Coloured) and held.colour is led for held in hand)
    follows = isinstance(card, Coloured) and card.colour is led
    if must_follow and not follows and not (options.joker_anytime and isinstance(card, Joker)):
        return Refused(Rule.FOLLOW_COLOUR, {"card": card, "colour": led})
    return None


def has_secrets(position: Position) -> bool:
    """Say whether a bid in this position is still sealed. Source: R-cs, variants."""
    return not position.are_bids_open and any(bid is not None for bid in position.bids)


def still_means(seen: Position, now: Position, move: Move) -> bool:
    """Say whether a move made when the table stood at `seen` still means the same.

    Sealed bids and counts of one's own cannot clash within their round; anything else may.
    """
    is_own = isinstance(move, Count) or (isinstance(move, Bid) and now.options.bidding is not Bidding.OPEN)
    return _as_shown(seen) == _as_shown(now) or (is_own and seen.round == now.round)


def _as_shown(position: Position) -> Position:
    """Take out what is sealed: whether a bid was replaced must not decide anything."""
    if position.are_bids_open:
        return position
    return replace(position, bids=tuple(None if bid is None else 0 for bid in position.bids))


def recorded(before: Position, move: Move, after: Position) -> Move | None:
    """Write the counts that make up a tally as that tally, and leave out the others."""
    if not isinstance(move, Count):
        return move
    return tally_of(with_count(before, move)) if len(after.sheet) > len(before.sheet) else None


def barred_bid(position: Position) -> int | None:
    """Name the bid that plus/minus one bars the last bidder from; None where it bars none.

    Source: R-cs, variants.
    """
    if not position.options.plus_minus_one or position.bids.count(None) != 1:
        return None
    rest = position.cards - sum(bid or 0 for bid in position.bids)
    return rest if rest >= 0 else None


def open_bids(position: Position, seat: int) -> tuple[int, ...]:
    """Name the bids that a seat may make now; () when it may not bid."""
    if position.are_bids_in or position.to_move not in (None, seat):
        return ()
    return bids(position.cards, barred_bid(position))


@cache
def bids(cards: int, barred: int | None) -> tuple[int, ...]:
    """Name the bids of a round with so many cards."""
    return tuple([tricks for tricks in range(cards + 1) if tricks != barred])


def _judge_bid(position: Position, move: Bid) -> Ruling:
    if position.are_bids_in:
        return Refused(Rule.BIDS_CLOSED)
    bidder = position.to_move
    if bidder is not None and bidder != move.seat:
        return Refused(Rule.NOT_YOUR_TURN, {"seat": Seat(bidder)})
    if move.tricks not in range(position.cards + 1):
        return Refused(Rule.BID_RANGE, {"most": position.cards})
    if move.tricks == barred_bid(position):
        facts = {"tricks": move.tricks, "cards": position.cards, "open": open_bids(position, move.seat)}
        return Refused(Rule.PLUS_MINUS_ONE, facts)
    after = replace(position, bids=put(position.bids, move.seat, move.tricks))
    if position.options.bidding is Bidding.OPEN:
        return Accepted(after, (BidMade(Seat(move.seat), move.tricks),))
    return Accepted(after, (BidSealed(Seat(move.seat)), *(revealed(after) if after.are_bids_open else ())))


def _not_bid(position: Position) -> tuple[Seat, ...]:
    """Name who has not bid, in the order of the bids."""
    order = [(position.dealer + 1 + place) % position.seats for place in range(position.seats)]
    return tuple(Seat(seat) for seat in order if position.bids[seat] is None)


def _seat_moves(position: Position, seat: int) -> Iterator[Move]:
    """Yield at least every move that may be open to a seat when the bids are in."""
    if seat == position.to_move:
        yield from (PlayCard(seat, card) for card in every_card())
    plus, minus = (range(most + 1) for most in fives_left(position))
    yield from (Trick(seat, *won) for won in product(plus, minus))
    for tricks, more_plus, more_minus in product(range(position.cards + 1), plus, minus):
        yield Count(seat, tricks, position.plus[seat] + more_plus, position.minus[seat] + more_minus)


def _table_moves(position: Position) -> Iterator[Move]:
    """Yield at least every move of the table itself that may be open; tallies come last."""
    yield from (Turn(card) for card in (*every_card(is_announced=False), BareJoker()))
    if position.is_finished or not position.are_bids_in:
        return
    most_plus, most_minus = fives_left(position)
    for tricks in _shares(position.cards - sum(position.taken), position.seats):
        lying = tuple(more * position.seats for more in tricks)
        for plus in _up_to(most_plus, lying):
            for minus in _up_to(most_minus, lying):
                yield Tally(_added(position.taken, tricks), _added(position.plus, plus), _added(position.minus, minus))


def _shares(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to share a total among so many parts, in order."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        yield from ((first, *rest) for rest in _shares(total - first, parts - 1))


def _up_to(most: int, caps: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every way to give out at most so many, and to each no more than its cap."""
    if not caps:
        yield ()
        return
    for first in range(min(most, caps[0]) + 1):
        yield from ((first, *rest) for rest in _up_to(most - first, caps[1:]))


def _added(before: tuple[int, ...], more: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(map(sum, zip(before, more, strict=True)))
