"""Ikebana's referee: the ruling on every move, and the moves that are open.

Draws and purchases are ruled in `turns.py`; how a bouquet is read stands in `bouquet.py`, the end of a round in
`scoring.py`.

Source: I-es (Ikebana part of the Spanish rules of "Hanabi & Ikebana", 2011), and `docs/decisions.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from companion.game import Accepted, Refused, Remark, Seat
from companion.games.ikebana.bouquet import SIZE
from companion.games.ikebana.cards import COPIES, VALUES
from companion.games.ikebana.moves import BouquetTold, Buy, Keep, Move, Refuse, Rule, TellBouquet
from companion.games.ikebana.position import PLAYERS, PRESTIGE, Detail, Options, Position, Told
from companion.games.ikebana.scoring import dealt, readings, scored
from companion.games.ikebana.turns import judge_buy, judge_keep, judge_refuse
from companion.games.ikebana.whys import why_gone
from companion.kernel.frozen import put, replace

Ruling = Accepted[Position] | Refused


def start(options: Options, seats: int) -> Position | Refused:
    """Lay out the first round.

    Refuses:
        PLAYERS, FIRST_SEAT: these options and seats do not go together.
    """
    if seats not in PLAYERS:
        return Refused(Rule.PLAYERS, {"option": "players", "fewest": PLAYERS[0], "most": PLAYERS[-1]})
    if options.first_seat not in range(seats):
        return Refused(Rule.FIRST_SEAT, {"option": "first_seat", "seats": seats, "last": seats - 1})
    return dealt(options, (PRESTIGE,) * seats, options.first_seat, sheet=())


def judge(position: Position, move: Move) -> Ruling:
    """Rule on a move. Refuses: whatever `Rule` names, the first broken one in the rulebook's order."""
    if position.is_finished:
        return Refused(Rule.GAME_OVER)
    if isinstance(move, TellBouquet):
        return _judge_bouquet(position, move)
    to_move = position.to_move
    if to_move is None:
        return Refused(Rule.BOUQUETS_DUE, {"seats": _not_told(position)})
    if move.seat != to_move:
        return Refused(Rule.NOT_YOUR_TURN, {"seat": Seat(to_move)})
    if isinstance(move, Keep):
        return judge_keep(position, move)
    if isinstance(move, Refuse):
        return judge_refuse(position, move)
    return judge_buy(position, move)


def legal(position: Position, seat: int | None) -> Iterator[Move]:
    """Yield every move that `judge` accepts from a seat; the table itself (None) has none.

    Complete bouquets come in one order of their cards only.
    """
    candidates = () if seat is None else _candidates(position, seat)
    return (move for move in candidates if isinstance(judge(position, move), Accepted))


def may_move(position: Position, seat: int) -> bool:
    """Say whether a seat has any move: whose turn it is may keep, and a bouquet may be told until it is known."""
    if position.are_bouquets_full:
        return not position.is_finished and not position.has_told(seat)
    return seat == position.to_move


def still_means(seen: Position, now: Position, move: Move) -> bool:
    """Say whether a move made when the table stood at `seen` still means the same.

    Complete bouquets are told in any order; anything else changes the turn.
    """
    is_telling = isinstance(move, TellBouquet) and seen.are_bouquets_full and seen.round == now.round
    return seen == now or is_telling


def _not_told(position: Position) -> tuple[Seat, ...]:
    """Name who has not told a bouquet, clockwise from seat 0."""
    return tuple(Seat(seat) for seat in range(position.seats) if not position.has_told(seat))


def _judge_bouquet(position: Position, move: TellBouquet) -> Ruling:
    if position.options.detail is Detail.CARDS:
        return Refused(Rule.BOUQUET_KNOWN)
    if not position.are_bouquets_full:
        return Refused(Rule.BOUQUET_GROWING)
    if position.has_told(move.seat):
        return Refused(Rule.BOUQUET_TOLD, {"seat": Seat(move.seat)})
    for card in move.cards:
        if move.cards.count(card) > position.left(card):
            copies = COPIES[card]
            why = why_gone(copies, copies - position.left(card), move.cards.count(card))
            return Refused(Rule.CARD_GONE, {"card": card, "why": why})
    after = replace(position, bouquets=put(position.bouquets, move.seat, move.cards), acts=position.acts + 1)
    ruling = scored(after, BouquetTold(Seat(move.seat), readings(after)[move.seat].cards))
    return replace(ruling, remarks=tuple(_not_there(position, move)))


def _not_there(position: Position, move: TellBouquet) -> Iterator[Remark]:
    """Remark on each value of which more cards were bought than the bouquet holds. Source: I20."""
    own = [purchase for purchase in position.bought if purchase.seat == move.seat]
    for price in sorted({purchase.price for purchase in own}):
        bought = [purchase for purchase in own if purchase.price == price]
        held = sum(card.value == price for card in move.cards)
        if held < len(bought):
            facts = {"seat": Seat(move.seat), "price": price, "bought": len(bought), "held": held}
            yield Remark(Rule.BOUGHT_CARD, facts, tuple(position.acts - purchase.acts for purchase in bought))


def _candidates(position: Position, seat: int) -> Iterator[Move]:
    """Yield at least every move that may be open to a seat."""
    if seat == position.to_move:
        yield from _turns(position, seat)
    elif position.are_bouquets_full and not position.has_told(seat):
        left = {card: position.left(card) for card in COPIES}
        for cards in combinations_with_replacement([card for card in COPIES if left[card]], SIZE):
            if all(cards.count(card) <= left[card] for card in cards):  # as `judge` asks, at a hundredth of its cost
                yield TellBouquet(seat, cards)


def _turns(position: Position, seat: int) -> Iterator[Move]:
    is_told = position.options.detail is Detail.CARDS
    cards: tuple[Told, ...] = tuple(COPIES) if is_told else (None,)
    prices: tuple[int | None, ...] = (None,) if is_told else tuple(VALUES)
    yield from (Keep(seat, card) for card in cards)
    yield from (Refuse(seat, card) for card in cards)
    yield from (Buy(seat, owner, price) for owner in range(position.seats) for price in prices)
