"""What the referee of Hanabi can be asked without a table: what fireworks score and whether a card would fit, hints.

Fireworks are named by their top card: `W3` is white up to 3, `K3` black powder from 5 down to 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from companion.game import N_, Refused, Verdict
from companion.games.hanabi import question_keys as keys
from companion.games.hanabi.cards import VALUES, Card, Colour, card_name
from companion.games.hanabi.deck import touches
from companion.games.hanabi.hints import judge_hint
from companion.games.hanabi.laid_out import known, laid_out, started, without
from companion.games.hanabi.moves import Hint, Rule
from companion.games.hanabi.plays import refused_copy
from companion.games.hanabi.position import FULL, HAND, PLAYERS, Clue, Position
from companion.games.hanabi.scoring import Tier, critical, max_score, raw, tier
from companion.question import (
    OUT_OF_RANGE,
    Asked,
    Topic,
    Unclear,
    about,
    is_on,
    number,
    parted,
)


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


@dataclass(frozen=True, slots=True)
class HintShows:
    """A hint may be given, and shows the cards at these places, counted from 1; `count` is how many they are."""

    places: tuple[int, ...]
    cards: tuple[Card, ...]
    count: int


@dataclass(frozen=True, slots=True)
class HintShowsNone:
    """A hint may be given, and says that there is no such card."""


@dataclass(frozen=True, slots=True)
class MayNotHint:
    """A hint may not be given."""


@dataclass(frozen=True, slots=True)
class CardCanBe:
    """A card in a hand can be one of these."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardCanBeNothing:
    """No card goes with all that was said and seen."""


class Rated(TypedDict):
    """Points, and how they are rated."""

    score: int
    tier: int


class FireworksScored(Rated):
    """What lies scores so, and may come to more; `critical` are the cards that must not be lost."""

    max_score: int
    critical: list[str]


class Fitted(TypedDict):
    """Whether a card fits, and which ones do."""

    fits: bool
    card: str
    next: list[str]


class HintJudged(TypedDict):
    """Whether a hint may be given, and the places of the cards that it shows, from 0."""

    legal: bool
    touched: list[int]


class HintCounted(HintJudged, total=False):
    """How many cards it shows, where it may be given."""

    count: int


class Possible(TypedDict):
    """What a card can be."""

    cards: list[str]


def score(words: Sequence[str], options: Asked) -> Verdict:
    """Answer what the fireworks score, and what can still be reached. Raises: Unclear."""
    position = laid_out(options)
    cards, total, most = tuple(critical(position)), raw(position), max_score(position)
    data: FireworksScored = {
        "score": total,
        "tier": tier(total).value,
        "max_score": most,
        "critical": [card_name(card) for card in cards],
    }
    left = AreCritical(cards) if cards else NoneCritical()
    return Verdict((Scores(total, tier(total)), CanReach(most), left), Rule.SCORE, data)


def fits(words: Sequence[str], options: Asked) -> Verdict:
    """Answer whether a card would fit. Raises: Unclear."""
    if not words:
        raise Unclear(N_("Name the card to play."), missing="words")
    if len(words) > 1:
        raise Unclear(N_("Name one card to play, or none."))
    position = laid_out(options)
    card = known(position, words[0])
    refused = refused_copy(position, card)
    if refused and not position.is_built(card):  # a copy that lies in its firework is said to be an error
        raise Unclear(refused)
    open_cards = tuple(position.next_cards())
    next_cards = [card_name(other) for other in open_cards]
    data: Fitted = {"fits": position.fits(card), "card": card_name(card), "next": next_cards}
    if position.fits(card):
        return Verdict((Fits(card),), Rule.FITS, data)
    return Verdict((FitsNot(card, open_cards) if open_cards else FitsNothing(card),), Rule.FITS, data)


def hint(words: Sequence[str], options: Asked) -> Verdict:
    """Answer whether a hint may be given, and which cards of that hand it shows. Raises: Unclear."""
    position = started(options)
    hand = [known(position, word) for word in parted(options.get("hand", ""))]
    without(position, hand)
    if not hand:
        raise Unclear(N_("Name the cards of the hand."), missing="hand")
    if len(hand) > HAND[PLAYERS[0]]:
        raise Unclear(N_("A hand has at most %(most)s cards."), most=HAND[PLAYERS[0]])
    if "hint" not in options:
        raise Unclear(N_("Name the colour or the value of the hint."), missing="hint")
    clue = _clue(options["hint"])
    slots = tuple(slot for slot, card in enumerate(hand) if touches(position.options, clue, card))
    colour, value = (None, clue) if isinstance(clue, int) else (clue, None)
    ruling = judge_hint(position, Hint(0, 1, colour, value, slots))
    if isinstance(ruling, Refused):
        return Verdict((MayNotHint(), ruling), ruling.rule, HintCounted(legal=False, touched=[]))
    shown = tuple(hand[slot] for slot in slots)
    says = HintShows(tuple(slot + 1 for slot in slots), shown, len(slots)) if slots else HintShowsNone()
    rule = Rule.SLOTS if slots else Rule.EMPTY_HINT
    return Verdict((says,), rule, HintCounted(legal=True, touched=list(slots), count=len(slots)))


