"""The templates of the live parts as JavaScript, for phones that draw their part by themselves."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, request, url_for

from companion.errors import NotThere
from companion.game import AnyGame
from companion.games import GAMES
from companion.web.renderings import rendering
from companion.words import LANGUAGES

pages = Blueprint("modules", __name__)


def address(game: AnyGame, language: str) -> str:
    """Give the address of a game's module, which changes with what is in it; "" where it has none."""
    made = rendering(game).module(language)
    return url_for("modules.templates", stamp=made.stamp, game=game.key, language=language) if made else ""


@pages.get("/templates/<stamp>/<game>/<language>.js")
def templates(stamp: str, game: str, language: str) -> Response:
    """Send a module, to be kept for ever."""
    made = rendering(GAMES[game]).module(language) if game in GAMES and language in LANGUAGES else None
    if made is None or made.stamp != stamp:
        raise NotThere
    is_packed = request.accept_encodings.quality("gzip") > 0
    answer = Response(made.packed if is_packed else made.code, mimetype="text/javascript")
    if is_packed:
        answer.content_encoding = "gzip"
    answer.vary.add("Accept-Encoding")
    answer.cache_control.update(
        {"public": True, "immutable": True, "max-age": current_app.config["SEND_FILE_MAX_AGE_DEFAULT"]}
    )
    return answer
