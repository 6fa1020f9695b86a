"""Trying a game alone: phantoms play the other seats."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.desk import quotas
from companion.desk.asking import find_game
from companion.desk.language import language
from companion.desk.options import suggested
from companion.desk.phone import own_name, phone
from companion.errors import NotThere
from companion.phantoms import practice
from companion.phantoms.playing import phantoms
from companion.web.forms import key_of, post_of_form

pages = Blueprint("practice", __name__)


@pages.post("/practice/<game>")
def begin(game: str) -> BaseResponse:
    """Open a table where phantoms play the other seats, and lead to one's own."""
    chosen = find_game(game)
    if not practice.can_be_tried(chosen):
        raise NotThere
    if not phantoms().has_room:
        raise quotas.TooMuch(quotas.BUSY)
    quotas.spend(quotas.TABLES)
    table = practice.open_practice(chosen, suggested(chosen, language()), post_of_form())
    practice.seat(table, phone(), own_name() or practice.NAMES[0], key_of())
    return redirect(url_for("table.seat", code=table.code, seat=0), 303)
