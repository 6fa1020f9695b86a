"""The lobby: find a table, and what this phone remembers."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict
from urllib.parse import urlsplit

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import wording
from companion.desk.asking import table_at
from companion.desk.context import Context
from companion.desk.dates import day
from companion.desk.phone import kept, phone
from companion.errors import NoSuchTable
from companion.game import AnyGame
from companion.games import GAMES, known
from companion.log.book import newest
from companion.phantoms.demonstration import is_shown
from companion.tables.seating import Asker

Answer = BaseResponse | str | tuple[str, int]

pages = Blueprint("lobby", __name__)

MINE = 6
"""As many tables of this phone are shown in the lobby."""
FIRST, DONE = "first", "done"
"""The cookie that remembers how far a phone was led, and that it was led to the end, or wants none of it."""
STEPS = ("language", "name", "game")
"""By which who is here for the first time is led to a table."""


class ShownTable(TypedDict):
    """A table of this phone."""

    code: str
    game: str
    """What it is called there."""
    names: list[str]
    seat: int | None
    is_host: bool
    when: str


class LobbyPage(Context, template="lobby.html"):
    """The first page."""

    games: list[AnyGame]
    tables: list[ShownTable]
    code: str
    """As it was typed."""
    error: str | None
    are_older: bool
    """Whether this phone has tables beside those that are shown."""
    step: str
    """To which it is led, of `STEPS`; "" for who was here before."""
    wrong_name: str
    """What is wrong with the name that was given; "" for nothing."""
    typed: str
    """That name."""


@pages.get("/")
def lobby() -> Answer:
    """Show the games, the tables of this phone, and the field for a code; the demonstration to who comes to see it."""
    if is_shown() and urlsplit(request.referrer or "").netloc != request.host:
        return redirect(url_for("demonstration.demo"))
    return lobby_page().html()


@pages.get("/clock")
def clock() -> Response:
    """Tell the time that entries bear now, in ms since 1970 (UTC): by it the sand runs on every phone."""
    now = datetime.fromisoformat(log.now())
    return Response(str(round(now.timestamp() * 1000)), mimetype="text/plain")


@pages.get("/find")
def find() -> Answer:
    """Go to the table with the code that was typed."""
    code = request.args.get("code", "")
    try:
        return redirect(url_for("table.door", code=table_at(code).code))
    except NoSuchTable as error:
        return lobby_page(code, wording.said(error)).html(), error.status


def lobby_page(code: str = "", error: str | None = None, wrong_name: str = "") -> LobbyPage:
    """Fill the first page; with the code that was typed, and what was wrong."""
    found = newest(phone(), MINE + 1)
    mine: list[ShownTable] = [
        {
            "code": table.code,
            "game": known(table.game).called(table.options),
            "names": list(wording.names(table)),
            "seat": Asker(table, phone()).seat,
            "is_host": table.host == phone(),
            "when": day(table.opened),
        }
        for table in found[:MINE]
    ]
    are_older = len(found) > MINE
    step = STEPS[1] if wrong_name else "" if found else kept(FIRST) or STEPS[0]
    return LobbyPage(
        games=list(GAMES.values()),
        tables=mine,
        code=code,
        error=error,
        are_older=are_older,
        step=step if step in STEPS else "",
        wrong_name=wrong_name,
        typed=request.form.get("said", ""),
    )
