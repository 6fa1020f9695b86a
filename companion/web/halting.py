"""A table that stands still: the taps that pause it, break it off, and let it go on."""

from __future__ import annotations

from flask import Blueprint, request
from werkzeug.wrappers import Response as BaseResponse

from companion.desk.asking import asker_at
from companion.tables import halting
from companion.web.forms import back, key_of

pages = Blueprint("halting", __name__)


@pages.post("/t/<code>/pause")
def pause(code: str) -> BaseResponse:
    """Let the table stand still for a while."""
    asker = asker_at(code)
    halting.pause(asker, key_of())
    return back(asker, request.args.get("seat", type=int))


@pages.post("/t/<code>/break-off")
def break_off(code: str) -> BaseResponse:
    """End the game early, without a winner."""
    asker = asker_at(code)
    halting.break_off(asker, key_of())
    return back(asker, request.args.get("seat", type=int))


@pages.post("/t/<code>/resume")
def resume(code: str) -> BaseResponse:
    """Go on."""
    asker = asker_at(code)
    halting.resume(asker, key_of())
    return back(asker, request.args.get("seat", type=int))
