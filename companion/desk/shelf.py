"""What somebody asks of the book of evenings, and the evenings found, as files."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from flask import Response, request
from werkzeug.exceptions import BadRequest

from companion import log
from companion.desk import passing, quotas
from companion.desk.phone import phone
from companion.errors import Malformed, NotThere, Told
from companion.intake import local, written
from companion.log import Table, groups
from companion.log.book import Book, Search, all_evenings
from companion.log.rows import Group
from companion.tables import evenings

PAGE = 50
"""Evenings on a page."""


FIELDS = ("group", "player", "game", "since", "until")
"""What the address of a page of the book can say."""
DAYS = FIELDS[-2:]
NO_DATE = Told("Not a date (YYYY-MM-DD).")


FILES: Mapping[str, tuple[str, Callable[[Iterable[Table], passing.Tell], Iterator[bytes]]]] = {
    "plays.csv": ("text/csv", lambda tables, tell: evenings.plays_csv(passing.finished(tables, tell))),
    "rounds.csv": ("text/csv", lambda tables, tell: evenings.rounds_csv(passing.finished(tables, tell))),
    "plays.bgsplay": ("application/json", lambda tables, tell: evenings.bgsplay(passing.finished(tables, tell))),
    "records.zip": ("application/zip", passing.records),
}
"""What the evenings can be handed on as: its kind, and how it is written."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which evenings the address asks for."""

    book: Book
    search: Search
    group: Group | None
    typed: dict[str, str]
    """The fields as they stand in the address; those that are empty are left out."""
    wrong: Mapping[str, Told] = field(default_factory=dict)
    """What cannot be read of the days, by field; then nothing is looked for."""


def selection() -> Selection:
    """Read which evenings are asked for.

    Raises:
        Malformed.
        BadRequest: for a zero byte, which not every database can look for.
        NotThere: of a group that the phone is not in.
    """
    return searched(*_asked())


def asked_for() -> Selection:
    """Read it for a page that says beside a day what is wrong with it. Raises: as above, but for the days."""
    book, group, typed = _asked()
    wrong: dict[str, Told] = {}
    for name in DAYS:
        try:
            _day(name, typed)
        except Malformed:
            wrong[name] = NO_DATE
    readable = {name: text for name, text in typed.items() if name not in wrong}
    return replace(searched(book, group, readable), typed=typed, wrong=wrong)


def _asked() -> tuple[Book, Group | None, dict[str, str]]:
    if any("\0" in text for text in request.args.values()):
        raise BadRequest
    typed = {name: text for name in FIELDS if (text := request.args.get(name, "").strip())}
    number = typed.get("group", "0")
    if not (number.isdecimal() and len(number) < 10):  # noqa: PLR2004
        raise Malformed(place="group", reason=Told("Not a whole number."))
    group = groups.group_of(phone(), int(number)) if int(number) else None
    return Book(phone(), group.id if group else None), group, typed


def searched(book: Book, group: Group | None, typed: dict[str, str]) -> Selection:
    """Read what is looked for in a book. Raises: Malformed."""
    search = Search(
        player=typed.get("player", "")[:200],
        game=typed.get("game", ""),
        since=_day("since", typed),
        until=_day("until", typed, days=1),
    )
    return Selection(book, search, group, typed)


def _day(name: str, typed: dict[str, str], days: int = 0) -> str:
    """Give the moment when a day begins where the companion runs, some days later."""
    if name not in typed:
        return ""
    try:
        day = date.fromisoformat(typed[name])
        day += timedelta(days=days if day < date.max else 0)
        return written(datetime(day.year, day.month, day.day).astimezone())
    except (ValueError, OverflowError):
        raise Malformed(place=name, reason=NO_DATE) from None


def handed_on(file: str) -> Response:
    """Hand the evenings on to other programs, or to another companion. Raises: NotThere, TooMuch, as `selection`."""
    if file not in FILES:
        raise NotThere
    quotas.spend(quotas.BOOKS)
    what = selection()
    tables = all_evenings(what.book, what.search)
    kind, write = FILES[file]
    content = _in_a_place(write(tables, passing.told_elsewhere))
    next(content)
    answer = passing.answered(content, kind, dated(file))
    answer.call_on_close(content.close)  # also where nobody has begun to read it
    return answer


def _in_a_place(content: Iterator[bytes]) -> Generator[bytes, None, None]:
    """Hold a place until all is written, or nobody reads on. Raises: TooMuch.

    It begins with nothing, once there is something: what goes wrong until then can still be answered in words.
    """
    with quotas.place(quotas.BOOKS):
        begun = next(content, b"")
        yield b""
        yield begun
        yield from content


def dated(file: str) -> str:
    """Call a file by the day on which it is handed on."""
    return f"companion-{local(log.now()):%Y-%m-%d}-{file}"
