"""The parts of the questions to the referee of Rage, as a page asks for them by keys."""

from __future__ import annotations

from companion.game import N_
from companion.games.rage.cards import VALUES, Action, Card, Colour, parse_card
from companion.games.rage.position import ROUNDS, Edition, JokerTie, NoTrumpThenChange
from companion.question import WORDS, Asked, Keys, Part, count, numbers, one_of, rule, switch

LETTERS = tuple(colour.value for colour in Colour)
EDITION = rule("edition", Edition, Edition.AMIGO_2000)


def _cards(option: str, label: str, most: int, is_announced: bool) -> Part:
    """Make a row of cards; only a joker that is played has a colour."""
    values = tuple(f"*{value}" for value in VALUES)
    rows = (values[:6], values[6:12], (*values[12:], "J:*" if is_announced else "J"))
    keys = (*rows, tuple(action.value for action in Action))
    return Part(option, label, lambda asked: keys, _thing, most, LETTERS)


def _thing(word: str) -> Card | Colour:
    """Say what a key stands for: a card, or a colour alone."""
    return Colour(word) if word in LETTERS else parse_card(word)


def _bids(asked: Asked) -> Keys:
    return numbers(0, min(max(int(asked.get("cards") or ROUNDS), 1), ROUNDS))


CARDS = count("cards", N_("All tricks"), 1, 10, "10")
TRICK = (
    one_of("trump", N_("Trump"), {**{colour.value: colour for colour in Colour}, "": N_("none")}),
    _cards(WORDS, N_("Trick"), 8, is_announced=True),
    _cards("turned", N_("Talon"), 12, is_announced=False),
    rule("nt_then_ct", NoTrumpThenChange, NoTrumpThenChange.CT_WINS),
    rule("joker_tie", JokerTie),
    EDITION,
)
FOLLOW = (
    _cards("hand", N_("Hand"), 10, is_announced=False),
    _cards(WORDS, N_("Trick, then your card"), 8, is_announced=True),
    switch("joker_anytime"),
    EDITION,
)
SCORE = (
    Part("bid", N_("Bid"), _bids, str),
    Part("tricks", N_("Tricks"), _bids, str),
    count("plus", N_("+5 cards"), 0, 3, "0"),
    count("minus", N_("−5 cards"), 0, 3, "0"),
    CARDS,
    switch("durch"),
    EDITION,
)
BIDS = (Part("bids", N_("Bids before"), _bids, str, most=7), CARDS)
