"""Sheets and cards to print: chosen, looked at, and given out as PDF."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Blueprint, Flask, Response, current_app, make_response, render_template, request, url_for

from companion import log, metrics
from companion.desk.addresses import join_address, our_address
from companion.desk.asking import asker_at, find_game
from companion.desk.guard import limited
from companion.desk.language import language
from companion.desk.options import fields_of, options_of
from companion.desk.phone import remember
from companion.desk.wording import names, reason, said
from companion.errors import Malformed, NoSheet, NotThere, PrinterDown
from companion.game import AnyGame
from companion.games import GAMES
from companion.printing import (
    ITEMS,
    JOINING,
    NOWHERE,
    PAPERS,
    RULES,
    Printer,
    PrintError,
    Sheet,
    forms,
    items,
    so_far,
)
from companion.record import RecordError, opened
from companion.settings import PRINTABLES
from companion.web.parts import TableFacts, facts
from companion.words import LANGUAGES

pages = Blueprint("paper", __name__)
limited(pages)

PICTURE, DOCUMENT = "png", "pdf"

_SIZE = slice(16, 24)
"""Where a PNG says how wide and how high it is, in four bytes each."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A sheet that somebody asks for."""

    sheet: Sheet
    name: str
    """Of the file: the table's code, or the game."""
    page: Callable[..., str]
    """Makes the address of its page."""
    file: Callable[..., str]
    """Makes the address of a picture (`kind="png"`) or of the document (`kind="pdf"`)."""
    contents: Mapping[str, Any]
    """What stands on it: the arguments of the function of that name."""
    options: Mapping[str, Any]
    """The rules that were chosen for a sheet without a table; {} where they are the usual ones."""
    errors: Mapping[str, str]
    """What is wrong with these, by option."""
    table: TableFacts | None = None
    seat: int | None = None


def init_app(app: Flask) -> None:
    """Give an app its printer; the render process starts with the first sheet."""
    app.extensions["companion.printer"] = Printer(PRINTABLES)


@pages.get("/print")
def paper() -> str:
    """Offer everything that can be printed: of a table first, then of every game."""
    asker = asker_at(request.args["code"]) if "code" in request.args else None
    table = facts(asker.table, log.read(asker.table).play) if asker else None
    return render_template(
        "paper.html",
        table=table,
        seat=asker.seat if asker else None,
        games=[(game, items(game)) for game in GAMES.values()],
        table_items=items(table.game) if table else [],
    )


@pages.get("/print/<game>")
def blank(game: str) -> Response:
    """Show something of a game: a blank score sheet unless asked otherwise."""
    return _page(of_game(game, _item()))


@pages.get("/print/<game>.pdf", defaults={"kind": DOCUMENT})
@pages.get("/print/<game>.png", defaults={"kind": PICTURE})
def blank_file(game: str, kind: str) -> Response:
    """Print it, or draw one page of it."""
    return file_of(of_game(game, _item()), kind)


@pages.get("/t/<code>/sheet")
def sheet(code: str) -> Response:
    """Show something of a table: its score sheet, as far as it is played; what is secret is not on it."""
    return _page(of_table(code, _item()))


@pages.get("/t/<code>/sheet.pdf", defaults={"kind": DOCUMENT})
@pages.get("/t/<code>/sheet.png", defaults={"kind": PICTURE})
def sheet_file(code: str, kind: str) -> Response:
    """Print it, or draw one page of it."""
    return file_of(of_table(code, _item()), kind)


def of_game(key: str, item: str) -> Wanted:
    """Read what somebody wants of a game. Raises: NotThere, NoSheet, Malformed."""
    game = find_game(key)
    wanted = _sheet(game, item)
    options, errors = _chosen(game, seats := _players(game))
    filled: dict[str, Any] = {"players": [""] * seats, "options": options or None}
    if wanted.item in JOINING:
        filled["about"] = {**NOWHERE, "link": our_address()}

    place = partial(url_for, game=game.key)
    page, file = partial(place, "paper.blank"), partial(place, "paper.blank_file")
    return Wanted(wanted, game.key, page, file, filled, options, errors)


def of_table(code: str, item: str) -> Wanted:
    """Read what somebody wants of a table. Raises: NoSuchTable, NoSheet, Malformed."""
    asker = asker_at(code)
    table, play = asker.table, log.read(asker.table).play
    filled = so_far(table, play, join_address(table.code), names(table))

    place = partial(url_for, code=table.code)
    page, file = partial(place, "paper.sheet"), partial(place, "paper.sheet_file")
    return Wanted(_sheet(play.game, item), table.code, page, file, filled, {}, {}, facts(table, play), asker.seat)


def _item() -> str:
    return request.args.get("item", "score_sheet")


