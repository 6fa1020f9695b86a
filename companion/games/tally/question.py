"""What the referee of a score sheet can be asked without a table: what a round brings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from companion.game import Question, Seat, Verdict
from companion.games.tally.counting import Counted, Counting
from companion.games.tally.moves import Brought, RoundCounted, RoundCountedForAll, Rule

MOST_DIGITS = 6


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
            raise ValueError(f"Name {width} for each player, of up to {counting.players[1]}.")
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
        raise ValueError(f"{word} is no whole number.")
    return int(word.replace("−", "-"))
