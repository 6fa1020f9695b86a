"""What the screen and the host's page say when the companion's address has changed: the new code, and the way back."""

from __future__ import annotations

from flask import Blueprint, Response
from markupsafe import Markup

from companion.desk.addresses import join_address, qr, whereabouts
from companion.desk.asking import asker_at
from companion.desk.context import Context
from companion.tables.seating import Asker, has_room
from companion.web.parts import PART

pages = Blueprint("moved", __name__)


class MovedPart(Context, template="moved.html"):
    """That the address has changed."""

    code: str
    join: str
    """The address to type."""
    qr: Markup
    """The way to the table; "" where it is not shown, or shown already."""
    is_short: bool
    """Whether there is room for no more than a link."""


def moved_part(asker: Asker, is_large: bool, is_short: bool = False) -> Markup:
    """Draw what is said when the address has changed lately; nothing else."""
    if not whereabouts().has_moved:
        return Markup()
    table = asker.table
    shown = qr(table, has_room(table)) if is_large else Markup()
    part = MovedPart(code=table.code, join=join_address(table), qr=shown, is_short=is_short)
    return Markup(part.html())  # noqa: S704 (it is drawn)


@pages.get("/t/<code>/screen/moved")
def screen(code: str) -> Response:
    """Tell the screen, alone: the page asks now and then, and when its line has come again."""
    return Response(moved_part(asker_at(code), True), mimetype=PART)
