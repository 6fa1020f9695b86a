"""Sheets that somebody asks for, of a game or of a table, as documents and as pictures."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, cast

from flask import Response, current_app, request, url_for

from companion import log, metrics
from companion.desk import quotas, wifi
from companion.desk.addresses import join_address, our_address, way_to
from companion.desk.asking import asker_at, find_game
from companion.desk.language import language
from companion.desk.options import options_of
from companion.desk.phone import kept
from companion.desk.wording import TableFacts, facts, reason
from companion.errors import Malformed, NoSheet, NotThere, PrinterDown
from companion.game import AnyGame
from companion.printing import (
    ITEMS,
    LINKED,
    NOWHERE,
    PAPERS,
    Particulars,
    Printer,
    PrintError,
    Sheet,
    forms,
    items,
    so_far,
)
from companion.record import RecordError, opened
from companion.tables.seating import has_room
from companion.words import LANGUAGES, sold_in

P = TypeVar("P")
PICTURE, DOCUMENT = "png", "pdf"


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
    known: Particulars
    """Of its table."""
    options: Mapping[str, Any]
    """The rules that were chosen for a sheet without a table; {} where they are the usual ones."""
    errors: Mapping[str, str]
    """What is wrong with these, by option."""
    table: TableFacts | None = None


def of_game(key: str, item: str) -> Wanted:
    """Read what somebody wants of a game. Raises: NotThere, NoSheet, Malformed."""
    game = find_game(key)
    wanted = _sheet(game, item)
    box = sold_in(game, wanted.language)
    options, errors = _chosen(game, seats := _players(game), box)
    known: Particulars = {"players": [""] * seats, "options": {**box, **options}}
    if wanted.item in LINKED:
        known["about"] = {**NOWHERE, "link": our_address(), **_wifi()}

    place = partial(url_for, game=game.key)
    page, file = partial(place, "paper.blank"), partial(place, "paper.blank_file")
    return Wanted(wanted, game.key, page, file, known, options, errors)


def of_table(code: str, item: str) -> Wanted:
    """Read what somebody wants of a table. Raises: NoSuchTable, NoSheet, Malformed."""
    asker = asker_at(code)
    table, play = asker.table, log.read(asker.table).play
    names = [seating.name for seating in table.seatings]
    known = so_far(table, play, join_address(table), names, way_to(table, has_room(table)))
    if item in LINKED:
        known["about"] = {**known["about"], **_wifi()}

    place = partial(url_for, code=table.code)
    page, file = partial(place, "paper.sheet"), partial(place, "paper.sheet_file")
    return Wanted(_sheet(play.game, item), table.code, page, file, known, {}, {}, facts(table, play))


def _wifi() -> Mapping[str, str]:
    return wifi.on_paper(current_app.config["COMPANION"])


def _sheet(game: AnyGame, item: str) -> Sheet:
    """Read how an item shall be printed. Raises: NoSheet, Malformed."""
    if item not in (known := items(game)):
        if item in ITEMS:
            raise NoSheet
        raise Malformed(place="item", reason=", ".join(known))
    return Sheet(
        game,
        item,
        _one_of("language", LANGUAGES, language()),
        paper(),
        _one_of("form", ways := forms(game, item), ways[0]),
        _one_of("also", ("", *LANGUAGES), ""),
    )


def paper() -> str:
    """Read on which paper: the one that this phone has had last, unless another is asked for. Raises: Malformed."""
    usual = kept("paper")
    return _one_of("paper", PAPERS, usual if usual in PAPERS else PAPERS[0])


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


def _chosen(game: AnyGame, seats: int, box: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Read the rules for a sheet without a table: those that are not usual for the box, and what is wrong."""
    named, shown = options_of(game, request.args), request.args.get("rules")
    if shown is None:
        # Not our form, which sends no box that is not ticked: only what the address says is chosen.
        named = {name: value for name, value in named.items() if name in request.args}
    # Our form says in which language it was shown: nobody has chosen what is usual for the box that is sold there.
    usual = game.options.dump(game.options.load(sold_in(game, shown) if shown in LANGUAGES else box))
    options = {name: value for name, value in named.items() if value != usual.get(name)}
    try:
        opened(game, {**box, **options}, seats)
    except RecordError as error:
        return {}, {error.place.removeprefix("options."): reason(error)}
    return options, {}


def file_of(wanted: Wanted, kind: str) -> Response:
    """Answer with a picture or the document. Raises: PrinterDown, NotThere."""
    html = html_of(wanted)
    if kind == PICTURE:
        return _picture(printed(lambda printer: printer.pictures(html)))
    pdf = printed(lambda printer: printer.pdf(html))
    name = f'inline; filename="{wanted.name}-{wanted.sheet.item}.pdf"'
    return Response(pdf, mimetype="application/pdf", headers={"Content-Disposition": name})


def printer() -> Printer:
    """Give the app's printer."""
    return cast("Printer", current_app.extensions["companion.printer"])


def printed(ask: Callable[[Printer], P]) -> P:
    """Ask the app's printer for something. Raises: PrinterDown, TooMuch."""
    quotas.spend(quotas.SHEETS)
    try:
        with metrics.PRINTING.track_inprogress():
            began = time.perf_counter()
            made = ask(printer())
    except PrintError as error:
        raise PrinterDown(reason=error.args[0]) from error
    metrics.SHEETS.observe(time.perf_counter() - began)
    return made


def html_of(wanted: Wanted) -> str:
    """Write the sheet; the database is not needed while it is printed."""
    html = wanted.sheet.html(**wanted.known)
    log.rest()
    return html


def _picture(pictures: list[bytes]) -> Response:
    page = request.args.get("page", 1, type=int)
    if not 1 <= page <= len(pictures):
        raise NotThere
    return Response(pictures[page - 1], mimetype="image/png")
