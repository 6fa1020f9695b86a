"""Who opens the lobby for the first time is led to a table in three steps, once: language, name, game."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion.desk import wording
from companion.desk.language import COOKIE as LANGUAGE
from companion.desk.phone import NAME, remember
from companion.errors import BadName
from companion.log.names import clean_name
from companion.web.lobby import DONE, FIRST, STEPS, lobby_page
from companion.words import LANGUAGES

pages = Blueprint("first", __name__)


@pages.post("/first")
def first() -> BaseResponse | tuple[str, int]:
    """Keep what was said on this phone, and go on to the next step, or to the end."""
    answer = redirect(url_for("lobby.lobby"), 303)
    step, said = request.form.get("step", ""), request.form.get("said", "")
    if step not in STEPS or "skip" in request.form:
        remember(answer, FIRST, DONE)
        return answer
    if step == "language" and said in LANGUAGES:
        remember(answer, LANGUAGE, said)
    if step == "name" and said.strip():
        try:
            remember(answer, NAME, clean_name(said))
        except BadName as error:
            return lobby_page(wrong_name=wording.said(error)).html(), error.status
    remember(answer, FIRST, [*STEPS, DONE][STEPS.index(step) + 1])
    return answer
