"""Every sentence is there in every language, with all its places and in all its forms."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural

from companion.errors import CompanionError
from companion.game import Agreeing, Plural
from companion.games import GAMES
from companion.words import kept_together, translations
from tests.catalogues import OTHERS, ROOT, compiled, gathered, is_whole, po_file, read, renewed

OWN_WORDS = {
    "A4",
    "Letter",
    "Rage",
    "iPhone",
    "iPad",
    "Android",
    "Windows",
    "Mac",
    "Linux",
    "companion",
    "serve",
    "https",
    "mm",
}
"""Words that a template may say in every language: names of things."""
IN_A_TAG = re.compile(
    r"\{% (?:block (?:page_class|part_number|body|style|layout)|macro shut\(where\)) -?%\}.*?\{%-? end(?:block|macro) %\}",
    re.DOTALL,
)
JINJA = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
PLACE = re.compile(r"%\((\w+)\)[sd]|%%")
NAMES = "ahead|behind|by|name|names|other|owner|payee|player|players|seat|seats|to|who|winners"
"""The places that names of players fill."""

every_language = pytest.mark.parametrize("language", OTHERS)


@pytest.fixture(scope="module")
def template() -> Catalog:
    return gathered()


def sentences(catalogue: Catalog) -> Iterator[Message]:
    return (message for message in catalogue if message.id)


def forms(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


def places(text: str) -> list[str]:
    return sorted({match[0] for match in PLACE.finditer(text)})


def keys(catalogue: Catalog) -> set[object]:
    return {message.id for message in sentences(catalogue)}


# What is gathered


def test_everything_that_a_game_says_is_gathered(template: Catalog) -> None:
    for game in GAMES.values():
        said = [*game.words.names.values(), *game.words.fields.values()]
        said += [text for label in game.words.options.values() for text in (label.name, label.help) if text]
        said += [statistic.title for statistic in game.statistics]
        said += [bar.label for statistic in game.statistics for bar in statistic.bars]
        for sentence in game.words.sentences.values():
            if isinstance(sentence, Agreeing):
                said += sentence.each.values()
            else:
                said.append((sentence.one, sentence.many) if isinstance(sentence, Plural) else sentence)
        assert set(said) <= keys(template), game.name


def test_everything_that_can_go_wrong_is_gathered(template: Catalog) -> None:
    for error in CompanionError.__subclasses__():
        assert {error.title, error.message} <= keys(template), error.__name__


def test_no_template_says_words_of_its_own() -> None:
    """What a page says goes through gettext: outside of Jinja's braces no words are left, in text or attributes."""
    for folder in ("templates", "printables"):
        for file in sorted((ROOT / folder).rglob("*.html")):
            text = JINJA.sub(" ", IN_A_TAG.sub(" ", file.read_text()))
            said = re.findall(r'(?:aria-label|title|alt|placeholder|data-text)="([^"]+)"', text)
            found = " ".join([re.sub(r"<[^>]*>|&\w+;", " ", text), *said])
            assert set(re.findall(r"[^\W\d_]{2,}", found)) <= OWN_WORDS, file


# What is translated


@every_language
def test_every_sentence_is_translated_and_none_is_left_over(language: str, template: Catalog) -> None:
    """`bin/words` renews the catalogues, and `bin/words cs` names what is missing."""
    catalogue = read(language)
    assert keys(catalogue) == keys(template)
    assert [message.id for message in sentences(catalogue) if not is_whole(message)] == []
    assert not catalogue.obsolete


@every_language
def test_every_plural_has_all_forms(language: str) -> None:
    catalogue = read(language)
    for message in sentences(catalogue):
        assert len(forms(message)) == (catalogue.num_plurals if message.pluralizable else 1), message.id
    assert catalogue.num_plurals == get_plural(language).num_plurals


