"""Cairn: a game of another package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from cairn import rules
from cairn.rules import Fell, Laid, Lay, Options, Position, Rule
from companion.fields import SeatNumber, Switch, Whole, shape
from companion.game import Game, Label, Question, Schema, Seat, Verdict, Words


@dataclass(frozen=True, slots=True)
class View:
    """The page of a seat: nothing is secret."""

    seat: int | None
    piles: tuple[int, ...]
    to_move: int
    last: int | None
    is_over: bool


def view(position: Position, seat: int | None) -> View:
    """Show the play."""
    return View(seat, position.piles, position.to_move, position.last, position.is_finished)


@cache
def moves(seats: int) -> Mapping[str, Schema]:
    """Give the schemas of the moves."""
    number = partial(Whole, required=True)
    return {"lay": shape(Lay, seat=SeatNumber(seats, required=True), die=number())}


def answer(words: Sequence[str], options: Mapping[str, str]) -> Verdict:
    """Answer whether a pile falls when the second die follows the first."""
    if len(words) != 2 or not all(word.isdecimal() for word in words):
        raise ValueError("Name two dice: the one before and yours.")
    has_fallen = words[0] == words[1]
    says = Fell(Seat(0)) if has_fallen else Laid(Seat(0), int(words[1]))
    return Verdict((says,), Rule.SAME, {"falls": has_fallen})


def score_sheet(
    options: Mapping[str, Any], players: Sequence[str], summary: Mapping[str, Any] | None, about: Mapping[str, str]
) -> dict[str, Any]:
    """Lay out the sheet."""
    piles = summary["piles"] if summary else [""] * len(players)
    return {**about, "rows": list(zip(players, piles, strict=True))}


WORDS = Words(
    sentences={
        Rule.PLAYERS: "Cairn is for 2 to 6 players.",
        Rule.GAME_OVER: "A pile is high enough; the game is over.",
        Rule.NOT_YOUR_TURN: "It is not your turn: %(seat)s is next.",
        Rule.FACE: "A die shows 1 to 6.",
        Rule.SAME: "The same number twice in a row brings the pile down.",
        Laid: "%(seat)s lays %(die)s.",
        Fell: "The pile of %(seat)s falls.",
        Lay: "roll of %(seat)s",
    },
    names={},
    options={"is_gentle": Label("Gentle", "A pile that falls keeps half of its stones.")},
    fields={"die": "Die"},
)

GAME: Game[Options, Position, Lay, View] = Game(
    key="cairn",
    name="Cairn",
    players=range(2, 7),
    rules=Rule,
    options=shape(Options, is_gentle=Switch()),
    moves=moves,
    words=WORDS,
    start=rules.start,
    judge=rules.judge,
    legal=rules.legal,
    view=view,
    standing=rules.standing,
    summary=rules.summary,
    question=Question("3 3", {}, answer),
    folder=Path(__file__).parent,
    sheets={"score_sheet": score_sheet},
)
