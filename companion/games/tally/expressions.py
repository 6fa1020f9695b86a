"""What a number of a score sheet is worth: a small language, read by a parser of our own, exact, and bounded.

    if(made = bid, 10 + 2 × bid, −5 × max(made − bid, bid − made))

Numbers, names, + − × ÷, comparisons, `and`, `or`, `not`, and the functions of `parser.FUNCTIONS`. `all.x`, `others.x`
and `earlier.x` are lists: of every line, of every other line, and of this line's finished rounds. Nothing of Python is
ever run: a text becomes parts, and these are worked out one by one.

Dividing by 0 gives 0, and no number grows beyond `MOST`: so whatever is written gives a number, in a known time.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

MOST = 10**12
"""No number is greater, nor less than its opposite."""
COMPARED: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
RECKONED: Mapping[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda left, right: left / right if right else Fraction(0),
}


class Untold(Exception):
    """A number that an expression needs has not been told yet."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is written there."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Name:
    """What is known by a name."""

    name: str
    of: str = ""
    """One of `parser.LISTS`; "" for the one of this line."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Two parts and the sign between them; `and` and `or` are signs, too."""

    sign: str
    left: Part
    right: Part


@dataclass(frozen=True, slots=True)
class Not:
    """What holds where its part does not."""

    part: Part


@dataclass(frozen=True, slots=True)
class Call:
    """A function and what it takes."""

    function: str
    parts: tuple[Part, ...]


Part = Number | Name | Joined | Not | Call


class Scope(Protocol):
    """Where names are looked up."""

    def own(self, name: str) -> int:
        """Give the number of this line. Raises: Untold."""

    def several(self, of: str, name: str) -> Sequence[int]:
        """Give the numbers of a list, those that are told."""


def worth(part: Part, scope: Scope) -> int:
    """Work out an expression; what a division leaves over is dropped. Raises: Untold."""
    return int(_worth(part, scope))


def holds(part: Part, scope: Scope) -> bool:
    """Say whether an expression is other than 0; where something is not told, it does not hold."""
    try:
        return _worth(part, scope) != 0
    except Untold:
        return False


def _worth(part: Part, scope: Scope) -> Fraction:
    if isinstance(part, Number):
        return part.value
    if isinstance(part, Name):
        return Fraction(scope.own(part.name))
    if isinstance(part, Not):
        return Fraction(_worth(part.part, scope) == 0)
    if isinstance(part, Joined):
        return _joined(part, scope)
    return _called(part, scope)


def _joined(part: Joined, scope: Scope) -> Fraction:
    left = _worth(part.left, scope)
    if part.sign in ("and", "or"):
        is_settled = (left != 0) is (part.sign == "or")
        return Fraction(left != 0 if is_settled else _worth(part.right, scope) != 0)
    return _of_two(part.sign, left, _worth(part.right, scope))


def _of_two(sign: str, left: Fraction, right: Fraction) -> Fraction:
    if sign in COMPARED:
        return Fraction(COMPARED[sign](left, right))
    return max(Fraction(-MOST), min(Fraction(MOST), RECKONED[sign](left, right)))


def _called(part: Call, scope: Scope) -> Fraction:
    if part.function == "if":
        condition, then, otherwise = part.parts
        return _worth(then if _worth(condition, scope) else otherwise, scope)
    values = [value for one in part.parts for value in _values(one, scope)]
    if part.function in ("min", "max"):
        return (min if part.function == "min" else max)(values, default=Fraction(0))
    if part.function == "count":
        return Fraction(sum(value != 0 for value in values))
    if part.function == "sum":
        return max(Fraction(-MOST), min(Fraction(MOST), sum(values, Fraction(0))))
    if part.function == "abs":
        return abs(values[0])
    return Fraction(values[0].__floor__() if part.function == "down" else values[0].__ceil__())


def _values(part: Part, scope: Scope) -> list[Fraction]:
    """Work out a part that may be a list: a list with a number is reckoned number by number."""
    if isinstance(part, Name) and part.of:
        return [Fraction(value) for value in scope.several(part.of, part.name)]
    if isinstance(part, Joined) and is_list(part):
        left, right = _values(part.left, scope), _values(part.right, scope)
        if is_list(part.left):
            return [_of_two(part.sign, one, right[0]) for one in left]
        return [_of_two(part.sign, left[0], one) for one in right]
    return [_worth(part, scope)]


def is_list(part: Part) -> bool:
    """Say whether a part gives several numbers."""
    if isinstance(part, Joined):
        return is_list(part.left) or is_list(part.right)
    return isinstance(part, Name) and part.of != ""
