"""What the referee of Ikebana says, in English; gettext has the other languages.

Field terms: bouquet, prestige point, wild card, draw, buy, keep, refuse, discard pile, run, multiplier.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from companion import game
from companion.game import N_, Agreeing, Label, Plural, Words
from companion.games.ikebana.bouquet import Combination, Kind, Mix
from companion.games.ikebana.cards import Card, Colour, CountsAs
from companion.games.ikebana.ending import PlaceShared
from companion.games.ikebana.moves import (
    BouquetDoubled,
    BouquetScored,
    BouquetTold,
    Buy,
    CardBought,
    CardKept,
    CardRefused,
    DrawKept,
    DrawRefused,
    GameEnded,
    Keep,
    PilesShuffled,
    Refuse,
    RoundBegun,
    Rule,
    TellBouquet,
    TopBought,
)
from companion.games.ikebana.question import (
    BouquetIsWorth,
    Buys,
    BuysNot,
    ColoursMultiply,
    FinalBouquetIsWorth,
    NextWouldCost,
    Pays,
    PaysInTurn,
    RefusesTimes,
)
from companion.games.ikebana.whys import AllLie, NamedBeside, NamedTooOften

RULES: dict[game.Rule | type[Any], str | Plural] = {
    Rule.PLAYERS: N_("Ikebana is for %(fewest)s to %(most)s players."),
    Rule.FIRST_SEAT: N_("One of the %(seats)s players starts: a record counts them from 0 to %(last)s."),
    Rule.GAME_OVER: N_("All four rounds are played; the game is over."),
    Rule.BOUQUET_KNOWN: N_("This table tells every card, so the referee knows the bouquets already."),
    Rule.BOUQUET_GROWING: N_("A bouquet is told when everyone has five cards."),
    Rule.BOUQUET_TOLD: N_("The bouquet of %(seat)s is told already; amend that entry if it is wrong."),
    Rule.BOUGHT_CARD: Plural(
        "%(seat)s bought a card for %(price)s, and this bouquet holds no %(price)s: the price or the bouquet is "
        "entered wrong.",
        "%(seat)s bought %(bought)s cards for %(price)s each, and this bouquet holds only %(held)s of that value: a "
        "price or the bouquet is entered wrong.",
        by="bought",
    ),
    Rule.BOUQUETS_DUE: N_("Everyone has five cards: now the bouquets are told. Still to tell: %(seats)s."),
    Rule.NOT_YOUR_TURN: N_("It is not your turn: %(seat)s is next."),
    Rule.CARD_NEEDED: N_("Say which card was drawn."),
    Rule.CARD_UNASKED: N_("This table tells payments only; leave the card out."),
    Rule.CARD_GONE: N_("%(card)s cannot be here: %(why)s."),
    Rule.CANNOT_REFUSE: Plural(
        "Refusing now costs %(price)s prestige point, and you have %(points)s: keep the card.",
        "Refusing now costs %(price)s prestige points, and you have %(points)s: keep the card.",
        by="price",
    ),
    Rule.BUY_AFTER_DRAWING: N_("You have drawn a card in this turn; buying was for its start. Keep or refuse."),
    Rule.OWN_PILE: N_("Nobody buys from their own discard pile."),
    Rule.EMPTY_PILE: N_("The discard pile of %(owner)s is empty."),
    Rule.PRICE_NEEDED: N_("Say what the card cost: the value printed on it, from 1 to 5."),
    Rule.PRICE_UNASKED: N_("The price is printed on the card; leave it out."),
    Rule.CANNOT_BUY: Plural(
        "The card costs %(price)s prestige point, and you have %(points)s: draw one instead.",
        "The card costs %(price)s prestige points, and you have %(points)s: draw one instead.",
        by="price",
    ),
    Rule.BEST_READING: N_("A bouquet counts in its best reading: its combinations, times its colours’ multiplier."),
}

EVENTS: dict[game.Rule | type[Any], str | Plural] = {
    CardKept: N_("%(seat)s draws and keeps: %(card)s."),
    DrawKept: N_("%(seat)s draws a card and keeps it."),
    CardRefused: Plural(
        "%(seat)s draws and refuses: %(card)s. %(payee)s gets %(price)s prestige point.",
        "%(seat)s draws and refuses: %(card)s. %(payee)s gets %(price)s prestige points.",
        by="price",
    ),
    DrawRefused: Plural(
        "%(seat)s draws a card and refuses it. %(payee)s gets %(price)s prestige point.",
        "%(seat)s draws a card and refuses it. %(payee)s gets %(price)s prestige points.",
        by="price",
    ),
    CardBought: Plural(
        "%(seat)s buys: %(card)s. %(owner)s gets %(price)s prestige point.",
        "%(seat)s buys: %(card)s. %(owner)s gets %(price)s prestige points.",
        by="price",
    ),
    TopBought: Plural(
        "%(seat)s buys a card from the pile of %(owner)s for %(price)s prestige point.",
        "%(seat)s buys a card from the pile of %(owner)s for %(price)s prestige points.",
        by="price",
    ),
    PilesShuffled: Plural(
        "The draw pile was empty: %(cards)s card from beneath the tops of the discard piles makes a new one.",
        "The draw pile was empty: %(cards)s cards from beneath the tops of the discard piles make a new one.",
        by="cards",
    ),
    BouquetTold: N_("The bouquet of %(seat)s: %(cards)s."),
    BouquetScored: Plural(
        "%(seat)s scores %(base)s × %(multiplier)s = %(points)s prestige point.",
        "%(seat)s scores %(base)s × %(multiplier)s = %(points)s prestige points.",
        by="points",
    ),
    BouquetDoubled: Plural(
        "%(seat)s scores %(base)s × %(multiplier)s, doubled: %(points)s prestige point.",
        "%(seat)s scores %(base)s × %(multiplier)s, doubled: %(points)s prestige points.",
        by="points",
    ),
    RoundBegun: N_("All cards are shuffled. %(seat)s starts round %(round)s."),
    PlaceShared: N_("Equal prestige: %(seats)s share place %(rank)s."),
    GameEnded: N_("The game is over. First place: %(winners)s."),
    BouquetIsWorth: Plural(
        "The bouquet is worth %(base)s × %(multiplier)s = %(points)s prestige point.",
        "The bouquet is worth %(base)s × %(multiplier)s = %(points)s prestige points.",
        by="points",
    ),
    FinalBouquetIsWorth: Plural(
        "The final bouquet is worth %(base)s × %(multiplier)s, doubled: %(points)s prestige point.",
        "The final bouquet is worth %(base)s × %(multiplier)s, doubled: %(points)s prestige points.",
        by="points",
    ),
    RefusesTimes: Plural(
        "With %(points)s prestige, %(seat)s can refuse %(times)s card in one turn.",
        "With %(points)s prestige, %(seat)s can refuse %(times)s cards in one turn.",
        by="times",
    ),
    PaysInTurn: N_("%(seat)s pays, one after another: %(payments)s."),
    NextWouldCost: N_("The next refusal would cost %(price)s, so that card has to be kept."),
    Buys: N_("Yes: %(card)s costs %(price)s; left after that: %(left)s."),
    BuysNot: N_("No: %(card)s cannot be bought now."),
    ColoursMultiply: N_("%(mix)s: × %(multiplier)s."),
}

THINGS: dict[game.Rule | type[Any], game.Sentence] = {
    Card: Agreeing(
        "colour",
        {
            Colour.BLACK: N_("black %(value)s"),
            Colour.RED: N_("red %(value)s"),
            Colour.GREEN: N_("green %(value)s"),
            Colour.BLUE: N_("blue %(value)s"),
            Colour.YELLOW: N_("yellow %(value)s"),
            Colour.MULTICOLOUR: N_("multicolour %(value)s"),
        },
    ),
    CountsAs: N_("multicolour %(value)s as %(counts)s"),
    Pays: N_("%(price)s → %(payee)s"),
    Combination: Plural(
        "%(kind)s: %(cards)s – %(points)s point",
        "%(kind)s: %(cards)s – %(points)s points",
        by="points",
    ),
    AllLie: Plural(
        "the box has one of it, and it lies in a bouquet or on a discard pile",
        "the box has %(copies)s of it, and all lie in bouquets or on discard piles",
        by="copies",
    ),
    NamedTooOften: Plural(
        "the box has one of it, and this bouquet names %(named)s",
        "the box has %(copies)s of it, and this bouquet names %(named)s",
        by="copies",
    ),
    NamedBeside: Plural(
        "the box has one of it, and it is in another bouquet",
        "the box has %(copies)s of it; other bouquets hold %(elsewhere)s, and this one names %(named)s",
        by="copies",
    ),
    Keep: N_("card kept by %(seat)s"),
    Refuse: N_("card refused by %(seat)s"),
    Buy: N_("card bought by %(seat)s"),
    TellBouquet: N_("bouquet of %(seat)s"),
}

NAMES: dict[Enum, str] = {
    Colour.BLACK: N_("black"),
    Colour.RED: N_("red"),
    Colour.GREEN: N_("green"),
    Colour.BLUE: N_("blue"),
    Colour.YELLOW: N_("yellow"),
    Colour.MULTICOLOUR: N_("multicolour"),
    Kind.PAIR: N_("Pair"),
    Kind.TRIO: N_("Trio"),
    Kind.QUARTET: N_("Quartet"),
    Kind.QUINTET: N_("Quintet"),
    Kind.RUN: N_("Run"),
    Mix.UNICOLOUR: N_("One colour"),
    Mix.MULTICOLOUR: N_("Five colours"),
    Mix.BICOLOUR: N_("Two colours"),
    Mix.MIXED: N_("Three or four colours"),
}

OPTIONS: dict[str | tuple[str, object], Label] = {
    "wild": Label(N_("Multicolour cards"), N_("What a multicolour card may stand for when a bouquet is scored.")),
    ("wild", "colour"): Label(N_("Any colour"), N_("They take any colour and count with their printed value.")),
    ("wild", "colour_and_value"): Label(N_("Any colour and value"), N_("They take any colour and any value.")),
    ("wild", "none"): Label(N_("A colour of their own"), N_("Multicolour is a sixth colour like the others.")),
    "next_starter": Label(N_("Next starter"), N_("Who starts the next round; of equals, the first clockwise.")),
    ("next_starter", "total"): Label(N_("The leader"), N_("Whoever has the most prestige points.")),
    ("next_starter", "round"): Label(N_("The best bouquet"), N_("Whoever scored most in the round just played.")),
    "final_bouquet": Label(N_("Final bouquet"), N_("In the last round every bouquet counts double.")),
    "first_seat": Label(N_("Starts"), N_("The seat that begins the first round.")),
    "detail": Label(N_("What is written down"), N_("How much the table tells the referee.")),
    ("detail", "cards"): Label(N_("Every card"), N_("The referee knows all piles and scores the bouquets.")),
    ("detail", "payments"): Label(
        N_("Payments only"), N_("Who keeps, refuses and buys; the bouquets are told when they are complete.")
    ),
}

FIELDS = {
    "card": N_("Card"),
    "from": N_("From the pile of"),
    "price": N_("Price"),
    "cards": N_("Cards"),
}

WORDS = Words(sentences=RULES | EVENTS | THINGS, names=NAMES, options=OPTIONS, fields=FIELDS)
