"""Ikebana's referee: the ruling on every move, and the moves that are open.

Draws and purchases are ruled here; how a bouquet is read stands in `bouquet.py`, the end of a round in `scoring.py`.

Source: I-es (Ikebana part of the Spanish rules of "Hanabi & Ikebana", 2011), and the decisions I1–I19.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement

from companion.game import Accepted, Refused, Seat
from companion.games.ikebana.bouquet import SIZE
from companion.games.ikebana.cards import COPIES, VALUES
from companion.games.ikebana.moves import (
    BouquetTold,
    Buy,
    CardBought,
    CardKept,
    CardRefused,
    DrawKept,
    DrawRefused,
    Keep,
    Move,
    PilesShuffled,
    Refuse,
    Rule,
    TellBouquet,
    TopBought,
)
from companion.games.ikebana.position import PLAYERS, PRESTIGE, Detail, Options, Position, Told
from companion.games.ikebana.scoring import dealt, finished, put

Ruling = Accepted[Position] | Refused


def start(options: Options, seats: int) -> Position | Refused:
    """Lay out the first round.

    Refuses:
        PLAYERS, FIRST_SEAT: these options and seats do not go together.
    """
    if seats not in PLAYERS:
        return Refused(Rule.PLAYERS, {"option": "players", "fewest": PLAYERS[0], "most": PLAYERS[-1]})
    if options.first_seat not in range(seats):
        return Refused(Rule.FIRST_SEAT, {"option": "first_seat", "last": seats - 1})
    return dealt(options, (PRESTIGE,) * seats, options.first_seat, sheet=())


def judge(position: Position, move: Move) -> Ruling:
    """Rule on a move. Refuses: whatever `Rule` names, the first broken one in the rulebook's order."""
    if position.is_finished:
        return Refused(Rule.GAME_OVER)
    if isinstance(move, TellBouquet):
        return _judge_bouquet(position, move)
    if position.to_move is None:
        return Refused(Rule.BOUQUETS_DUE)
    if move.seat != position.to_move:
        return Refused(Rule.NOT_YOUR_TURN, {"seat": Seat(position.to_move)})
    if isinstance(move, Keep):
        return _judge_keep(position, move)
    if isinstance(move, Refuse):
        return _judge_refuse(position, move)
    return _judge_buy(position, move)


def legal(position: Position, seat: int | None) -> Iterator[Move]:
    """Yield every move that `judge` accepts from a seat; the table itself (None) has none.

    Complete bouquets come in one order of their cards only.
    """
    candidates = () if seat is None else _candidates(position, seat)
    return (move for move in candidates if isinstance(judge(position, move), Accepted))


def still_means(seen: Position, now: Position, move: Move) -> bool:
    """Say whether a move made when the table stood at `seen` still means the same.

    Complete bouquets are told in any order; anything else changes the turn.
    """
    is_telling = isinstance(move, TellBouquet) and seen.are_bouquets_full and seen.round == now.round
    return seen == now or is_telling


def _judge_keep(position: Position, move: Keep) -> Ruling:
    if refused := _undrawable(position, move.card):
        return refused
    event = DrawKept(Seat(move.seat)) if move.card is None else CardKept(Seat(move.seat), move.card)
    return _taken(position.shuffled, move.card, event, *_shuffle(position))


def _judge_refuse(position: Position, move: Refuse) -> Ruling:
    if refused := _undrawable(position, move.card):
        return refused
    price, payee = position.refusals + 1, Seat(position.payee or 0)
    if price > position.prestige[move.seat]:
        return Refused(Rule.CANNOT_REFUSE, {"price": price, "points": position.prestige[move.seat]})
    drawn = position.shuffled
    after = replace(
        drawn,
        prestige=_paid(position, move.seat, payee, price),
        piles=put(drawn.piles, move.seat, (*drawn.piles[move.seat], move.card)),
        refusals=price,
    )
    seat = Seat(move.seat)
    event = DrawRefused(seat, price, payee) if move.card is None else CardRefused(seat, move.card, price, payee)
    return Accepted(after, (event, *_shuffle(position)))


