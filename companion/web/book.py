"""The book of evenings: what was played, found again, handed on to other programs, and brought here from files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import IO, TypedDict

from flask import Blueprint, redirect, request, url_for
from flask_babel import gettext as _
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import BadRequest
from werkzeug.wrappers import Response as BaseResponse

from companion.desk import dates, quotas, renaming, shelf, wording
from companion.desk.context import Context
from companion.desk.keys import fresh_key
from companion.desk.language import language
from companion.desk.phone import phone
from companion.desk.shelf import PAGE, Selection, asked_for
from companion.errors import BadName, CompanionError
from companion.game import AnyGame
from companion.games import GAMES, known
from companion.log import Table, book, groups
from companion.log.kind import StillRead
from companion.log.names import clean_name
from companion.log.rows import Group
from companion.record import RecordError, winners
from companion.tables.halting import BROKEN_OFF
from companion.tables.importing import import_files
from companion.tables.seating import Asker
from companion.web.forms import key_of

Answer = BaseResponse | str | tuple[str, int]

pages = Blueprint("book", __name__)


@dataclass(frozen=True, slots=True)
class Shelf:
    """What every page of the book shows: whose it is, and what is looked for in it."""

    games: list[AnyGame]
    groups: Sequence[Group]
    """Those of this phone."""
    group: Group | None
    """In whose book it is looked; None for this phone's own."""
    typed: dict[str, str]
    """What is looked for, as in the address."""
    players: Sequence[str]
    """The names to choose from."""
    is_searching: bool
    errors: Mapping[str, str]
    """What is wrong with what is looked for, by field."""


class ShownPlayer(TypedDict):
    """Who was at a table, and how it ended."""

    name: str
    score: int | None
    is_first: bool


class ShownEvening(TypedDict):
    """A table, in the book."""

    code: str
    called: str
    """The game."""
    is_over: bool
    is_broken_off: bool
    is_mine: bool
    """Whether this phone has a seat there, or is its host."""
    players: list[ShownPlayer]
    """The first one first."""
    is_lost: bool
    score: int | None
    """Of all together; None where everybody has an own one."""
    when: str
    location: str
    title: str


class BookPage(Context, template="book.html"):
    """The book of evenings."""

    shelf: Shelf
    evenings: list[ShownEvening]
    count: int
    """Of all that were found."""
    page: int
    last: int
    """The number of the last page."""


class PeoplePage(Context, template="people.html"):
    """Who has played at this phone's tables."""

    people: Sequence[tuple[str, int]]
    """Everybody's name, and at how many seats."""
    done: str = ""
    """What has just been done with a name: `renamed` or `forgotten`; "" for nothing."""
    error: str = ""
    at: str = ""
    """The name that it belongs to."""
    typed: str = ""
    """The one that is wrong."""


class Brought(TypedDict):
    """What became of a file."""

    file: str
    code: str
    """Of its table; "" where there is none."""
    problem: str


class ImportPage(Context, template="import.html"):
    """Bringing records here."""

    done: list[Brought] | None
    """None before anything is brought."""
    key: str
    """Makes bringing it twice bring it once."""
    pasted: str = ""
    """A pasted record that was not taken."""


@pages.get("/book")
def evenings_page() -> Answer:
    """List the evenings of this phone, or of one of its groups."""
    what = asked_for()
    page = max(1, min(request.args.get("page", 1, type=int), 10_000))
    count = 0 if what.wrong else book.count(what.book, what.search)
    found = book.evenings(what.book, what.search, PAGE, page) if count else ()
    html = BookPage(
        shelf=shelf_of(what, book.players(what.book)),
        evenings=[shown(table) for table in found],
        count=count,
        page=page,
        last=max(1, -(-count // PAGE)),
    ).html()
    return html, 400 if what.wrong else 200


def shelf_of(what: Selection, players: Sequence[str]) -> Shelf:
    """Gather what every page of the book shows, with the names to choose from."""
    mine = groups.groups_of(phone())
    errors = {name: wording.retold(reason) for name, reason in what.wrong.items()}
    return Shelf(list(GAMES.values()), mine, what.group, what.typed, players, bool(what.search or errors), errors)


def shown(table: Table) -> ShownEvening:
    """Tell what the book shows of a table."""
    named = wording.names(table)
    game = known(table.game)
    won = winners(game, table.result) if table.result else ()
    seated = sorted(table.seatings, key=lambda seating: (seating.rank or 0, seating.seat))
    return {
        "code": table.code,
        "called": game.called(table.options),
        "is_over": table.closed is not None,
        "is_broken_off": table.halt == BROKEN_OFF,
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
def handed_on(file: str) -> BaseResponse:
    """Hand the evenings on to spreadsheets, to BG Stats, or as records to another companion."""
    return shelf.handed_on(file)


@pages.get("/book/people")
def people() -> str:
    """Show who has played at the tables of this phone, and let it call them otherwise, or forget them."""
    return PeoplePage(people=book.hosted(phone()), done=request.args.get("done", "")).html()


@pages.post("/book/people")
def rename() -> Answer:
    """Call somebody otherwise at all tables that this phone is the host of; with no name, forget theirs."""
    name, to, is_forgotten = request.form.get("name", ""), request.form.get("to", ""), "forget" in request.form
    if not name or "\0" in name:
        raise BadRequest
    try:
        new = "" if is_forgotten else clean_name(to)
        with suppress(StillRead):
            renaming.rename(name, new, host=phone())
    except BadName as error:
        said = wording.said(error)
        return PeoplePage(people=book.hosted(phone()), error=said, at=name, typed=to).html(), error.status
    return redirect(url_for("book.people", done="forgotten" if is_forgotten else "renamed"), 303)


@pages.get("/book/import")
def import_form() -> str:
    """Ask for the files."""
    return ImportPage(done=None, key=fresh_key()).html()


@pages.post("/book/import")
def bring() -> Answer:
    """Open a table from each record, and say of each file what became of it."""
    files: list[tuple[str, Callable[[], IO[bytes]]]]
    files = [(file.filename, partial(_stream, file)) for file in request.files.getlist("files") if file.filename]
    if pasted := request.form.get("record", "").strip():
        files.append((_("The pasted record"), lambda: BytesIO(pasted.encode())))
    with quotas.place(quotas.RECORDS):
        brought = [*import_files(files, phone, language(), key_of(), quotas.bringing())]
    done: list[Brought] = [
        {"file": one.file, "code": one.code, "problem": _problem(one.problem) if one.problem else ""} for one in brought
    ]
    is_wrong = not any(one["code"] for one in done)
    # What was pasted comes last.
    left = pasted if done and not done[-1]["code"] else ""
    return ImportPage(done=done, key=fresh_key(), pasted=left).html(), 422 if is_wrong else 200


def _stream(file: FileStorage) -> IO[bytes]:
    return file.stream


def _problem(error: RecordError | CompanionError) -> str:
    if isinstance(error, CompanionError):
        return wording.said(error)
    reason = wording.reason(error)
    return f"{error.place}: {reason}" if error.place else reason
