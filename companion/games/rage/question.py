"""What the referee of Rage can be asked without a table: who wins a trick, or whether a card may be played.

The cards are given in the order played; `turned` names the talon cards that no trump and change of trump turn up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.game import Question, Verdict
from companion.games.rage.cards import (
    Action,
    BareJoker,
    Card,
    Colour,
    Coloured,
    card_name,
    led_colour,
    parse_card,
    winner,
)
from companion.games.rage.moves import Rule
from companion.games.rage.position import NoTrumpThenChange, Options
from companion.games.rage.rules import may_play


@dataclass(frozen=True, slots=True)
class CardWins:
    """A card of a trick wins it; `place` counts from 1."""

    card: Card
    place: int


@dataclass(frozen=True, slots=True)
class TrumpWins:
    """Because it is the highest trump."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class LedWins:
    """Because it is the highest card of the colour led."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class FirstWins:
    """Because nobody played a colour."""


@dataclass(frozen=True, slots=True)
class MayPlay:
    """A card may be played."""

    card: Card


@dataclass(frozen=True, slots=True)
class MayNotPlay:
    """A card may not be played."""

    card: Card
    colour: Colour


def answer(words: Sequence[str], options: Mapping[str, str]) -> Verdict:
    """Answer who wins the trick of these cards; with `hand`, whether the last one may be played to the others.

    Raises:
        ValueError: a word that is no card or no colour.
    """
    trick = [_card(word) for word in words]
    if not trick:
        raise ValueError("Name the cards of the trick, the first one first: Y8 R4 NT.")
    if BareJoker() in (trick[:-1] if "hand" in options else trick):
        raise ValueError("A joker is played with its announced colour: J:Y.")
    if "hand" in options:
        return _follow([_card(word) for word in options["hand"].split(",")], trick)
    return _trick(trick, _trump(trick, options))


def _trick(trick: Sequence[Card], trump: Colour | None) -> Verdict:
    index = winner(trick, trump)
    card, led = trick[index], led_colour(trick)
    colour = None if isinstance(card, Action) else card.colour
    reason = FirstWins() if colour is None else TrumpWins(colour) if colour is trump else LedWins(colour)
    data = {
        "winner": index,
        "card": card_name(card),
        "trump": trump.value if trump else None,
        "led": led.value if led else None,
    }
    return Verdict((CardWins(card, index + 1), reason), Rule.TRICK_WINNER, data)


def _follow(hand: Sequence[Card], trick: Sequence[Card]) -> Verdict:
    card, led = trick[-1], led_colour(trick[:-1])
    refused = may_play(hand, led, card, Options())
    says = MayNotPlay(card, led) if refused and led else MayPlay(card)
    data = {"legal": refused is None, "card": card_name(card), "led": led.value if led else None}
    return Verdict((says,), Rule.FOLLOW_COLOUR, data)


def _trump(trick: Sequence[Card], options: Mapping[str, str]) -> Colour | None:
    """Tell the trump that holds when the trick is complete. Source: R-cs, trump; R7–R10."""
    trump = _colour(options["trump"]) if "trump" in options else None
    choice = NoTrumpThenChange(options.get("nt_then_ct", NoTrumpThenChange.CT_WINS.value))
    turned = iter([_card(word) for word in filter(None, options.get("turned", "").split(","))])
    for card in trick:
        if card is Action.NO_TRUMP:
            trump = None
        elif card is Action.CHANGE_OF_TRUMP:
            fresh = next((up.colour for up in turned if isinstance(up, Coloured)), None)
            if fresh is None:
                raise ValueError("A change of trump turns up a card: say which, as in --turned B7.")
            dominates = choice is NoTrumpThenChange.NT_DOMINATES and Action.NO_TRUMP in trick
            trump = None if dominates else fresh
    return trump


def _card(word: str) -> Card:
    try:
        return parse_card(word)
    except ValueError:
        raise ValueError(f"{word} is no card.") from None


def _colour(word: str) -> Colour:
    try:
        return Colour(word)
    except ValueError:
        raise ValueError(f"{word} is no colour. Colours: {', '.join(colour.value for colour in Colour)}.") from None


QUESTION = Question(
    example="--trump R Y8 R4 NT",
    options={
        "trump": "The trump before the trick: B, G, R, Y, P or O.",
        "turned": "Talon cards that a change of trump turned up, with commas: NT,B7.",
        "hand": "The hand of who plays the last card, with commas: may it be played?",
        "nt_then_ct": "A change of trump after a no trump: ct_wins, ct_wins_but_reflip or nt_dominates.",
    },
    answer=answer,
)
