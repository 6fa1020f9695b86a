"""Templates are indented for who reads them; phones are sent every byte, and not that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from jinja2 import nodes

BLOCKS = (
    "article|aside|br|caption|col|colgroup|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h1|h2|h3|"
    "h4|h5|h6|header|hr|legend|li|main|nav|ol|optgroup|option|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|"
    "circle|defs|g|line|path|polygon|polyline|rect"
)
"""What has lines of its own, or is drawn where it says: beside it a browser shows no space. No style lets one of these
run on in a line."""
_BLOCK = rf"(?:{BLOCKS})(?![\w-])"
_SPACE = re.compile(r"\s{2,}")
_BEFORE_AN_EDGE = re.compile(rf"\s+(?=</?{_BLOCK}|</button>)")
_EDGE = rf"<(?:/?{_BLOCK}|button(?![\w-]))[^<>]*>"
_AFTER_AN_EDGE = re.compile(rf"({_EDGE})\s+")
_EDGE_AT_THE_END = re.compile(rf"{_EDGE}\Z")
_BEGUN = re.compile(r"</?[a-z][a-z0-9-]*(?=[^<>]*\Z)")


@dataclass(frozen=True, slots=True)
class Before:
    """What has been drawn before a place."""

    is_spaced: bool = False
    """Whether there is space, or what shows none beside it: the place needs none of its own."""
    tag: str = ""
    """The tag that is begun there, and not ended, as `<p`."""


def unindent(body: Sequence[nodes.Node], before: Before) -> Before:
    """Leave of each stretch of space one, also where tags that draw nothing stand in it, and beside a block none.

    A browser shows no more of it.

    Args:
        body: what is drawn, one after another; it is changed.
        before: what comes before it.

    Returns:
        What comes before that which follows, whatever is drawn of the body.
    """
    for node in body:
        before = _unindent(node, before)
    return before


def _unindent(node: nodes.Node, before: Before) -> Before:
    unspaced = replace(before, is_spaced=False)
    match node:
        case nodes.Output():
            return _output(node, before)
        case nodes.If():
            branches = [node.body, *(one.body for one in node.elif_), node.else_]
            return _either(*[unindent(each, before) for each in branches])
        case nodes.For():
            ended = unindent(node.body, unspaced)
            unindent(node.body, _either(before, ended))
            return _either(unindent(node.else_, before), ended)
        case nodes.With():
            return unindent(node.body, before)
        case nodes.Macro() | nodes.AssignBlock():
            unindent(node.body, Before())
            return before
        case nodes.Block():
            return replace(unindent(node.body, unspaced), is_spaced=False)
    return before if isinstance(node, nodes.Assign | nodes.Import | nodes.FromImport | nodes.Extends) else unspaced


def _either(*ways: Before) -> Before:
    """Give what is sure to come before, whichever way was gone."""
    tags = {way.tag for way in ways}
    return Before(all(way.is_spaced for way in ways), tags.pop() if len(tags) == 1 else "")


def _output(node: nodes.Output, before: Before) -> Before:
    for part in node.nodes:
        if isinstance(part, nodes.TemplateData):
            part.data, before = _text(part.data, before)
        else:
            before = replace(before, is_spaced=False)
    return before


def _text(text: str, before: Before) -> tuple[str, Before]:
    """Leave out of a text what shows nothing; and say what comes before that which follows."""
    text = _SPACE.sub(" ", text.lstrip() if before.is_spaced else text)
    if not text:
        return text, before
    head = before.tag and before.tag + " "
    whole = _AFTER_AN_EDGE.sub(r"\1", _BEFORE_AN_EDGE.sub("", head + text))
    begun = _BEGUN.search(whole)
    is_spaced = whole[-1:].isspace() or _EDGE_AT_THE_END.search(whole) is not None
    return whole[len(head) :], Before(is_spaced, begun[0] if begun else "")
