"""Rulings on cards that leave a hand: discards, plays, and the fireworks that they build.

Source: H-cs, H-es, H-pl, discard and play; H-pl, Black Powder and Five Flamboyants.
"""

from __future__ import annotations

from companion.game import Refused, Remark, Seat
from companion.games.hanabi import events
from companion.games.hanabi.cards import Card, Suit
from companion.games.hanabi.contradictions import belied
from companion.games.hanabi.moves import Discard, PlayCard, Rule
from companion.games.hanabi.options import BlackBonus, TilesEmpty
from companion.games.hanabi.position import FULL, Position, Tile
from companion.games.hanabi.turns import Ruling, Story, go_on, not_on_turn, regained
from companion.kernel.frozen import put, replace


def judge_discard(position: Position, move: Discard) -> Ruling:
    """Discard a card, for a token."""
    if refused := not_on_turn(position, move.seat):
        return refused
    if position.tokens == position.options.hint_tokens:
        return Refused(Rule.ALL_TOKENS, {"tokens": position.tokens})
    if refused := _refused_card(position, move):
        return refused
    seat, card = Seat(move.seat), move.card
    after, token = regained(with_discarded(_taken(position, move), card))
    event = events.DiscardCounted(seat) if card is None else events.CardDiscarded(seat, card)
    return go_on(after, (event, *token), _remarks(position, move))


def judge_play(position: Position, move: PlayCard) -> Ruling:
    """Play a card: it fits and is built, or it is an error.

    Where tokens are counted a card is named that fitted; in the endless game also one that did not, for with its last
    copy the game is lost. Source: H34.
    """
    if refused := not_on_turn(position, move.seat):
        return refused
    if refused := _refused_card(position, move):
        return refused
    seat, card, remarks = Seat(move.seat), move.card, _remarks(position, move)
    if card is not None and position.fits(card):
        after, bonus = with_built(_taken(position, move), card)
        return go_on(after, (events.CardBuilt(seat, card), *bonus), remarks)
    if card is not None and position.options.is_counted and not position.options.endless:
        return Refused(Rule.DOES_NOT_FIT, {"card": card, "cards": tuple(position.next_cards())})
    errors = position.errors + 1
    after = replace(with_discarded(_taken(position, move), card), errors=errors)
    event = events.ErrorCounted(seat, errors) if card is None else events.CardFailed(seat, card, errors)
    return go_on(after, (event,), remarks)


def refused_copy(position: Position, card: Card) -> Refused | None:
    """Refuse a card that is not in the game, or of which all copies are seen already."""
    if position.index(card) is None:
        return Refused(Rule.NO_SUCH_CARD, {"card": card})
    return None if position.left(card) else Refused(Rule.NO_COPY_LEFT, {"card": card})


def with_discarded(position: Position, card: Card | None, copies: int = 1) -> Position:
    """Lay a card on the discard pile; None for one that nobody named. Minus one copy takes it away."""
    index = None if card is None else position.index(card)
    if card is None or index is None:
        return replace(position, unnamed=position.unnamed + copies)
    place = card.value - 1
    pile = put(position.discards[index], place, position.discards[index][place] + copies)
    return replace(position, discards=put(position.discards, index, pile))


def with_built(position: Position, card: Card) -> Story:
    """Lay a card that fits on its firework; the last one earns a token or a reward tile.

    Nothing more is earned when every firework is complete: the game is won.

    Source: H-cs, H-es, H-pl, play; H6, H9, H10, H15.
    """
    index = position.index(card)
    assert index is not None
    suit, built = position.suits[index], position.fireworks[index] + 1
    fireworks = put(position.fireworks, index, built)
    after = replace(position, fireworks=fireworks)
    if built < FULL:
        return after, ()
    completed = events.FireworkCompleted(card.colour)
    after, bonus = (after, ()) if min(fireworks) == FULL else _bonus(after, suit)
    return after, (completed, *bonus)


def _bonus(position: Position, suit: Suit) -> Story:
    """Give what a completed firework earns. Source: H-pl, Five Flamboyants; H9, H10."""
    options = position.options
    earns_tile = not suit.is_falling or options.black_bonus is BlackBonus.TILE
    if not (options.flamboyants and earns_tile):
        return regained(position)
    if len(position.tiles) < len(Tile):
        return replace(position, is_reward_due=True), ()
    return regained(position) if options.tiles_empty is TilesEmpty.TOKEN else (position, ())


def _refused_card(position: Position, move: Discard | PlayCard) -> Refused | None:
    """Refuse a card that cannot be in that place of that hand."""
    hand = position.hands[move.seat]
    if not hand:
        return Refused(Rule.NO_CARDS)
    options, slot = position.options, move.slot
    if slot is not None and not options.has_places:
        return Refused(Rule.SAY_LESS)
    if (slot is None and options.has_places) or (move.card is None and not options.is_counted):
        return Refused(Rule.SAY_ALL)
    if slot is not None and slot not in range(len(hand)):
        return Refused(Rule.SLOT, {"cards": len(hand), "last": len(hand) - 1})
    return refused_copy(position, move.card) if move.card else None


def _taken(position: Position, move: Discard | PlayCard) -> Position:
    """Take a card out of its hand; those to the right of it move up."""
    hand, slot = position.hands[move.seat], move.slot or 0
    return replace(position, hands=put(position.hands, move.seat, (*hand[:slot], *hand[slot + 1 :])))


def _remarks(position: Position, move: Discard | PlayCard) -> tuple[Remark, ...]:
    if move.slot is None or move.card is None:
        return ()
    return belied(position, move.seat, move.slot, move.card)
