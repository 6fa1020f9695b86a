"""The law of templates, styles and scripts, as far as no formatter knows it: what each template reads is written down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from jinja2 import Environment, meta, nodes

from tests.house import House

ROOT = Path(__file__).parent.parent
SOURCES = sorted(
    path
    for folder, endings in (("templates", "html js"), ("printables", "html css"), ("companion/static", "css js"))
    for path in (ROOT / folder).rglob("*")
    if path.suffix[1:] in endings.split()
)
TEMPLATES = [path for path in SOURCES if path.suffix == ".html"]
MOST = 120
UNBROKEN = re.compile(r'"[^"]{80,}"')
"""A sentence, which translators read as a whole, or a drawing's path."""
ENVIRONMENT = Environment(extensions=["jinja2.ext.i18n"])
ENVIRONMENT.filters |= dict.fromkeys(("box", "day", "name_size", "said"), str)
EVERYWHERE = {"_", "ngettext", "range", "dict", "namespace", "caller"}
GLOBALS = {
    "templates": EVERYWHERE | {"url", "static", "own_file", "site"},
    "printables": EVERYWHERE | {"qr", "grid_of", "dgettext"},
}
"""What even a macro knows, which sees nothing of the page that calls it."""
HEAD = re.compile(r"\{#(.*?)#\}", re.DOTALL)
NOTE = re.compile(r"\((?:[^()]|\([^()]*\))*\)")


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


every_template = pytest.mark.parametrize("path", TEMPLATES, ids=named)


@cache
def parsed(path: Path) -> nodes.Template:
    return ENVIRONMENT.parse(path.read_text())


def stored(tree: nodes.Node) -> set[str]:
    """Name what a template makes for itself: macros, what it imports and sets."""
    own = {name for name in (getattr(macro, "name", None) for macro in tree.find_all(nodes.Macro)) if name}
    for imports in tree.find_all(nodes.FromImport):
        own |= {name if isinstance(name, str) else name[1] for name in imports.names}
    own |= {imports.target for imports in tree.find_all(nodes.Import)}
    for made in tree.find_all((nodes.Assign, nodes.AssignBlock)):
        own |= named_by(made.target)
    return own


def named_by(target: nodes.Node) -> set[str]:
    """Name what is set: a name, or several."""
    return {each.name for each in [target, *target.find_all(nodes.Name)] if isinstance(each, nodes.Name)}


def read(path: Path) -> set[str]:
    """Name what a template reads of its context."""
    tree = parsed(path)
    return meta.find_undeclared_variables(tree) - stored(tree) - GLOBALS[path.relative_to(ROOT).parts[0]]


def declared(path: Path) -> set[str]:
    """Read what the comment at a template's head says of its context, without what it says of each name."""
    head = HEAD.match(path.read_text())
    assert head, "no comment says what the template is"
    names = NOTE.sub("", head[1].partition("Context:")[2])
    return {name for name in re.split(r"[\s,;.]+", names) if name}


def fixed(tree: nodes.Template, known: set[str]) -> set[str]:
    """Name what stands in a template whoever reads it: macros, what it imports, and what it sets to what is written."""
    own = set[str]()
    for node in tree.body:
        match node:
            case nodes.Assign() if not lacking(node.node, known | own):
                own |= named_by(node.target)
            case nodes.Macro() | nodes.FromImport() | nodes.Import():
                own |= stored(nodes.Template([node], lineno=1))
    return own


def lacking(node: nodes.Node, known: set[str]) -> set[str]:
    """Name what a part of a template reads that is not known there."""
    alone = nodes.Template([nodes.Output([node]) if isinstance(node, nodes.Expr) else node], lineno=1)
    alone.set_environment(ENVIRONMENT)
    return meta.find_undeclared_variables(alone) - known


