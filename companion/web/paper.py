"""Sheets and cards to print."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Flask, Response, current_app, render_template, request

from companion import log
from companion.errors import Malformed, NoSheet, NotThere, PrinterDown
from companion.game import AnyGame, filling
from companion.games import GAMES
from companion.printing import ITEMS, PAPERS, Printer, PrintError, contents, items, printables, sheet_html
from companion.seating import Asker
from companion.web.guard import limited
from companion.web.language import language
from companion.web.parts import facts, join_address, names
from companion.web.table import asker_at
from companion.words import LANGUAGES, translations

pages = Blueprint("paper", __name__)
limited(pages)

DRAFT_SEATS = 4
"""How many names a blank sheet leaves room for, unless asked otherwise."""


def init_app(app: Flask) -> None:
    """Give an app its printer; the render process starts with the first sheet."""
    app.extensions["companion.printer"] = Printer(printables())


@pages.get("/print")
def paper() -> str:
    """Offer everything that can be printed: of a table first, then of every game."""
    asker = asker_at(request.args["code"]) if "code" in request.args else None
    table = facts(asker.table, log.read(asker.table).play) if asker else None
    return render_template(
        "paper.html",
        table=table,
        seat=asker.seat if asker else None,
        table_items=items(table.game, is_table=True) if table else [],
        games=[(game, items(game, is_table=False)) for game in GAMES.values()],
        papers=PAPERS,
    )


@pages.get("/print/<game>.pdf")
def blank(game: str) -> Response:
    """Print something of a game: a blank score sheet unless asked otherwise."""
    chosen = GAMES.get(game)
    if chosen is None:
        raise NotThere
    seats = request.args.get("players", max(DRAFT_SEATS, chosen.players[0]), type=int)
    if seats not in chosen.players:
        raise Malformed(place="players", reason=f"{chosen.players[0]}–{chosen.players[-1]}")
    item = _item(items(chosen, is_table=False))
    return _pdf(chosen, item, contents(chosen, item, _tongue(), players=[""] * seats), chosen.key)


@pages.get("/t/<code>/sheet.pdf")
def sheet(code: str) -> Response:
    """Print something of a table: its score sheet, as far as it is played; what is secret is not on it."""
    asker = asker_at(code)
    table, play = asker.table, log.read(asker.table).play
    item = _item(items(play.game, is_table=True))
    filled = contents(
        play.game,
        item,
        _tongue(),
        about=_about(asker),
        options=table.options,
        players=names(table),
        facts=filling(play.game, play.position),
    )
    return _pdf(play.game, item, filled, table.code)


@pages.get("/t/<code>/join.pdf")
def join(code: str) -> Response:
    """Print cards with the table's QR code."""
    asker = asker_at(code)
    game = log.game_of(asker.table)
    return _pdf(game, "join_card", contents(game, "join_card", _tongue(), about=_about(asker)), asker.table.code)


def _item(known: list[str]) -> str:
    """Read what shall be printed. Raises: NoSheet, Malformed."""
    item = request.args.get("item", "score_sheet")
    if item in known:
        return item
    if item in ITEMS:
        raise NoSheet
    raise Malformed(place="item", reason=", ".join(known))


def _tongue() -> str:
    """Read the language of the sheet: the reader's unless asked otherwise. Raises: Malformed."""
    tongue = request.args.get("lang", language())
    if tongue not in LANGUAGES:
        raise Malformed(place="lang", reason=", ".join(LANGUAGES))
    return tongue


def _about(asker: Asker) -> dict[str, str]:
    table = asker.table
    return {"code": table.code, "link": join_address(table.code), "date": table.opened[:10], "title": ""}


def _pdf(game: AnyGame, item: str, context: dict[str, Any], name: str) -> Response:
    paper, tongue = request.args.get("paper", PAPERS[0]), _tongue()
    if paper not in PAPERS:
        raise Malformed(place="paper", reason=", ".join(PAPERS))
    spoken = translations(tongue, game.words.catalogue)
    html = sheet_html(game.key, item, context, language=tongue, paper=paper, translations=spoken)
    log.rest()
    printer: Printer = current_app.extensions["companion.printer"]
    try:
        pdf = printer.pdf(html)
    except PrintError as error:
        raise PrinterDown(reason=error.args[0]) from error
    return Response(
        pdf, mimetype="application/pdf", headers={"Content-Disposition": f'inline; filename="{name}-{item}.pdf"'}
    )