def _judge_buy(position: Position, move: Buy) -> Ruling:
    if position.refusals:
        return Refused(Rule.BUY_AFTER_DRAWING)
    if move.owner == move.seat:
        return Refused(Rule.OWN_PILE)
    pile = position.piles[move.owner]
    if not pile:
        return Refused(Rule.EMPTY_PILE, {"owner": Seat(move.owner)})
    price = _price(position, pile[-1], move)
    if isinstance(price, Refused):
        return price
    if price > position.prestige[move.seat]:
        return Refused(Rule.CANNOT_BUY, {"price": price, "points": position.prestige[move.seat]})
    after = replace(
        position,
        prestige=_paid(position, move.seat, move.owner, price),
        piles=put(position.piles, move.owner, pile[:-1]),
    )
    seat, owner = Seat(move.seat), Seat(move.owner)
    event = TopBought(seat, price, owner) if pile[-1] is None else CardBought(seat, pile[-1], price, owner)
    return _taken(after, pile[-1], event)


def _judge_bouquet(position: Position, move: TellBouquet) -> Ruling:
    if position.options.detail is Detail.CARDS:
        return Refused(Rule.BOUQUET_KNOWN)
    if not position.are_bouquets_full:
        return Refused(Rule.BOUQUET_GROWING)
    if position.has_told(move.seat):
        return Refused(Rule.BOUQUET_TOLD, {"seat": Seat(move.seat)})
    for card in move.cards:
        if move.cards.count(card) > position.left(card):
            return Refused(Rule.CARD_GONE, {"card": card})
    after = replace(position, bouquets=put(position.bouquets, move.seat, move.cards))
    return _scored(after, BouquetTold(Seat(move.seat), move.cards))


def _undrawable(position: Position, card: Told) -> Refused | None:
    """Refuse a drawn card that no copy is left of, or that this table tells (or does not)."""
    is_told = position.options.detail is Detail.CARDS
    if card is None:
        return Refused(Rule.CARD_NEEDED) if is_told else None
    if not is_told:
        return Refused(Rule.CARD_UNASKED)
    return None if position.left(card) else Refused(Rule.CARD_GONE, {"card": card})


def _price(position: Position, top: Told, move: Buy) -> int | Refused:
    """Tell the price of a top card: printed on it, or in the move where the card is not told. Source: I5."""
    if top is not None:
        return Refused(Rule.PRICE_UNASKED) if move.price is not None else top.value
    if move.price is None or move.price not in VALUES:
        return Refused(Rule.PRICE_NEEDED)
    return move.price


def _paid(position: Position, payer: int, payee: int, price: int) -> tuple[int, ...]:
    """Move points from one seat to another: what one pays, the other gets."""
    prestige = put(position.prestige, payer, position.prestige[payer] - price)
    return put(prestige, payee, prestige[payee] + price)


def _shuffle(position: Position) -> tuple[PilesShuffled, ...]:
    """Say that the draw needs a shuffle first, where it does. Source: I-es, end of the draw pile; I8."""
    return () if position.deck else (PilesShuffled(position.shuffled.deck),)


def _taken(position: Position, card: Told, *events: object) -> Accepted[Position]:
    """Add a card to the bouquet of the seat to move, which ends its turn."""
    seat = position.to_move or 0
    bouquets = put(position.bouquets, seat, (*position.bouquets[seat], card))
    return _scored(replace(position, bouquets=bouquets, refusals=0), *events)


def _scored(position: Position, *events: object) -> Accepted[Position]:
    """Score the round if every bouquet is complete and told."""
    if not position.are_bouquets_full or not all(map(position.has_told, range(position.seats))):
        return Accepted(position, events)
    after, more = finished(position)
    return Accepted(after, (*events, *more))


def _candidates(position: Position, seat: int) -> Iterator[Move]:
    """Yield at least every move that may be open to a seat."""
    if position.is_finished:
        return
    if seat == position.to_move:
        yield from _turns(position, seat)
    elif position.are_bouquets_full and not position.has_told(seat):
        left = [card for card in COPIES if position.left(card)]
        yield from (TellBouquet(seat, cards) for cards in combinations_with_replacement(left, SIZE))


def _turns(position: Position, seat: int) -> Iterator[Move]:
    is_told = position.options.detail is Detail.CARDS
    cards: tuple[Told, ...] = tuple(COPIES) if is_told else (None,)
    prices: tuple[int | None, ...] = (None,) if is_told else tuple(VALUES)
    yield from (Keep(seat, card) for card in cards)
    yield from (Refuse(seat, card) for card in cards)
    yield from (Buy(seat, owner, price) for owner in range(position.seats) for price in prices)
