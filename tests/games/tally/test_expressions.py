"""Expressions of score sheets: exact, bounded, and their faults named by the letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.tally.expressions import MOST, Part, Untold, holds, worth
from companion.games.tally.parser import MOST_DEPTH, MOST_LETTERS, MOST_PARTS, Fault, Known, parse


@dataclass
class Numbers:
    """A scope: numbers by name, None for one that is not told."""

    one: Mapping[str, int | None] = field(default_factory=dict)
    more: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def own(self, name: str) -> int:
        number = self.one[name]
        if number is None:
            raise Untold
        return number

    def several(self, of: str, name: str) -> Sequence[int]:
        return self.more[f"{of}.{name}"]


KNOWN = Known(frozenset({"bid", "took"}), {"all": frozenset({"took", "total"}), "others": frozenset({"took"})})
SCOPE = Numbers({"bid": 3, "took": 5}, {"all.took": [5, 0, 2], "all.total": [], "others.took": [0, 2]})


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("2 + 3 × 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 − 2 − 3", 5),
        ("−2 × −3", 6),
        ("7 ÷ 2", 3),
        ("−7 / 2", -3),
        ("7 ÷ 2 × 2", 7),
        ("0.1 + 0.2 = 0.3", 1),
        ("1 ÷ 3 × 3 = 1", 1),
        ("5 ÷ 0", 0),
        ("down(−7 ÷ 2)", -4),
        ("up(7 ÷ 2)", 4),
        ("abs(bid − took)", 2),
        ("bid = took", 0),
        ("bid ≠ took and not bid > took", 1),
        ("not not 5", 1),
        ("bid < 1 or took ≥ 5", 1),
        ("if(bid = took, 10, −5)", -5),
        ("if(1, 2, 5 ÷ 0)", 2),
        ("max(bid, took, 4)", 5),
        ("min(all.took)", 0),
        ("sum(all.took)", 7),
        ("sum(all.took × 2 + 1)", 17),
        ("sum(10 − all.took)", 23),
        ("count(others.took < took)", 2),
        ("count(all.took)", 2),
        ("max(all.took, 9)", 9),
        ("max(all.total) + min(all.total) + sum(all.total) + count(all.total)", 0),
        ("999999999999 × 999999999999", MOST),
        ("0 − 999999999999 × 999999999999", -MOST),
    ],
)
def test_an_expression_is_worth_what_it_says(text: str, number: int) -> None:
    assert worth(parse(text, KNOWN), SCOPE) == number


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", 0, "A number, a name or a bracket is missing here."),
        ("1 +", 3, "A number, a name or a bracket is missing here."),
        ("1 2", 2, "'2' is not expected here."),
        ("bid + bit", 6, "There is no 'bit' here. Known: bid, took."),
        ("all.bid", 4, "There is no 'bid' here. Known: took, total."),
        ("earlier.bid", 0, "There is no 'earlier' here."),
        ("all took", 4, "'.' is missing here."),
        ("(bid", 4, "')' is missing here."),
        ("bid & took", 4, "'&' means nothing here."),
        ("__import__", 0, "There is no '__import__' here. Known: bid, took."),
        ("eval(1)", 0, "There is no function 'eval'. Known: if, min, max, sum, count, abs, down, up."),
        ("if(1, 2)", 0, "if takes 3 parts, not 2."),
        ("1 < 2 < 3", 6, "Compare two numbers at a time; join comparisons by `and`."),
        ("all.took", 0, "One number is needed, and these are several: take their min, max, sum or count."),
        ("1 and all.took", 6, "One number is needed, and these are several: take their min, max, sum or count."),
        ("sum(all.took + all.took)", 15, "A list is reckoned with one number, not with another list."),
        ("sum(all.took < all.took)", 15, "A list is compared with one number, not with another list."),
        ("12345678901234", 0, "This number is too long."),
        ("1" + " + 1" * MOST_PARTS, 202, f"This has more than {MOST_PARTS} parts."),
        ("(" * 30 + "1" + ")" * 30, MOST_DEPTH, f"More than {MOST_DEPTH} parts lie in one another."),
        ("1 " * MOST_LETTERS, MOST_LETTERS, f"This is too long: an expression has {MOST_LETTERS} letters at most."),
    ],
)
def test_a_fault_is_named_with_its_letter(text: str, place: int, message: str) -> None:
    with pytest.raises(Fault) as found:
        parse(text, KNOWN)
    assert (found.value.place, found.value.message) == (place, message)


def test_what_is_not_told_holds_nothing_up_that_does_not_need_it() -> None:
    scope = Numbers({"bid": None, "took": 1})
    assert worth(parse("if(took, 4, bid)", KNOWN), scope) == 4
    assert worth(parse("took or bid", KNOWN), scope) == 1
    assert not holds(parse("bid = 0 or bid != 0", KNOWN), scope)
    with pytest.raises(Untold):
        worth(parse("bid + 1", KNOWN), scope)


@given(st.text(alphabet="ab.()+−×÷/*-<>=!, 0123456789 bidtokalsumxifnr\n\t§'\"[]", max_size=60))
def test_any_text_is_an_expression_or_a_fault_within_it(text: str) -> None:
    found = read_or_fault(text)
    assert 0 <= found <= len(text) if isinstance(found, int) else abs(worth(found, SCOPE)) <= MOST


def read_or_fault(text: str) -> Part | int:
    """Read a text, or give the letter at which it goes wrong."""
    try:
        return parse(text, KNOWN)
    except Fault as fault:
        return fault.place


def two(inner: st.SearchStrategy[tuple[str, Fraction]]) -> st.SearchStrategy[tuple[str, Fraction]]:
    """Join two expressions by a sign, and their values by what it means."""
    meant = {
        "+": lambda a, b: a + b,
        "−": lambda a, b: a - b,
        "×": lambda a, b: a * b,
        "÷": lambda a, b: a / b if b else Fraction(0),
        "<": lambda a, b: Fraction(a < b),
        "=": lambda a, b: Fraction(a == b),
        "and": lambda a, b: Fraction(bool(a and b)),
        "or": lambda a, b: Fraction(bool(a or b)),
    }
    return st.builds(
        lambda sign, a, b: (f"({a[0]} {sign} {b[0]})", meant[sign](a[1], b[1])),
        st.sampled_from(list(meant)),
        inner,
        inner,
    )


def written() -> st.SearchStrategy[tuple[str, Fraction]]:
    """Draw an expression, with its value reckoned by the side."""
    numbers = st.integers(0, 20).map(lambda number: (str(number), Fraction(number)))
    names = st.sampled_from([("bid", Fraction(3)), ("took", Fraction(5)), ("sum(all.took)", Fraction(7))])
    return st.recursive(
        numbers | names,
        lambda inner: two(inner)
        | inner.map(lambda one: (f"−{one[0]}", -one[1]))
        | st.builds(
            lambda c, a, b: (f"if({c[0]}, {a[0]}, {b[0]})", a[1] if c[1] else b[1]), inner, inner, inner
        ),
        max_leaves=8,
    )  # fmt: skip


@given(written())
def test_an_expression_is_reckoned_exactly(drawn: tuple[str, Fraction]) -> None:
    text, value = drawn
    assert worth(parse(f"12 × ({text})", KNOWN), SCOPE) == int(12 * value)
