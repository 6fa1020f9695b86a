"""The book of evenings and its statistics on paper: as many pages as they need, under a running head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from companion.printing.sheet import sheet_html
from companion.words import translations

FOLDER = "book"
"""Of `printables/`, where these are drawn; no game is called so."""
ROWS = 24
"""Of a table; a longer one goes on in another, so that each stands on one page."""
MOST = 2 * ROWS
"""Of a table and those that go on from it; the rest is only counted."""


class Player(TypedDict):
    """Who was at a table."""

    name: str
    score: str
    """Typeset; "" where there is none of an own."""
    is_first: bool


class Evening(TypedDict):
    """A table in the book."""

    game: str
    title: str
    when: str
    place: str
    players: Sequence[Player]
    """The first one first."""
    notes: Sequence[str]
    """How it ended, where the players' scores do not say it."""


class Month(TypedDict):
    """The evenings of a month."""

    name: str
    evenings: Sequence[Evening]


class Cover(TypedDict):
    """What stands at the head of either, in the reader's words."""

    title: str
    """With the group whose book it is; it stands on every page."""
    told: str
    """How much there is."""
    looked_for: Sequence[str]
    """What was searched for; empty for the whole book."""
    since: str
    """The first day that was searched for, ISO 8601; "" for none. So is `until`, the last one."""
    until: str


class BoundBook(Cover):
    """What stands on the sheets of the book."""

    months: Sequence[Month]


class Cell(TypedDict):
    """A number in a table."""

    said: str
    share: float
    """How long its bar is, in hundredths of the longest; 0 for none."""


class Line(TypedDict):
    """A line of a table: of a player, or of what is counted."""

    name: str
    cells: Sequence[Cell]


class Lines(TypedDict):
    """A table."""

    title: str
    """"" where the chapter's says it."""
    first: str
    """The head of the names."""
    labels: Sequence[str]
    """The heads of the numbers."""
    has_bars: bool
    lines: Sequence[Line]
    left_out: int
    """The lines that would follow."""


class Chapter(TypedDict):
    """What there is to tell of a game, or of a player."""

    title: str
    told: str
    """How much there is, or what has to be added; "" for nothing."""
    tables: Sequence[Lines]


class BoundStatistics(Cover):
    """What stands on the sheets of the statistics."""

    chapters: Sequence[Chapter]


def book_html(shown: BoundBook, language: str, paper: str) -> str:
    """Write the sheets of the book."""
    return sheet_html(FOLDER, "evenings", shown, language=language, paper=paper, translations=translations(language))


def statistics_html(shown: BoundStatistics, language: str, paper: str) -> str:
    """Write the sheets of the statistics."""
    return sheet_html(FOLDER, "statistics", shown, language=language, paper=paper, translations=translations(language))


def on_pages(table: Lines) -> Iterator[Lines]:
    """Yield a long table as several, each of which fits a page; what goes on has its heads again, and no title."""
    count = min(len(table["lines"]), MOST)
    for start in range(0, count, ROWS):
        title, end = "" if start else table["title"], start + ROWS
        left_out = len(table["lines"]) - end if end >= MOST else 0
        yield {**table, "title": title, "lines": table["lines"][start:end], "left_out": max(left_out, 0)}
