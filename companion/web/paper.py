"""Sheets and cards to print."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Flask, Response, current_app, render_template, request

from companion import log
from companion.errors import Malformed, NoSheet, NotThere, PrinterDown
from companion.game import AnyGame, filling
from companion.games import GAMES
from companion.printing import PAPERS, Printer, PrintError, printables, sheet_html
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
    """Offer everything that can be printed."""
    asker = asker_at(request.args["code"]) if "code" in request.args else None
    table = facts(asker.table, log.read(asker.table).play) if asker else None
    return render_template(
        "paper.html",
        table=table,
        seat=asker.seat if asker else None,
        games=[game for game in GAMES.values() if "score_sheet" in game.sheets],
        papers=PAPERS,
    )


@pages.get("/print/<game>.pdf")
def blank(game: str) -> Response:
    """Print a blank score sheet."""
    chosen = GAMES.get(game)
    if chosen is None:
        raise NotThere
    seats = request.args.get("players", max(DRAFT_SEATS, chosen.players[0]), type=int)
    if seats not in chosen.players:
        raise Malformed(place="players", reason=f"{chosen.players[0]}–{chosen.players[-1]}")
    about = {"code": "", "link": "", "date": "", "title": ""}
    return _pdf(chosen, "score_sheet", _score_sheet(chosen)({}, [""] * seats, None, about), chosen.key)


@pages.get("/t/<code>/sheet.pdf")
def sheet(code: str) -> Response:
    """Print the table's score sheet, as far as it is played; what is secret is not on it."""
    asker = asker_at(code)
    table, play = asker.table, log.read(asker.table).play
    context = _score_sheet(play.game)(
        table.options, list(names(table)), filling(play.game, play.position), _about(asker)
    )
    return _pdf(play.game, "score_sheet", context, table.code)


@pages.get("/t/<code>/join.pdf")
def join(code: str) -> Response:
    """Print cards with the table's QR code."""
    asker = asker_at(code)
    game = log.game_of(asker.table)
    return _pdf(game, "join_card", {**_about(asker), "game_name": game.name}, asker.table.code)


def _score_sheet(game: AnyGame) -> Callable[..., dict[str, Any]]:
    """Look up what stands on a game's score sheet. Raises: NoSheet."""
    if "score_sheet" not in game.sheets:
        raise NoSheet
    return game.sheets["score_sheet"]


def _about(asker: Asker) -> dict[str, str]:
    table = asker.table
    return {"code": table.code, "link": join_address(table.code), "date": table.opened[:10], "title": ""}


def _pdf(game: AnyGame, item: str, context: dict[str, Any], name: str) -> Response:
    paper, tongue = request.args.get("paper", PAPERS[0]), request.args.get("lang", language())
    if paper not in PAPERS:
        raise Malformed(place="paper", reason=", ".join(PAPERS))
    if tongue not in LANGUAGES:
        raise Malformed(place="lang", reason=", ".join(LANGUAGES))
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
