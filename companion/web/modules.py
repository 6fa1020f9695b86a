"""The templates of the live parts as JavaScript, for phones that draw their part by themselves."""

from __future__ import annotations

from flask import Blueprint, Response, url_for

from companion.errors import NotThere
from companion.game import AnyGame
from companion.games import GAMES
from companion.web.packed import sent
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
    return sent(made.code, made.packed, "text/javascript")
