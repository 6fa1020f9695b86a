"""The pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from flask import Flask, url_for
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader
from werkzeug.routing import IntegerConverter, Rule

from companion import metrics
from companion.desk import addresses, guard, language, quotas, renewal, wording
from companion.desk import health as ground
from companion.desk.context import Everywhere
from companion.desk.phone import kept
from companion.game import AnyGame
from companion.games import brought
from companion.intake import MOST_DIGITS
from companion.settings import PRINTABLES
from companion.web import (
    book,
    bound,
    choices,
    demonstration,
    first,
    groups,
    halting,
    health,
    history,
    install,
    judge,
    line,
    lobby,
    modules,
    moved,
    opening,
    operating,
    packed,
    paper,
    parts,
    passing,
    practice,
    renderings,
    returning,
    rules,
    seats,
    silence,
    starting,
    statistics,
    steps,
    table,
    trouble,
    wifi,
)
from companion.web.environment import PageEnvironment
from companion.words import languages

PAGES = (
    *(lobby, opening, table, seats, line, modules, history, starting, steps, paper, judge, rules, install, passing),
    *(book, groups, statistics, health, operating, halting, silence, first, practice),
    *(moved, returning, wifi, bound, choices),
)
"""The modules that have some, wherever the companion is."""


class Number(IntegerConverter):
    """A number in an address, as long as any that is read: longer ones lead nowhere."""

    regex = rf"\d{{1,{MOST_DIGITS}}}"


class Address(Rule):
    """An address; what writes it is compiled when it is written first: for all of them, that is half of the start."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = cache(super()._compile_builder)

        def build(rule: Rule, **values: Any) -> tuple[str, str]:
            return compiled(append_unknown)(rule, **values)

        return build


def init_app(app: Flask) -> None:
    """Give an app its pages, and what guards them."""
    app.url_rule_class = Address
    app.jinja_environment = PageEnvironment
    app.url_map.converters["int"] = Number
    language.init_app(app)
    parts.init_app(app)
    packed.init_app(app)
    addresses.init_app(app)
    guard.init_app(app)
    quotas.init_app(app)
    renewal.init_app(app)
    ground.init_app(app)
    metrics.write_lines() if app.config["COMPANION"].has_lines else metrics.write_notes()
    trouble.init_app(app)
    paper.init_app(app)
    for module in PAGES + ((demonstration,) if app.config["COMPANION"].demo else ()):
        app.register_blueprint(module.pages)
    app.context_processor(_everywhere)
    app.jinja_loader = ChoiceLoader(
        [
            FileSystemLoader([str(app.template_folder), *brought("templates")]),
            PrefixLoader({"drawings": FileSystemLoader([PRINTABLES, *brought("printables")])}),
        ]
    )
    app.jinja_env.filters |= {"about": wording.about, "box": renderings.box}
    # Macros, which see nothing of the page that calls them, know these as well.
    app.jinja_env.globals |= {"url": url_for, "static": _static, "own_file": _own_file, "site": "companion"}
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 365 * 24 * 3600


def _everywhere() -> dict[str, Any]:
    """Give every page what all of them depend on."""
    everywhere = Everywhere(
        language=language.language(),
        languages=languages(),
        theme=kept("theme"),
        hand=kept("hand"),
        sounds=kept("sounds"),
    )
    return dict(everywhere)


def _own_file(game: AnyGame, ending: str) -> str:
    """Give the address of a game's own stylesheet or script (`css`, `js`); "" if it has none."""
    path = f"games/{game.drawn_as or game.key}.{ending}"
    return _static(path) if packed.found(path) else ""


def _static(path: str) -> str:
    """Give the address of a static file; it changes with the files, so that they can be kept for ever."""
    return url_for("static", filename=path)
