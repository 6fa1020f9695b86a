"""Rage's options and moves as data, the table record's way (`docs/record.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from companion.errors import Told
from companion.fields import AnySeat, CardName, Choice, HalfRead, PerSeat, SeatNumber, Switch, Whole, shape
from companion.game import Schema
from companion.games.rage.cards import Card, Joker, card_name, parse_card
from companion.games.rage.moves import Bid, Count, PlayCard, Tally, Trick, Turn
from companion.games.rage.position import Bidding, Edition, JokerTie, NoTrumpThenChange, Options, Tie


def _options(**given: Any) -> Options:
    """Fill in what the edition decides. Source: E15, the first of two jokers wins in the US edition."""
    if given.get("edition") is Edition.US:
        given.setdefault("joker_tie", JokerTie.EARLIER)
    return Options(**given)


OPTIONS = shape(
    _options,
    edition=Choice(Edition),
    bidding=Choice(Bidding),
    plus_minus_one=Switch(),
    durch=Switch(),
    tie=Choice(Tie),
    joker_tie=Choice(JokerTie),
    joker_anytime=Switch(),
    nt_then_ct=Choice(NoTrumpThenChange),
    first_dealer=AnySeat(),
)


@cache
def moves(seats: int) -> Mapping[str, Schema]:
    """Give the schema of each kind of move, for so many seats."""
    seat, number, fives = partial(SeatNumber, seats, required=True), partial(Whole, required=True), partial(Whole)
    each = partial(PerSeat, seats, required=True)
    played = CardName(_parse_played, card_name, required=True)
    turned = CardName(_parse_turned, card_name, required=True)
    return {
        "turn": shape(Turn, card=turned),
        "bid": shape(Bid, seat=seat(), tricks=number()),
        "play": shape(PlayCard, seat=seat(), card=played),
        "trick": shape(Trick, seat=seat(), plus=fives(), minus=fives()),
        "count": shape(Count, seat=seat(), tricks=number(), plus=fives(), minus=fives()),
        "tally": shape(Tally, tricks=each(), plus=each(), minus=each()),
    }


def _parse_played(name: str) -> Card:
    """Read a card played from a hand: a joker needs its announced colour."""
    if name == "J":
        raise HalfRead(Told("A joker is played with its announced colour: J:Y."))
    return parse_card(name)


def _parse_turned(name: str) -> Card:
    """Read a card turned from the talon: nobody announces a colour for a joker."""
    card = parse_card(name)
    if isinstance(card, Joker) and card.colour:
        raise HalfRead(Told("A joker from the talon has no colour: J."))
    return card
