"""What the referee of a score sheet can be asked without a table: what a round brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from companion.game import N_, Question, Seat, Verdict
from companion.games.tally.counting import Counted, Counting
from companion.games.tally.moves import Brought, RoundCounted, RoundCountedForAll, Rule
from companion.question import NO_NUMBER, Unclear

MOST_DIGITS = 6
NO_ROUND = N_("Numbers for each player: %(count)s; players: up to %(most)s.")


class Brings(TypedDict):
    """What a round brings, seat by seat; once where all play together."""

    points: list[int]


def question(counting: Counting) -> Question:
    """Make the question of a sheet: the numbers of a first round, seat by seat."""
    seats = 1 if counting.is_shared else max(counting.players[0], 2)

    def answer(words: Sequence[str], options: Mapping[str, str]) -> Verdict:
        width = len(counting.told)
        numbers = [_number(word) for word in words]
        if not numbers or len(numbers) % width or len(numbers) // width > counting.players[1]:
            raise Unclear(NO_ROUND, count=width, most=counting.players[1])
        rows = [tuple(numbers[place : place + width]) for place in range(0, len(numbers), width)]
        round_ = Counted(counting, len(rows), ()).worked_out(rows[:1] if counting.is_shared else rows)
        points = [each or 0 for each in round_.points]
        said = tuple([Brought(Seat(seat), each) for seat, each in enumerate(points)])
        says = RoundCountedForAll(1, points[0]) if counting.is_shared else RoundCounted(1, said)
        return Verdict((says,), Rule.RANGE, Brings(points=points))

    return Question(" ".join(["1"] * len(counting.told) * seats), {}, answer, data=(Brings,))


def _number(word: str) -> int:
    digits = word.replace("−", "-").removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS):
        raise Unclear(NO_NUMBER, word=word)
    return int(word.replace("−", "-"))
