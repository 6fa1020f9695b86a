"""The demonstration: the screen for everyone, and the phone of one who plays; nowhere else are there these pages."""

from __future__ import annotations

from flask import Blueprint, Response

from companion import log
from companion.desk.asking import table_at
from companion.desk.context import Context
from companion.game import AnyGame
from companion.phantoms.demonstration import demonstration

pages = Blueprint("demonstration", __name__)


class DemonstrationPage(Context, template="demonstration.html"):
    """What the demonstration shows."""

    code: str
    """Of the table that is shown now."""
    game: AnyGame


@pages.get("/demo")
def demo() -> str:
    """Show the demonstration."""
    code = demonstration().code
    return DemonstrationPage(code=code, game=log.game_of(table_at(code))).html()


@pages.get("/demo/table")
def shown() -> Response:
    """Name the table that is shown now."""
    return Response(demonstration().code, mimetype="text/plain")
