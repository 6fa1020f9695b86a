"""What nobody would be told of a game of another package before it happens at somebody's table: each fault, by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from gettext import GNUTranslations
from itertools import islice
from pathlib import Path
from typing import Any

from companion.fields import CardName
from companion.game import Accepted, AnyGame, Plural, Words, texts_of

NO_CARDS = ("", " ", "?", "0", "-1", "R", "X99", "R1,R2", ":", "ž", "\0", "1" * 40)
"""What no game calls a card, or hardly any: whichever it takes, it has to say so by a ValueError alone."""
LANGUAGES = ("en", *(each.name for each in (Path(__file__).parent / "translations").iterdir() if each.is_dir()))
"""In which a reader may ask for a game's words; whoever asks here has no translations loaded."""
SOME = 100
"""So many legal moves are looked at."""
_PLACE = re.compile(r"%\((\w+)\)s")
_FILLED = re.compile(r"%%|%\(\w+\)s")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ADDRESS = re.compile(r"url\(([^)]*)\)")
_AROUND = " \t\r\n\"'"
"""What may stand around an address."""
_ELSEWHERE = re.compile(r"[a-z]+:|//|#|/")


def unsaid(game: AnyGame, position: Any, seats: int) -> Iterator[str]:
    """Name the events of first moves for which there is no sentence."""
    kinds = {
        type(event).__name__: type(event)
        for seat in (None, *range(seats))
        for move in islice(game.legal(position, seat), SOME)
        if isinstance(ruling := game.judge(position, move), Accepted)
        for event in ruling.events
    }
    yield from (
        f"There are none for the event {name}." for name, kind in kinds.items() if kind not in game.words.sentences
    )


def unsayable(words: Words) -> Iterator[str]:
    """Name what words tell of and is not there: an option; a place for which an event, a move or a card has nothing."""
    for name, label in words.options.items():
        for needed in label.needs.keys() - words.options.keys():
            yield f"The label of {name} needs {needed}, which is no option."
    for of, sentence in words.sentences.items():
        if lone := [text for text in texts_of(sentence) if _has_lone(text)]:
            yield f"“{lone[0]}” has a percent sign by itself: it is written %%."
        if isinstance(of, type) and is_dataclass(of):
            for name in dict.fromkeys(name for text in texts_of(sentence) for name in _PLACE.findall(text)):
                if name not in {part.name for part in fields(of)} and not hasattr(of, name):
                    yield f"The sentence of {of.__name__} names {name}, which it has not."


def _has_lone(text: str) -> bool:
    """Say whether a percent sign neither begins a place nor is doubled."""
    return "%" in _FILLED.sub("", text)


def unread(game: AnyGame) -> Iterator[str]:
    """Name the fields whose cards are read by what fails at a name that is none."""
    for kind, schema in game.moves(game.players[0]).items():
        for name, field in schema.fields.items():
            part = getattr(field, "inner", field)
            if isinstance(part, CardName) and (why := _stumbles(part.parse)):
                yield f"{kind}: {name} has a parse that raises {why}; what is no card is a ValueError."


def _stumbles(parse: Callable[[str], Any]) -> str:
    for text in NO_CARDS:
        try:
            parse(text)
        except ValueError:
            continue
        except Exception as error:  # whatever an author's function does
            return f"{type(error).__name__} at {text!r}"
    return ""


def mistranslated(catalogue: Path, words: Words) -> Iterator[str]:
    """Name the translations that cannot be said: of a place that the sentence has not, or a lone percent sign."""
    filled = {text for sentence in words.sentences.values() for text in texts_of(sentence)}
    plurals = {each.one: each.one + each.many for each in words.sentences.values() if isinstance(each, Plural)}
    for file in sorted(catalogue.glob("*/LC_MESSAGES/messages.mo")):
        with file.open("rb") as opened:
            said: dict[Any, str] = vars(GNUTranslations(opened))["_catalog"]
        for key, translated in said.items():
            sentence: str = key[0] if isinstance(key, tuple) else key  # a form of a plural
            if sentence and (sentence in filled or _PLACE.search(sentence)) and _has_lone(translated):
                yield f"{file.parent.parent.name} says “{translated}”, where a percent sign is written %%."
            if not sentence or (isinstance(key, tuple) and sentence not in plurals):
                continue  # what a page says of many stands in no catalogue
            for place in sorted({*_PLACE.findall(translated)} - {*_PLACE.findall(plurals.get(sentence, sentence))}):
                yield f"{file.parent.parent.name} says %({place})s, which “{sentence}” has not."


def uncarried(catalogue: Callable[[str], Mapping[str, str]]) -> Iterator[str]:
    """Name the languages in which a game that carries its translations itself fails to give them."""
    for language in LANGUAGES:
        try:
            dict(catalogue(language))
        except Exception as error:  # whatever an author's function does
            yield f"For {language} it raises {type(error).__name__}: {error}; what it has not is {{}}."


def lost(folder: Path, shared: Path) -> Iterator[str]:
    """Name the pictures of style sheets that are not there; `shared` has the companion's own files."""
    for file in sorted((folder / "static").rglob("*.css")):
        found = _ADDRESS.findall(_COMMENT.sub("", file.read_text("utf-8", "replace")))
        for address in dict.fromkeys(each.strip(_AROUND) for each in found):
            place = address.partition("?")[0].partition("#")[0]
            if not place or _ELSEWHERE.match(address):
                continue
            here = file.parent.relative_to(folder / "static")
            if not ((file.parent / place).is_file() or (shared / here / place).is_file()):
                name = file.relative_to(folder).as_posix()
                yield f"{name} asks for url({address}), which is not there."
