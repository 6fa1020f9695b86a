"""Rules, events and remarks as sentences in a reader's language.

The games speak in values; here they become words, at the edge, with gettext. No sentence is built from pieces:
each is one string with named places for the facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cache, partial
from gettext import NullTranslations, translation
from pathlib import Path
from typing import Any, TypedDict

from babel import Locale

from companion.errors import Told
from companion.fields import Choice
from companion.game import Agreeing, AnyGame, Facts, Paragraph, Plural, Rule, Seat, Section, Sentence, Words
from companion.kernel.once import by_value, part

LOCALES = {"en": "en_GB"}
"""How dates are written where the language alone does not say it: our English is British."""

ALONE = {"cs": "kosvzuai", "es": "aeouy", "pl": "aiouwz"}
"""The words of one letter, which no line ends with; in English lines do."""

EASED = {"es": (r"h?(?:í|i(?![aeoáéó]))", " y ", " e ")}
"""Before what sound a language says its “and” otherwise: Ana y Bea, but Ana e Inés, and hierro y hielo."""

UNITS = r"(?:mm|cm|pt|s|ms|min|kB|MB|%%)(?![\w’])"
"""What never parts from its number."""

TRANSLATIONS = Path(__file__).parent / "translations"

LANGUAGES = ("en", *sorted(catalogue.parent.name for catalogue in TRANSLATIONS.glob("*/LC_MESSAGES")))
"""The languages by their codes: English, which is the source, and each that has a catalogue."""

EDITION = "edition"
"""The option that decides what some others are, as long as these are not chosen."""

Catalogue = Path | Callable[[str], Mapping[str, str]] | None
"""Where a game's translations are, as its `Words` say it."""

PLACE = re.compile(r"%\((\w+)\)s")
"""Where a fact stands in a sentence."""


def kept_together(text: str, language: str) -> str:
    r"""Bind what no line may part: a word of one letter to the next one, and a number to its unit.

    The catalogues are compiled so; what is put together later has to be bound anew. English stands as it is written.

    >>> kept_together("karty a žetony k ruce", "cs").replace("\xa0", "_")
    'karty a_žetony k_ruce'
    >>> kept_together("cartas de 63 × 88 mm, o más", "es").replace("\xa0", "_")
    'cartas de 63_×_88_mm, o_más'
    >>> kept_together("Karten von 63 × 88 mm", "de").replace("\xa0", "_")
    'Karten von 63_×_88_mm'
    """
    if language == "en":
        return text
    bound = re.sub(rf"(\d|%\(\w+\)[sd]) (?={UNITS})", "\\1\xa0", text)
    bound = re.sub(r"(?<=\d) × (?=\d)", "\xa0×\xa0", bound)
    if letters := ALONE.get(language):
        bound = re.sub(rf"(?<![\w’')])([{letters}{letters.upper()}]) (?=\S)", "\\1\xa0", bound)
    return bound


@cache
def languages() -> dict[str, str]:
    """Name the languages, each as it names itself.

    >>> languages()["es"]
    'Español'
    """
    return {language: str(Locale(language).get_display_name()).capitalize() for language in LANGUAGES}


@cache
def translations(language: str, catalogue: Catalogue = None) -> NullTranslations:
    """Load a language's strings; English, and what is not translated yet, stays as it is in the code.

    Args:
        language: its code.
        catalogue: of a game from another package, which is asked before the companion's own.
    """
    if callable(catalogue):
        found: NullTranslations = _Carried(catalogue(language))
    else:
        found = translation("messages", catalogue or TRANSLATIONS, [language], fallback=True)
    if catalogue:
        found.add_fallback(translations(language))
    return found


