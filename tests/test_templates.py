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
ENVIRONMENT.filters["day"] = str
EVERYWHERE = {"_", "ngettext", "range", "dict", "namespace", "caller"}
GLOBALS = {"templates": EVERYWHERE | {"url", "static", "own_file", "site"}, "printables": EVERYWHERE | {"qr"}}
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
        own |= {name.name for name in [made.target, *made.target.find_all(nodes.Name)] if isinstance(name, nodes.Name)}
    return own


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


def leaning(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Find the macros that read what they are not given, and what."""
    tree = parsed(path)
    for macro in tree.find_all(nodes.Macro):
        alone = nodes.Template([macro], lineno=1)
        alone.set_environment(ENVIRONMENT)
        free = meta.find_undeclared_variables(alone) - stored(tree) - GLOBALS[path.relative_to(ROOT).parts[0]]
        if free:
            yield macro.name, free


@pytest.mark.parametrize("path", SOURCES, ids=named)
def test_no_line_is_long(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert [line for line in lines if len(line) > MOST and not UNBROKEN.search(line)] == []


@every_template
def test_a_template_declares_what_it_reads(path: Path) -> None:
    assert declared(path) == read(path)


@every_template
def test_a_macro_takes_what_it_uses(path: Path) -> None:
    assert list(leaning(path)) == []
    imports = parsed(path).find_all((nodes.Import, nodes.FromImport))
    assert not any(each.with_context for each in imports), "an import with context"


def test_pages_carry_no_indentation(house: House) -> None:
    written = '<p\n  class="a"\n>\n  {% if true %}\n    <b>one</b>\n  {% endif %}  two\n</p>'
    assert house.app.jinja_env.from_string(written).render() == '<p class="a"\n>  <b>one</b>  two\n</p>'
