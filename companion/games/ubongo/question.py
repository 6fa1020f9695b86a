"""What the referee of Ubongo can be asked without a table: who wins with these gems, pawns, what is taken.

Gems are given as `A=6,4,2,2,2,2`: a name, and six counts. Rows count from 0, as in the table record; what is said to
people counts from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from companion.game import N_, Refused, Verdict
from companion.games.ubongo import question_keys as keys
from companion.games.ubongo.gems import (
    COPIES,
    HOLES,
    ROWS,
    AheadAtOnce,
    Colour,
    Comparison,
    Counts,
    compared,
    descending,
    in_order,
)
from companion.games.ubongo.moves import Rule
from companion.games.ubongo.position import GEMS_AT_ONCE, PLAYERS, Position, reach
from companion.question import Asked, Topic, Unclear, about, is_on, number

MOST = 10**9
"""Numbers that are read are smaller."""


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
    """The rows where a pawn may stop, from 1; `open` is how many they are."""

    rows: tuple[int, ...]
    open: int


@dataclass(frozen=True, slots=True)
class MayMove:
    """A pawn may go to a row, counted from 1."""

    row: int


@dataclass(frozen=True, slots=True)
class MayNotMove:
    """A pawn may not go to a row, counted from 1."""

    row: int


@dataclass(frozen=True, slots=True)
class TakesGems:
    """So many gems are taken, from the front."""

    due: int


@dataclass(frozen=True, slots=True)
class TakesNothing:
    """The row is empty."""


@dataclass(frozen=True, slots=True)
class TooLateForGems:
    """The hands were too late."""


class Counted(TypedDict):
    """A player's rank, and the counts of gems in descending order."""

    name: str
    rank: int
    counts: list[int]


class Compared(TypedDict):
    """Why one is ahead of the other: counts that are `level`, and then more against fewer, null where all are level."""

    ahead: str
    behind: str
    level: list[int]
    more: int | None
    fewer: int | None


class GemsRanked(TypedDict):
    """Who is ahead by gems."""

    winners: list[str]
    ranking: list[Counted]
    comparisons: list[Compared]


PawnStands = TypedDict("PawnStands", {"from": int, "rank": int, "rows": list[int]})
"""Where a pawn stands, as which number its player called, and where it may go."""


class PawnMoves(PawnStands, total=False):
    """Whether it may go where it was asked for."""

    to: int
    legal: bool


class GemsTaken(TypedDict):
    """How many gems are taken."""

    takes: int


def gems(words: Sequence[str], options: Asked) -> Verdict:
    """Rank the players by their gems. Raises: Unclear."""
    if not words:
        raise Unclear(N_("Name the players and their six counts: A=6,4,2,2,2,2 C=4,3,2,6,1,0."), missing="green")
    players = [_player(word) for word in words]
    names = [name for name, _ in players]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Unclear(N_("%(name)s is named twice."), name=twice)
    collections = [counts for _, counts in players]
    for colour, lying in zip(Colour, map(sum, zip(*collections, strict=True)), strict=True):
        if lying > COPIES:
            raise Unclear(Refused(Rule.TWELVE_OF_A_COLOUR, {"colour": colour, "told": lying}))
    return _ranked(names, collections)


def _ranked(names: Sequence[str], collections: Sequence[Counts]) -> Verdict:
    order = in_order(collections)
    reasons = list(compared(names, collections))
    data: GemsRanked = {
        "winners": [names[index] for rank, index in order if rank == 1],
        "ranking": [
            {"name": names[index], "rank": rank, "counts": list(descending(collections[index]))}
            for rank, index in order
        ],
        "comparisons": [_written(reason) for reason in reasons],
    }
    ranking = Ranking(tuple(Placed(rank, names[index]) for rank, index in order))
    return Verdict((ranking, *reasons), Rule.LARGEST_COUNTS, data)


