"""What the evenings of a book tell together: who won, how it came about, and who comes before whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from flask import Blueprint, render_template, request

from companion import log
from companion.errors import Malformed, Told
from companion.games import GAMES
from companion.log import statistics
from companion.log.book import Book, Search, players
from companion.log.statistics import Played
from companion.web import pictures
from companion.web.phone import phone
from companion.web.pictures import Picture

FIELDS = ("group", "player", "game", "since", "until")
"""What the address of a page of the book can say."""

pages = Blueprint("statistics", __name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which evenings the address asks for."""

    book: Book
    search: Search
    typed: dict[str, str]
    """The fields as they stand in the address; those that are empty are left out."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """What there is to tell of one game."""

    played: Played
    places: int
    """Columns: as many as the last place that anybody reached; 0 where all play together."""
    pictures: tuple[Picture, ...]


def asked() -> Asked:
    """Read which evenings are asked for. Raises: Malformed."""
    typed = {name: text for name in FIELDS if (text := request.args.get(name, "").strip())}
    search = Search(
        player=typed.get("player", "")[:200],
        game=typed.get("game", ""),
        since=moment("since", typed.get("since", "")),
        until=moment("until", typed.get("until", ""), days=1),
    )
    return Asked(Book(phone()), search, typed)


def moment(name: str, typed: str, days: int = 0) -> str:
    """Give the moment when a day begins where the companion runs, some days later; "" for no day.

    Raises:
        Malformed: it is no day, naming the field.
    """
    if not typed:
        return ""
    try:
        day = date.fromisoformat(typed) + timedelta(days=days)
        return log.written(datetime(day.year, day.month, day.day).astimezone())
    except (ValueError, OverflowError):
        raise Malformed(place=name, reason=Told("Not a date (YYYY-MM-DD).")) from None


@pages.get("/book/statistics")
def statistics_page() -> str:
    """Show what the evenings tell."""
    what = asked()
    played = statistics.played(what.book, what.search)
    tallies = [tally for one in played for tally in one.tallies]
    # Whoever is looked for by the whole name is compared with the others.
    player, other = what.typed.get("player", ""), request.args.get("with", "").strip()
    is_player = any(tally.player == player for tally in tallies)
    meetings = statistics.meetings(what.book, what.search, player, other) if is_player else ()
    lines = pictures.compared(meetings, bool(other))
    return render_template(
        "statistics.html",
        typed=what.typed,
        games=list(GAMES.values()),
        players=players(what.book) if what.search else sorted({tally.player for tally in tallies}),
        is_searching=bool(what.search),
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
