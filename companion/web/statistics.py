"""What the evenings of a book tell together: who won, how it came about, and who comes before whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, request

from companion.desk import pictures, quotas
from companion.desk.context import Context
from companion.desk.pictures import Compared, Picture
from companion.desk.shelf import Selection, asked_for
from companion.log import statistics
from companion.log.statistics import Played
from companion.web.book import Shelf, shelf_of

pages = Blueprint("statistics", __name__)


@dataclass(frozen=True, slots=True)
class Chapter:
    """What there is to tell of one game."""

    played: Played
    places: int
    """Columns: as many as the last place that anybody reached; 0 where all play together."""
    pictures: tuple[Picture, ...]


class StatisticsPage(Context, template="statistics.html"):
    """What the evenings of a book tell together."""

    shelf: Shelf
    count: int
    """Of the plays."""
    wins: Picture | None
    chapters: list[Chapter]
    player: str
    """Who is compared with the others; "" for nobody."""
    other: str
    """With whom alone; "" for all."""
    ahead: Picture | None
    compared: list[Compared]
    number: Callable[[float | None], str]
    """Says an average."""


@pages.get("/book/statistics")
def statistics_page() -> tuple[str, int]:
    """Show what the evenings tell."""
    quotas.spend(quotas.BOOKS)
    with quotas.place(quotas.BOOKS):
        what = asked_for()
        return gathered(what, other()).html(), 400 if what.wrong else 200


def other() -> str:
    """Read with whom alone somebody is compared; "" for all."""
    return request.args.get("with", "").strip()


def gathered(what: Selection, other: str) -> StatisticsPage:
    """Gather what the evenings tell that are asked for."""
    played = () if what.wrong else statistics.played(what.book, what.search)
    tallies = [tally for one in played for tally in one.tallies]
    # Whoever is looked for by the whole name is compared with the others.
    player = what.typed.get("player", "")
    is_player = any(tally.player == player for tally in tallies)
    meetings = statistics.meetings(what.book, what.search, player, other) if is_player else ()
    lines = pictures.compared(meetings, bool(other))
    return StatisticsPage(
        shelf=shelf_of(what, sorted({tally.player for tally in tallies})),
        count=sum(one.plays for one in played),
        wins=pictures.wins(tallies),
        chapters=[_chapter(one) for one in played],
        player=player if is_player else "",
        other=other if meetings else "",
        ahead=pictures.ahead(lines, not other) if lines else None,
        compared=lines,
        number=pictures.number,
    )


def _chapter(played: Played) -> Chapter:
    last = max((place for tally in played.tallies for place, times in enumerate(tally.places, 1) if times), default=0)
    return Chapter(played, last, tuple(pictures.pictures(played)))