def _written(reason: Comparison) -> Compared:
    level = () if isinstance(reason, AheadAtOnce) else reason.level
    more, fewer = getattr(reason, "more", None), getattr(reason, "fewer", None)
    ahead, behind = str(reason.ahead), str(reason.behind)
    return {"ahead": ahead, "behind": behind, "level": list(level), "more": more, "fewer": fewer}


def pawn(words: Sequence[str], options: Asked) -> Verdict:
    """Say where a pawn may go; with `to`, whether it may go there. Raises: Unclear."""
    for name, missing in (
        ("from", N_("Name the row where the pawn stands.")),
        ("rank", N_("Name as which number its player called.")),
    ):
        if name not in options:
            raise Unclear(missing, missing=name)
    if words:
        raise Unclear(N_("Ask about gems or about a move, not about both."))
    row, rank = number(options["from"], range(ROWS)), number(options["rank"], range(1, PLAYERS[-1] + 1))
    rows = reach(row, rank)
    data: PawnMoves = {"from": row, "rank": rank, "rows": list(rows)}
    reaches = PawnReaches(tuple(one + 1 for one in rows), len(rows))
    if "to" not in options:
        return Verdict((reaches,), Rule.PAWN_REACH, data)
    to = number(options["to"], range(ROWS))
    said = MayMove(to + 1) if to in rows else MayNotMove(to + 1)
    return Verdict((said, reaches), Rule.PAWN_REACH, {**data, "to": to, "legal": to in rows})


def taken(words: Sequence[str], options: Asked) -> Verdict:
    """Say how many gems are taken from a row. Raises: Unclear."""
    if "left" not in options:
        raise Unclear(N_("Name the gems that are left in the row."), missing="left")
    left = number(options["left"], range(HOLES + 1))
    if is_on(options, "late"):
        return Verdict((TooLateForGems(),), Rule.TOO_LATE, GemsTaken(takes=0))
    due = min(left, GEMS_AT_ONCE)
    return Verdict((TakesGems(due) if due else TakesNothing(),), Rule.FRONT_TWO, GemsTaken(takes=due))


def _player(word: str) -> tuple[str, Counts]:
    name, _, numbers = word.rpartition("=")
    counts = numbers.split(",")
    if not name or len(counts) != len(Colour):
        raise Unclear(N_("%(word)s is no player with six counts, as A=6,4,2,2,2,2 is."), word=word)
    return name, tuple(number(count, range(MOST)) for count in counts)


def lies(position: Position) -> Mapping[str, Asked]:
    """Tell what lies on the table: everybody's gems, and the pawn and the row of who called last."""
    counts = [f"{chr(ord('A') + seat)}={','.join(map(str, own))}" for seat, own in enumerate(position.gems)]
    known = {"gems": {"words": " ".join(counts)}}
    if not position.calls:
        return known
    call = position.calls[-1]
    row = position.pawns[call.seat]
    moving = {"from": str(call.home), "rank": str(len(position.calls))}
    return {**known, "pawn": moving, "taken": {"left": str(position.rows[row])}}


QUESTION = about(
    (
        Topic(
            "gems",
            N_("Who is ahead with these gems?"),
            keys.GEMS,
            gems,
            line=tuple(colour.value for colour in Colour),
            data=GemsRanked,
        ),
        Topic(
            "pawn",
            N_("Where may the pawn go?"),
            keys.PAWN,
            pawn,
            {
                "from": "The row where a pawn stands, 0 to 5 from the left.",
                "rank": "The place of its player in the order of finishing: 1 to 4.",
                "to": "The row where it shall go: may it?",
            },
            is_meant=lambda words, options: bool({"from", "rank", "to"} & options.keys()),
            data=PawnMoves,
        ),
        Topic(
            "taken",
            N_("How many gems are taken?"),
            keys.TAKEN,
            taken,
            {
                "left": "How many gems are left in the row: how many are taken?",
                "late": "Whether the hands were later than the sand: yes or no.",
            },
            is_meant=lambda words, options: "left" in options or "late" in options,
            data=GemsTaken,
        ),
    ),
    "A=6,4,2,2,2,2 C=4,3,2,6,1,0",
    lies,
)