def card(words: Sequence[str], options: Asked) -> Verdict:
    """Answer what a card can be, after what was said of it and what is seen elsewhere. Raises: Unclear."""
    position = started(options)
    told = [_clue(word) for word in parted(options.get("is", ""))]
    told_not = [_clue(word) for word in parted(options.get("is_not", ""))]
    seen = [known(position, word) for word in parted(options.get("seen", ""))]
    position = without(position, seen)
    can_be = tuple(
        one
        for one in position.cards()
        if position.left(one)
        and all(touches(position.options, clue, one) for clue in told)
        and not any(touches(position.options, clue, one) for clue in told_not)
    )
    says = CardCanBe(can_be) if can_be else CardCanBeNothing()
    return Verdict((says,), Rule.CONTRADICTION, Possible(cards=[card_name(one) for one in can_be]))


def rating(words: Sequence[str], options: Asked) -> Verdict:
    """Answer how a number of points is rated. Raises: Unclear."""
    position = started(options)
    if "points" not in options:
        raise Unclear(N_("Name the points."), missing="points")
    least = -FULL if is_on(options, "black_powder") else 0
    most = FULL * len([suit for suit in position.suits if not suit.is_falling])
    text = options["points"]
    points = -number(text[1:], range(FULL + 1)) if text.startswith("-") else number(text, range(100))
    if points not in range(least, most + 1):
        raise Unclear(OUT_OF_RANGE, word=str(points).replace("-", "−"), first=least, last=most)
    return Verdict((Scores(points, tier(points)),), Rule.SCORE, Rated(score=points, tier=tier(points).value))


def _clue(word: str) -> Clue:
    """Read what a hint names: the letter of a colour, or a value. Raises: Unclear."""
    if word in {colour.value for colour in Colour}:
        return Colour(word)
    return number(word, VALUES)


def lies(position: Position) -> Mapping[str, Asked]:
    """Tell what lies on the table: the fireworks, the discard pile, the score."""
    options = position.options
    built = zip(position.suits, position.fireworks, strict=True)
    tops = ",".join(card_name(suit.card(height - 1)) for suit, height in built if height)
    pile = ",".join(",".join([card_name(one)] * position.discarded(one)) for one in position.cards())
    seen = [
        suit.card(place)
        for suit, height in zip(position.suits, position.fireworks, strict=True)
        for place in range(height)
    ]
    rules = {
        "edition": options.edition.value,
        "multicolour": str(options.multicolour.value),
        "black_powder": "yes" if options.black_powder else "no",
        "multicolour_hint": "own" if options.is_multicolour_named else "all",
        "empty_hint": "yes" if options.may_hint_nothing else "no",
        "fireworks": tops,
        "discards": pile,
        "seen": ",".join([*map(card_name, seen), *parted(pile)]),
    }
    return {"": rules, "rating": {"points": str(raw(position))}}


GAME_RULES = {
    "edition": "cs, es or pl: which box is on the table.",
    "multicolour": "How many multicolour cards are in the deck: 0, 5 or 10.",
    "black_powder": "yes or no: whether the black powder is in the deck.",
}
WILD = {"multicolour_hint": "What touches a multicolour card: own (its own colour) or all (every colour)."}

QUESTION = about(
    (
        Topic(
            "score",
            N_("What do the fireworks score?"),
            keys.SCORE,
            score,
            {
                "fireworks": "The top card of each firework, with commas: W3,R4. One that is left out is empty.",
                **GAME_RULES,
                "discards": "The discard pile, with commas: R1,R1,B4. It decides what can still be reached.",
            },
            data=FireworksScored,
        ),
        Topic(
            "fits",
            N_("Does this card fit?"),
            keys.FITS,
            fits,
            {"fireworks": "", "discards": "", **GAME_RULES},
            is_meant=lambda words, options: bool(words),
            data=Fitted,
        ),
        Topic(
            "hint",
            N_("May I give this hint?"),
            keys.HINT,
            hint,
            {
                **GAME_RULES,
                **WILD,
                "hand": "The cards of the hand that a hint is about, with commas: B1,B4,M2.",
                "hint": "What it names: the letter of a colour, or a value.",
                "empty_hint": "yes or no: whether a hint may show no card; by the edition where it is left out.",
            },
            is_meant=lambda words, options: bool({"hand", "hint"} & options.keys()),
            data=HintCounted,
        ),
        Topic(
            "card",
            N_("What can this card be?"),
            keys.CARD,
            card,
            {
                **GAME_RULES,
                **WILD,
                "is": "What hints showed a card to be, with commas: R,3.",
                "is_not": "What hints that left it out named, with commas: B,1.",
                "seen": "The cards that are seen elsewhere, with commas: R3,R3.",
            },
            is_meant=lambda words, options: bool({"is", "is_not", "seen"} & options.keys()),
            data=Possible,
        ),
        Topic(
            "rating",
            N_("How good is that?"),
            keys.RATING,
            rating,
            {**GAME_RULES, "points": "A number of points: how is it rated?"},
            is_meant=lambda words, options: "points" in options,
            data=Rated,
        ),
    ),
    "--fireworks W3,R4,B4,Y5,G2",
    lies,
)
