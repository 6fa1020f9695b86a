"""Sheets and cards to print: chosen, looked at, and given out as PDF."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, Flask, Response, make_response, request

from companion import log
from companion.desk.asking import asker_at
from companion.desk.context import Context
from companion.desk.options import OptionField, fields_of, options_of
from companion.desk.paper import DOCUMENT, PICTURE, Wanted, file_of, html_of, of_game, of_table, printed, printer
from companion.desk.phone import remember
from companion.desk.wording import TableFacts, facts, said
from companion.errors import PrinterDown
from companion.game import AnyGame
from companion.games import GAMES
from companion.printing import JOINING, RULES, Printer, Sheet, forms, items
from companion.settings import PRINTABLES

pages = Blueprint("paper", __name__)

_WIDTH, _HEIGHT = slice(16, 20), slice(20, 24)
"""Where a PNG says how wide it is, and how high."""


class PaperPage(Context, template="paper.html"):
    """Everything that can be printed."""

    table: TableFacts | None
    table_items: list[str]
    """What can be printed of it."""
    games: list[tuple[AnyGame, list[str]]]
    """Each with what can be printed of it."""


class SheetPage(Context, template="sheet.html"):
    """A sheet before it is printed."""

    wanted: Wanted
    sheet: Sheet
    table: TableFacts | None
    trouble: str | None
    """Why there are no pictures."""
    document: str
    """The address of the PDF."""
    pictures: list[tuple[str, int, int]]
    """The address of each page, how wide and how high it is."""
    forms: Sequence[str]
    players: int
    fields: list[OptionField]
    """The rules that can be chosen for it."""
    may_be_twofold: bool
    """Whether it can be in two languages."""
    may_name: bool
    """Whether the sheet is of so many players, whom nobody has named."""


def init_app(app: Flask) -> None:
    """Give an app its printer; the render process starts when somebody looks at what can be printed."""
    app.extensions["companion.printer"] = Printer(PRINTABLES)


@pages.get("/print")
def paper() -> str:
    """Offer everything that can be printed, of a table first; the printer wakes while one chooses."""
    asker = asker_at(request.args["code"]) if "code" in request.args else None
    table = facts(asker.table, log.read(asker.table).play) if asker else None
    printer().wake()
    return PaperPage(
        table=table,
        games=[(game, items(game)) for game in GAMES.values()],
        table_items=items(table.game) if table else [],
    ).html()


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


def _item() -> str:
    return request.args.get("item", "score_sheet")


def _page(wanted: Wanted) -> Response:
    """Show a sheet before it is printed, with what can be chosen."""
    sheet = wanted.sheet
    query = {
        name: request.args[name] for name in ("players", "rules", *sheet.game.options.fields) if name in request.args
    }
    query |= {"item": sheet.item, "language": sheet.language, "paper": sheet.paper, "form": sheet.form}
    query |= {"also": sheet.also} if sheet.also else {}
    html = html_of(wanted)
    try:
        pictures, trouble = printed(lambda printer: printer.pictures(html)), None
    except PrinterDown as error:
        pictures, trouble = [], said(error)
    sizes = [(int.from_bytes(png[_WIDTH]), int.from_bytes(png[_HEIGHT])) for png in pictures]
    page = SheetPage(
        wanted=wanted,
        sheet=sheet,
        table=wanted.table,
        trouble=trouble,
        document=wanted.file(kind=DOCUMENT, **query),
        pictures=[(wanted.file(kind=PICTURE, **query, page=page), *size) for page, size in enumerate(sizes, start=1)],
        forms=forms(sheet.game, sheet.item),
        players=request.args.get("players", sheet.game.usual_players, type=int),
        fields=[] if wanted.table or sheet.item in JOINING else _to_choose(wanted),
        may_be_twofold=sheet.may_be_twofold,
        may_name=not wanted.table and sheet.item not in {*RULES, *JOINING},
    )
    answer = make_response(page.html())
    if "paper" in request.args:
        remember(answer, "paper", sheet.paper)
    return answer


def _to_choose(wanted: Wanted) -> list[OptionField]:
    """Ask for the rules that change a sheet; who begins does not."""
    game = wanted.sheet.game
    chosen = options_of(game, request.args) if wanted.errors else wanted.known["options"] or {}
    return [field for field in fields_of(game, chosen, wanted.errors) if field["kind"] != "seat"]