class _Carried(NullTranslations):
    """Sentences that a game carries itself in one language."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__()
        self._words = words

    def gettext(self, message: str) -> str:
        return self._words.get(message) or super().gettext(message)


@dataclass(frozen=True, slots=True)
class Voice:
    """Says a game's values in one language, with the players' names."""

    words: Words
    players: Sequence[str]
    """One name per seat."""
    language: str = "en"

    def rule(self, rule: Rule, facts: Facts) -> str:
        """Say why a move was refused, or what a remark points at."""
        return self._whole(self._filled(self.words.sentences[rule], facts.__getitem__))

    def event(self, event: object) -> str:
        """Say what happened; it is said in more than one place."""
        return _happened(self, event)

    def paragraph(self, paragraph: Paragraph) -> str:
        """Say a paragraph of the rules."""
        return self._filled(paragraph.sentence, paragraph.facts.__getitem__)

    def cell(self, value: Any) -> str:
        """Say what stands in a table of the rules: a sentence, or a fact."""
        return self.text(value) if isinstance(value, str) else self.say(value)

    def title(self, section: Section) -> str:
        """Say what a part of the rules is about."""
        return _text(self.language, self.words.catalogue, section.title)

    def text(self, sentence: str, **facts: object) -> str:
        """Say a sentence of the house, with facts that are texts already."""
        return _text(self.language, self.words.catalogue, sentence) % facts

    def headline(self, move: Any) -> str:
        """Name a move without telling what is in it."""
        sentence = self.words.sentences[type(move)]
        return self._filled(sentence, lambda name: Seat(move.seat) if name == "seat" else getattr(move, name))

    def say(self, value: Any) -> str:
        """Say any fact: a seat by its name, a card, a colour, a number, a list."""
        if isinstance(value, Seat):
            return self.players[value]
        if isinstance(value, Enum):
            return _text(self.language, self.words.catalogue, self.words.names[value])
        if isinstance(value, tuple):
            return _listed(self.language, tuple([self.say(item) for item in value]))
        if isinstance(value, int):
            return str(value).replace("-", "−")
        if is_dataclass(value) and not isinstance(value, type):
            return self._filled(self.words.sentences[type(value)], partial(getattr, value))
        return str(value)

    def _whole(self, text: str) -> str:
        """Begin a sentence with a capital letter, but leave a player's name as it is."""
        return text if text.startswith(tuple(filter(None, self.players))) else text[:1].upper() + text[1:]

    def _filled(self, sentence: Sentence, fact: Callable[[str], Any]) -> str:
        """Say a sentence with those facts that it mentions in this language."""
        about = self.language, self.words.catalogue
        if isinstance(sentence, Agreeing):
            sentence = sentence.each[fact(sentence.by)]
        if isinstance(sentence, Plural):
            text, names = _counted(*about, sentence.one, sentence.many, fact(sentence.by))
        else:
            text, names = _taken_apart(_text(*about, sentence))
        return text % tuple([self.say(fact(name)) for name in names])


@part
def _happened(speak: Voice, event: object) -> str:
    return speak._whole(speak.say(event))


@by_value
def _text(language: str, catalogue: Catalogue, sentence: str) -> str:
    return translations(language, catalogue).gettext(sentence)


@by_value
def _counted(language: str, catalogue: Catalogue, one: str, many: str, number: int) -> tuple[str, tuple[str, ...]]:
    return _taken_apart(translations(language, catalogue).ngettext(one, many, number))


@cache
def list_patterns(language: str) -> tuple[str, ...]:
    """Give how two things are put together in a language, and how a longer list begins, goes on and ends.

    Where the last thing's sound changes its “and”, there follow that sound and how two are put together, and a list
    ends, before it.
    """
    patterns = Locale.parse(language).list_patterns["standard"]
    own = [patterns[place] for place in ("2", "start", "middle", "end")]
    if language in EASED:
        sound, usual, other = EASED[language]
        own += [sound, *(patterns[place].replace(usual, other) for place in ("2", "end"))]
    return tuple(kept_together(part, language) for part in own)


def listed(patterns: Sequence[str], parts: Sequence[str]) -> str:
    r"""Put texts together, by such patterns.

    >>> listed(list_patterns("es"), ["rojo", "azul", "verde"]).replace("\xa0", "_")
    'rojo, azul y_verde'
    >>> listed(list_patterns("es"), ["Ana", "Inés"]).replace("\xa0", "_")
    'Ana e_Inés'
    """
    two, start, middle, end, *eased = patterns
    if eased and parts and re.match(eased[0], parts[-1], re.IGNORECASE):
        two, end = eased[1:]
    if len(parts) <= 2:  # noqa: PLR2004
        return two.format(*parts) if len(parts) > 1 else "".join(parts)
    said = start.format(*parts[:2])
    for text in parts[2:-1]:
        said = middle.format(said, text)
    return end.format(said, parts[-1])