def leaning(tree: nodes.Template, everywhere: set[str]) -> Iterator[tuple[str, set[str]]]:
    """Find the macros that read what they are not given, and what; a template that they include reads anything."""
    known = everywhere | fixed(tree, everywhere)
    for macro in tree.find_all(nodes.Macro):
        names = lacking(macro, known) | {"include" for _each in macro.find_all(nodes.Include)}
        if names:
            yield macro.name, names


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_no_line_is_long(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert [line for line in lines if len(line) > MOST and not UNBROKEN.search(line)] == []


@every_template
def test_a_template_declares_what_it_reads(path: Path) -> None:
    assert declared(path) == read(path)


@every_template
def test_a_macro_takes_what_it_uses(path: Path) -> None:
    assert list(leaning(parsed(path), GLOBALS[path.relative_to(ROOT).parts[0]])) == []
    imports = parsed(path).find_all((nodes.Import, nodes.FromImport))
    assert not any(each.with_context for each in imports), "an import with context"


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("{% macro mark(seat) %}{{ seat }} of {{ table }}{% endmacro %}", {"table"}),
        ("{% set where = table.code %}{% macro mark() %}{{ where }}{% endmacro %}", {"where"}),
        ("{% for n in range(3) %}{% set odd = n %}{% endfor %}{% macro mark() %}{{ odd }}{% endmacro %}", {"odd"}),
        ('{% macro mark() %}{% include "mark.html" %}{% endmacro %}', {"include"}),
    ],
)
def test_a_macro_that_leans_on_its_caller_is_found(written: str, names: set[str]) -> None:
    assert list(leaning(ENVIRONMENT.parse(written), EVERYWHERE)) == [("mark", names)]


@pytest.mark.parametrize(
    ("written", "drawn"),
    [
        (
            '<p\n  class="a"\n>\n  {% if true %}\n    <b>one</b>\n  {% endif %}  two\n</p>',
            '<p class="a"\n><b>one</b> two</p>',
        ),
        ("{# What it is. #}\n{% set a = 1 %}\n\n{% set b = 2 %}\n<p>", "<p>"),
        ("<p>\n{% if false %}\n  <b>\n{% endif %}\n{% if false %}{% else %}\n{% endif %}\n</p>", "<p></p>"),
        ("<b>\n{% if false %}\n  <i>\n{% endif %}\n{% if false %}{% else %}\n{% endif %}\n</b>", "<b>\n</b>"),
        ("<i>\n{% for n in [1, 2] %}\n  {{ n }}\n{% endfor %}\n</i>", "<i>\n1\n2\n</i>"),
        ("<i>\n{% for n in [] %}\n  {{ n }}\n{% endfor %}\n</i>", "<i>\n</i>"),
        ("{% macro mark() %} <b>{% endmacro %}<i>{{ mark() }}", "<i> <b>"),
        (
            "<ul>\n{% for n in [1, 2] %}\n  <li>\n{{ n }}\n</li>\n{% endfor %}\n</ul> <b>",
            "<ul><li>1</li><li>2</li></ul><b>",
        ),
        ("<p {% if true %}hidden{% endif %}>\n<b> c </b> d </p> e", "<p hidden><b> c </b> d</p>e"),
        (
            "<button name={{ 1 }}>\n<b>go</b>\n</button> <button> on </button>",
            "<button name=1><b>go</b></button> <button>on</button>",
        ),
        ("{% if true %}<p{% else %}<b{% endif %} hidden> one", "<p hidden> one"),
        ("<picture> <link> <svg> <g> <path> </g> </svg>", "<picture> <link> <svg><g><path></g></svg>"),
    ],
)
def test_pages_carry_no_indentation(house: House, written: str, drawn: str) -> None:
    assert house.app.jinja_env.from_string(written).render() == drawn


@pytest.mark.parametrize(
    "written",
    [
        "a {% if n %}b{% endif %} c",
        "a{% if n %} {% endif %} c",
        "a {% if n %}{{ n }}{% else %} {% endif %} c",
        "a{% if n %} {% elif not n %}{% endif %} c",
        "a {% for i in range(n) %} {{ i }}{% endfor %} c",
        "a{% for i in range(n) %} b {% endfor %} c",
        "a {% for i in range(n) %} b {% else %}{{ n }}{% endfor %} c",
        "a {% for i in range(n) %}{% if i %} b{% endif %} {% endfor %} c",
        "a {% with b = n %} {{ b }}{% endwith %} c",
        "{% set b %} {{ n }} {% endset %}a{{ b }} c",
        "a {% block b %} {{ n }}{% endblock %} c",
        "a {% include chosen %} c",
    ],
)
def test_no_space_is_lost_where_a_tag_stands(house: House, written: str) -> None:
    for n in range(3):
        ways = [env.from_string(written) for env in (house.app.jinja_env, ENVIRONMENT)]
        ours, jinja = [" ".join(way.render(n=n, chosen=way.environment.from_string("b")).split()) for way in ways]
        assert ours == jinja
