"""A host who is heard no more: what the seats are told beside the table, and how they agree on another."""

from __future__ import annotations

from flask import Blueprint, Response
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from companion.desk.asking import asker_at, own
from companion.desk.context import Context
from companion.desk.silence import ShownSilence, ShownSuccession, silence_shown, succession_shown
from companion.push.hearing import hearing
from companion.tables import succession
from companion.tables.seating import Asker
from companion.web.forms import back, key_of, number_of
from companion.web.moved import moved_part
from companion.web.parts import PART

pages = Blueprint("silence", __name__)


class SilencePart(Context, template="silence.html"):
    """What a phone is told of its host, beside the table."""

    code: str
    silence: ShownSilence | None
    """Of a host who is not heard."""
    succession: ShownSuccession | None
    """To the one who was the host."""


def silence_part(asker: Asker, is_short: bool = False) -> Markup:
    """Draw what a phone is told of its host, and the host of a new address; nothing for most."""
    silence, missed = silence_shown(asker), succession_shown(asker)
    moved = moved_part(asker, False, is_short) if asker.is_host else Markup()
    if not silence and not missed:
        return moved
    return moved + Markup(SilencePart(code=asker.table.code, silence=silence, succession=missed).html())  # noqa: S704 (it is drawn)


@pages.get("/t/<code>/<int:seat>/silence")
def silence(code: str, seat: int) -> Response:
    """Tell a seat of its host, alone: the page asks now and then, for nothing is entered when somebody falls silent."""
    asker = asker_at(code)
    own(asker, seat)
    return Response(silence_part(asker, True), mimetype=PART)


@pages.post("/t/<code>/take-on")
def take_on(code: str) -> BaseResponse:
    """Want a seat for the host, in the place of one who is not heard."""
    asker = asker_at(code)
    succession.vote(asker, number_of("seat"), hearing().ago, key_of())
    return back(asker, asker.seat)


@pages.post("/t/<code>/reclaim")
def reclaim(code: str) -> BaseResponse:
    """Be the host again, after others took the table on."""
    asker = asker_at(code)
    succession.reclaim(asker, key_of())
    return back(asker, asker.seat)
