"""Sentences, folded in: their translation stands in the module, its places filled by what is printed there."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from jinja2 import nodes

from companion.rendering.scope import Scope

if TYPE_CHECKING:
    from companion.rendering.expressions import Expressions

_PLACE = re.compile(r"%(?:\((\w+)\)s|%)")
_GETTEXT = {"_": 1, "gettext": 1, "ngettext": 3}
"""Each with the number of its arguments."""


def is_sentence(node: nodes.Call) -> bool:
    """Say whether a call translates."""
    return isinstance(node.node, nodes.Name) and node.node.name in _GETTEXT


def pieces(by: Expressions, node: nodes.Call, scope: Scope) -> list[str]:
    """Write a sentence as parts that are each a text."""
    name = getattr(node.node, "name", "")
    written = [one.value for one in node.args[:2] if isinstance(one, nodes.Const) and isinstance(one.value, str)]
    if len(node.args) != _GETTEXT[name] or len(written) != min(len(node.args), 2) or node.dyn_kwargs is not None:
        by.refuse(node, "a sentence that is not written there")
    facts = {one.key: one.value for one in node.kwargs}
    if name != "ngettext":
        return _filled(by, node, by.texts.gettext(written[0]), facts, scope)
    number = node.args[2]
    forms = [
        _filled(by, node, form, {"num": number, **facts}, scope) for form in by.texts.forms(written[0], written[1])
    ]
    said = ",".join("()=>" + ("+".join(form) or '""') for form in forms)
    return [f"[{said}][P({by.value(number, scope)})]()"]


def _filled(by: Expressions, node: nodes.Call, text: str, facts: Mapping[str, nodes.Expr], scope: Scope) -> list[str]:
    parts: list[str] = []
    at, literal = 0, ""
    for place in _PLACE.finditer(text):
        literal += text[at : place.start()]
        at = place.end()
        if not place[1]:
            literal += "%"
            continue
        if place[1] not in facts:
            by.refuse(node, f"a sentence without its {place[1]}")
        parts += [_text(literal), *by.printed(facts[place[1]], scope)]
        literal = ""
    parts.append(_text(literal + text[at:]))
    return [part for part in parts if part != '""']


def _text(literal: str) -> str:
    return json.dumps(literal, ensure_ascii=False)
