"""Templates are indented for who reads them; phones are sent every byte, and not that."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jinja2 import nodes

_SPACE = re.compile(r"\s{2,}")


def unindent(body: Sequence[nodes.Node], is_after_space: bool) -> bool:
    """Leave of each stretch of space one, also where tags that draw nothing stand in it: a browser shows no more of it.

    Args:
        body: what is drawn, one after another; it is changed.
        is_after_space: whether there is space before it, so that it needs none of its own.

    Returns:
        Whether there is space after it, whatever is drawn of it.
    """
    for node in body:
        is_after_space = _unindent(node, is_after_space)
    return is_after_space


def _unindent(node: nodes.Node, is_after_space: bool) -> bool:
    match node:
        case nodes.Output():
            return _output(node, is_after_space)
        case nodes.If():
            branches = [node.body, *(one.body for one in node.elif_), node.else_]
            return all([unindent(each, is_after_space) for each in branches])
        case nodes.For():
            is_ended = unindent(node.body, is_after_space=False)
            unindent(node.body, is_after_space and is_ended)
            return unindent(node.else_, is_after_space) and is_ended
        case nodes.With():
            return unindent(node.body, is_after_space)
        case nodes.Macro() | nodes.AssignBlock():
            unindent(node.body, is_after_space=False)
            return is_after_space
        case nodes.Block():
            unindent(node.body, is_after_space=False)
            return False
    return is_after_space and isinstance(node, nodes.Assign | nodes.Import | nodes.FromImport | nodes.Extends)


def _output(node: nodes.Output, is_after_space: bool) -> bool:
    for part in node.nodes:
        if isinstance(part, nodes.TemplateData):
            part.data = _SPACE.sub(" ", part.data.lstrip() if is_after_space else part.data)
            is_after_space = part.data[-1].isspace() if part.data else is_after_space
        else:
            is_after_space = False
    return is_after_space