@every_language
def test_every_place_of_a_sentence_is_kept(language: str) -> None:
    for message in filter(is_whole, sentences(read(language))):
        if not message.pluralizable:
            assert places(forms(message)[0]) == places(message.id), message.id
            continue
        one, many = map(places, message.id)
        # The first form stands for the number one alone, and may say it in letters, as in English.
        assert set(one) & set(many) <= set(places(forms(message)[0])) <= set(one) | set(many), message.id
        for form in forms(message)[1:]:
            assert places(form) == many, message.id


@every_language
def test_a_sentence_ends_as_the_english_one(language: str) -> None:
    """A full stop, a question mark or none: labels stay labels, and sentences sentences."""
    for message in filter(is_whole, sentences(read(language))):
        english = message.id[1] if message.pluralizable else message.id
        for form in forms(message):
            assert (form[-1] in ".?:") == (english[-1] in ".?:"), message.id
            assert form.strip() == form, message.id


@every_language
def test_the_bar_at_the_foot_has_room_for_the_move_between_its_keys(language: str) -> None:
    """On a phone of 360 px some 30 letters stand side by side there: two keys, and a word of what was taken back."""
    said = translations(language).gettext
    longest = max(said("Taken back: %(move)s").replace("%(move)s", "").split(), key=len)
    assert len(longest) + len(said("Put back")) + len(said("Take back")) <= 30


@pytest.mark.parametrize("language", ["en", *OTHERS])
def test_a_column_of_a_score_sheet_is_the_subject_of_no_verb(language: str) -> None:
    """Its name is the host's, and may stand for one or for several: Points is a number?"""
    verb = re.compile(r"%\(column\)s (is|are|has|have|je|jsou|má|mají|ist|sind|hat|haben|es|son|jest|są|ma|mają)\b")
    said = [
        message.id if language == "en" else message.string
        for message in sentences(read(OTHERS[0] if language == "en" else language))
    ]
    assert [text for text in said if isinstance(text, str) and verb.search(text)] == []


def test_no_spanish_and_stands_before_a_name() -> None:
    """Ana y Bea, but Ana e Inés: only what puts lists together (`companion/words.py`) knows the name."""
    said = (form for message in sentences(read("es")) for form in forms(message))
    assert [form for form in said if re.search(rf"\b[yY] %\((?:{NAMES})\)s", form)] == []


@every_language
def test_no_sentence_stands_there_twice(language: str) -> None:
    """A paragraph of Czech was put in twice, one behind the other, and read well either time."""
    said = {form: message.id for message in filter(is_whole, sentences(read(language))) for form in forms(message)}
    assert {form: english for form, english in said.items() if is_doubled(form)} == {}


def test_a_sentence_that_stands_there_twice_would_be_noticed() -> None:
    assert is_doubled("Draw a card.Draw a card.")
    assert is_doubled("Draw a card. Say nothing. Draw a card. Say nothing.")
    assert not is_doubled("Draw a card. Say nothing.")
    assert not is_doubled("10 10")


def is_doubled(text: str) -> bool:
    """Say whether a text of more than a word is one text, and the same again."""
    half = len(text) // 2
    first, second = text[:half].strip(), text[half:].strip()
    return first == second and " " in first


# What is in the files


@every_language
def test_the_compiled_catalogue_says_the_same(language: str) -> None:
    assert po_file(language).with_suffix(".mo").read_bytes() == compiled(read(language))


@every_language
def test_the_compiled_catalogue_is_read_as_it_is_written(language: str) -> None:
    spoken = translations(language)
    for message in filter(is_whole, sentences(read(language))):
        if not message.pluralizable:
            assert spoken.gettext(message.id) == kept_together(message.string, language)
        else:
            said = [spoken.ngettext(*message.id, number) for number in (1, 3, 7)]
            forms = [kept_together(form, language) for form in message.string]
            assert tuple(dict.fromkeys(said)) == tuple(dict.fromkeys(forms)), message.id


@every_language
def test_renewing_twice_changes_nothing(language: str, template: Catalog) -> None:
    first = renewed(language, template)
    assert compiled(first) == compiled(renewed(language, template))
    for word in ("Date:", "Generator", "Generated", "Translator"):
        assert word not in po_file(language).read_text().split("\n\n")[0]
