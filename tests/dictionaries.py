"""The words of each language: those of Debian's dictionary, and those of `tests/own_words/`, each of which is meant.

A word that English has, too, is taken for English left standing: what another language shares with it is among its own words.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Set
from functools import cache
from pathlib import Path

from babel import Locale
from babel.dates import format_timedelta

from companion.words import languages
from tests.catalogues import OTHERS, read
from tests.test_languages import PLACE, sentences

OWN_WORDS = Path(__file__).parent / "own_words"
DICTIONARIES = {"en": "en_GB", "cs": "cs_CZ", "de": "de_DE", "es": "es_ES", "pl": "pl_PL"}
WORD = re.compile(r"\w+(?:['’]\w+)*")
LETTERS = re.compile(r"[^\W\d_]{2,}(?:['’][^\W\d_]+)*")
TAG = re.compile(r"<[^>]*>|&\w+;")


def words_of(text: str) -> set[str]:
    """Take a text's words; a single letter is none, and what has digits or a low line in it is a code."""
    return {word for word in WORD.findall(text) if LETTERS.fullmatch(word)}


def texts_in(language: str) -> list[str]:
    """Gather all forms of all sentences, without markup and the names of their places."""
    if language == "en":
        said = [message.id for message in sentences(read(OTHERS[0]))]
    else:
        said = [message.string for message in sentences(read(language))]
    texts = [text for one in said for text in ([one] if isinstance(one, str) else one)]
    return [TAG.sub(" ", PLACE.sub(" … ", text)) for text in texts]


def in_catalogue(language: str) -> frozenset[str]:
    """Gather the words of all sentences."""
    return frozenset(word for text in texts_in(language) for word in words_of(text))


def listed(name: str) -> frozenset[str]:
    """Read a list of words; a line's rest after # says why."""
    return frozenset(re.sub("#.*", "", (OWN_WORDS / f"{name}.txt").read_text()).split())


def spellings(word: str) -> set[str]:
    """Spell a word as it stands within a sentence, too."""
    return {word, word[0].lower() + word[1:], word.lower()}


def absent(words: Set[str], language: str) -> set[str]:
    """Name the words that a language's dictionary lacks."""
    if not words:
        return set()
    command = ["hunspell", "-l", "-i", "utf-8", "-d", DICTIONARIES[language]]
    answer = subprocess.run(command, input="\n".join(words), capture_output=True, check=True, encoding="utf-8")
    return set(answer.stdout.split())


@cache
def foreign(words: frozenset[str], language: str) -> frozenset[str]:
    """Name the words that a language's dictionary lacks, or has in common with the English one."""
    lacking = absent(words, language)
    return frozenset(lacking if language == "en" else words - absent(words - lacking, "en"))


SPANS_S = (1, 60, 3600, 86_400, 700_000, 3_000_000, 40_000_000)


def dated(language: str) -> set[str]:
    """Gather what CLDR says: the days, the months, lengths of time in short, and the language's name for itself."""
    known = Locale(language)
    dates = [*known.months["format"].values(), *known.months["stand-alone"].values(), *known.days["format"].values()]
    spans = [format_timedelta(span, granularity="second", format="short", locale=known) for span in SPANS_S]
    texts = [languages()[language], *spans, *(name for names in dates for name in names.values())]
    return {word for text in texts for word in words_of(text)}


class Dictionary:
    """The words of a language. What it has said once is not looked up again."""

    def __init__(self, language: str) -> None:
        """Know the words that need no dictionary."""
        self.language = language
        self._own = listed("names") | listed(language) | dated(language)
        self._known: set[str] = set()

    def lacks(self, words: Iterable[str]) -> set[str]:
        """Name those of these words that are none of this language, and none of its own words either."""
        asked = {word for word in words if self._own.isdisjoint(spellings(word))}
        if asked and not self._known:
            # What most pages are made of: looked up at once.
            said = in_catalogue(self.language)
            self._known |= said - foreign(said, self.language)
        lacking = foreign(frozenset(asked - self._known), self.language)
        self._known |= asked - lacking
        return set(lacking)


@cache
def dictionary(language: str) -> Dictionary:
    """Open a language's dictionary."""
    return Dictionary(language)
