"""The parts of the questions to the referee of Hanabi, as a page asks for them by keys."""

from __future__ import annotations

from companion.game import N_
from companion.games.hanabi.cards import VALUES, Colour, parse_card
from companion.games.hanabi.options import Edition, Multicolour, MulticolourHint, Options, suits
from companion.question import WORDS, Asked, Keys, Part, numbers, rule, switch

WIDEST = 6
"""As many suits stand beside one another; with more of them each is a row."""


def options_of(asked: Asked) -> Options:
    """Read the options of a table, those that a key has told: they are right."""
    return Options(
        edition=Edition(asked.get("edition") or Edition.CS.value),
        multicolour=Multicolour(int(asked.get("multicolour") or 0)),
        black_powder=asked.get("black_powder") == "yes",
    )


def _letters(asked: Asked) -> tuple[str, ...]:
    return tuple(suit.colour.value for suit in suits(options_of(asked)))


def _every_card(asked: Asked) -> Keys:
    """Lay out the cards of the game: the suits beside one another, or beneath where they are many."""
    letters = _letters(asked)
    if len(letters) > WIDEST:
        return tuple(tuple(f"{letter}{value}" for value in VALUES) for letter in letters)
    return tuple(tuple(f"{letter}{value}" for letter in letters) for value in VALUES)


def _clues(asked: Asked) -> Keys:
    """Lay out what a hint may name, or may not: every colour, every value."""
    return _letters(asked), tuple(str(value) for value in VALUES)


def _points(asked: Asked) -> Keys:
    """Lay out the scores that the game can have."""
    least = -len(VALUES) if asked.get("black_powder") == "yes" else 0
    return numbers(least, len(VALUES) * len([suit for suit in suits(options_of(asked)) if not suit.is_falling]))


def clue_of(word: str) -> Colour | str:
    """Say what a hint names."""
    return word if word.isdecimal() else Colour(word)


def _cards(option: str, label: str, most: int, is_told_once: bool = False) -> Part:
    return Part(option, label, _every_card, parse_card, most, is_told_once=is_told_once)


RULES = (
    rule("edition", Edition, Edition.CS),
    rule("multicolour", Multicolour, Multicolour.NONE),
    switch("black_powder"),
)
HINT_RULES = (
    *RULES,
    rule("multicolour_hint", MulticolourHint),
    Part("empty_hint", "", lambda asked: (("no", "yes"),), str, is_rule=True),
)
FIREWORKS = _cards("fireworks", N_("Fireworks"), 7, is_told_once=True)
DISCARDS = _cards("discards", N_("Discard pile"), 70)
SCORE = (FIREWORKS, DISCARDS, *RULES)
FITS = (_cards(WORDS, N_("Card"), 1), FIREWORKS, *RULES)
HINT = (_cards("hand", N_("Hand"), 5), Part("hint", N_("Hint"), _clues, clue_of), *HINT_RULES)
CARD = (
    Part("is", N_("Shown as"), _clues, clue_of, 10),
    Part("is_not", N_("Left out for"), _clues, clue_of, 10),
    _cards("seen", N_("Seen elsewhere"), 70),
    *HINT_RULES[:-1],
)
RATING = (Part("points", N_("Points"), _points, int), *RULES[1:])
