"""What stands on a sheet: templates, words, paper and the font."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import date
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import Any, TypedDict

from babel.dates import format_date
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from companion.drawing.paper import name_size
from companion.drawing.qr import qr_svg
from companion.games import brought
from companion.printing.cuts import PAPERS_MM, grid_of
from companion.settings import PRINTABLES
from companion.words import LOCALES, translations

FONT, FONT_PACKAGE, STAND_IN = "Lato", "fonts-lato", "DejaVu Sans"
"""The family of every sheet, the Debian package that brings it, and what stands in where it is missing."""

PAPERS = (*PAPERS_MM,)

LAST_SPACE = re.compile(r"[ \n]+(?=</(?:p|h[1-6]|t[dh]|li|div|section|figcaption)>)")
"""At the end of a block nothing is seen of it, but the layout engine breaks a last line that would just fit."""
BETWEEN = "\f"
"""Stands between the sheets of one document, and on none."""


class Frame(TypedDict):
    """What every sheet is given beside its own."""

    language: str
    paper: str
    """One of `PAPERS`."""
    form: str
    """How it is laid out; "" where there is one way only."""
    document: str
    """What the document is called that it begins; "" where it is one by itself."""


_catalogue: ContextVar[NullTranslations] = ContextVar("catalogue")


def sheet_html(  # noqa: PLR0913 (a sheet is named by two words and dressed by five)
    game: str,
    item: str,
    context: Mapping[str, Any],
    *,
    language: str,
    paper: str,
    translations: NullTranslations,
    form: str = "",
    document: str = "",
) -> str:
    """Fill the template of a sheet.

    Args:
        game: its key. `printables/<game>/<item>.html` is taken, or `printables/<item>.html` where every game has it.
        item: `score_sheet`, `join_card` …
        context: what stands on the sheet, in primitives.
        language: the language of `translations`, as a tag (`cs`); the PDF carries it.
        paper: `a4` or `letter`.
        translations: the catalogue in which the words of the template are looked up.
        form: one of the item's ways to be laid out; "" where it has one only.
        document: what the document is called that it begins; "" where it is one by itself.

    Raises:
        ValueError: for another paper.
        jinja2.TemplatesNotFound: where there is no such sheet.
    """
    if paper not in PAPERS:
        raise ValueError(f"unknown paper {paper!r}; choose one of {', '.join(PAPERS)}")
    template = _templates(PRINTABLES).select_template([f"{game}/{item}.html", f"{item}.html"])
    token = _catalogue.set(translations)
    try:
        frame = Frame(language=language, paper=paper, form=form, document=document)
        page = template.render({**context, **frame})
        return LAST_SPACE.sub("", page.replace(BETWEEN, " "))
    finally:
        _catalogue.reset(token)


def font_css() -> str:
    """Write the style rules that name the family; boxes in the margin do not inherit it from the body."""
    return f'@page {{ font-family: "{FONT}", "{STAND_IN}" }} html {{ font-family: "{FONT}", "{STAND_IN}" }}'


def missing_font() -> str | None:
    """Say that the sheets' family is not installed; None where it is."""
    try:
        found = subprocess.run(["fc-list", FONT, "family"], capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return f"Whether the font {FONT} is installed cannot be told: fc-list (package fontconfig) does not run."
    if found.strip():
        return None
    return f"The font {FONT} is not installed (package {FONT_PACKAGE}): {STAND_IN} stands in for it on every sheet."


def _said_in(language: str, sentence: str, **facts: object) -> str:
    """Say a sentence in a language that may not be the sheet's."""
    return translations(language).gettext(sentence) % facts


def _day(written: str, language: str) -> str:
    """Write a date (ISO 8601) as readers of a language do; what is none stays as it is."""
    try:
        return str(format_date(date.fromisoformat(written), "long", locale=LOCALES.get(language, language)))
    except ValueError:
        return written


def _entitled(drawing: Markup, title: str) -> Markup:
    """Give a drawing the words by which it is read out; one that has some keeps them.

    >>> _entitled(Markup('<svg viewBox="0 0 1 1"><path d="M0 0z"/></svg>'), "A & B")
    Markup('<svg viewBox="0 0 1 1"><title>A &amp; B</title><path d="M0 0z"/></svg>')
    """
    if "<title" in drawing:
        return drawing
    before, tag, rest = drawing.partition("<svg")
    ways, end, rest = rest.partition(">")
    return before + tag + ways + end + Markup("<title>{}</title>").format(title) + rest


@cache
def _templates(folder: Path) -> Environment:
    """Make the templates' environment; its words come from the catalogue of the running call."""
    environment = Environment(
        loader=FileSystemLoader([folder, *brought("printables")]),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: _catalogue.get().gettext(text),
        lambda one, many, n: _catalogue.get().ngettext(one, many, n),
        newstyle=True,
        pgettext=lambda context, text: _catalogue.get().pgettext(context, text),
        npgettext=lambda context, one, many, n: _catalogue.get().npgettext(context, one, many, n),
    )
    environment.globals["qr"] = qr_svg
    environment.globals["grid_of"] = grid_of
    environment.globals["dgettext"] = _said_in
    environment.filters["day"] = _day
    environment.filters["name_size"] = name_size
    environment.filters["entitled"] = _entitled
    # What a game calls something may have a percent sign, which stands for no fact.
    environment.filters["said"] = lambda text: _catalogue.get().gettext(text)
    return environment
