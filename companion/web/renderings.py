"""How the live parts of each game are drawn: what their templates need, who says it, and the templates for phones."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from flask import Flask, current_app
from flask_babel import force_locale
from markupsafe import Markup

from companion.desk.language import catalogue
from companion.game import AnyGame
from companion.rendering.compiler import Compiler
from companion.rendering.expressions import Way
from companion.rendering.law import Unlawful
from companion.rendering.module import Module, module
from companion.rendering.needs import Needs, needs
from companion.rendering.plain import Writer
from companion.rendering.tags import tags
from companion.rendering.texts import Texts, texts
from companion.rendering.vocabulary import Speaker, Vocabulary, vocabulary
from companion.web.live_part import GIVEN
from companion.words import translations

ANY = "games/any/"
"""Where the templates of those games stand that bring none."""
MARK = "mark.html"
"""The picture in the lobby of those that bring none."""
PARTS = {"seat": 0, "screen": None}
"""The live parts, and whose each is; a phone needs no more than the templates of the one that it shows."""
_PLACE = re.compile(r"<(?:\w+(?:\([^)]*\))?:)?(\w+)>")


class Rendering:
    """How the live parts of one game are drawn; each thing is worked out when it is asked for first."""

    def __init__(self, app: Flask, game: AnyGame) -> None:
        """Begin with nothing worked out."""
        self._app, self._game = app, game
        self._spoken: dict[str, tuple[Vocabulary, Texts]] = {}
        self._modules: dict[tuple[str, str], Module | None] = {}
        self._found: dict[str, str] = {}
        self._is_lawful = True

    def template(self, seat: int | None) -> str:
        """Name the template of a seat's part, or the screen's: the game's own, or the plain one of any game."""
        part = part_of(seat)
        if part not in self._found:
            own, of_any = f"games/{self._game.drawn_as or self._game.key}/{part}.html", f"{ANY}{part}.html"
            self._found[part] = str(self._app.jinja_env.select_template([own, of_any]).name)
        return self._found[part]

    @cached_property
    def is_plain(self) -> bool:
        """Whether it is drawn by the templates of any game."""
        return any(name.startswith(ANY) for name in self._templates)

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
            self._spoken[language] = vocabulary(self._game, own, language, self.needs.fields), own
        return Speaker(*self._spoken[language], names)

    def module(self, part: str, language: str) -> Module | None:
        """Compile a part for phones; None where a template is against the law, so that the server draws for them."""
        about = part, language
        if about not in self._modules and self._is_lawful:
            words = self.speaker(language, ()).vocabulary
            try:
                self._modules[about] = module(self.compiler(language), [self.template(PARTS[part])], GIVEN, words)
            except Unlawful as problem:
                self._is_lawful = False
                logging.getLogger("companion").warning("%s: phones are sent HTML. %s", self._game.name, problem)
        return self._modules.get(about)

    def against_the_law(self) -> Iterator[str]:
        """Say of each part whether its template is against the law, and where."""
        for seat in PARTS.values():
            try:
                module(self.compiler("en"), [self.template(seat)], GIVEN, self.speaker("en", ()).vocabulary)
            except Unlawful as problem:
                yield f"{self._game.name}: phones are sent HTML. {problem}"

    def compiler(self, language: str) -> Compiler:
        """Give what compiles templates with the sentences of a language."""
        with force_locale(language):
            return Compiler(self._app.jinja_env, texts(catalogue(), language), self.way)

    @property
    def _templates(self) -> list[str]:
        return [self.template(seat) for seat in PARTS.values()]

    def way(self, endpoint: str) -> Way:
        """Say how an address is written. Raises: KeyError, where there is none of that name, or more than one."""
        rules = list(self._app.url_map.iter_rules(endpoint))
        if len(rules) > 1:
            raise KeyError(endpoint)
        return _PLACE.split(rules[0].rule)


def unlawful(game: AnyGame) -> list[str]:
    """Say which templates of a game phones cannot draw, so that the server does, and why."""
    try:
        return [*rendering(game).against_the_law()]
    except Exception:  # the server cannot either, and `undrawn` says why
        return []


def box(game: AnyGame) -> Markup:
    """Draw a game's picture in the lobby; of one that cannot be drawn, the log says why, and the others are there."""
    try:
        return drawn_box(game)
    except Exception:  # whatever a template of another package does
        logging.getLogger("companion").exception("The picture of %s in the lobby cannot be drawn.", game.name)
        return Markup(current_app.jinja_env.get_template(MARK).render())  # noqa: S704 (it is drawn)


def drawn_box(game: AnyGame) -> Markup:
    """Draw it. Raises: whatever its template does."""
    own = f"games/{game.drawn_as or game.key}/box.html"
    return Markup(current_app.jinja_env.select_template([own, MARK]).render())  # noqa: S704 (it is drawn)


def undrawn(game: AnyGame) -> list[str]:
    """Say what of a game's templates cannot be drawn at all, and why."""
    found = []
    drawn: dict[str, Callable[[], object]] = {
        f"picture of {game.key} in the lobby": lambda: drawn_box(game),
        f"page of {game.key}": lambda: [*rendering(game).against_the_law()],
    }
    for what, draw in drawn.items():
        try:
            with current_app.test_request_context():  # addresses can be written there
                draw()
        except Exception as error:  # whatever a template does
            found.append(f"The {what} cannot be drawn: {type(error).__name__}: {error}")
    return found


def part_of(seat: int | None) -> str:
    """Name the live part of a seat (None: of the screen)."""
    return "screen" if seat is None else "seat"


def rendering(game: AnyGame) -> Rendering:
    """Give how a game's parts are drawn."""
    known: dict[str, Rendering] = current_app.extensions.setdefault("companion.renderings", {})
    if game.key not in known:
        known[game.key] = Rendering(current_app._get_current_object(), game)  # type: ignore[attr-defined]
    return known[game.key]
