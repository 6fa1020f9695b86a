"""What a refusal of Rage says beside the rule: why it cannot be, with the card, the player and the number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.game import Seat
from companion.games.rage.cards import Action, Card, Coloured, Joker
from companion.games.rage.position import ACTION_CARDS, Position


@dataclass(frozen=True, slots=True)
class PlayedBefore:
    """A seat has played the card in this round; `trick` counts from 1."""

    seat: Seat
    trick: int


@dataclass(frozen=True, slots=True)
class LiesAsTrump:
    """The card is the trump card on the table."""


@dataclass(frozen=True, slots=True)
class WasTurned:
    """The card came up from the talon earlier in the round."""


@dataclass(frozen=True, slots=True)
class AllSeen:
    """All copies of the card have been seen in the round."""

    copies: int


@dataclass(frozen=True, slots=True)
class Missing:
    """So many tricks are told of nobody."""

    tricks: int


@dataclass(frozen=True, slots=True)
class TooMany:
    """So many tricks are told more than there are."""

    tricks: int


@dataclass(frozen=True, slots=True)
class LessThanNone:
    """The number of some cards is negative."""


@dataclass(frozen=True, slots=True)
class FivesLeft:
    """More +5 or −5 are told than the round still has."""

    five: Action
    told: int
    left: int


@dataclass(frozen=True, slots=True)
class NoRoom:
    """More cards are told than lie in so many tricks."""

    told: int
    cards: int


@dataclass(frozen=True, slots=True)
class NoRoomBeside:
    """More cards are told than have room in so many tricks, one of which lies on the table."""

    told: int
    cards: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a seat has of the round already."""

    seat: Seat
    tricks: int
    plus: int
    minus: int


@dataclass(frozen=True, slots=True)
class LieInTrick:
    """These +5 and −5 lie in the trick on the table."""

    cards: tuple[Card, ...]


WhySeen = PlayedBefore | LiesAsTrump | WasTurned | AllSeen
WhyNotFives = LessThanNone | FivesLeft | NoRoom


def all_seen(position: Position, card: Card) -> AllSeen:
    """Say how many copies of a card the box has, all of which were seen."""
    if isinstance(card, Coloured):
        return AllSeen(1)
    return AllSeen(ACTION_CARDS[position.options.edition][Joker if isinstance(card, Joker) else card])


def why_seen(position: Position, card: Card) -> WhySeen:
    """Say where the last copy of a card has gone."""
    if not isinstance(card, Coloured):
        return all_seen(position, card)
    for played in position.plays:
        if played.card == card:
            return PlayedBefore(Seat(played.seat), played.trick)
    turned = [seen for seen in position.seen if isinstance(seen, Coloured) and seen.colour is position.turned]
    return LiesAsTrump() if card in turned[-1:] else WasTurned()


def why_not_fives(told: tuple[int, int], left: tuple[int, int], cards: int) -> WhyNotFives | None:
    """Say why so many +5 and −5 cannot lie in tricks of so many cards; None where they can."""
    if min(told) < 0:
        return LessThanNone()
    for five, number, most in zip((Action.PLUS_FIVE, Action.MINUS_FIVE), told, left, strict=True):
        if number > most:
            return FivesLeft(five, number, most)
    return NoRoom(sum(told), cards) if sum(told) > cards else None


def added(told: Sequence[int]) -> str:
    """Write a tally as a sum, with a true minus.

    >>> added((12, -1, 0))
    '12 + −1 + 0'
    """
    return " + ".join(map(str, told)).replace("-", "−")


def off(told: Sequence[int], cards: int) -> Missing | TooMany:
    """Say by how many tricks a tally is wrong."""
    return Missing(cards - sum(told)) if sum(told) < cards else TooMany(sum(told) - cards)
