"""One thing, one word: every catalogue says the terms of the boxes, as `companion/translations/terms.toml` lists them."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from babel.messages.catalog import Message

from companion.words import TRANSLATIONS
from tests.catalogues import read
from tests.test_languages import PLACE, forms, sentences

LISTED: dict[str, dict[str, Any]] = tomllib.loads((TRANSLATIONS / "terms.toml").read_text())
NEVER = LISTED.pop("never")
every_language = pytest.mark.parametrize("language", NEVER)


def in_english(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def bare(text: str) -> str:
    """Leave the names of a sentence's places out: `%(seat)s` is no seat."""
    return PLACE.sub("…", text)


def said(message: Message) -> tuple[str, ...]:
    return tuple(map(bare, forms(message)))


def is_excepted(message: Message, term: dict[str, Any]) -> bool:
    return any(in_english(message).startswith(start) for start in term.get("but", ()))


@every_language
@pytest.mark.parametrize("name", LISTED)
def test_a_thing_has_one_name(name: str, language: str) -> None:
    term = LISTED[name]
    english, own = re.compile(rf"\b({term['english']})\b", re.I), re.compile(term[language], re.I)
    holding = [m for m in sentences(read(language)) if english.search(bare(in_english(m))) and not is_excepted(m, term)]
    assert holding, f"no sentence says {name}"
    assert [said(message) for message in holding if not all(map(own.search, said(message)))] == []


@every_language
def test_what_a_term_replaced_is_gone(language: str) -> None:
    never = re.compile("|".join(NEVER[language]), re.I)
    assert [said(message) for message in sentences(read(language)) if any(map(never.search, said(message)))] == []


@pytest.mark.parametrize("name", LISTED)
def test_an_exception_is_still_a_sentence(name: str) -> None:
    starts = LISTED[name].get("but", ())
    assert [start for start in starts if not any(is_excepted(m, {"but": [start]}) for m in sentences(read("cs")))] == []


def test_the_product_has_one_name_in_every_language() -> None:
    for language in NEVER:
        holding = [m for m in sentences(read(language)) if re.search(r"\bcompanion\b", bare(in_english(m)), re.I)]
        assert [m.id for m in holding if not all("companion" in form.lower() for form in said(m))] == []
