"""A text becomes an expression, or a fault with the letter at which it goes wrong.

Nothing is read that could take long: so many letters, so many parts, so many in one another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NoReturn, TypeVar

from companion.games.tally.expressions import COMPARED, MOST, Call, Joined, Name, Not, Number, Part, is_list

MOST_LETTERS, MOST_PARTS, MOST_DEPTH = 1_000, 100, 20
"""So long may an expression be; of so many parts, and so many in one another."""
LISTS = ("all", "others", "earlier")
"""What stands before a point."""
FUNCTIONS: Mapping[str, range] = {
    "if": range(3, 4),
    "min": range(1, 21),
    "max": range(1, 21),
    "sum": range(1, 21),
    "count": range(1, 21),
    "abs": range(1, 2),
    "down": range(1, 2),
    "up": range(1, 2),
}
"""By name: how many parts each takes."""
OF_LISTS = ("min", "max", "sum", "count")
"""Those that take lists as well."""
_SIGNS = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=", "==": "="}
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([a-z_][a-z0-9_]*)|(<=|>=|!=|==|[-+*/=<>(),.−–×·÷≤≥≠])|(\S))")
T = TypeVar("T", Number, Name, Joined, Call)


class Fault(Exception):
    """This is no expression. `place` is the letter, from 0, at which it goes wrong."""

    def __init__(self, place: int, message: str) -> None:
        """Take where and why."""
        super().__init__(message)
        self.place = place
        self.message = message


@dataclass(frozen=True, slots=True)
class Known:
    """The names that an expression may use."""

    own: frozenset[str]
    several: Mapping[str, frozenset[str]]
    """By list; one that is not named here is none."""


def parse(text: str, known: Known) -> Part:
    """Read an expression that gives one number. Raises: Fault."""
    if len(text) > MOST_LETTERS:
        raise Fault(MOST_LETTERS, f"This is too long: an expression has {MOST_LETTERS} letters at most.")
    return _Parser(list(_tokens(text)), known).whole()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    """`number`, `name`, `sign` or `end`."""
    text: str
    place: int


def _tokens(text: str) -> Iterator[_Token]:
    place = 0
    while found := _TOKEN.match(text, place):
        number, name, sign, odd = found.groups()
        begins = found.start(found.lastindex or 0)
        if odd:
            raise Fault(begins, f"{odd!r} means nothing here.")
        kind = "number" if number else "name" if name else "sign"
        yield _Token(kind, _SIGNS.get(sign, sign) if sign else number or name, begins)
        place = found.end()
    yield _Token("end", "", len(text.rstrip()))


class _Parser:
    """Reads from the weakest sign to the strongest, each by a function of its own."""

    def __init__(self, tokens: Sequence[_Token], known: Known) -> None:
        self._tokens, self._known = tokens, known
        self._at = self._parts = self._depth = 0

    def whole(self) -> Part:
        """Read all of it."""
        place = self._next.place
        part = self._number(place, self._any())
        if self._next.kind != "end":
            self._fault(f"{self._next.text!r} is not expected here.")
        return part

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _fault(self, message: str, place: int | None = None) -> NoReturn:
        raise Fault(self._next.place if place is None else place, message)

    def _take(self, *texts: str) -> str:
        """Go on where one of these comes next; "" where none does."""
        if self._next.text not in texts or self._next.kind not in ("sign", "name"):
            return ""
        self._at += 1
        return self._tokens[self._at - 1].text

    def _need(self, text: str) -> None:
        if not self._take(text):
            self._fault(f"{text!r} is missing here.")

    def _kept(self, part: T) -> T:
        self._parts += 1
        if self._parts > MOST_PARTS:
            self._fault(f"This has more than {MOST_PARTS} parts.")
        return part

    def _number(self, place: int, part: Part) -> Part:
        if is_list(part):
            self._fault("One number is needed, and these are several: take their min, max, sum or count.", place)
        return part

    def _any(self) -> Part:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            self._fault(f"More than {MOST_DEPTH} parts lie in one another.")
        part = self._joined_by(("or",), lambda: self._joined_by(("and",), self._not))
        self._depth -= 1
        return part

    def _joined_by(self, signs: tuple[str, ...], inner: Callable[[], Part]) -> Part:
        """Read parts with these signs between them, from left to right."""
        place = self._next.place
        left = inner()
        while sign := self._take(*signs):
            beyond = self._next.place
            right = inner()
            if sign in ("and", "or"):
                self._number(place, left), self._number(beyond, right)
            elif is_list(left) and is_list(right):
                self._fault("A list is reckoned with one number, not with another list.", beyond)
            left = self._kept(Joined(sign, left, right))
        return left

    def _not(self) -> Part:
        signs = 0
        while self._take("not"):
            signs += 1
            self._kept(Number(Fraction(0)))
        place = self._next.place
        part = self._compared()
        for _ in range(min(signs, 2 - signs % 2)):
            part = Not(self._number(place, part))
        return part

    def _compared(self) -> Part:
        left = self._sum()
        if not (sign := self._take(*COMPARED)):
            return left
        beyond = self._next.place
        right = self._sum()
        if is_list(left) and is_list(right):
            self._fault("A list is compared with one number, not with another list.", beyond)
        if self._next.text in COMPARED:
            self._fault("Compare two numbers at a time; join comparisons by `and`.")
        return self._kept(Joined(sign, left, right))

    def _sum(self) -> Part:
        return self._joined_by(("+", "-"), lambda: self._joined_by(("*", "/"), self._signed))

    def _signed(self) -> Part:
        is_minus = False
        while sign := self._take("-", "+"):
            is_minus ^= sign == "-"
            self._kept(Number(Fraction(0)))
        part = self._one()
        return self._kept(Joined("-", Number(Fraction(0)), part)) if is_minus else part

    def _one(self) -> Part:
        token = self._next
        if token.kind == "number":
            self._at += 1
            if len(token.text) > len(str(MOST)):
                self._fault("This number is too long.", token.place)
            return self._kept(Number(Fraction(token.text)))
        if token.kind == "name":
            self._at += 1
            return self._kept(self._call(token)) if self._take("(") else self._kept(self._name(token))
        if self._take("("):
            part = self._any()
            self._need(")")
            return part
        self._fault("A number, a name or a bracket is missing here.")

    def _name(self, token: _Token) -> Name:
        if token.text in LISTS:
            return self._of_list(token)
        if token.text not in self._known.own:
            self._unknown(token, self._known.own)
        return Name(token.text)

    def _of_list(self, token: _Token) -> Name:
        if token.text not in self._known.several:
            self._fault(f"There is no {token.text!r} here.", token.place)
        self._need(".")
        name, names = self._next, self._known.several[token.text]
        if name.kind != "name" or name.text not in names:
            self._unknown(name, names)
        self._at += 1
        return Name(name.text, token.text)

    def _unknown(self, token: _Token, names: frozenset[str]) -> NoReturn:
        self._fault(f"There is no {token.text!r} here. Known: {', '.join(sorted(names)) or 'nothing'}.", token.place)

    def _call(self, token: _Token) -> Call:
        if token.text not in FUNCTIONS:
            self._fault(f"There is no function {token.text!r}. Known: {', '.join(FUNCTIONS)}.", token.place)
        parts: list[Part] = []
        while not parts or self._take(","):
            place = self._next.place
            part = self._any()
            parts.append(part if token.text in OF_LISTS else self._number(place, part))
        self._need(")")
        if len(parts) not in FUNCTIONS[token.text]:
            self._fault(f"{token.text} takes {FUNCTIONS[token.text][0]} parts, not {len(parts)}.", token.place)
        return Call(token.text, tuple(parts))
