"""The templates of the live parts as JavaScript, for phones and screens that draw their part by themselves."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, url_for

from companion.errors import NotThere
from companion.game import AnyGame
from companion.games import GAMES
from companion.web.packed import sent
from companion.web.renderings import PARTS, part_of, rendering
from companion.words import LANGUAGES

pages = Blueprint("modules", __name__)


def address(game: AnyGame, seat: int | None, language: str) -> str:
    """Give the address of what draws a seat (None: the screen), which changes with what is in it; "" without any."""
    part = part_of(seat)
    made = rendering(game).module(part, language)
    return url_for("modules.templates", stamp=made.stamp, game=game.key, part=part, language=language) if made else ""


def drawn_by(game: AnyGame, seat: int | None, language: str) -> str:
    """Name what a page of this release is drawn by: its scripts, its templates, their language."""
    made = rendering(game).module(part_of(seat), language)
    return f"{scripts()}.{made.stamp}.{language}" if made else ""


def drawn_here(language: str) -> str:
    """Name what a page of this release has of its own where the server draws its part: its scripts, their language."""
    return f"{scripts()}.{language}"


def scripts() -> str:
    """Name the scripts and styles of this release, and of the games that are installed."""
    return (current_app.static_url_path or "").rpartition("/")[2]


@pages.get("/templates/<stamp>/<game>/<part>/<language>.js")
def templates(stamp: str, game: str, part: str, language: str) -> Response:
    """Send a module, to be kept for ever."""
    is_known = game in GAMES and part in PARTS and language in LANGUAGES
    made = rendering(GAMES[game]).module(part, language) if is_known else None
    if made is None or made.stamp != stamp:
        raise NotThere
    return sent(made.code, made.packed, "text/javascript")
