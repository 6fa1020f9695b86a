"""The end of an Ikebana round, the next deal, the standing, the summary.

Source: I-es, scoring and end of the game; I6, I7, I15, I16.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from companion.game import Accepted, Place, Seat, Standing, ranked
from companion.games.ikebana.bouquet import Reading, Wild, best_reading
from companion.games.ikebana.cards import card_name
from companion.games.ikebana.moves import BouquetDoubled, BouquetScored, GameEnded, RoundBegun
from companion.games.ikebana.position import NextStarter, Options, Position, Round, Told
from companion.kernel.frozen import replace
from companion.kernel.once import by_value, part


def dealt(options: Options, prestige: tuple[int, ...], starter: int, sheet: tuple[Round, ...]) -> Position:
    """Lay out the round after the finished ones: all cards are in the draw pile."""
    seats = len(prestige)
    nothing: tuple[tuple[Told, ...], ...] = ((),) * seats
    return Position(options, seats, sheet, prestige, starter, bouquets=nothing, piles=nothing)


def readings(position: Position) -> tuple[Reading, ...]:
    """Read each bouquet as far as it is told, one reading per seat."""
    wild, is_final = position.options.wild, position.is_final
    return tuple([_reading(bouquet, wild, is_final) for bouquet in position.bouquets])


@part
def _reading(bouquet: tuple[Told, ...], wild: Wild, is_final: bool) -> Reading:
    return best_reading([card for card in bouquet if card is not None], wild, is_final)


def scored(position: Position, *events: object) -> Accepted[Position]:
    """Accept a move that led to this position, and score the round if every bouquet is complete and told."""
    if not position.are_bouquets_full or not all(map(position.has_told, range(position.seats))):
        return Accepted(position, events)
    after, more = _finished(position)
    return Accepted(after, (*events, *more))


def _finished(position: Position) -> tuple[Position, tuple[object, ...]]:
    """Score a round whose bouquets are complete, and deal the next one; the last one ends the game."""
    bouquets = readings(position)
    prestige = tuple(before + one.total for before, one in zip(position.prestige, bouquets, strict=True))
    sheet = (*position.sheet, Round(position.starter, bouquets, prestige))
    values = tuple(_value(Seat(seat), reading) for seat, reading in enumerate(bouquets))
    after = replace(position, sheet=sheet, prestige=prestige)
    if after.is_finished:
        winners = tuple(Seat(place.seat) for place in standing(after).places if place.rank == 1)
        return after, (*values, GameEnded(winners))
    starter = next_starter(position.options, sheet[-1])
    after = dealt(position.options, prestige, starter, sheet)
    return after, (*values, RoundBegun(after.round, Seat(starter)))


def next_starter(options: Options, last: Round) -> int:
    """Name who starts the round after this one: the highest score, of equal ones the first clockwise.

    The count begins with the previous starter, who so stays first when level. Source: I-es; decided here, I6.
    """
    scores = last.prestige
    if options.next_starter is NextStarter.ROUND:
        scores = tuple(reading.total for reading in last.bouquets)
    seats = len(scores)
    return max(((last.starter + step) % seats for step in range(seats)), key=lambda seat: scores[seat])


def standing(position: Position) -> Standing:
    """Rank the seats by prestige; equal ones share the place. Source: I-es, end of the game; I7."""
    return _standing(position.prestige, position.is_finished)


@by_value
def _standing(prestige: tuple[int, ...], is_finished: bool) -> Standing:
    places = [Place(seat, rank, prestige[seat]) for rank, seat in ranked([(points,) for points in prestige])]
    return Standing(tuple(places), is_finished)


class Combined(TypedDict):
    """A combination in a bouquet."""

    kind: str
    cards: list[str]
    points: int


class Bouquet(TypedDict):
    """A bouquet, read."""

    cards: list[str]
    combinations: list[Combined]
    base: int
    multiplier: int
    total: int


class Summary(TypedDict):
    """A position, as the table record has it."""

    round: int
    to_move: int | None
    price: int | None
    payee: int | None
    prestige: list[int]
    piles: list[list[str | None]]
    """Of each seat, bottom to top; null is a card that was not told."""
    deck: int
    bouquets: list[list[Bouquet]]
    """Of each finished round."""


def summary(position: Position) -> Summary:
    """Write the position as the table record does."""
    return {
        "round": position.round,
        "to_move": position.to_move,
        "price": position.price,
        "payee": position.payee,
        "prestige": list(position.prestige),
        "piles": [[None if card is None else card_name(card) for card in pile] for pile in position.piles],
        "deck": position.deck,
        "bouquets": [[reading_data(reading) for reading in finished.bouquets] for finished in position.sheet],
    }


def on_paper(positions: Sequence[Position]) -> dict[str, Any]:
    """Add to the summary what the score sheet shows beside it: who started each round, the prestige after it."""
    sheet = positions[-1].sheet
    return {
        **summary(positions[-1]),
        "starters": [finished.starter for finished in sheet],
        "after": [list(finished.prestige) for finished in sheet],
    }


def reading_data(reading: Reading) -> Bouquet:
    """Write the reading of a bouquet as the table record does."""
    return {
        "cards": [card_name(card) for card in reading.cards],
        "combinations": [
            {"kind": one.kind.value, "cards": [card_name(card) for card in one.cards], "points": one.points}
            for one in reading.combinations
        ],
        "base": reading.base,
        "multiplier": reading.mix.value,
        "total": reading.total,
    }


def _value(seat: Seat, reading: Reading) -> BouquetScored | BouquetDoubled:
    event = BouquetDoubled if reading.is_doubled else BouquetScored
    return event(seat, reading.base, reading.mix.value, reading.total)
