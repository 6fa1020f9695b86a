"""What the referee of Hanabi can be asked without a table: what fireworks score, and whether a card would fit.

Fireworks are named by their top card: `W3` is white up to 3, `K3` black powder from 5 down to 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from companion.frozen import replace
from companion.game import Question, Refused, Verdict
from companion.games.hanabi.cards import Card, card_name, parse_card
from companion.games.hanabi.moves import Rule
from companion.games.hanabi.options import Edition, Multicolour, Options
from companion.games.hanabi.plays import refused_copy, with_discarded
from companion.games.hanabi.position import PLAYERS, Position
from companion.games.hanabi.rules import start
from companion.games.hanabi.scoring import Tier, critical, max_score, raw, tier

E = TypeVar("E", bound=Enum)


@dataclass(frozen=True, slots=True)
class Scores:
    """Fireworks have a score, and a place on the rating scale."""

    score: int
    tier: Tier


@dataclass(frozen=True, slots=True)
class CanReach:
    """So many points can still be reached."""

    score: int


@dataclass(frozen=True, slots=True)
class AreCritical:
    """Of these cards one copy is left."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class NoneCritical:
    """No card is down to its last copy."""


@dataclass(frozen=True, slots=True)
class Fits:
    """A card would be built."""

    card: Card


@dataclass(frozen=True, slots=True)
class FitsNot:
    """A card would be an error; these would fit."""

    card: Card
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class FitsNothing:
    """A card would be an error, for every firework is complete."""

    card: Card


def answer(words: Sequence[str], options: Mapping[str, str]) -> Verdict:
    """Answer what the fireworks score; with a card, whether it would fit.

    Raises:
        ValueError: a word that is no card, or no card of this game.
    """
    if len(words) > 1:
        raise ValueError("Name one card to play, or none.")
    position = _laid_out(options)
    if words:
        return _fits(position, _known(position, words[0]))
    cards, total, most = tuple(critical(position)), raw(position), max_score(position)
    data = {
        "score": total,
        "tier": tier(total).value,
        "max_score": most,
        "critical": [card_name(card) for card in cards],
    }
    left = AreCritical(cards) if cards else NoneCritical()
    return Verdict((Scores(total, tier(total)), CanReach(most), left), Rule.SCORE, data)


def _fits(position: Position, card: Card) -> Verdict:
    open_cards = tuple(position.next_cards())
    data = {"fits": position.fits(card), "card": card_name(card), "next": [card_name(other) for other in open_cards]}
    if position.fits(card):
        return Verdict((Fits(card),), Rule.FITS, data)
    return Verdict((FitsNot(card, open_cards) if open_cards else FitsNothing(card),), Rule.FITS, data)


def _laid_out(options: Mapping[str, str]) -> Position:
    """Lay out the fireworks and the discard pile."""
    chosen = Options(
        edition=_choice(Edition, options.get("edition", Edition.CS.value)),
        multicolour=_choice(Multicolour, int(_digits(options.get("multicolour", "0")))),
        black_powder=_switch(options.get("black_powder", "no")),
    )
    position = start(chosen, PLAYERS[0])
    if isinstance(position, Refused):
        raise ValueError("Black is an ordinary colour in the edition es: no black powder there.")
    built = {}
    for word in _listed(options.get("fireworks", "")):
        card = _known(position, word)
        if card.colour in built:
            raise ValueError(f"{word}: that firework is named twice.")
        built[card.colour] = card.value
    heights = (suit.place(built[suit.colour]) + 1 if suit.colour in built else 0 for suit in position.suits)
    position = replace(position, fireworks=tuple(heights))
    for word in _listed(options.get("discards", "")):
        card = _known(position, word)
        if refused_copy(position, card):
            raise ValueError(f"{word}: there are not so many of them.")
        position = with_discarded(position, card)
    return position


def _listed(text: str) -> list[str]:
    return [word for word in text.split(",") if word]


def _known(position: Position, word: str) -> Card:
    try:
        card = parse_card(word)
    except ValueError:
        raise ValueError(f"{word} is no card.") from None
    if position.index(card) is None:
        raise ValueError(f"{word} is not in this game.")
    return card


def _choice(enum: type[E], value: Any) -> E:
    try:
        return enum(value)
    except ValueError:
        raise ValueError(f"{value} is no choice. Allowed: {', '.join(str(m.value) for m in enum)}.") from None


def _digits(text: str) -> str:
    if not (text.isascii() and text.isdecimal() and len(text) <= 2):  # noqa: PLR2004 (no more than 10 cards)
        raise ValueError(f"{text} is no number of cards. Allowed: 0, 5, 10.")
    return text


def _switch(text: str) -> bool:
    if text not in {"yes", "no"}:
        raise ValueError(f"{text} is neither yes nor no.")
    return text == "yes"


QUESTION = Question(
    example="--fireworks W3,R4,B4,Y5,G2",
    options={
        "fireworks": "The top card of each firework, with commas: W3,R4. One that is left out is empty.",
        "edition": "cs, es or pl: which box is on the table.",
        "multicolour": "How many multicolour cards are in the deck: 0, 5 or 10.",
        "black_powder": "yes or no: whether the black powder is in the deck.",
        "discards": "The discard pile, with commas: R1,R1,B4. It decides what can still be reached.",
    },
    answer=answer,
)
