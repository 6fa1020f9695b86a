"""Rules, events and remarks as sentences in a reader's language.

The games speak in values; here they become words, at the edge, with gettext. No sentence is built from pieces:
each is one string with named places for the facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Any

from babel.lists import format_list

from companion.game import AnyGame, Facts, Paragraph, Plural, Rule, Seat, Section, Words, number_of, numbered

LANGUAGES = {"en": "English", "cs": "Čeština", "es": "Español", "pl": "Polski"}
"""The languages, in their own names; English is the source."""

LOCALES = {"en": "en_GB"}
"""How dates are written where the language alone does not say it: our English is British."""

TRANSLATIONS = Path(__file__).parent / "translations"


@cache
def translations(language: str, catalogue: Path | None = None) -> NullTranslations:
    """Load a language's strings; English, and what is not translated yet, stays as it is in the code.

    Args:
        language: its code.
        catalogue: of a game from another package, which is asked before the companion's own.
    """
    found = translation("messages", catalogue or TRANSLATIONS, [language], fallback=True)
    if catalogue:
        found.add_fallback(translations(language))
    return found


@dataclass(frozen=True, slots=True)
class Voice:
    """Says a game's values in one language, with the players' names."""

    words: Words
    players: Sequence[str]
    """One name per seat."""
    language: str = "en"

    def rule(self, rule: Rule, facts: Facts) -> str:
        """Say why a move was refused, or what a remark points at."""
        return self._sentence(rule, facts)

    def event(self, event: object) -> str:
        """Say what happened."""
        return self.say(event)

    def paragraph(self, paragraph: Paragraph) -> str:
        """Say a paragraph of the rules."""
        return self._filled(paragraph.sentence, paragraph.facts)

    def title(self, section: Section) -> str:
        """Say what a part of the rules is about."""
        return self._text.gettext(section.title)

    def headline(self, move: object) -> str:
        """Name a move without telling what is in it."""
        parts = _parts(move)
        return self._sentence(type(move), parts | ({"seat": Seat(parts["seat"])} if "seat" in parts else {}))

    def say(self, value: Any) -> str:
        """Say any fact: a seat by its name, a card, a colour, a number, a list."""
        if isinstance(value, Seat):
            return self.players[value]
        if isinstance(value, Enum):
            return self._text.gettext(self.words.names[value])
        if isinstance(value, tuple):
            return format_list([self.say(item) for item in value], locale=self.language)
        if is_dataclass(value) and not isinstance(value, type):
            return self._sentence(type(value), _parts(value))
        return str(value).replace("-", "−") if isinstance(value, int) else str(value)

    @property
    def _text(self) -> NullTranslations:
        return translations(self.language, self.words.catalogue)

    def _sentence(self, key: Rule | type[Any], facts: Facts) -> str:
        return self._filled(self.words.sentences[key], facts)

    def _filled(self, sentence: str | Plural, facts: Facts) -> str:
        if isinstance(sentence, Plural):
            number = facts[sentence.by]
            assert isinstance(number, int)
            text = self._text.ngettext(sentence.one, sentence.many, number)
        else:
            text = self._text.gettext(sentence)
        return text % {name: self.say(value) for name, value in facts.items()}


def read_out(card: Sequence[Section], speak: Voice) -> list[dict[str, Any]]:
    """Put a rule card into words: `number`, `title` and `paragraphs` of each part that has some."""
    said = [
        {"number": number, "text": speak.paragraph(paragraph), "picture": paragraph.picture}
        for number, paragraph in numbered(card)
    ]
    parts = (
        {
            "number": place,
            "title": speak.title(section),
            "paragraphs": [one for one in said if one["number"].startswith(f"{place}.")],
        }
        for place, section in enumerate(card, 1)
    )
    return [part for part in parts if part["paragraphs"]]


def in_full(rule: Rule, game: AnyGame, language: str) -> str:
    """Say the paragraph of the rules that covers a rule, with its number; "" where the game brings no text."""
    card = game.rule_card(None)
    number = number_of(rule, card)
    if not number:
        return ""
    title = translations(language).gettext("Rule %(number)s") % {"number": number}
    return f"{title}: {Voice(game.words, (), language).paragraph(dict(numbered(card))[number])}"


def _parts(value: Any) -> dict[str, Any]:
    """Take a dataclass apart, one level deep."""
    return {part.name: getattr(value, part.name) for part in fields(value)}