def _sheet(game: AnyGame, item: str) -> Sheet:
    """Read how an item shall be printed. Raises: NoSheet, Malformed."""
    if item not in (known := items(game)):
        if item in ITEMS:
            raise NoSheet
        raise Malformed(place="item", reason=", ".join(known))
    usual = request.cookies.get("paper", "")
    return Sheet(
        game,
        item,
        _one_of("language", LANGUAGES, language()),
        _one_of("paper", PAPERS, usual if usual in PAPERS else PAPERS[0]),
        _one_of("form", forms(item), forms(item)[0]),
    )


def _one_of(name: str, known: Any, usual: str) -> str:
    """Read one of a few words. Raises: Malformed."""
    value = request.args.get(name, usual)
    if value not in known:
        raise Malformed(place=name, reason=", ".join(known))
    return value


def _players(game: AnyGame) -> int:
    """Read for how many a blank sheet is. Raises: Malformed."""
    seats = request.args.get("players", game.usual_players, type=int)
    if seats not in game.players:
        raise Malformed(place="players", reason=f"{game.players[0]}–{game.players[-1]}")
    return seats


def _chosen(game: AnyGame, seats: int) -> tuple[dict[str, Any], dict[str, str]]:
    """Read the rules for a sheet without a table: those that are not the usual ones, and what is wrong."""
    named = options_of(game, request.args)
    if "rules" not in request.args:
        # Not our form, which sends no box that is not ticked: only what the address says is chosen.
        named = {name: value for name, value in named.items() if name in request.args}
    usual = game.options.dump(game.options.load({}))
    options = {name: value for name, value in named.items() if value != usual.get(name)}
    try:
        opened(game, options, seats)
    except RecordError as error:
        return {}, {error.place.removeprefix("options."): reason(game, error)}
    return options, {}


def file_of(wanted: Wanted, kind: str) -> Response:
    """Answer with a picture or the document. Raises: PrinterDown, NotThere."""
    html = _html(wanted)
    try:
        with metrics.PRINTING.track_inprogress():
            if kind == PICTURE:
                return _picture(_printer().pictures(html))
            pdf = _printer().pdf(html)
    except PrintError as error:
        raise PrinterDown(reason=error.args[0]) from error
    name = f'inline; filename="{wanted.name}-{wanted.sheet.item}.pdf"'
    return Response(pdf, mimetype="application/pdf", headers={"Content-Disposition": name})


def _printer() -> Printer:
    printer: Printer = current_app.extensions["companion.printer"]
    return printer


def _html(wanted: Wanted) -> str:
    """Write the sheet; the database is not needed while it is printed."""
    html = wanted.sheet.html(**wanted.contents)
    log.rest()
    return html


def _picture(pictures: list[bytes]) -> Response:
    page = request.args.get("page", 1, type=int)
    if not 1 <= page <= len(pictures):
        raise NotThere
    return Response(pictures[page - 1], mimetype="image/png")


def _page(wanted: Wanted) -> Response:
    """Show a sheet before it is printed, with what can be chosen."""
    sheet = wanted.sheet
    query = {
        name: request.args[name] for name in ("players", "rules", *sheet.game.options.fields) if name in request.args
    }
    query |= {"item": sheet.item, "language": sheet.language, "paper": sheet.paper, "form": sheet.form}
    try:
        with metrics.PRINTING.track_inprogress():
            pictures, trouble = _printer().pictures(_html(wanted)), None
    except PrintError as error:
        pictures, trouble = [], said(PrinterDown(reason=error.args[0]))
    sizes = [[int.from_bytes(part) for part in (png[_SIZE][:4], png[_SIZE][4:])] for png in pictures]
    page = render_template(
        "sheet.html",
        wanted=wanted,
        sheet=sheet,
        table=wanted.table,
        seat=wanted.seat,
        trouble=trouble,
        document=wanted.file(kind=DOCUMENT, **query),
        pictures=[(wanted.file(kind=PICTURE, **query, page=page), *size) for page, size in enumerate(sizes, start=1)],
        forms=forms(sheet.item),
        players=request.args.get("players", sheet.game.usual_players, type=int),
        fields=[] if wanted.table or sheet.item in JOINING else _asked(wanted),
        may_name=not wanted.table and sheet.item not in {*RULES, *JOINING},
    )
    answer = make_response(page)
    if "paper" in request.args:
        remember(answer, "paper", sheet.paper)
    return answer


def _asked(wanted: Wanted) -> list[dict[str, Any]]:
    """Ask for the rules that change a sheet; who begins does not."""
    game = wanted.sheet.game
    chosen = wanted.options or (options_of(game, request.args) if wanted.errors else {})
    return [field for field in fields_of(game, chosen, wanted.errors) if field["kind"] != "seat"]
