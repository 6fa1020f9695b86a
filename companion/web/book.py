"""The book of evenings: what was played, found again, handed on to other programs, and brought here from files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from io import BytesIO
from typing import IO, Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response as BaseResponse

from companion.desk import dates, wording
from companion.desk.keys import fresh_key
from companion.desk.language import language
from companion.desk.phone import phone
from companion.errors import BadName, CompanionError, Malformed, NotThere, Told
from companion.games import GAMES, known
from companion.intake import written
from companion.log import Table, book, groups, keeping
from companion.log.book import Book, Search
from companion.log.names import clean_name
from companion.log.rows import Group
from companion.record import RecordError, winners
from companion.tables import evenings
from companion.tables.importing import import_files
from companion.tables.seating import Asker
from companion.web import passing
from companion.web.forms import key_of

Answer = BaseResponse | str | tuple[str, int]

PAGE = 50
"""Evenings on a page."""
FIELDS = ("group", "player", "game", "since", "until")
"""What the address of a page of the book can say."""

FILES: Mapping[str, tuple[str, Callable[[Iterable[Table], passing.Tell], Iterator[bytes]]]] = {
    "plays.csv": ("text/csv", lambda tables, tell: evenings.plays_csv(passing.finished(tables, tell))),
    "rounds.csv": ("text/csv", lambda tables, tell: evenings.rounds_csv(passing.finished(tables, tell))),
    "plays.bgsplay": ("application/json", lambda tables, tell: evenings.bgsplay(passing.finished(tables, tell))),
    "records.zip": ("application/zip", passing.records),
}
"""What the evenings can be handed on as: its kind, and how it is written."""

pages = Blueprint("book", __name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which evenings the address asks for."""

    book: Book
    search: Search
    group: Group | None
    typed: dict[str, str]
    """The fields as they stand in the address; those that are empty are left out."""


def asked() -> Asked:
    """Read which evenings are asked for. Raises: Malformed, NotThere (a group that the phone is not in)."""
    typed = {name: text for name in FIELDS if (text := request.args.get(name, "").strip())}
    number = typed.get("group", "0")
    if not (number.isdecimal() and len(number) < 10):  # noqa: PLR2004
        raise Malformed(place="group", reason=Told("Not a whole number."))
    group = groups.group_of(phone(), int(number)) if int(number) else None
    search = Search(
        player=typed.get("player", "")[:200],
        game=typed.get("game", ""),
        since=_day("since", typed),
        until=_day("until", typed, days=1),
    )
    return Asked(Book(phone(), group.id if group else None), search, group, typed)


def _day(name: str, typed: dict[str, str], days: int = 0) -> str:
    """Give the moment when a day begins where the companion runs, some days later."""
    if name not in typed:
        return ""
    try:
        day = date.fromisoformat(typed[name]) + timedelta(days=days)
        return written(datetime(day.year, day.month, day.day).astimezone())
    except (ValueError, OverflowError):
        raise Malformed(place=name, reason=Told("Not a date (YYYY-MM-DD).")) from None


@pages.get("/book")
def evenings_page() -> str:
    """List the evenings of this phone, or of one of its groups."""
    what = asked()
    page = max(1, min(request.args.get("page", 1, type=int), 10_000))
    count = book.count(what.book, what.search)
    return render_template(
        "book.html",
        **context(what, book.players(what.book)),
        evenings=[_line(table) for table in book.evenings(what.book, what.search, PAGE, page)],
        count=count,
        page=page,
        last=max(1, -(-count // PAGE)),
    )


def context(what: Asked, players: Sequence[str]) -> dict[str, Any]:
    """Gather what every page of the book shows: whose it is, what is looked for, and the names to choose from."""
    return {
        "games": list(GAMES.values()),
        "groups": groups.groups_of(phone()),
        "group": what.group,
        "typed": what.typed,
        "players": players,
        "is_searching": bool(what.search),
    }


def _line(table: Table) -> dict[str, Any]:
    named = wording.names(table)
    game = known(table.game)
    won = winners(game, table.result) if table.result else ()
    seated = sorted(table.seatings, key=lambda seating: (seating.rank or 0, seating.seat))
    return {
        "code": table.code,
        "game": game,
        "is_over": table.closed is not None,
        "is_mine": Asker(table, phone()).is_host or Asker(table, phone()).seat is not None,
        "players": [
            {"name": named[place.seat], "score": place.score, "is_first": place.seat in won and not game.is_shared}
            for place in seated
        ],
        "is_lost": table.result is not None and not won,
        "score": seated[0].score if game.is_shared else None,
        "when": dates.day(table.opened),
        "location": table.location,
        "title": table.title,
    }


@pages.get("/book/files/<file>")
def handed_on(file: str) -> Response:
    """Hand the evenings on to spreadsheets, to BG Stats, or as records to another companion."""
    if file not in FILES:
        raise NotThere
    what = asked()
    tables = book.all_evenings(what.book, what.search)
    kind, write = FILES[file]
    name = f"companion-{date.today():%Y-%m-%d}-{file}"
    return passing.answered(write(tables, passing.told_elsewhere), kind, name)


@pages.get("/book/people")
def people() -> str:
    """Show who has played at the tables of this phone, and let it call them otherwise, or forget them."""
    return render_template("people.html", people=book.hosted(phone()), error="", at="")


@pages.post("/book/people")
def rename() -> Answer:
    """Call somebody otherwise at all tables that this phone is the host of; with no name, forget theirs."""
    name, to = request.form.get("name", ""), request.form.get("to", "")
    try:
        keeping.rename(name, "" if "forget" in request.form else clean_name(to), host=phone())
    except BadName as error:
        said = wording.said(error)
        return render_template("people.html", people=book.hosted(phone()), error=said, at=name), error.status
    return redirect(url_for("book.people"), 303)


@pages.get("/book/import")
def import_form() -> str:
    """Ask for the files."""
    return render_template("import.html", done=None, key=fresh_key())


@pages.post("/book/import")
def bring() -> Answer:
    """Open a table from each record, and say of each file what became of it."""
    files: list[tuple[str, Callable[[], IO[bytes]]]]
    files = [(file.filename, partial(_stream, file)) for file in request.files.getlist("files") if file.filename]
    if pasted := request.form.get("record", "").strip():
        files.append((_("The pasted record"), lambda: BytesIO(pasted.encode())))
    done = [
        {"file": one.file, "code": one.code, "problem": _problem(one.problem) if one.problem else ""}
        for one in import_files(files, phone(), language(), key_of())
    ]
    is_wrong = not any(one["code"] for one in done)
    return render_template("import.html", done=done, key=fresh_key()), 422 if is_wrong else 200


def _stream(file: FileStorage) -> IO[bytes]:
    return file.stream


def _problem(error: RecordError | CompanionError) -> str:
    if isinstance(error, CompanionError):
        return wording.said(error)
    reason = wording.retold(error.message)
    return f"{error.place}: {reason}" if error.place else reason
