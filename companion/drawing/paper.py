"""What the sheets of several games have in common, in primitives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

NAME_STEPS = ((8.5, "large"), (17.0, "medium"))
"""Up to that many em a name is set in that size; a longer one is small. The narrowest cell holds 35 mm, twice."""

TITLE_STEPS = ((15.5, "short"), (34.0, "long"))
"""The same of an evening's title; a longer one is the longest. Its place holds 50 mm, once, twice or three times."""


TITLE_MOST = 84.0
"""So many em of title and place fit there at all; a place that does not is left out."""


class AboutTable(TypedDict):
    """Which table it is, on the head of its sheet; each "" where unknown."""

    code: str
    link: str
    """What opens it."""
    date: str
    """ISO 8601."""
    title: str
    """Of the evening, with its place."""
    title_size: str
    """`short`, `long` or `longest`."""


class SeatHead(TypedDict):
    """The head of a seat's columns, or of its row."""

    seat: int
    name: str
    """"" leaves a line to write on."""
    size: str
    """That the name is set in: `large`, `medium` or `small`."""


def about_table(about: Mapping[str, str]) -> AboutTable:
    """Say which table it is: by `code`, `link`, `date`, `title` and `place`."""
    title = _evening(about.get("title", ""), about.get("place", ""))
    return {
        "code": about.get("code", ""),
        "link": about.get("link", ""),
        "date": about.get("date", ""),
        "title": title,
        "title_size": _size(title, TITLE_STEPS, "longest"),
    }


def named(players: Sequence[str]) -> list[SeatHead]:
    """Write the head of each seat."""
    return [{"seat": seat, "name": name, "size": name_size(name)} for seat, name in enumerate(players)]


def typeset(points: int) -> str:
    """Write points with a true minus.

    >>> typeset(10), typeset(-5)
    ('10', '−5')
    """
    return str(points).replace("-", "−")


def signed(points: int) -> str:
    """Write points with their sign.

    >>> signed(10), signed(-5), signed(0)
    ('+10', '−5', '0')
    """
    return f"+{points}" if points > 0 else typeset(points)


def name_size(name: str) -> str:
    """Choose the size that a name fits its cell in: `large`, `medium` or `small`.

    >>> name_size("Anna"), name_size("Maximilian the Great"), name_size("W" * 24)
    ('large', 'medium', 'small')
    """
    return _size(name, NAME_STEPS, "small")


def _evening(title: str, place: str) -> str:
    """Say which evening it is, and where.

    >>> _evening("Friday", "Anna’s kitchen"), _evening("", "Anna’s kitchen"), _evening("Friday", "W" * 60 + "i" * 60)
    ('Friday · Anna’s kitchen', 'Anna’s kitchen', 'Friday')
    """
    whole = " · ".join(filter(None, (title, place)))
    return whole if _width(whole) <= TITLE_MOST else title


def _size(text: str, steps: Sequence[tuple[float, str]], smallest: str) -> str:
    width_em = _width(text)
    return next((size for limit, size in steps if width_em <= limit), smallest)


def _width(text: str) -> float:
    return sum(_width_em(letter) for letter in text)


def _width_em(letter: str) -> float:
    if letter in "MW@" or letter > "\u1fff":
        return 1.0
    return 0.72 if letter.isupper() else 0.54
