"""What the referee of Ikebana can be asked without a table: what a bouquet is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.game import Question, Verdict
from companion.games.ikebana.bouquet import SIZE, Mix, Wild, best_reading
from companion.games.ikebana.cards import COPIES, Card, parse_card
from companion.games.ikebana.moves import Rule
from companion.games.ikebana.scoring import reading_data

ANSWERS = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True, slots=True)
class BouquetIsWorth:
    """A bouquet's value."""

    base: int
    multiplier: int
    points: int


@dataclass(frozen=True, slots=True)
class FinalBouquetIsWorth:
    """A final bouquet's value, which is doubled."""

    base: int
    multiplier: int
    points: int


@dataclass(frozen=True, slots=True)
class ColoursMultiply:
    """What the colours multiply by."""

    mix: Mix
    multiplier: int


def answer(words: Sequence[str], options: Mapping[str, str]) -> Verdict:
    """Answer what a bouquet of these five cards is worth.

    Raises:
        ValueError: a word that is no card, cards that cannot be, an option without that value.
    """
    cards = [_card(word) for word in words]
    if len(cards) != SIZE:
        raise ValueError("Name the five cards of the bouquet: K3 R3 G3 B2 Y2.")
    for word, card in zip(words, cards, strict=True):
        if cards.count(card) > COPIES[card]:
            raise ValueError(f"{word} is named too often; copies of it: {COPIES[card]}.")
    reading = best_reading(cards, _wild(options), _is_final(options))
    says = FinalBouquetIsWorth if reading.is_doubled else BouquetIsWorth
    multiplier = reading.mix.value
    verdict = says(reading.base, multiplier, reading.total)
    colours = ColoursMultiply(reading.mix, multiplier)
    return Verdict((verdict, *reading.combinations, colours), Rule.BEST_READING, reading_data(reading))


def _card(word: str) -> Card:
    try:
        return parse_card(word)
    except ValueError:
        raise ValueError(f"{word} is no card.") from None


def _wild(options: Mapping[str, str]) -> Wild:
    word = options.get("wild", Wild.COLOUR.value)
    try:
        return Wild(word)
    except ValueError:
        raise ValueError(f"wild is one of {', '.join(wild.value for wild in Wild)}, not {word}.") from None


def _is_final(options: Mapping[str, str]) -> bool:
    word = options.get("final", "no")
    if word not in ANSWERS:
        raise ValueError(f"final is one of {', '.join(ANSWERS)}, not {word}.")
    return ANSWERS[word]


QUESTION = Question(
    example="K3 R3 G3 B2 Y2",
    options={
        "wild": "What a multicolour card may stand for: colour, colour_and_value or none.",
        "final": "Whether it is a Final bouquet, which counts double: yes or no.",
    },
    answer=answer,
)
