"""The law of templates that phones draw: ours keep it, and what breaks it is named with file and line."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from companion.games import GAMES
from companion.rendering.compiler import Compiler
from companion.rendering.law import Unlawful
from companion.rendering.texts import texts
from companion.testing.moments import moments, reader
from companion.web import parts
from companion.web.live_part import GIVEN as GIVEN_TO_ALL
from companion.web.renderings import Rendering
from companion.words import LANGUAGES, translations
from tests.house import House

GIVEN = {"view", "names", "qr"}
MACROS = '{% set SIZE = 3 %}{% macro mark(seat, size=1, title="") %}<b>{{ seat }}</b>{% endmacro %}'


def compiled(template: str, **others: str) -> Compiler:
    loader = DictLoader({"part.html": template, "macros.html": MACROS, **others})
    env = Environment(loader=loader, autoescape=True, extensions=["jinja2.ext.i18n"])
    ways = {"table.move": ["/t/", "code", "/move"], "static": ["/static/1/", "filename", ""]}
    compiler = Compiler(env, texts(translations("en"), "en"), ways.__getitem__)
    compiler.draw("part.html", GIVEN)
    return compiler


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["hanabi", "ikebana", "rage", "ubongo", "cairn"])
def test_every_live_template_keeps_the_law(house: House, key: str, language: str) -> None:
    with reader(house.app, "en"):
        own = Rendering(house.app, GAMES[key])
        compiler = own.compiler(language)
        for seat in (0, None):
            assert compiler.draw(own.template(seat), GIVEN_TO_ALL).code


@pytest.mark.parametrize(
    "template",
    [
        "{{ view.a['b'][-1] }}{{ view.rows[1:] }}{{ view.rows[:2]|length }}",
        "{% for a, b in view.rows if a %}{{ loop.index }}{{ loop.last }}{% else %}–{% endfor %}",
        '{% from "macros.html" import mark, SIZE as size %}{{ mark(1, title="x") }}{{ size }}',
        "{% set a = [1] + view.rows|map(attribute='x.y')|list %}{{ 'p-%s' % a[0] }}{{ '%s:%s'|format(1, 2) }}",
        "{{ ngettext('%(num)s card', '%(num)s cards', view.n) }}{{ _('Bid: %(bid)s', bid=view.bid or '–') }}",
        "{% with x = view.x %}{{ x is none or x is not defined }}{{ missing|default(3) }}{% endwith %}{{ qr|safe }}",
        "<img src=\"{{ static('games/cairn/a stone.svg') }}\">",
        "<a href=\"{{ url('table.move', code=view.code, **{'seat': 1}) }}\">",
    ],
)
def test_what_the_law_allows_is_compiled(template: str) -> None:
    assert compiled(template).parts["part.html"].code


@pytest.mark.parametrize(
    ("template", "what"),
    [
        ("{% extends 'macros.html' %}", "`Extends`"),
        ("{% block a %}{% endblock %}", "`Block`"),
        ("{% import 'macros.html' as m %}", "`Import`"),
        ("{% set a %}b{% endset %}", "`AssignBlock`"),
        ("{% filter upper %}a{% endfilter %}", "`FilterBlock`"),
        ("{% include view.name %}", "a template by a name that is not written there"),
        ("{% include 'macros.html' ignore missing %}", "an include without context, or of what may be missing,"),
        ("{% include 'part.html' %}", "part.html, which includes itself,"),
        ("{% from 'macros.html' import mark with context %}", "an import with context"),
        ("{{ view.get('a') }}", "a call of a method"),
        ("{{ view.values }}", '`.values`, which every dictionary or list has (write `["values"]`),'),
        ("{{ view.constructor }}", '`.constructor`, which every dictionary or list has (write `["constructor"]`),'),
        ("{{ who }}", "`who`, which is not in the context,"),
        ("{{ loop }}", "`loop` but for its first, index, index0, last"),
        ("{% for a in view.rows %}{{ loop.cycle('a', 'b') }}{% endfor %}", "a call of a method"),
        ("{% for a in view.rows %}{{ loop.length }}{% endfor %}", "`loop.length`"),
        ("{% for a in view.rows recursive %}{% endfor %}", "a recursive loop"),
        ("{{ view.a // 2 }}", "`FloorDiv`"),
        ("{{ 1 < view.a < 3 }}", "a chain of comparisons"),
        ("{{ view.a + 0.5 }}", "reckoning with 0.5, which may come out whole,"),
        ("{{ 34.0 }}", "the number 34.0, which is 34 in JavaScript,"),
        ("{{ {1: 2} }}", "a dictionary whose keys are no written texts"),
        ("{{ view.rows[::2] }}", "a slice with a step"),
        ("{{ view.a is even }}", "`is even`"),
        ("{{ view.a|upper }}", "the filter `upper` with 0 arguments"),
        ("{{ view.rows|map('upper') }}", "the filter `map` with 1 arguments"),
        ("{{ view.rows|sort(true) }}", "the filter `sort` with 1 arguments"),
        ("{{ view.rows|selectattr('a', 'odd') }}", "`selectattr` by that test"),
        ("{{ view.a|safe }}", "the filter `safe` with 0 arguments"),
        ("{{ '%d' % view.a }}", "a text with other places than one `%s` for each fact"),
        ("{{ view.a % 2 }}", "`%` of what is no written text"),
        ("{{ _(view.a) }}", "a sentence that is not written there"),
        ("{{ _('Bid: %(bid)s') }}", "a sentence without its bid"),
        ("{{ url('nowhere') }}", "an address called nowhere"),
        ("{{ static(view.a) }}", "`static` of what is no written text"),
        ("{{ view(a=1) }}", "a keyword for `view`, which is no macro that is imported here,"),
        ("{% from 'macros.html' import mark %}{{ mark(1, colour=2) }}", "`mark` with colour"),
    ],
)
def test_what_breaks_the_law_is_named_with_its_line(template: str, what: str) -> None:
    with pytest.raises(Unlawful) as caught:
        compiled(f"<p>\n</p>\n{template}")
    assert str(caught.value) == f"part.html:3: {what} is not for templates that phones draw"
    assert (caught.value.template, caught.value.line) == ("part.html", 3)


def test_what_is_read_in_an_included_template_is_named_there() -> None:
    with pytest.raises(Unlawful, match=r"^inner\.html:2: `who`, which is not in the context"):
        compiled("{% set whom = 1 %}{% include 'inner.html' %}", **{"inner.html": "{{ whom }}\n{{ who }}"})


def test_an_import_holds_macros_and_reads_nothing_around_it() -> None:
    with pytest.raises(Unlawful, match=r"^inner\.html:1: `view`, which an import is not given"):
        compiled("{% from 'inner.html' import a %}", **{"inner.html": "{% macro a() %}{{ view }}{% endmacro %}"})
    with pytest.raises(Unlawful, match=r"^inner\.html:1: `If` in what is imported"):
        compiled("{% from 'inner.html' import a %}", **{"inner.html": "{% if 1 %}{% set a = 1 %}{% endif %}"})


def test_a_game_whose_template_breaks_the_law_is_drawn_by_the_server_and_said_once_in_the_log(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    folder = tmp_path / "games" / "cairn"
    folder.mkdir(parents=True)
    (folder / "seat.html").write_text("<p>\n{{ names[0]|upper }}</p>")
    env = house.app.jinja_env.overlay(loader=DictLoader({"games/cairn/seat.html": (folder / "seat.html").read_text()}))
    (look, *_rest) = (one for seed in range(9) for one in moments(house, "cairn", seed, 4) if one.seat is not None)
    with reader(house.app, "en"), caplog.at_level(logging.WARNING, "companion"):
        monkeypatch.setattr(house.app, "jinja_env", env)
        own = Rendering(house.app, GAMES["cairn"])
        monkeypatch.setitem(house.app.extensions, "companion.renderings", {"cairn": own})
        monkeypatch.setattr(Rendering, "template", lambda self, seat: "games/cairn/seat.html")
        for language in (*LANGUAGES, "en"):
            assert own.module("seat", language) is None
        told = parts.told(look.asker, look.seat, look.reading)
        assert parts.drawn(look.asker.table, "games/cairn/seat.html", told) == f"<p>{told['names'][0].upper()}</p>"
    assert caplog.messages == [
        "Cairn: phones are sent HTML. games/cairn/seat.html:2: the filter `upper` with 0 arguments is not for templates "
        "that phones draw"
    ]
