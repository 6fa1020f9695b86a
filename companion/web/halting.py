"""A table that stands still: the taps that pause it, break it off, and let it go on."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.desk.asking import asker_at, own
from companion.tables import halting
from companion.tables.seating import Asker
from companion.web.forms import key_of

pages = Blueprint("halting", __name__)


@pages.post("/t/<code>/pause")
def pause(code: str) -> BaseResponse:
    """Let the table stand still for a while."""
    asker = asker_at(code)
    halting.pause(asker, key_of())
    return _back(asker)


@pages.post("/t/<code>/break-off")
def break_off(code: str) -> BaseResponse:
    """End the game early, without a winner."""
    asker = asker_at(code)
    halting.break_off(asker, key_of())
    return _back(asker)


@pages.post("/t/<code>/resume")
def resume(code: str) -> BaseResponse:
    """Go on."""
    asker = asker_at(code)
    halting.resume(asker, key_of())
    return _back(asker)


def _back(asker: Asker) -> BaseResponse:
    """Lead back to the seat whose page asked, or to the page of the seats."""
    code, seat = asker.table.code, request.args.get("seat", type=int)
    if seat is None:
        return redirect(url_for("table.seats", code=code), 303)
    return redirect(url_for("table.seat", code=code, seat=own(asker, seat)), 303)
