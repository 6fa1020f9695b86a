"""Trying a game alone: phantoms play the other seats."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.desk import practising
from companion.desk.asking import find_game
from companion.desk.phone import own_name
from companion.web.forms import key_of, post_of_form

pages = Blueprint("practice", __name__)


@pages.post("/practice/<game>")
def begin(game: str) -> BaseResponse:
    """Open a table where phantoms play the other seats, and lead to one's own."""
    table = practising.begin(find_game(game), own_name(), post_of_form(), key_of())
    return redirect(url_for("table.seat", code=table.code, seat=0), 303)
