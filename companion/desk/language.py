"""The reader's language: the phone's own, or the one chosen on it."""

from __future__ import annotations

from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import cast

from babel import Locale
from flask import Flask, request
from flask_babel import Babel, get_locale, get_translations

from companion.desk.phone import kept
from companion.games import GAMES
from companion.words import LANGUAGES, TRANSLATIONS

COOKIE = "language"


def language() -> str:
    """Tell the language of this answer: the one that was chosen for it, or given to it by `force_locale`."""
    return str(get_locale())


def chosen() -> str:
    """Choose the language of who asks."""
    for wanted in (request.args.get("lang"), kept(COOKIE)):
        if wanted in LANGUAGES:
            return str(wanted)
    # Of a country as well: who reads the German of Austria and else English (de-AT, en) reads German.
    spoken = (wanted.replace("_", "-").split("-")[0].lower() for wanted, quality in request.accept_languages if quality)
    return next((wanted for wanted in spoken if wanted in LANGUAGES), "en")


def catalogue() -> NullTranslations:
    """Give the sentences of the pages, in the language of this answer."""
    return cast(NullTranslations, get_translations())


def init_app(app: Flask) -> None:
    """Give an app its languages."""
    others = [game.words.catalogue for game in GAMES.values() if isinstance(game.words.catalogue, Path)]
    folders = ";".join(map(str, [*others, TRANSLATIONS]))
    Babel(app, locale_selector=chosen, default_translation_directories=folders)

    # Babel looks for the catalogue at each sentence of a page anew, which takes a tenth of the page's time.
    @cache
    def texts(_locale: Locale) -> NullTranslations:
        return catalogue()

    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: texts(get_locale()).gettext(text),
        lambda one, many, number: texts(get_locale()).ngettext(one, many, number),
        newstyle=True,
    )
