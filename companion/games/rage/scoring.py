"""Rage's arithmetic: the rows of a round, the standing, the summary.

Source: R-cs, scoring and variants.
"""

from __future__ import annotations

from typing import TypedDict

from companion.game import Place, Standing, ranked
from companion.games.rage.cards import card_name
from companion.games.rage.position import ROUNDS, Options, Position, Round, Row, Tie
from companion.kernel.once import once, part

MADE = 10
"""Points for an exact bid."""
MISSED = -5
"""Points for any other bid."""
FIVE = 5
"""Points that a +5 gives and a −5 takes."""
DURCH_FACTOR = 2
COLUMNS = ("a", "b", "c", "d", "n", "tricks")
"""What the table record has of a row."""


class Scored(TypedDict):
    """A round that is over."""

    cards: int
    dealer: int
    rows: list[dict[str, int]]
    """Of each seat, by `COLUMNS`."""


class Summary(TypedDict):
    """A position, as the table record has it."""

    round: int
    cards: int
    dealer: int
    to_move: int | None
    trump: str | None
    led: str | None
    trick: list[str]
    taken: list[int]
    rounds: list[Scored]


def row(options: Options, cards: int, bid: int, won: tuple[int, int, int]) -> Row:
    """Score one seat's round.

    Args:
        options: the table's.
        cards: how many tricks the round had.
        bid: the tricks announced.
        won: the tricks, the +5 and the −5 cards won.

    >>> row(Options(), 10, bid=3, won=(3, 0, 1)).n
    8

    Source: R-cs, scoring; Durch: R15.
    """
    tricks, plus, minus = won
    is_durch = options.durch and tricks == cards > 1
    return Row(
        a=bid,
        b=tricks * (DURCH_FACTOR if is_durch else 1),
        c=MADE if tricks == bid else MISSED,
        d=FIVE * (plus - minus),
        tricks=tricks,
        plus=plus,
        minus=minus,
    )


def scored(position: Position) -> Round:
    """Score the round whose bids and tricks are complete in this position."""
    won = zip(position.taken, position.plus, position.minus, strict=True)
    rows = (
        row(position.options, position.cards, bid or 0, seat_won)
        for bid, seat_won in zip(position.bids, won, strict=True)
    )
    return Round(position.cards, position.dealer, tuple(rows))


def exact_bids(sheet: tuple[Round, ...], seats: int) -> list[int]:
    """Count the bids that were made exactly, one count per seat."""
    return [sum([finished.rows[seat].a == finished.rows[seat].tricks for finished in sheet]) for seat in range(seats)]


@once
def standing(position: Position) -> Standing:
    """Rank the seats by the finished rounds.

    Source: R-cs; ties: R2.
    """
    return standing_of(position.sheet, position.options, position.seats)


@part
def standing_of(sheet: tuple[Round, ...], options: Options, seats: int) -> Standing:
    """Rank the seats by these rounds."""
    score = [sum([finished.rows[seat].n for finished in sheet]) for seat in range(seats)]
    exact = exact_bids(sheet, seats) if options.tie is Tie.MOST_EXACT_BIDS else [0] * seats
    places = tuple([Place(seat, rank, score[seat]) for rank, seat in ranked(list(zip(score, exact, strict=True)))])
    return Standing(places, is_finished=len(sheet) == ROUNDS)


def summary(position: Position) -> Summary:
    """Write the position as the table record does; sealed bids are not in it."""
    return {
        "round": position.round,
        "cards": position.cards,
        "dealer": position.dealer,
        "to_move": position.to_move,
        "trump": position.trump.value if position.trump else None,
        "led": position.led.value if position.led else None,
        "trick": [card_name(card) for card in position.trick],
        "taken": list(position.taken),
        "rounds": [
            {
                "cards": finished.cards,
                "dealer": finished.dealer,
                "rows": [{name: getattr(line, name) for name in COLUMNS} for line in finished.rows],
            }
            for finished in position.sheet
        ],
    }
