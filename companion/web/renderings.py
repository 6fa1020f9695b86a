"""How the live parts of each game are drawn: what their templates need, and who says it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from flask import Flask, current_app

from companion.game import AnyGame
from companion.rendering.needs import Needs, needs
from companion.rendering.plain import Writer
from companion.rendering.said import Said, Speaker, said
from companion.rendering.tags import tags
from companion.rendering.texts import Texts, texts
from companion.words import translations


class Rendering:
    """How the live parts of one game are drawn; each thing is worked out when it is asked for first."""

    def __init__(self, app: Flask, game: AnyGame) -> None:
        """Begin with nothing worked out."""
        self._app, self._game = app, game
        self._spoken: dict[str, tuple[Said, Texts]] = {}

    def template(self, seat: int | None) -> str:
        """Name the template of a seat's part, or the screen's: the game's own, or the plain one of any game."""
        file = "screen.html" if seat is None else "seat.html"
        chosen = self._app.jinja_env.select_template([f"games/{self._game.key}/{file}", f"games/any/{file}"])
        return str(chosen.name)

    @cached_property
    def needs(self) -> Needs:
        """What these templates need."""
        return needs(self._app.jinja_env, self._templates)

    @cached_property
    def write(self) -> Writer:
        """Writes the game's views as its templates read them."""
        return Writer(tags(self._game.words), self.needs.fields)

    def speaker(self, language: str, names: Sequence[str]) -> Speaker:
        """Give who says what was written, in a language, with the players' names."""
        if language not in self._spoken:
            own = texts(translations(language, self._game.words.catalogue), language)
            self._spoken[language] = said(self._game, own, language, self.needs.fields), own
        return Speaker(*self._spoken[language], names)

    @property
    def _templates(self) -> list[str]:
        return [self.template(0), self.template(None)]


def rendering(game: AnyGame) -> Rendering:
    """Give how a game's parts are drawn."""
    known: dict[str, Rendering] = current_app.extensions.setdefault("companion.renderings", {})
    if game.key not in known:
        known[game.key] = Rendering(current_app._get_current_object(), game)  # type: ignore[attr-defined]
    return known[game.key]
