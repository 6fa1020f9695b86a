"""The rules of Ikebana in our own words, for the help page and the rule card.

Source: I-es, and `docs/decisions.md`; the numbers come from the rules themselves.
"""

from __future__ import annotations

from companion.game import N_, Paragraph, Section
from companion.games.ikebana.bouquet import FINAL_FACTOR, RUNS, SIZE, Mix, Wild
from companion.games.ikebana.cards import CARDS, COPIES_OF_VALUE, VALUES, Colour
from companion.games.ikebana.moves import Rule
from companion.games.ikebana.position import PLAYERS, PRESTIGE, ROUNDS, Detail, NextStarter, Options

FIVE = len(Colour) - 1
"""The colours besides the multicolour cards."""
WILDS = {
    Wild.COLOUR: N_(
        "There are %(wilds)s multicolour cards, one of each value. They are wild: each takes the colour that helps "
        "most."
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


def rule_card(options: Options | None) -> tuple[Section, ...]:
    """Write the rules for a table; None: for the usual choices, with every variant."""
    chosen = options or Options()
    return (
        Section(N_("The game"), _game(chosen)),
        Section(N_("Draw a card …"), _draw()),
        Section(N_("… or buy one"), _buy()),
        Section(N_("The worth of a bouquet"), _worth()),
        Section(N_("Rounds and the end"), _end(chosen)),
        Section(N_("Variants"), _variants(options)),
        Section(N_("With the companion"), _companion(options)),
    )


def _game(options: Options) -> tuple[Paragraph, ...]:
    copies = tuple(COPIES_OF_VALUE[value] for value in VALUES)
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
            N_(
                "%(cards)s cards. Of the values %(low)s to %(high)s each of the %(colours)s colours has %(copies)s "
                "cards."
            ),
            {"cards": CARDS, "low": VALUES[0], "high": VALUES[-1], "colours": FIVE, "copies": copies},
            (Rule.CARD_GONE,),
        ),
        Paragraph(WILDS[options.wild], {"wilds": CARDS - FIVE * sum(copies)}),
        Paragraph(
            N_("Everyone begins with %(prestige)s points of prestige. Whoever wears the most colours starts."),
            {"prestige": PRESTIGE},
            (Rule.FIRST_SEAT,),
        ),
        Paragraph(
            N_(
                "Clockwise, each turn adds one card to one’s open bouquet. At its start choose: draw or buy. "
                "Who has drawn may not buy any more."
            ),
            {},
            (Rule.NOT_YOUR_TURN, Rule.BUY_AFTER_DRAWING),
        ),
    )


def _draw() -> tuple[Paragraph, ...]:
    return (
        Paragraph(N_("Draw a card and keep it; or refuse it, pay, and draw the next. You need not refuse any.")),
        Paragraph(
            N_(
                "The first refusal of a turn costs 1 point, the second 2, and so on. The first goes to your left "
                "neighbour, the second to the next player, round and round, past yourself."
            ),
            picture="payment",
        ),
        Paragraph(
            N_("Who cannot pay the whole price must keep the card. There is no credit."),
            {},
            (Rule.CANNOT_REFUSE,),
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
        ),
        Paragraph(N_("The card beneath can then be bought by the next player.")),
    )


def _worth() -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_("The combinations of a bouquet add up; each card counts in one of them. The total is multiplied once."),
            {},
            (Rule.BEST_READING,),
        ),
        Paragraph(N_("Two to five cards of one value count as much as their values together.")),
        Paragraph(
            N_(
                "Runs of any colours: %(v1)s to %(v4)s counts %(low)s, %(v2)s to %(v5)s %(high)s, %(v1)s to %(v5)s "
                "%(whole)s."
            ),
            _runs(),
        ),
        Paragraph(
            N_(
                "Times %(one)s when all cards are of one colour, times %(five)s with five cards of five colours, "
                "times %(two)s with just two colours; only the highest counts."
            ),
            {
                "one": Mix.UNICOLOUR.value,
                "five": Mix.MULTICOLOUR.value,
                "two": Mix.BICOLOUR.value,
            },
        ),
    )


def _runs() -> dict[str, object]:
    """Name the three runs by their ends, with their points."""
    whole, high, low = RUNS
    ends = {"v1": low[0], "v4": low[-1], "v2": high[0], "v5": high[-1]}
    return {**ends, "low": RUNS[low], "high": RUNS[high], "whole": RUNS[whole]}


def _end(options: Options) -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_("A round is over when everyone has %(size)s cards. The bouquets are scored and added to the prestige."),
            {"size": SIZE},
            (Rule.BOUQUETS_DUE, Rule.BOUQUET_GROWING),
        ),
        Paragraph(STARTERS[options.next_starter]),
        Paragraph(
            N_("After %(rounds)s rounds the most prestige wins; who is level shares the victory."),
            {"rounds": ROUNDS},
            (Rule.GAME_OVER,),
        ),
    )


def _variants(options: Options | None) -> tuple[Paragraph | None, ...]:
    final = Paragraph(
        N_("Final bouquet: the bouquets of the last round count %(factor)s times their worth."),
        {"factor": FINAL_FACTOR},
    )
    return (final if options is None or options.final_bouquet else None,)


def _companion(options: Options | None) -> tuple[Paragraph | None, ...]:
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
        cards if options is None or options.detail is Detail.CARDS else None,
        payments if options is None or options.detail is Detail.PAYMENTS else None,
    )
