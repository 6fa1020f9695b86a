"""Cairn: roll a die on your turn and lay as many stones on your pile; two rules, and thirty stones win.

1. Whoever rolls what the player before them rolled sees the whole pile fall.
2. The first pile of thirty stones wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion import game
from companion.game import Accepted, Place, Refused, Seat, Standing, ranked

HEIGHT = 30
FACES = range(1, 7)


class Rule(game.Rule):
    """What the referee of Cairn cites."""

    PLAYERS = "cairn.players", "Cairn, players"
    GAME_OVER = "cairn.game_over", "Cairn, rule 2"
    NOT_YOUR_TURN = "cairn.not_your_turn", "Cairn, turns"
    FACE = "cairn.face", "Cairn, the die"
    SAME = "cairn.same", "Cairn, rule 1"


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose."""

    is_gentle: bool = False
    """Whether a pile that falls keeps half of its stones."""


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay as many stones as the die shows."""

    seat: int
    die: int


@dataclass(frozen=True, slots=True)
class Laid:
    """Stones were laid."""

    seat: Seat
    die: int


@dataclass(frozen=True, slots=True)
class Fell:
    """A pile fell."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Position:
    """Everything true of a play. `piles` has one entry per seat, clockwise from seat 0."""

    options: Options
    piles: tuple[int, ...]
    to_move: int = 0
    last: int | None = None
    """What was rolled last; None before the first roll."""

    @property
    def is_finished(self) -> bool:
        """Whether a pile is high enough."""
        return max(self.piles) >= HEIGHT


def start(options: Options, seats: int) -> Position | Refused:
    """Begin with empty piles."""
    if seats not in range(2, 7):
        return Refused(Rule.PLAYERS, {"option": "players"})
    return Position(options, (0,) * seats)


def judge(position: Position, move: Lay) -> Accepted[Position] | Refused:
    """Rule on a roll."""
    if position.is_finished:
        return Refused(Rule.GAME_OVER)
    if move.seat != position.to_move:
        return Refused(Rule.NOT_YOUR_TURN, {"seat": Seat(position.to_move)})
    if move.die not in FACES:
        return Refused(Rule.FACE)
    has_fallen = move.die == position.last
    kept = position.piles[move.seat] // 2 if position.options.is_gentle else 0
    pile = kept if has_fallen else position.piles[move.seat] + move.die
    piles = (*position.piles[: move.seat], pile, *position.piles[move.seat + 1 :])
    after = replace(position, piles=piles, to_move=(move.seat + 1) % len(piles), last=move.die)
    laid = Laid(Seat(move.seat), move.die)
    return Accepted(after, (laid, Fell(Seat(move.seat))) if has_fallen else (laid,))


def legal(position: Position, seat: int | None) -> Iterator[Lay]:
    """Yield the rolls open to a seat."""
    moves = (Lay(seat, die) for die in FACES if seat is not None)
    return (move for move in moves if isinstance(judge(position, move), Accepted))


def standing(position: Position) -> Standing:
    """Rank the piles."""
    places = (Place(seat, rank, position.piles[seat]) for rank, seat in ranked([(pile,) for pile in position.piles]))
    return Standing(tuple(places), position.is_finished)


def summary(position: Position) -> dict[str, Any]:
    """Write the position as data."""
    to_move = None if position.is_finished else position.to_move
    return {"piles": list(position.piles), "last": position.last, "to_move": to_move}
