"""The referee's answer to one question, in words: the same on a page, to a program and in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.game import AnyGame, Rule
from companion.record import seat_names
from companion.words import Voice


@dataclass(frozen=True, slots=True)
class Answer:
    """What the referee says."""

    verdict: str
    reasons: tuple[str, ...]
    rule: Rule
    """The rule that decides."""
    data: Mapping[str, Any]
    """The same as plain data."""


def answer(game: AnyGame, words: Sequence[str], options: Mapping[str, str], language: str) -> Answer:
    """Ask the referee of a game, where nobody sits at a table.

    Args:
        game: which game.
        words: what is asked, as `game.question.example` shows.
        options: the question's own, those that are given.
        language: in which the answer is said.

    Raises:
        ValueError: naming the word that cannot be read.
    """
    verdict = game.question.answer(words, options)
    speak = Voice(game.words, seat_names([""] * game.players[-1]), language)
    first, *reasons = (speak.say(part) for part in verdict.says)
    return Answer(first, tuple(reasons), verdict.rule, verdict.data)
