"""A question as it stands in the address, and what a tap adds to it; without script each tap is a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase

from werkzeug.datastructures import MultiDict

from companion.question import WORDS, Part, Topic, parted

Chosen = dict[str, list[str]]
"""The words of each part."""
STAR = "*"
"""Stands for the colour in the name of a card, which is chosen beside it."""
COLOUR, DROP, NEXT, ROW, WAS = "colour", "drop", "next", "row", "was"
"""What a form says beside the parts: the colour that a star stands for, the word to take away (`words:2`), that the
next player comes, the part that was touched, and the one that had the keys before."""


@dataclass(slots=True)
class Question:
    """A question that is put together."""

    topic: Topic
    chosen: Chosen
    players: list[str] = field(default_factory=list)
    """The words of the players that are told: `A=3,3,0,1`."""

    @property
    def words(self) -> list[str]:
        """The words of the question itself."""
        if not self.topic.line:
            return self.chosen.get(WORDS, [])
        line = [self._one(part) for part in self.topic.parts if part.option in self.topic.line]
        is_told = any(self.chosen.get(name) for name in self.topic.line) and all(line)
        return self.players + ([f"{self.letter}={','.join(line)}"] if is_told else [])

    @property
    def letter(self) -> str:
        """The name of the player who is told now."""
        return ascii_uppercase[len(self.players) % len(ascii_uppercase)]

    @property
    def options(self) -> dict[str, str]:
        """The options that are told."""
        told = {part.option: ",".join(self.chosen.get(part.option, ())) for part in self.topic.parts}
        return {name: text for name, text in told.items() if text and name != WORDS and name not in self.topic.line}

    def with_word(self, part: Part, word: str) -> Question:
        """Give the question with one more word."""
        return Question(
            self.topic, {**self.chosen, part.option: _joined(part, [*self._told(part), word])}, self.players
        )

    def _told(self, part: Part) -> list[str]:
        return self.chosen.get(part.option, [])

    def _one(self, part: Part) -> str:
        return (self._told(part) or [part.usual])[-1]


def read(topic: Topic, args: MultiDict[str, str]) -> Question:
    """Read a question as its address says it, with what was tapped last."""
    words = {part.option: _words(part, args) for part in topic.parts}
    players = parted_players(args) if topic.line else []
    asked = Question(topic, {part.option: _joined(part, words[part.option]) for part in topic.parts}, players)
    _drop(asked, args.get(DROP, ""))
    if args.get(NEXT) and len(asked.words) > len(players):
        asked.players = asked.words
        asked.chosen.update({name: [] for name in topic.line})
    return asked


def before(topic: Topic, args: MultiDict[str, str]) -> Question | None:
    """Read the question as it was before the last word was touched; None where no word was."""
    was = args.get(WAS, "")
    told = args.getlist(was)
    if DROP in args or ROW in args or NEXT in args or not told:
        return None
    earlier = MultiDict(args)
    earlier.setlist(was, told[:-1])
    return read(topic, earlier)


def parted_players(args: Mapping[str, str] | MultiDict[str, str]) -> list[str]:
    """Read the players that are told."""
    return (" ".join(args.getlist(WORDS)) if isinstance(args, MultiDict) else args.get(WORDS, "")).split()


def active(asked: Question, args: MultiDict[str, str], missing: str, is_due: bool) -> Part:
    """Find the part that the keys are for: the one touched, or the next that is to be told."""
    parts = {part.option: part for part in asked.topic.parts if not part.is_rule}
    if args.get(ROW) in parts:
        return parts[args[ROW]]
    if is_due and missing in parts:
        return parts[missing]
    names = list(parts)
    if NEXT in args and asked.topic.line:
        return parts[asked.topic.line[0]]
    if (was := args.get(WAS, "")) in parts:
        is_full = len(asked.chosen.get(was, ())) >= parts[was].most
        return parts[names[min(names.index(was) + is_full, len(names) - 1)]]
    is_begun = any(asked.chosen.get(name) for name in names)
    rows = [part for part in parts.values() if part.most > 1]
    if is_begun and missing not in parts and rows:
        return rows[0]
    return parts[missing if is_begun and missing in parts else names[0]]


def _words(part: Part, args: MultiDict[str, str]) -> list[str]:
    """Read the words of a part; a star takes the colour that was chosen beside it."""
    colour = args.get(COLOUR, "")
    texts = [text for said in args.getlist(part.option) for text in (parted(said.replace(" ", ",")) or [""])]
    return [text.replace(STAR, colour) for text in texts if STAR not in text or colour in part.colours]


def _joined(part: Part, words: Sequence[str]) -> list[str]:
    """Keep what stands: the last of those that replace one another, all that make a row."""
    if part.most == 1:
        return [word for word in words[-1:] if word]
    told = [word for word in words if word]
    return list({word[0]: word for word in told}.values()) if part.is_told_once else told


def _drop(asked: Question, which: str) -> None:
    """Take a word away: `words:2`."""
    name, _, place = which.partition(":")
    told = asked.players if asked.topic.line and name == WORDS else asked.chosen.get(name, [])
    if place.isdecimal() and len(place) <= 2 and int(place) < len(told):  # noqa: PLR2004 (no longer rows)
        del told[int(place)]
