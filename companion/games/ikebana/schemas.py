"""Ikebana's options and moves as data, the table record's way (`docs/record.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

from companion.fields import AnySeat, CardName, Choice, SeatNumber, Several, Switch, Whole, shape
from companion.game import Schema
from companion.games.ikebana.bouquet import SIZE, Wild
from companion.games.ikebana.cards import card_name, parse_card
from companion.games.ikebana.moves import Buy, Keep, Refuse, TellBouquet
from companion.games.ikebana.position import Detail, NextStarter, Options

OPTIONS = shape(
    Options,
    wild=Choice(Wild),
    next_starter=Choice(NextStarter),
    final_bouquet=Switch(),
    first_seat=AnySeat(),
    detail=Choice(Detail),
)


@cache
def moves(seats: int) -> Mapping[str, Schema]:
    """Give the schema of each kind of move, for so many seats.

    Which of them need a card or a price depends on the table's `detail`; the rules see to it.
    """
    seat, card = partial(SeatNumber, seats, required=True), partial(CardName, parse_card, card_name)
    return {
        "keep": shape(Keep, seat=seat(), card=card()),
        "refuse": shape(Refuse, seat=seat(), card=card()),
        "buy": shape(Buy, seat=seat(), **{"from": seat(attribute="owner")}, price=Whole()),
        "bouquet": shape(TellBouquet, seat=seat(), cards=Several(card(), SIZE, required=True)),
    }
