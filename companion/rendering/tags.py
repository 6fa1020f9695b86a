"""Which values of a game bear the name of their kind when they are plain data: those that are said by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import Rule, Words

TAG = "$"
"""The key beside a value's fields."""


def tags(words: Words) -> Mapping[type[Any], str]:
    """Name the kinds whose values bear their name: records with a sentence, and enums that their text does not name.

    An enum of texts becomes its text, unless another enum has the same text for something else.

    >>> from companion.games.ikebana.words import WORDS
    >>> from companion.games.ikebana.bouquet import Kind, Mix
    >>> tags(WORDS)[Mix], Kind in tags(WORDS)
    ('Mix', False)
    """
    texts: dict[str, str] = {}
    tagged: dict[type[Any], None] = {}
    for member, name in words.names.items():
        value = member.value
        if not isinstance(value, str) or texts.setdefault(value, name) != name:
            tagged[type(member)] = None
    tagged |= dict.fromkeys(kind for kind in words.sentences if not isinstance(kind, Rule))
    taken: dict[str, type[Any]] = {}
    for kind in tagged:
        name = kind.__name__
        while name in taken:
            name += "'"
        taken[name] = kind
    return {kind: name for name, kind in taken.items()}
