"""What the referee of Ubongo can be asked without a table: who wins with these gems, or where a pawn may go.

Gems are given as `A=6,4,2,2,2,2`: a name, and six counts. Rows count from 0, as in the table record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.game import Question, Verdict
from companion.games.ubongo.gems import ROWS, AheadAtOnce, Colour, Comparison, Counts, compared, descending, in_order
from companion.games.ubongo.moves import Rule
from companion.games.ubongo.position import PLAYERS, reach

LONGEST = 9
"""Digits of the largest number that is read."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A player's place in a ranking; `rank` counts from 1."""

    rank: int
    name: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """All players, the winner first."""

    order: tuple[Placed, ...]


@dataclass(frozen=True, slots=True)
class PawnReaches:
    """The rows where a pawn may stop, from 0; `open` is how many they are."""

    rows: tuple[int, ...]
    open: int


@dataclass(frozen=True, slots=True)
class MayMove:
    """A pawn may go to a row, counted from 0."""

    row: int


@dataclass(frozen=True, slots=True)
class MayNotMove:
    """A pawn may not go to a row, counted from 0."""

    row: int


def answer(words: Sequence[str], options: Mapping[str, str]) -> Verdict:
    """Rank the players by their gems; with `from` and `rank`, say where a pawn may go.

    Raises:
        ValueError: a word that is no player with six counts, a number that cannot be.
    """
    if options and words:
        raise ValueError("Ask about gems (A=6,4,2,2,2,2) or about a move (--from 2 --rank 1), not about both.")
    if options:
        return _move(options)
    if not words:
        raise ValueError("Name the players and their six counts: A=6,4,2,2,2,2 C=4,3,2,6,1,0.")
    players = [_player(word) for word in words]
    names = [name for name, _ in players]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(f"{twice} is named twice.")
    return _ranked(names, [counts for _, counts in players])


def _ranked(names: Sequence[str], collections: Sequence[Counts]) -> Verdict:
    order = in_order(collections)
    reasons = list(compared(names, collections))
    data = {
        "winners": [names[index] for rank, index in order if rank == 1],
        "ranking": [
            {"name": names[index], "rank": rank, "counts": list(descending(collections[index]))}
            for rank, index in order
        ],
        "comparisons": [_written(reason) for reason in reasons],
    }
    ranking = Ranking(tuple(Placed(rank, names[index]) for rank, index in order))
    return Verdict((ranking, *reasons), Rule.LARGEST_COUNTS, data)


def _written(reason: Comparison) -> dict[str, Any]:
    """Write a comparison as data; `more` and `fewer` are null where all counts are level."""
    level = () if isinstance(reason, AheadAtOnce) else reason.level
    more, fewer = getattr(reason, "more", None), getattr(reason, "fewer", None)
    return {"ahead": reason.ahead, "behind": reason.behind, "level": list(level), "more": more, "fewer": fewer}


def _move(options: Mapping[str, str]) -> Verdict:
    if "from" not in options or "rank" not in options:
        raise ValueError("A move needs the row where the pawn stands and the place in the order: --from 2 --rank 1.")
    row = _number(options["from"], range(ROWS))
    rank = _number(options["rank"], range(1, PLAYERS[-1] + 1))
    rows = reach(row, rank)
    data: dict[str, Any] = {"from": row, "rank": rank, "rows": list(rows)}
    if "to" not in options:
        return Verdict((PawnReaches(rows, len(rows)),), Rule.PAWN_REACH, data)
    to = _number(options["to"], range(ROWS))
    said = MayMove(to) if to in rows else MayNotMove(to)
    return Verdict((said, PawnReaches(rows, len(rows))), Rule.PAWN_REACH, data | {"to": to, "legal": to in rows})


def _player(word: str) -> tuple[str, Counts]:
    name, _, numbers = word.rpartition("=")
    counts = numbers.split(",")
    if not name or len(counts) != len(Colour):
        raise ValueError(f"{word} is no player with six counts, as A=6,4,2,2,2,2 is.")
    return name, tuple(_number(count) for count in counts)


def _number(word: str, allowed: range | None = None) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) <= LONGEST):
        raise ValueError(f"{word} is no number.")
    if allowed is not None and int(word) not in allowed:
        raise ValueError(f"{word} cannot be: it is from {allowed[0]} to {allowed[-1]}.")
    return int(word)


QUESTION = Question(
    example="A=6,4,2,2,2,2 C=4,3,2,6,1,0",
    options={
        "from": "The row where a pawn stands, 0 to 5 from the left.",
        "rank": "The place of its player in the order of finishing: 1 to 4.",
        "to": "The row where it shall go: may it?",
    },
    answer=answer,
)
