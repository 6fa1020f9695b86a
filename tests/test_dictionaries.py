"""Every word that is said is one of its language: nothing is misspelt, and nothing left standing in English."""

from __future__ import annotations

import pytest

from tests.catalogues import OTHERS, ROOT
from tests.dictionaries import DICTIONARIES, dictionary, foreign, in_catalogue, listed, spellings, texts_in, words_of

QUOTES = {"en": "“”’", "cs": "„“", "de": "„“", "es": "«»", "pl": "„”"}
"""How each language opens and closes what it quotes, and its apostrophe."""
STRAIGHT = "\"'`"


def needed(language: str) -> set[str]:
    """Gather, in every spelling, what is said though no dictionary has it, or that of English, too."""
    return {spelt for word in foreign(in_catalogue(language), language) for spelt in spellings(word)}


def test_every_word_of_a_catalogue_is_one_of_its_language() -> None:
    """What is found is misspelt, was left in English, or is meant: then `tests/own_words/` is its place."""
    found = {language: dictionary(language).lacks(in_catalogue(language)) for language in DICTIONARIES}
    assert not any(found.values()), found


def test_no_own_word_is_idle() -> None:
    """Each is said, and a dictionary would not do."""
    spelt = {language: needed(language) for language in DICTIONARIES}
    idle = {language: listed(language) - words for language, words in spelt.items()}
    assert not any(idle.values()), idle
    code = [*(ROOT / "companion").rglob("*.py"), *(ROOT / "templates").rglob("*.html")]
    said_in_code = words_of(" ".join(file.read_text() for file in code))
    assert listed("names") <= said_in_code.union(*spelt.values())


@pytest.mark.in_turn(of=4)
@pytest.mark.parametrize("language", OTHERS)
def test_a_sentence_that_was_left_in_english_is_found(language: str) -> None:
    """Some of one word or two may go through, as those of a card may: Joker, Hand."""
    strange = dictionary(language).lacks(in_catalogue("en"))
    said = [words_of(text) for text in texts_in("en")]
    assert [words for words in said if len(words) > 2 and not words & strange] == []


@pytest.mark.parametrize("language", QUOTES)
def test_what_is_quoted_is_quoted_as_the_language_does(language: str) -> None:
    strange = {*STRAIGHT, *"".join(QUOTES.values())} - set(QUOTES[language])
    said = texts_in(language)
    assert [text for text in said if strange & set(text)] == []
    opening, closing, *_apostrophe = QUOTES[language]
    assert [text for text in said if text.count(opening) != text.count(closing)] == []
