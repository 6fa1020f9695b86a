"""Ubongo's end: the colours compared, the standing, the summary.

Source: U-cs, end of the game.
"""

from __future__ import annotations

from typing import TypedDict

from companion.game import Place, Seat, Standing
from companion.games.ubongo.gems import Colour, Comparison, Counts, compared, descending, in_order
from companion.games.ubongo.position import Position
from companion.kernel.once import by_value


def standing(position: Position) -> Standing:
    """Rank the seats by their counts, the largest first; the score is the largest, the others break ties.

    Source: U-cs, end of the game: totals do not matter; U2.
    """
    return _standing(position.gems, position.is_finished)


@by_value
def _standing(gems: tuple[Counts, ...], is_finished: bool) -> Standing:
    counts = list(map(descending, gems))
    return Standing(
        tuple([Place(seat, rank, counts[seat][0], counts[seat]) for rank, seat in in_order(gems)]), is_finished
    )


def winners(position: Position) -> tuple[Seat, ...]:
    """Name the seats in first place."""
    return tuple([Seat(seat) for rank, seat in in_order(position.gems) if rank == 1])


def comparisons(position: Position) -> tuple[Comparison, ...]:
    """Explain the standing: one comparison for each two neighbours in it, the leader's first."""
    return _comparisons(position.gems)


@by_value
def _comparisons(gems: tuple[Counts, ...]) -> tuple[Comparison, ...]:
    return tuple(compared([Seat(seat) for seat in range(len(gems))], gems))


class Summary(TypedDict):
    """A position, as the table record has it."""

    round: int
    rounds: int
    symbol: int | None
    glass: int
    finished: list[int]
    pawns: list[int]
    rows: list[int]
    gems: list[dict[str, int]]
    """Of each seat, by colour."""


def summary(position: Position) -> Summary:
    """Write the position as the table record does."""
    colours = [colour.value for colour in Colour]
    return {
        "round": position.round,
        "rounds": position.rounds,
        "symbol": position.symbol,
        "glass": position.glass,
        "finished": [call.seat for call in position.calls],
        "pawns": list(position.pawns),
        "rows": list(position.rows),
        "gems": [dict(zip(colours, counts, strict=True)) for counts in position.gems],
    }
