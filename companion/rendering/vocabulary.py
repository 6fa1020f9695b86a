"""What a game's plain data is called in a language: the words that both renderers say it with.

`Vocabulary` is plain data, too: a phone gets it with the templates, and says the same by `draw.js`.
"""

from __future__ import annotations

import json
import re
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from typing import Any

from companion.game import Agreeing, AnyGame, Plural, Seat, Sentence
from companion.rendering.tags import TAG, tags
from companion.rendering.texts import Texts
from companion.words import list_patterns, listed

PLACE = re.compile(r"%(?:\((\w+)\)([sp])|%)")
"""A place in a sentence: `s` for a fact, `p` for a seat, which is said as its player's name."""

_OPEN = {Any, tuple, list, dict, set, frozenset, Mapping, Sequence, Iterable}
"""Types that do not tell what they hold."""


Forms = str | Sequence[str] | Mapping[str, str]
"""A sentence. One with a number in it: the field where that stands, and the forms; one that agrees with a member: the
field where that stands, as `$`, and a form for each by its value."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words for what a view can hold."""

    names: Mapping[str, str]
    """By the text of an enum's member."""
    members: Mapping[str, Mapping[str, str]]
    """By the name of an enum that bears it, and the member's value."""
    sentences: Mapping[str, Forms]
    """By the name of a kind."""
    lists: Sequence[str]
    """How two are joined; the first of more, those between, the last; and what `list_patterns` tells of its sound."""


def vocabulary(game: AnyGame, texts: Texts, language: str, read: Collection[str] | None) -> Vocabulary:
    """Gather the words of a game for what its views can hold, or for everything, where their types do not tell.

    Args:
        game: which game.
        texts: of the game's own catalogue.
        language: their language.
        read: the fields that its templates read; what lies behind others is not said. None: nobody knows.
    """
    words, kinds = game.words, tags(game.words)
    held = _Held(kinds, read).by(game.view)
    names: dict[str, str] = {}
    members: dict[str, dict[str, str]] = {}
    for member, name in words.names.items():
        if issubclass(type(member), held):
            own = members.setdefault(kinds[type(member)], {}) if type(member) in kinds else names
            own[_key(member.value)] = texts.gettext(name)
    sentences = {
        kinds[kind]: _sentence(kind, sentence, texts)
        for kind, sentence in words.sentences.items()
        if isinstance(kind, type) and issubclass(kind, held)
    }
    return Vocabulary(names, members, sentences, list_patterns(language))


@dataclass(frozen=True, slots=True)
class Speaker:
    """Says plain data in one language, with the players' names. `draw.js` has its twin."""

    vocabulary: Vocabulary
    texts: Texts
    players: Sequence[str]
    """One name per seat."""

    def say(self, value: Any) -> str:
        """Say a card, a colour, a number, a list of them."""
        if isinstance(value, str):
            return self.vocabulary.names.get(value, value)
        if isinstance(value, list):
            return listed(self.vocabulary.lists, [self.say(one) for one in value])
        if isinstance(value, dict) and TAG in value:
            return self._named(value)
        return str(value).replace("-", "−")

    def _named(self, value: Mapping[str, Any]) -> str:
        kind = value[TAG]
        if kind in self.vocabulary.members:
            return self.vocabulary.members[kind][_key(value["value"])]
        sentence = self.vocabulary.sentences[kind]
        if isinstance(sentence, Mapping):
            member = value[sentence[TAG]]
            sentence = sentence[_key(member["value"] if isinstance(member, dict) else member)]
        if not isinstance(sentence, str):
            by, *forms = sentence
            sentence = forms[self.texts.form(value[by])]
        return PLACE.sub(lambda place: self._fact(place, value), sentence)

    def _fact(self, place: re.Match[str], facts: Mapping[str, Any]) -> str:
        if not place[1]:
            return "%"
        fact = facts[place[1]]
        return self._player(fact) if place[2] == "p" else self.say(fact)

    def _player(self, seat: Any) -> str:
        return (
            listed(self.vocabulary.lists, [*map(self._player, seat)]) if isinstance(seat, list) else self.players[seat]
        )


def _sentence(kind: type[Any], sentence: Sentence, texts: Texts) -> Forms:
    seats = [name for name, hint in (_hints(kind) or {}).items() if Seat in _inside(hint)]

    def with_players(text: str) -> str:
        for name in seats:
            text = text.replace(f"%({name})s", f"%({name})p")
        return text

    if isinstance(sentence, Plural):
        return [sentence.by, *map(with_players, texts.forms(sentence.one, sentence.many))]
    if isinstance(sentence, Agreeing):
        each = {_key(member.value): with_players(texts.gettext(text)) for member, text in sentence.each.items()}
        return {TAG: sentence.by, **each}
    return with_players(texts.gettext(sentence))


def _key(value: object) -> str:
    """Write a value as JavaScript writes the name of a field."""
    return value if isinstance(value, str) else json.dumps(value)


@dataclass(frozen=True, slots=True)
class _Held:
    """Finds the kinds that a view can hold, by its types."""

    kinds: Mapping[type[Any], str]
    read: Collection[str] | None
    found: set[type[Any]] = field(default_factory=set)

    def by(self, view: Callable[..., Any]) -> tuple[type[Any], ...]:
        """Gather them; `object` is among them where the types do not tell."""
        self._reach((_hints(view) or {}).get("return"))
        return tuple(kind for kind in self.found if not typing.is_typeddict(kind))

    def _reach(self, hint: Any) -> None:
        for kind in _inside(hint) - self.found:
            self.found.add(kind)
            hints = _hints(kind) if is_dataclass(kind) or typing.is_typeddict(kind) else {}
            for name, part in {"": object}.items() if hints is None else hints.items():
                if not name or self.read is None or name in self.read or kind in self.kinds:
                    self._reach(part)


def _inside(hint: Any) -> set[type[Any]]:
    """Name the classes in a type: `tuple[Card, ...] | None` holds cards."""
    if parts := typing.get_args(hint):
        return {kind for part in parts if part is not ... for kind in _inside(part)}
    return {hint} if isinstance(hint, type) and hint not in _OPEN else {object}


def _hints(of: Any) -> Mapping[str, Any] | None:
    """Read the types of a function or a record; None where they cannot be found."""
    try:
        return typing.get_type_hints(of)
    except (NameError, TypeError):
        return None
