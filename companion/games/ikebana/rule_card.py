"""The rules of Ikebana in our own words, for the help page and the rule card.

Source: I-es, and `docs/decisions.md`; the numbers come from the rules themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.game import N_, Paragraph, Section
from companion.games.ikebana.bouquet import FINAL_FACTOR, RUNS, SIZE, Mix, Wild, best_reading
from companion.games.ikebana.cards import CARDS, COPIES_OF_VALUE, VALUES, Card, Colour, CountsAs, parse_card
from companion.games.ikebana.lesson import Step
from companion.games.ikebana.moves import Rule
from companion.games.ikebana.position import PLAYERS, PRESTIGE, ROUNDS, Detail, NextStarter, Options

FIVE = len(Colour) - 1
"""The colours besides the multicolour cards."""
TOKENS = {"yellow": 1, "blue": 5, "red": 10, "green": 50}
"""What a token of each colour is worth. Source: I2."""
WILDS = {
    Wild.COLOUR: N_(
        "There are %(wilds)s multicolour cards, one of each value. They are wild: each takes the colour that helps "
        "most, and counts with its own value."
    ),
    Wild.COLOUR_AND_VALUE: N_(
        "There are %(wilds)s multicolour cards, one of each value. "
        "They are wild: each takes the colour and the value that help most."
    ),
    Wild.NONE: N_("There are %(wilds)s multicolour cards, one of each value: simply a sixth colour."),
}
STARTERS = {
    NextStarter.TOTAL: N_(
        "Gather and shuffle all cards. Whoever has the most prestige starts the next round; "
        "if level, the first of them clockwise from the last starter."
    ),
    NextStarter.ROUND: N_(
        "Gather and shuffle all cards. Whoever made the best bouquet starts the next round; "
        "if level, the first of them clockwise from the last starter."
    ),
}


def rule_card(options: Options, is_whole: bool) -> tuple[Section, ...]:
    """Write the rules for a table.

    Args:
        options: the table's.
        is_whole: whether to tell every variant, and not only those that are played.
    """
    return (
        Section(N_("The game"), _game(options)),
        Section(N_("Draw a card …"), _draw()),
        Section(N_("… or buy one"), _buy()),
        Section(N_("The worth of a bouquet"), _worth()),
        Section(N_("Rounds and the end"), _end(options)),
        Section(N_("Variants"), _variants(options, is_whole)),
        Section(N_("With the companion"), _companion(options, is_whole), is_of_companion=True),
    )


def _game(options: Options) -> tuple[Paragraph, ...]:
    values = "\u00a0".join(str(value) for value in VALUES for _ in range(COPIES_OF_VALUE[value]))
    coloured = FIVE * sum(COPIES_OF_VALUE.values())
    return (
        Paragraph(
            N_(
                "In each of %(rounds)s rounds everyone gathers a bouquet of %(size)s cards and earns prestige with "
                "it. Ikebana is for %(fewest)s to %(most)s players."
            ),
            {"rounds": ROUNDS, "size": SIZE, "fewest": PLAYERS[0], "most": PLAYERS[-1]},
            (Rule.PLAYERS,),
        ),
        Paragraph(
            N_("%(cards)s cards: each of the %(colours)s colours has the cards %(values)s."),
            {"cards": CARDS, "colours": FIVE, "values": values},
            (Rule.CARD_GONE,),
        ),
        Paragraph(WILDS[options.wild], {"wilds": CARDS - coloured}),
        Paragraph(
            N_(
                "Everyone begins with %(prestige)s points of prestige. A token is worth its colour: yellow %(yellow)s, "
                "blue %(blue)s, red %(red)s, green %(green)s. Whoever wears the most colours starts."
            ),
            {"prestige": PRESTIGE, **TOKENS},
            (Rule.FIRST_SEAT,),
            "table",
        ),
        Paragraph(
            N_(
                "Clockwise, each turn adds one card to one’s open bouquet. At its start choose: draw or buy. "
                "Who has drawn may not buy any more."
            ),
            {},
            (Rule.NOT_YOUR_TURN, Rule.BUY_AFTER_DRAWING),
            "turn",
            step=Step.CHOOSE,
        ),
    )


def _draw() -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_("Draw a card and keep it; or refuse it, pay, and draw the next. You need not refuse any."),
            step=Step.DRAW,
        ),
        Paragraph(
            N_(
                "The first refusal of a turn costs 1 point, the second 2, and so on. The first goes to your left "
                "neighbour, the second to the next player, round and round, past yourself; of two players always to "
                "the other."
            ),
            picture="payment",
            step=Step.REFUSE,
        ),
        Paragraph(
            N_("Who cannot pay the whole price must keep the card. There is no credit."),
            {},
            (Rule.CANNOT_REFUSE,),
            step=Step.KEEP,
        ),
        Paragraph(N_("A refused card goes face up on your own discard pile.")),
        Paragraph(
            N_(
                "When the draw pile is empty, everyone leaves the top card of their discard pile; "
                "the rest is shuffled to draw from."
            ),
        ),
    )


def _buy() -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_("Take the top card of another player’s discard pile, and pay that player the value printed on it."),
            {},
            (Rule.OWN_PILE, Rule.EMPTY_PILE, Rule.CANNOT_BUY),
            step=Step.BUY,
        ),
        Paragraph(N_("Your turn is over then. The card beneath can be bought by the next player.")),
    )


def _worth() -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_(
                "The combinations of a bouquet add up; each card counts in one of them, in the way that brings most. "
                "The total is multiplied once."
            ),
            {},
            (Rule.BEST_READING,),
            step=Step.WORTH,
        ),
        Paragraph(
            N_("Two to five cards of one value count as much as their values together."),
            step=Step.ALIKE,
        ),
        Paragraph(N_("Runs count whatever their colours."), table=_runs()),
        Paragraph(
            N_(
                "Times %(one)s when all cards are of one colour, times %(five)s with five cards of five colours, "
                "times %(two)s with just two colours; only the highest counts. The table shows three bouquets."
            ),
            {
                "one": Mix.UNICOLOUR.value,
                "five": Mix.MULTICOLOUR.value,
                "two": Mix.BICOLOUR.value,
            },
            table=_examples(),
        ),
    )


def _examples() -> tuple[tuple[Any, ...], ...]:
    """Score the bouquets of the rulebook as examples. Source: I-es, scoring."""
    bouquets = (("K3", "R3", "G3", "B2", "Y2"), ("R1", "R2", "B2", "B3", "R4"), ("K5", "R5", "G1", "K2", "R4"))
    readings = [best_reading([parse_card(name) for name in names], Wild.COLOUR) for names in bouquets]
    rows = ((_values(one.cards), f"{one.base} × {one.mix.value} = {one.total}", one.mix) for one in readings)
    return ((N_("Cards"), N_("Points"), N_("Colours")), *rows)


def _values(cards: Sequence[Card | CountsAs]) -> str:
    return " ".join(str(value) for value in sorted(card.value for card in cards))


def _runs() -> tuple[tuple[Any, ...], ...]:
    """Give the runs as a table, the lowest first, with their points."""
    rows = ((" ".join(map(str, run)), points) for run, points in sorted(RUNS.items(), key=lambda one: one[1]))
    return ((N_("Run"), N_("Points")), *rows)


def _end(options: Options) -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_("A round is over when everyone has %(size)s cards. The bouquets are scored and added to the prestige."),
            {"size": SIZE},
            (Rule.BOUQUETS_DUE, Rule.BOUQUET_GROWING),
            step=Step.BOUQUETS,
        ),
        Paragraph(STARTERS[options.next_starter], step=Step.NEXT_ROUND),
        Paragraph(
            N_("After %(rounds)s rounds the most prestige wins; who is level shares the victory."),
            {"rounds": ROUNDS},
            (Rule.GAME_OVER,),
        ),
    )


def _variants(options: Options, is_whole: bool) -> tuple[Paragraph | None, ...]:
    final = Paragraph(
        N_("Final bouquet: the bouquets of the last round count %(factor)s times their worth."),
        {"factor": FINAL_FACTOR},
    )
    return (final if is_whole or options.final_bouquet else None,)


def _companion(options: Options, is_whole: bool) -> tuple[Paragraph | None, ...]:
    cards = Paragraph(
        N_("A table that tells its cards names every card; then the referee knows prices and bouquets by itself."),
        {},
        (Rule.CARD_NEEDED, Rule.PRICE_UNASKED, Rule.BOUQUET_KNOWN),
    )
    payments = Paragraph(
        N_(
            "A table that tells payments only leaves the cards out, says what a bought card cost, "
            "and tells each bouquet once, when it is complete."
        ),
        {},
        (Rule.CARD_UNASKED, Rule.PRICE_NEEDED, Rule.BOUQUET_TOLD, Rule.BOUGHT_CARD),
    )
    return (
        cards if is_whole or options.detail is Detail.CARDS else None,
        payments if is_whole or options.detail is Detail.PAYMENTS else None,
    )
