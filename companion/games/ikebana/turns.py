"""Rulings on a turn: drawing a card and keeping it, refusing it for a price, or buying another seat's top card.

Each expects that it is the seat's turn.

Source: I-es, drawing and buying; I3–I5, I8, I9, I11.
"""

from __future__ import annotations

from companion.game import Accepted, Refused, Seat
from companion.games.ikebana.cards import COPIES, VALUES
from companion.games.ikebana.moves import (
    Buy,
    CardBought,
    CardKept,
    CardRefused,
    DrawKept,
    DrawRefused,
    Keep,
    PilesShuffled,
    Refuse,
    Rule,
    TopBought,
)
from companion.games.ikebana.position import Detail, Position, Purchase, Told
from companion.games.ikebana.scoring import scored
from companion.games.ikebana.whys import AllLie
from companion.kernel.frozen import put, replace

Ruling = Accepted[Position] | Refused


def judge_keep(position: Position, move: Keep) -> Ruling:
    """Add the drawn card to the bouquet."""
    if refused := _undrawable(position, move.card):
        return refused
    event = DrawKept(Seat(move.seat)) if move.card is None else CardKept(Seat(move.seat), move.card)
    return _taken(position.shuffled, move.card, event, *_shuffle(position))


def judge_refuse(position: Position, move: Refuse) -> Ruling:
    """Pay, and put the drawn card on the seat's own pile; the seat draws again."""
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
        acts=position.acts + 1,
    )
    seat = Seat(move.seat)
    event = DrawRefused(seat, price, payee) if move.card is None else CardRefused(seat, move.card, price, payee)
    return Accepted(after, (event, *_shuffle(position)))


def judge_buy(position: Position, move: Buy) -> Ruling:
    """Pay the owner of a pile for its top card, and add that to the bouquet."""
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
    if pile[-1] is None:
        after = replace(after, bought=(*after.bought, Purchase(move.seat, price, after.acts)))
    seat, owner = Seat(move.seat), Seat(move.owner)
    event = TopBought(seat, price, owner) if pile[-1] is None else CardBought(seat, pile[-1], price, owner)
    return _taken(after, pile[-1], event)


def _undrawable(position: Position, card: Told) -> Refused | None:
    """Refuse a drawn card that no copy is left of, or that this table tells (or does not)."""
    is_told = position.options.detail is Detail.CARDS
    if card is None:
        return Refused(Rule.CARD_NEEDED) if is_told else None
    if not is_told:
        return Refused(Rule.CARD_UNASKED)
    return None if position.left(card) else Refused(Rule.CARD_GONE, {"card": card, "why": AllLie(COPIES[card])})


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
    after = replace(position, bouquets=bouquets, taken=position.taken + 1, refusals=0, acts=position.acts + 1)
    return scored(after, *events)
