"""What templates need of what they are given: found in the trees that Jinja has parsed, nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from jinja2 import Environment, nodes

_TREES = WeakKeyDictionary[Environment, dict[tuple[str, str], nodes.Template]]()
"""What was parsed, by name and source: each part of each game reads the same few templates, in every language."""


@dataclass(frozen=True, slots=True)
class Needs:
    """The names that templates and all that they include or import may read."""

    names: frozenset[str]
    """Of their context."""
    fields: frozenset[str] | None
    """Of records; None where a template is chosen while it is drawn, so that nobody knows."""


def needs(env: Environment, templates: Sequence[str]) -> Needs:
    """Read templates."""
    ahead, trees = list(templates), dict[str, nodes.Template]()
    is_known = True
    while ahead:
        name = ahead.pop()
        if name not in trees:
            trees[name] = tree = parsed(env, name)
            for other in _others(tree):
                is_known = is_known and isinstance(other, nodes.Const)
                ahead += [other.value] if isinstance(other, nodes.Const) else []
    names = frozenset(one.name for tree in trees.values() for one in tree.find_all(nodes.Name) if one.ctx == "load")
    return Needs(names, frozenset(one for tree in trees.values() for one in _fields(tree)) if is_known else None)


def parsed(env: Environment, name: str) -> nodes.Template:
    """Parse a template, once; nobody changes its tree. Raises: jinja2.TemplateError."""
    assert env.loader
    source, _file, _is_fresh = env.loader.get_source(env, name)
    trees = _TREES.setdefault(env, {})
    if (name, source) not in trees:
        trees[name, source] = env.parse(source, name)
    return trees[name, source]


def _others(tree: nodes.Template) -> Iterator[nodes.Expr]:
    """Give what names the templates that one needs."""
    for one in tree.find_all(nodes.Stmt):
        match one:
            case nodes.Include() | nodes.FromImport() | nodes.Import() | nodes.Extends():
                yield one.template


def _fields(tree: nodes.Template) -> Iterator[str]:
    """Name every field that a template may read: `a.b`, `a["b"]` and `a|sort(attribute="b.c")`."""
    yield from (one.attr for one in tree.find_all(nodes.Getattr))
    written = [one.arg for one in tree.find_all(nodes.Getitem)]
    for one in tree.find_all(nodes.Filter):
        written += [*one.args, *(argument.value for argument in one.kwargs)]
    for text in written:
        if isinstance(text, nodes.Const) and isinstance(text.value, str):
            yield from text.value.split(".")
