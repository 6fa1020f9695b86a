"""What compiled templates stand on means what Jinja means: small templates, each drawn by both."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jinja2 import DictLoader

from companion.games import GAMES
from companion.rendering.compiler import Compiler
from companion.rendering.module import module
from companion.rendering.texts import texts
from companion.testing.moments import reader
from companion.testing.node import Asked, Phone
from companion.web.renderings import rendering
from companion.words import translations
from tests.house import House

TOLD: dict[str, Any] = {
    "names": ["Anna", "<Bo> & 'Cy' \"Di\"", "$& $1 {0} \\ %s", "🂡é"],
    "rows": [{"n": 3, "at": {"x": 2}}, {"n": 1, "at": {"x": None}}, {"n": 3, "at": {"x": 5}}],
    "pairs": [[1, "a"], [2, "b"]],
    "numbers": [3, 1, 2, 3],
    "cards": [{"$": "Card", "colour": "R", "value": 3}, {"$": "Card", "colour": "K", "value": 1}],
    "card": {"colour": "K", "$": "Card", "value": 1},
    "bare": {},
    "blank": [],
    "empty": "",
    "nothing": None,
    "yes": True,
    "no": False,
    "zero": 0,
    "tenth": 34.1,
    "words": {"values": [7], "a b": "c", "toString": "own"},
    "qr": "<svg/>",
}
VALUES = ["names", "rows", "card", "bare", "blank", "empty", "nothing", "yes", "no", "zero", "words", "missing"]
PRINTED = [
    *("names[1]", "nothing", "yes", "no", "zero", "tenth", "missing|default('–')", "nothing|default('–')", "qr|safe"),
    *("names[-1]", "names[9]", "names[0][1]", "'ABC'[1]", "words['values'][0]", "words['a b']", "words['toString']"),
    *(
        "words['zz']",
        "bare['constructor']",
        "rows|selectattr('zz', 'none')|list|length",
        "words[0]",
        "rows[1].at.x",
        "rows[0].at.x",
        "nothing.at",
        "bare.at",
        "card['value']",
    ),
    *("names|length", "names[3]|length", "empty|length", "words|length", "numbers|sum", "rows|sum(attribute='n')"),
    *("rows|sum('n')", "blank|sum", "numbers|max", "blank|max", "numbers|sort|join(',')", "numbers|unique|join"),
    *("rows|sort(attribute='n')|map(attribute='at.x')|join('/')", "rows|map(attribute='zz')|list|length"),
    *(
        "names|join(', ')",
        "['<', seal('<')]|join('&')",
        "'<' ~ 3 ~ none",
        "'<' ~ seal(yes)",
        "seal(names[1])",
        "seal()",
    ),
    *("'%s-%s' % (names[1], zero)", "'<%s>' % seal(1)", "'%s:%s'|format(none, yes)", "names[1]|replace('<', '$&')"),
    *(
        "rows|selectattr('at.x')|list|length",
        "rows|selectattr('at.x', 'none')|list|length",
        "rows|rejectattr('n')|list|length",
    ),
    *("rows|rejectattr('n', 'equalto', 3)|map(attribute='n')|join", "rows|selectattr('zz', 'defined')|list|length"),
    *(
        "rows|selectattr('n', 'in', [1, 2])|list|length",
        "numbers|reject('equalto', 3)|join",
        "[0, 1, none]|reject|list|length",
    ),
    *(
        "2 + 3 * 4 - 1",
        "tenth + 6",
        "-numbers[0]",
        "1 - -1",
        "([1] + numbers)|join",
        "'a' + 'b'",
        "(yes and zero)",
        "(no or empty)",
    ),
    *(
        "(nothing or 'x')",
        "(names and 'y')",
        "'a' if none else 'b'",
        "'a' if none",
        "not yes",
        "range(3)|join",
        "range(2, 8, 2)|join",
    ),
    *("range(5, 0, -2)|join", "range(3, 1)|list|length", "numbers[1:]|join", "numbers[:2]|join", "numbers[1:-1]|join"),
    *("say('R')", "say(-3)", "say(cards)", "say([cards[0]])", "say(none)", "say('zz')", "say(card)"),
    *(
        "_('Trump')",
        "_('%(name)s bids', name=names[1])",
        "ngettext('%(num)s trick', '%(num)s tricks', 5)",
        "seal(_('Trump'))",
    ),
    *("ngettext('%(num)s of %(all)s trick', '%(num)s of %(all)s tricks', 2, all=names[1])", "_('100 %%')"),
    *(
        "url('table.door', code='AB')",
        "url('table.move', code='AB', seat=1)",
        "url('opening.open_form', game='rage', again='A&B')",
    ),
    *("url('table.take_back', **{'code': 'AB', 'seat': 2})", "url('table.door', code='AB', seat=none)"),
]
HOLDS = [
    *(
        "card == cards[1]",
        "card in cards",
        "card not in cards",
        "cards[0] in [card]",
        "3 in numbers",
        "'n' in names[0]",
    ),
    *(
        "'values' in words",
        "'keys' in words",
        "none in [nothing]",
        "nothing is none",
        "missing is none",
        "missing is defined",
    ),
    *("bare == none", "[] == []", "[1, [2]] == [1, [2]]", "bare == {}", "empty == nothing", "'1' == 1", "3 is number"),
    *(
        "yes is number",
        "'3' is number",
        "numbers[0] > 2",
        "1 <= zero",
        "'a' < 'b'",
        "bare.x is defined",
        "card.x is not defined",
    ),
    *("seal('') == ''", "missing == nothing", "not (yes and no) or zero", "rows[1].at.x is none", "'x' in missing"),
]
STATEMENTS = [
    "{% for a, b in pairs %}{{ loop.index }}{{ loop.index0 }}{{ loop.first }}{{ loop.last }}{{ a }}{{ b }};{% endfor %}",
    "{% for a in blank %}x{% else %}{% set y = 1 %}none{{ y }}{% endfor %}{{ y|default('–') }}",
    "{% for n in numbers if n > 1 %}{{ loop.index }}:{{ n }}{% else %}x{% endfor %}",
    "{% for key in words %}{{ key }},{% endfor %}{% for sign in names[3] %}[{{ sign }}]{% endfor %}",
    "{% set x = 1 %}{% for n in numbers %}{% set x = x + n %}{{ x }}{% endfor %}{{ x }}",
    "{% if yes %}{% set z = 2 %}{% endif %}{{ z }}{% if no %}{% set w = 2 %}{% endif %}{{ w|default('–') }}",
    "{% with x = zero, y = names[0] %}{% set x = x + 1 %}{{ x }}{{ y }}{% endwith %}{{ x|default('–') }}",
    "{% set a, b = pairs[0] %}{{ a }}{{ b }}{% include 'inner.html' %}",
    "{% set a = 'mine' %}{% for b in numbers %}{% include 'inner.html' %}{% endfor %}",
    "{% set size = 5 %}{% macro m(a, b=2, c='<') %}{{ a }}{{ b }}{{ c }}{{ size }}{% endmacro %}{{ m(1) }}{{ m(1, c=3) }}",
    "{% for x in numbers %}{% for x in pairs %}{{ x[0] }}{% endfor %}{{ x }}{% endfor %}",
    "{% macro e(a='') %}{{ a }}{% endmacro %}{{ 'x' if e() else 'y' }}{{ 'x' if e(1) else 'y' }}",
    "{% if no %}a{% elif zero %}b{% elif names %}c{% else %}d{% endif %}",
    "{% from 'macros.html' import seal as mark, SIGNS %}{{ mark('x') }}{{ SIGNS['a'] }}{% for s in SIGNS %}{{ s }}{% endfor %}",
]
HEAD = "{% from 'macros.html' import seal %}"
OTHERS = {
    "macros.html": "{% set SIGNS = {'a': '<', 'b': 2} %}{% macro seal(name='–', more=none) %}<i>{{ name }}</i>{% endmacro %}",
    "inner.html": "({{ a }}{{ b|default('–') }}{{ names[0] }}{% set a = 'inner' %}{{ a }})",
}
SOURCES = [
    *(f"{HEAD}<p>{{{{ {text} }}}}</p>" for text in PRINTED),
    *(f"{HEAD}{{% if {text} %}}yes{{% else %}}no{{% endif %}}{{{{ {text} }}}}" for text in HOLDS),
    *(f"{{% if {name}|default('') %}}y{{% endif %}}{{{{ 'y' if not {name}|default('') }}}}" for name in VALUES),
    *STATEMENTS,
]
TEMPLATES = OTHERS | {f"{number}.html": source for number, source in enumerate(SOURCES)}


@pytest.mark.parametrize("language", ["en", "pl"])
def test_both_renderers_mean_the_same_by_a_template(house: House, phone: Phone, language: str) -> None:
    given = {*TOLD, "missing"}
    own = texts(translations(language), language)
    with reader(house.app, language):
        rage = rendering(GAMES["rage"])
        env = house.app.jinja_env.overlay(loader=DictLoader(TEMPLATES))
        asked = [name for name in TEMPLATES if name not in OTHERS]
        speaker = rendering(GAMES["hanabi"]).speaker(language, TOLD["names"])
        by_server = [str(env.get_template(name).render(**TOLD, say=speaker.say)) for name in asked]
    compiler = Compiler(env, own, rage.way)
    (phone.folder / f"small.{language}.js").write_bytes(module(compiler, asked, given, speaker.vocabulary).code)
    by_phone = phone.draws([Asked(f"small.{language}", name, json.dumps(TOLD)) for name in asked])
    drawn = zip(SOURCES, by_server, by_phone, strict=True)
    assert [(source, one, other) for source, one, other in drawn if one != other] == []
