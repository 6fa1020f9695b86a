"""The referee's answer to one question, in words: the same on a page, to a program and in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from companion.game import AnyGame, Refused, Rule, Verdict
from companion.question import Unclear
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


class Unanswered(ValueError):
    """A question without an answer, and why, in words."""

    def __init__(self, why: str, missing: str = "", is_due: bool = False) -> None:
        """Keep why, the part of the question that is missing, and whether nothing can be told before that."""
        super().__init__(why)
        self.missing, self.is_due = missing, is_due


Asking = Callable[[Sequence[str], Mapping[str, str]], Verdict]


def answer(
    game: AnyGame, words: Sequence[str], options: Mapping[str, str], language: str, ask: Asking | None = None
) -> Answer:
    """Ask the referee of a game, where nobody sits at a table.

    Args:
        game: which game.
        words: what is asked, as `game.question.example` shows.
        options: the question's own, those that are given.
        language: in which the answer is said.
        ask: what kind of question it is; None: as the words and options have it.

    Raises:
        Unanswered: naming the word that cannot be read, or the card that cannot be.
    """
    speak = voice(game, language)
    try:
        verdict = (ask or game.question.answer)(words, options)
    except Unclear as error:
        raise Unanswered(_why(error, speak), error.missing, error.is_due) from None
    first, *reasons = (_said(part, speak) for part in verdict.says)
    return Answer(first, tuple(reasons), verdict.rule, verdict.data)


def voice(game: AnyGame, language: str) -> Voice:
    """Speak where nobody sits: players are letters."""
    return Voice(game.words, ascii_uppercase[: game.players[-1]], language)


def _said(part: object, speak: Voice) -> str:
    return speak.rule(part.rule, part.facts) if isinstance(part, Refused) else speak.say(part)


def _why(error: Unclear, speak: Voice) -> str:
    if isinstance(error.says, Refused):
        return _said(error.says, speak)
    return speak.text(error.says, **{name: speak.say(fact) for name, fact in error.facts.items()})
