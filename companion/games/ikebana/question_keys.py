"""The parts of the questions to the referee of Ikebana, as a page asks for them by keys."""

from __future__ import annotations

from companion.game import N_
from companion.games.ikebana.bouquet import SIZE, Wild
from companion.games.ikebana.cards import VALUES, Colour, parse_card
from companion.games.ikebana.position import PLAYERS, PRESTIGE
from companion.question import WORDS, YES, Asked, Keys, Part, count, one_of, rule


def _cards(asked: Asked) -> Keys:
    return tuple(tuple(f"{colour.value}{value}" for colour in Colour) for value in VALUES)


POINTS = count("points", N_("Prestige points"), 0, 23, str(PRESTIGE))
BOUQUET = (
    Part(WORDS, N_("Bouquet"), _cards, parse_card, SIZE),
    one_of("final", N_("Final bouquet"), YES, "no"),
    rule("wild", Wild, Wild.COLOUR),
)
REFUSALS = (POINTS, count("players", N_("Players"), PLAYERS[0], PLAYERS[-1], "3"))
PURCHASE = (
    Part("buy", N_("Card"), _cards, parse_card),
    POINTS,
    count("refused", N_("Refused before"), 0, 7, "0"),
)
