"""No pattern takes long, whatever it is tried on: one that goes back over what it has read holds up a whole worker.

Python’s `re` goes back when it fails: a repeat within a repeat that could share out the same letters in many ways takes time
without end, and two that stand beside one another the square of what they read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from companion.server.incoming import Incoming
from companion.web.choices import WITHIN

ROOT = Path(__file__).parent.parent
FILES = sorted((ROOT / "companion").rglob("*.py"))
LETTERS = frozenset({*range(256), 0x2028, 0x10FFFF})
"""Those that patterns are looked through for."""
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT)
CATEGORIES = {op.CATEGORY_DIGIT: r"\d", op.CATEGORY_SPACE: r"\s", op.CATEGORY_WORD: r"\w"}
CATEGORIES |= {op.CATEGORY_NOT_DIGIT: r"\D", op.CATEGORY_NOT_SPACE: r"\S", op.CATEGORY_NOT_WORD: r"\W"}
MANY = 100
"""A repeat that is allowed more often is one without end."""

Item = tuple[Any, Any]


def letters(item: Item) -> frozenset[int]:
    """List the letters that something may have in it."""
    kind, about = item
    if kind is op.LITERAL:
        return LETTERS & {about}
    if kind is op.NOT_LITERAL:
        return LETTERS - {about}
    if kind is op.ANY:
        return LETTERS - {ord("\n")}
    if kind is op.RANGE:
        return LETTERS & set(range(about[0], about[1] + 1))
    if kind is op.CATEGORY:
        return frozenset(each for each in LETTERS if re.match(CATEGORIES[about], chr(each)))
    if kind is op.IN:
        named = [letters(each) for each in about if each[0] is not op.NEGATE]
        found = frozenset().union(*named)
        return LETTERS - found if about[0][0] is op.NEGATE else found
    return frozenset().union(*(letters(each) for body in bodies(item) for each in body))


def bodies(item: Item) -> list[Sequence[Item]]:
    """List what lies in something: each of several ways."""
    kind, about = item
    if kind is op.BRANCH:
        return [list(way) for way in about[1]]
    if kind in {op.SUBPATTERN, *REPEATS, op.ATOMIC_GROUP}:
        return [list(about[-1] if kind is not op.ATOMIC_GROUP else about)]
    return []


def may_be_nothing(items: Sequence[Item]) -> bool:
    return all(
        kind in {op.AT, op.ASSERT, op.ASSERT_NOT}
        or (kind in REPEATS and about[0] == 0)
        or (kind in {op.SUBPATTERN, op.BRANCH, *REPEATS} and any(map(may_be_nothing, bodies((kind, about)))))
        for kind, about in items
    )


def first(items: Sequence[Item]) -> frozenset[int]:
    """List the letters with which a row of things may begin."""
    found: frozenset[int] = frozenset()
    for item in items:
        inner = bodies(item)
        found |= frozenset().union(*map(first, inner)) if inner else letters(item)
        if not may_be_nothing([item]):
            break
    return found


def is_endless(item: Item) -> bool:
    return item[0] in REPEATS and item[1][1] > MANY


def flat(items: Sequence[Item]) -> Iterator[Item]:
    """Leave out brackets that only note what stands in them."""
    for item in items:
        if item[0] is op.SUBPATTERN:
            yield from flat(list(item[1][-1]))
        else:
            yield item


def slow(items: Sequence[Item]) -> Iterator[str]:
    """Say where a pattern could share out the same letters in many ways."""
    row = list(flat(items))
    for place, item in enumerate(row):
        for body in bodies(item):
            yield from slow(body)
            if is_endless(item):
                yield from _nested(list(flat(body)))
        if is_endless(item):
            yield from _beside(item, row[place + 1 :])


def _nested(body: Sequence[Item]) -> Iterator[str]:
    for place, inner in enumerate(body):
        rest = body[place + 1 :]
        follows = first(rest) | (first(body) if may_be_nothing(rest) else frozenset())
        if is_endless(inner) and letters(inner) & follows:
            yield "a repeat in a repeat"


def _beside(item: Item, rest: Sequence[Item]) -> Iterator[str]:
    for place, other in enumerate(rest):
        if is_endless(other) and letters(item) & letters(other):
            yield "two repeats beside one another"
        if not may_be_nothing(rest[: place + 1]) and not letters(item) & letters(other):
            return


def patterns(file: Path) -> Iterator[str | bytes]:
    """Find the patterns of a module."""
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re")), args=[ast.Constant(value=str() | bytes() as text), *_]
            ):
                yield text


def complaints(pattern: str | bytes) -> list[str]:
    return sorted(set(slow(list(parser.parse(pattern)))))


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        (r"/(?:[\w.-]+/?)*", ["a repeat in a repeat"]),
        (rb"length:[ \t]*0*(\d+)\r\n", ["two repeats beside one another"]),
        (r"(a+)+", ["a repeat in a repeat"]),
        (r"\[[ \t]*([^\]\n]+?)[ \t]*\]", ["two repeats beside one another"]),
        (r"\d+,?\d+", ["two repeats beside one another"]),
        (r"/(?:[\w.-]+/)*[\w.-]*", ["two repeats beside one another"]),
        (r"(?:/[\w.-]+)*/?", []),
        (rb"length:[ \t]*(\d+)[ \t]*\r\n", []),
        (r"[a-z]+\d+,[a-z]*", []),
    ],
)
def test_a_pattern_that_could_take_long_is_found(pattern: str | bytes, told: list[str]) -> None:
    assert complaints(pattern) == told


@pytest.mark.promise(26)
def test_no_pattern_of_ours_takes_long_whatever_it_is_tried_on() -> None:
    found = {(str(file.relative_to(ROOT)), pattern) for file in FILES for pattern in patterns(file)}
    assert len(found) > 20
    assert [(*each, told) for each in sorted(found, key=str) if (told := complaints(each[1]))] == []


@pytest.mark.promise(26)
def test_a_length_of_noughts_is_read_as_any_other() -> None:
    for told, is_whole in (("0" * 60_000 + "5", False), ("5", False), ("0" * 60_000, True), ("0" * 60_000 + "x", True)):
        incoming = Incoming(lambda: True)
        incoming.take(f"POST / HTTP/1.1\r\nContent-Length: {told}\r\n\r\nseat".encode())
        assert incoming.is_whole is is_whole, told[-3:]
        assert not incoming.refusal


@pytest.mark.promise(26)
def test_a_way_back_of_any_length_is_looked_through_at_once() -> None:
    assert WITHIN.fullmatch("/" + "a" * 60_000)
    assert not WITHIN.fullmatch("/" + "a" * 60_000 + "!")
    assert not WITHIN.fullmatch("/" + "a/" * 30_000 + "/")
    assert not WITHIN.fullmatch("")
