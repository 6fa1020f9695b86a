"""Bars in a picture: how high everyone's numbers are, laid out for an inline SVG.

Pure: numbers in, coordinates out; the template draws them and the table beneath says the same. Every bar carries its
name and its number, so that nothing depends on a colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from unicodedata import combining, east_asian_width

WIDTH = 300
"""Of the picture, in its own units: about a phone's CSS pixels."""
NAME, THICK, APART, AFTER = 22, 14, 6, 10
"""Heights: a line with a name, a bar, what is between two bars, what is after a group."""
GAP = 6
"""Between a bar and its texts."""
LETTER, DIGIT, CAPITAL, BROAD = 7.3, 9.0, 10.0, 14.5
"""How wide letters are, about."""
LABEL = 116.0
"""Room for the label of a bar; what is longer is cut off in the picture, and stands in the table."""


@dataclass(frozen=True, slots=True)
class BarGroup:
    """Numbers that belong together: a player's, or a single one."""

    name: str
    values: tuple[float | None, ...]
    """One for each label; None for one that there is not."""
    said: tuple[str, ...]
    """The same in words."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar."""

    label: str
    """Before it; "" where the name of its group says all."""
    said: str
    """Its number."""
    x: float
    y: float
    width: float
    end: float
    """Where its number begins."""

    @property
    def line(self) -> float:
        """Where its texts stand."""
        return self.y + THICK - 3


@dataclass(frozen=True, slots=True)
class Named:
    """A group in its place."""

    name: str
    line: float
    """Where its name stands."""
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Bars:
    """A picture of bars."""

    width: int
    height: int
    zero: float
    """Where all bars begin."""
    groups: tuple[Named, ...]


def bars(groups: Sequence[BarGroup], labels: Sequence[str] = ("",), whole: float = 0) -> Bars:
    """Lay out groups of bars beneath one another.

    Args:
        groups: each with as many values as there are labels.
        labels: of the bars of a group.
        whole: what the longest bar could be; 0: what the longest is.

    >>> anna, bo = BarGroup("Anna", (3, -1), ("3", "−1")), BarGroup("Bo", (None, 2), ("–", "2"))
    >>> picture = bars([anna, bo], ["Tricks", "Bids"])
    >>> [(bar.width, bar.x >= picture.zero) for group in picture.groups for bar in group.bars]
    [(168.9, True), (56.3, False), (0.0, True), (112.6, True)]
    """
    values = [value or 0 for group in groups for value in group.values]
    low, high = min([*values, 0]), max([*values, whole])
    shown = [_cut(label, LABEL) for label in labels]
    left = max(map(_wide, shown)) + (GAP if any(shown) else 1)
    right = max((_wide(said) for group in groups for said in group.said), default=0) + GAP
    unit = (WIDTH - left - right) / ((high - low) or 1)
    zero = round(left - low * unit, 1)
    named, y = [], 0.0
    for group in groups:
        named.append(
            Named(_cut(group.name, WIDTH - GAP), y + NAME - 6, tuple(_laid(group, shown, y + NAME, zero, unit)))
        )
        y += NAME + len(labels) * (THICK + APART) - APART + AFTER
    return Bars(WIDTH, round(y), zero, tuple(named))


def _laid(group: BarGroup, labels: Sequence[str], top: float, zero: float, unit: float) -> Iterator[Bar]:
    for place, (label, value, said) in enumerate(zip(labels, group.values, group.said, strict=True)):
        length = round((value or 0) * unit, 1)
        start, end = round(zero + min(length, 0), 1), round(zero + max(length, 0) + GAP, 1)
        yield Bar(label, said, start, top + place * (THICK + APART), abs(length), end)


def _cut(text: str, room: float) -> str:
    """Shorten a text to the room that there is."""
    if _wide(text) <= room:
        return text
    while text and _wide(text) > room - BROAD:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _wide(text: str) -> float:
    """Tell how wide a text is, about; marks upon letters are nothing."""
    return sum(
        0
        if combining(letter)
        else BROAD
        if letter in "MW@%" or east_asian_width(letter) in "WF"
        else DIGIT
        if letter.isdigit()
        else CAPITAL
        if letter.isupper()
        else LETTER
        for letter in text
    )
