"""What games say, in English: whole sentences, such as change with a number or a member in them, and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from operator import is_
from typing import Any

from companion.kernel.frozen import replace


def N_(sentence: str) -> str:  # noqa: N802 (gettext's own name)
    """Mark an English sentence for the translators."""
    return sentence


@dataclass(frozen=True, slots=True)
class Plural:
    """A sentence with a number in it: the form is chosen by the fact named `by`."""

    one: str
    many: str
    by: str


@dataclass(frozen=True, slots=True)
class Agreeing:
    """A sentence that agrees with an enum's member among its facts: whole, one a member; the fact is named `by`."""

    by: str
    each: Mapping[Enum, str]


Sentence = str | Plural | Agreeing


class Nth(int):
    """A move by its place in the play, from 1: among the facts of a remark it is said by the number of its entry."""


def by_entries(fact: Any, entries: Sequence[int]) -> Any:
    """Put the numbers of entries for those of moves, wherever these stand in a fact, or among facts by their names."""
    if isinstance(fact, Nth):
        return entries[fact - 1]
    if isinstance(fact, Mapping):
        return {name: by_entries(part, entries) for name, part in fact.items()}
    if isinstance(fact, tuple):
        parts = tuple(by_entries(part, entries) for part in fact)
        return fact if all(map(is_, parts, fact)) else parts
    if not is_dataclass(fact):
        return fact
    were = ((part.name, getattr(fact, part.name)) for part in fields(fact))
    changes = {name: now for name, was in were if (now := by_entries(was, entries)) is not was}
    return replace(fact, **changes) if changes else fact


def texts_of(sentence: Sentence) -> tuple[str, ...]:
    """List the texts of a sentence: one, or those that it chooses from."""
    if isinstance(sentence, Agreeing):
        return tuple(sentence.each.values())
    return (sentence.one, sentence.many) if isinstance(sentence, Plural) else (sentence,)


@dataclass(frozen=True, slots=True)
class Label:
    """The name of a choice, and the sentence that explains it (English; translated when said)."""

    name: str
    help: str = ""
    needs: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    """Of an option: where it means anything, by other options and what they have to be; a form shows it there alone."""
