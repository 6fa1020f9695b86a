"""Rulings on the reward tiles of the Five Flamboyants, and the chains that they can make.

Source: H-pl, Five Flamboyants; H9–H17, H31.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.game import Refused, Seat
from companion.games.hanabi import events
from companion.games.hanabi.cards import Card
from companion.games.hanabi.contradictions import noticed
from companion.games.hanabi.hints import hinted, refused_hint
from companion.games.hanabi.moves import Reward, Rule
from companion.games.hanabi.plays import with_built, with_discarded
from companion.games.hanabi.position import FULL, Position, Tile
from companion.games.hanabi.turns import Ruling, Story, go_on, not_on_turn, regained
from companion.kernel.frozen import replace

FIELDS = ("to", "colour", "value", "slots", "card")
"""What a reward may say beside its tile."""

NEEDS: Mapping[Tile, tuple[str, ...]] = {
    Tile.T1: (),
    Tile.T2: (),
    Tile.T3: ("to", "colour", "slots"),
    Tile.T4: ("to", "value", "slots"),
    Tile.T5: ("card",),
    Tile.T6: ("card",),
}
"""What each tile is used with."""


@dataclass(frozen=True, slots=True)
class NothingFits:
    """No card that fits lies in the discard pile."""


def judge_reward(position: Position, move: Reward) -> Ruling:
    """Reveal a tile and use it; then the turn goes on, unless it completed another firework."""
    if refused := not_on_turn(position, move.seat, reveals=True):
        return refused
    if not position.is_reward_due:
        return Refused(Rule.NO_REWARD)
    if move.tile in position.tiles:
        return Refused(Rule.TILE_GONE, {"tile": move.tile})
    is_late = move.tile is Tile.T5 and move.instead is Tile.T6 and not position.deck
    if move.instead is not None and not is_late:
        return Refused(Rule.INSTEAD)
    effect = move.instead or move.tile
    if any(getattr(move, field) is not None for field in FIELDS if field not in NEEDS[effect]):
        return Refused(Rule.TILE_NEEDS, {"tile": move.tile})
    story = _used(replace(position, tiles=(*position.tiles, move.tile), is_reward_due=False), move, effect)
    if isinstance(story, Refused):
        return story
    after, happened = story
    after, remarks = noticed(after, move.to)
    return go_on(after, (events.TileRevealed(Seat(move.seat), move.tile), *happened), remarks)


def is_hint_open(position: Position, tile: Tile) -> bool:
    """Say whether somebody can be given the hint of T3 or T4, as far as the referee can know.

    Only black powder has no colour: where a hint must touch a card, hands of nothing else cannot be told one.
    """
    held = position.holds_elsewhere(position.turn)
    falling = [suit for suit in position.suits if suit.is_falling]
    powder = sum(position.left(suit.card(place)) for suit in falling for place in range(FULL))
    return held > 0 and (position.options.may_hint_nothing or tile is Tile.T4 or held > powder)


def recoverable(position: Position) -> tuple[Card, ...]:
    """List the cards known to lie in the discard pile that fit now."""
    return tuple(card for card in position.next_cards() if position.discarded(card))


def _fitting(position: Position) -> tuple[Card, ...]:
    """List the cards that fit and may be named out of the discard pile."""
    return tuple(card for card in position.next_cards() if may_lie_discarded(position, card))


def may_lie_discarded(position: Position, card: Card) -> bool:
    """Say whether a card may be named out of the discard pile: it is known to lie there, or nobody named some that do.

    Source: H34.
    """
    return bool(position.discarded(card) or (position.unnamed and position.left(card)))


def _used(position: Position, move: Reward, effect: Tile) -> Story | Refused:
    match effect:
        case Tile.T1:
            return regained(position)
        case Tile.T2:
            return _forgiven(position)
        case Tile.T3 | Tile.T4:
            return _given_hint(position, move)
        case Tile.T5:
            return _shuffled_in(position, move.card)
    return _recovered(position, move.card)


def _forgiven(position: Position) -> Story:
    """Take an error back, and regain a token. Source: H14."""
    after, token = regained(position)
    if not after.errors:
        return after, token
    after = replace(after, errors=after.errors - 1)
    return after, (events.ErrorTakenBack(after.errors), *token)


def _given_hint(position: Position, move: Reward) -> Story | Refused:
    """Give a hint for nothing; where none can be given the reward is lost. Source: H13, H16."""
    is_bare = (move.to, move.clue, move.slots) == (None, None, None)
    if not is_bare:
        return refused_hint(position, move) or hinted(position, move)
    if not is_hint_open(position, move.tile):
        return position, (events.RewardLost(),)
    return hinted(position, move) if position.options.is_counted else Refused(Rule.MUST_USE, {"tile": move.tile})


def _shuffled_in(position: Position, card: Card | None) -> Story | Refused:
    """Shuffle a discarded card into the deck; with none the reward is lost. Source: H11, H16."""
    if card is None and not position.unnamed:
        is_lost = not any(map(sum, position.discards))
        return (position, (events.RewardLost(),)) if is_lost else Refused(Rule.MUST_USE, {"tile": Tile.T5})
    after = _without(position, card)
    if isinstance(after, Refused):
        return after
    event = events.ReturnCounted() if card is None else events.CardReturned(card)
    return replace(after, deck=after.deck + 1), (event,)


def _recovered(position: Position, card: Card | None) -> Story | Refused:
    """Build a discarded card that fits; with none the reward is lost. Source: H15, H16."""
    if card is None:
        is_lost = not recoverable(position)
        return (position, (events.RewardLost(),)) if is_lost else Refused(Rule.MUST_USE, {"tile": Tile.T6})
    after = _without(position, card)
    if isinstance(after, Refused):
        return after
    if not after.fits(card):
        return Refused(Rule.DOES_NOT_FIT, {"card": card, "cards": _fitting(position) or NothingFits()})
    after, bonus = with_built(after, card)
    return after, (events.CardRecovered(card), *bonus)


def _without(position: Position, card: Card | None) -> Position | Refused:
    """Take a card out of the discard pile; None for one that nobody named, which a named one may turn out to be."""
    if card is not None and position.index(card) is None:
        return Refused(Rule.NO_SUCH_CARD, {"card": card})
    if card is not None and position.discarded(card):
        return with_discarded(position, card, copies=-1)
    if card is None or may_lie_discarded(position, card):
        return with_discarded(position, None, copies=-1)
    return Refused(Rule.NOT_DISCARDED, {"card": card})
