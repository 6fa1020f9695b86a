"""What a referee can be asked without a table, and how a question is put together by touching keys.

A question has words and options, as `companion judge` takes them. On a page each part of it is a field with keys: a
card touched joins a row, a number or a choice takes the place of the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeVar

from companion.game import N_, Question, Refused, Verdict

E = TypeVar("E", bound=Enum)
Asked = Mapping[str, str]
"""Option -> its value; a list has commas."""
Keys = tuple[tuple[str, ...], ...]
"""The words that can be touched, in rows as they lie."""
WORDS = "words"
"""The part whose words are those of the question itself."""
YES = {"no": N_("no"), "yes": N_("yes")}
SWITCH = {"yes": True, "no": False, "true": True, "false": False}
NO_NUMBER = N_("%(word)s is no number.")
OUT_OF_RANGE = N_("%(word)s cannot be: it is from %(first)s to %(last)s.")
NO_CHOICE = N_("%(word)s is no choice. Allowed: %(allowed)s.")
NO_CARD = N_("%(word)s is no card.")
FOREIGN = N_("--%(option)s does not belong to this question.")


class Unclear(ValueError):
    """A question that has no answer: something is missing in it, or it cannot be.

    Args:
        says: an English sentence, or the refusal of a rule.
        missing: the part of the question that is to be told first; "" where the question cannot be.
        is_due: whether nothing else can be told before that.
        facts: what the sentence mentions.
    """

    def __init__(self, says: str | Refused, missing: str = "", is_due: bool = False, **facts: object) -> None:
        """Keep what is said, and of what."""
        super().__init__(says % facts if isinstance(says, str) else says.rule.key)
        self.says, self.missing, self.is_due, self.facts = says, missing, is_due, facts


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question, as a page asks for it."""

    option: str
    """Whose value it is; or `words`."""
    label: str
    """English; translated when said. "" where the game's words name the option."""
    keys: Callable[[Asked], Keys]
    """What can be touched, by what is chosen otherwise. A star stands for the colour that is chosen beside it."""
    means: Callable[[str], object]
    """What a word stands for, to be said: a card, a number, a choice."""
    most: int = 1
    """How many words; one is replaced, more join the row."""
    colours: tuple[str, ...] = ()
    """The words that a star can stand for."""
    is_told_once: bool = False
    """Whether a word takes the place of one with the same first letter."""
    usual: str = ""
    """What holds where nothing is chosen."""
    is_rule: bool = False
    """Whether it is a rule of the table, which is seldom touched."""


def always(words: Sequence[str], options: Asked) -> bool:
    """Be what is asked where nothing else is: the `is_meant` of a game's first question."""
    return True


@dataclass(frozen=True, slots=True)
class Topic:
    """One kind of question."""

    key: str
    title: str
    """The question itself; English, translated when said."""
    parts: tuple[Part, ...]
    """In the order in which they are asked for."""
    answer: Callable[[Sequence[str], Asked], Verdict]
    """(words, options given) -> the verdict. Raises: Unclear."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Option -> what it means (English), for the terminal."""
    line: tuple[str, ...] = ()
    """The parts that make up one player's word, `A=3,3,0,1`; what is left open counts as 0."""
    is_meant: Callable[[Sequence[str], Asked], bool] = always
    """Whether these words and options ask it."""
    data: type | None = None
    """What `data` of its verdicts is (a `TypedDict`), for the API's description; None where that is not said."""


def about(topics: Sequence[Topic], example: str, lies: Callable[[Any], Mapping[str, Asked]]) -> Question:
    """Make the question of a game out of its kinds: the last one that is meant is answered."""

    def answer(words: Sequence[str], options: Asked) -> Verdict:
        return meant(topics, words, options).answer(words, options)

    # A topic that has an option as another one has leaves its meaning out.
    options = {name: text for topic in topics for name, text in topic.options.items() if text}
    data = tuple(topic.data for topic in topics if topic.data)
    return Question(example, options, answer, tuple(topics), lies, data)


def meant(topics: Sequence[Topic], words: Sequence[str], options: Asked) -> Topic:
    """Find the kind of question that is asked. Raises: Unclear."""
    found = next(topic for topic in reversed(topics) if topic.is_meant(words, options))
    if foreign := sorted(options.keys() - found.options.keys()):
        raise Unclear(FOREIGN, option=foreign[0].replace("_", "-"))
    return found


def parted(text: str) -> list[str]:
    """Take a list apart: `R1,R1,B4`."""
    return [word for word in text.split(",") if word]


def numbers(first: int, last: int, in_a_row: int = 6) -> Keys:
    """Lay out the keys of numbers."""
    return rows([str(number) for number in range(first, last + 1)], in_a_row)


def rows(words: Sequence[str], in_a_row: int = 6) -> Keys:
    """Lay out keys as many as fit beside one another."""
    return tuple(tuple(words[place : place + in_a_row]) for place in range(0, len(words), in_a_row))


def number(word: str, allowed: range) -> int:
    """Read a whole number. Raises: Unclear, naming the word."""
    if not (word.isascii() and word.isdecimal() and len(word) <= 9):  # noqa: PLR2004 (longer ones mean nothing here)
        raise Unclear(NO_NUMBER, word=word)
    if int(word) not in allowed:
        raise Unclear(OUT_OF_RANGE, word=word, first=allowed[0], last=allowed[-1])
    return int(word)


def told(options: Asked, name: str, allowed: range, usual: int) -> int:
    """Read the number of an option, or what is usual."""
    return number(options[name], allowed) if name in options else usual


def choice(enum: type[E], options: Asked, name: str, usual: E) -> E:
    """Read a choice. Raises: Unclear, naming what is allowed."""
    try:
        return enum(options.get(name, usual.value))
    except ValueError:
        allowed = ", ".join(str(member.value) for member in enum)
        raise Unclear(NO_CHOICE, word=options[name], allowed=allowed) from None


def is_on(options: Asked, name: str) -> bool:
    """Read a switch. Raises: Unclear."""
    word = options.get(name, "no")
    if word not in SWITCH:
        raise Unclear(NO_CHOICE, word=word, allowed=", ".join(SWITCH))
    return SWITCH[word]


def one_of(option: str, label: str, words: Mapping[str, object], usual: str = "") -> Part:
    """Make a part that is one of a few: word -> what it stands for."""
    return Part(option, label, lambda asked: rows(tuple(words)), words.__getitem__, usual=usual)


def rule(option: str, choices: Iterable[Enum], usual: Enum | None = None) -> Part:
    """Make a part that is an option of the table; the game's words name it. Without a usual one the edition has it."""
    words = tuple(str(member.value) for member in choices)
    return Part(option, "", lambda asked: (words,), str, usual=str(usual.value) if usual else "", is_rule=True)


def switch(option: str) -> Part:
    """Make a part that is an option of the table, on or off; the game's words name it."""
    return Part(option, "", lambda asked: (tuple(YES),), YES.__getitem__, usual="no", is_rule=True)


def count(option: str, label: str, first: int, last: int, usual: str = "") -> Part:
    """Make a part that is a number."""
    return Part(option, label, lambda asked: numbers(first, last), str, usual=usual)
