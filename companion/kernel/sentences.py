"""What games say, in English: whole sentences, such as change with a number or a member in them, and labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum


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