@by_value
def _listed(language: str, texts: tuple[str, ...]) -> str:
    return listed(list_patterns(language), texts)


@by_value
def _taken_apart(text: str) -> tuple[str, tuple[str, ...]]:
    """Take a sentence apart into what is filled in order, and the names of the facts for it."""
    return PLACE.sub("%s", text), tuple(PLACE.findall(text))


def retold(told: Told, language: str) -> str:
    """Say in a language what was told in English.

    >>> retold(Told("Not JSON: %(problem)s.", problem="…"), "de")
    'Kein JSON: ….'
    """
    said = translations(language).gettext(told.sentence)
    return said % told.facts if told.facts else said


class SpokenParagraph(TypedDict):
    """A paragraph of the rules, in a language."""

    number: str
    """2.1"""
    text: str
    picture: str
    """Beside it, by its file's name; "" for none."""
    table: list[list[str]]
    """Beneath it; the first row is its head. [] for none."""


class SpokenSection(TypedDict):
    """A section of the rules, in a language."""

    number: int
    title: str
    paragraphs: list[SpokenParagraph]
    is_of_companion: bool


def numbered(card: Sequence[Section]) -> Iterator[tuple[str, Paragraph]]:
    """Yield the paragraphs of a rule card with their numbers: the second one of the third section is 3.2."""
    for number, section in enumerate(card, 1):
        for place, paragraph in enumerate(section.paragraphs, 1):
            if paragraph:
                yield f"{number}.{place}", paragraph


def paragraph_number(rule: Rule, card: Sequence[Section]) -> str:
    """Find the paragraph that covers a rule, the most special one last; "" if none does."""
    return next((number for number, paragraph in reversed([*numbered(card)]) if rule in paragraph.rules), "")


class Lesson(TypedDict):
    """What a first table is told of a step, in a language."""

    number: str
    """Of the paragraph of the rules that says it."""
    text: str


def lesson_on(step: Enum | None, card: Sequence[Section], speak: Voice) -> Lesson | None:
    """Explain a step of a first round by the paragraph that is about it; None where the card has none."""
    for number, paragraph in numbered(card):
        if step is not None and paragraph.step is step:
            return {"number": number, "text": speak.paragraph(paragraph)}
    return None


def read_out(card: Sequence[Section], speak: Voice) -> list[SpokenSection]:
    """Put a rule card into words: each part that has some paragraphs."""
    said: list[SpokenParagraph] = [
        {
            "number": number,
            "text": speak.paragraph(paragraph),
            "picture": paragraph.picture,
            "table": [[speak.cell(cell) for cell in row] for row in paragraph.table],
        }
        for number, paragraph in numbered(card)
    ]
    parts: Iterator[SpokenSection] = (
        {
            "number": place,
            "title": speak.title(section),
            "paragraphs": [one for one in said if one["number"].startswith(f"{place}.")],
            "is_of_companion": section.is_of_companion,
        }
        for place, section in enumerate(card, 1)
    )
    return [part for part in parts if part["paragraphs"]]


def sold_in(game: AnyGame, language: str) -> dict[str, Any]:
    """Give the options, as data, of the box that is sold in a language; {} where there is none of its own."""
    edition = game.options.fields.get(EDITION)
    boxes = [member.value for member in edition.enum] if isinstance(edition, Choice) else []
    return {EDITION: language} if language in boxes else {}


def whole_card(game: AnyGame, language: str) -> tuple[Section, ...]:
    """Give the rules of the box that is sold in a language, with every variant."""
    return game.rule_card(game.options.load(sold_in(game, language)), True)


def in_full(rule: Rule, game: AnyGame, language: str) -> str:
    """Say the paragraph of the rules that covers a rule, with its number; "" where the game brings no text."""
    card = whole_card(game, language)
    number = paragraph_number(rule, card)
    if not number:
        return ""
    title = translations(language).gettext("Rule %(number)s") % {"number": number}
    return f"{title}: {Voice(game.words, (), language).paragraph(dict(numbered(card))[number])}"
