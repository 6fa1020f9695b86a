"""The rules of Rage in our own words, for the help page and the rule card.

Source: R-cs, and `docs/decisions.md`; the numbers come from the rules themselves.
"""

from __future__ import annotations

from typing import Any

from companion.game import N_, Paragraph, Section
from companion.games.rage.cards import VALUES, Action, Colour, Joker
from companion.games.rage.lesson import Step
from companion.games.rage.moves import Rule
from companion.games.rage.position import (
    ACTION_CARDS,
    PLAYERS,
    ROUNDS,
    Bidding,
    JokerTie,
    NoTrumpThenChange,
    Options,
    Row,
    Tie,
)
from companion.games.rage.scoring import DURCH_FACTOR, FIVE, MADE, MISSED, row

JOKER_TIES = {
    JokerTie.LATER: N_(
        "Joker: announce a colour. In this trick it counts as that colour, above its %(high)s. "
        "Of two jokers of one colour the later is higher."
    ),
    JokerTie.EARLIER: N_(
        "Joker: announce a colour. In this trick it counts as that colour, above its %(high)s. "
        "Of two jokers of one colour the earlier is higher."
    ),
}
CHANGES = {
    NoTrumpThenChange.CT_WINS: N_("No trump and then a change in one trick: the new colour is trump now, and stays."),
    NoTrumpThenChange.CT_WINS_BUT_REFLIP: N_(
        "No trump and then a change in one trick: the new colour is trump in it; after the trick a new one is turned."
    ),
    NoTrumpThenChange.NT_DOMINATES: N_(
        "No trump and then a change in one trick: it stays without trump; the new colour counts from the next trick on."
    ),
}
TIES = {
    Tie.SHARED: N_("The highest total after %(rounds)s rounds wins; equal totals share the place."),
    Tie.MOST_EXACT_BIDS: N_(
        "The highest total after %(rounds)s rounds wins; of equal totals the one with more exact bids is ahead."
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
        Section(N_("Trump and bids"), _bids(options)),
        Section(N_("Tricks"), _tricks(options)),
        Section(N_("Action cards"), _action_cards(options)),
        Section(N_("Points"), _points(options)),
        Section(N_("Variants"), _variants(options, is_whole)),
        Section(N_("With the companion"), _companion(), is_of_companion=True),
    )


def _game(options: Options) -> tuple[Paragraph, ...]:
    counts = ACTION_CARDS[options.edition]
    coloured = len(Colour) * len(VALUES)
    deck = {
        "cards": coloured + sum(counts.values()),
        "colours": len(Colour),
        "high": VALUES[-1],
        "jokers": counts[Joker],
        "no_trump": counts[Action.NO_TRUMP],
        "change": counts[Action.CHANGE_OF_TRUMP],
        "plus": counts[Action.PLUS_FIVE],
        "minus": counts[Action.MINUS_FIVE],
    }
    return (
        Paragraph(
            N_("Say how many tricks you will take, and take just as many. Rage is for %(fewest)s to %(most)s players."),
            {"fewest": PLAYERS[0], "most": PLAYERS[-1]},
            (Rule.PLAYERS,),
        ),
        Paragraph(
            N_(
                "%(rounds)s rounds: everyone is dealt %(cards)s cards in the first, and one card less in each after it."
            ),
            {"rounds": ROUNDS, "cards": ROUNDS},
        ),
        Paragraph(
            N_(
                "All %(cards)s cards are shuffled for every round: %(colours)s colours from 0 to %(high)s, and as "
                "action cards %(jokers)s jokers, %(no_trump)s no trump, %(change)s change of trump, %(plus)s +5, "
                "%(minus)s −5."
            ),
            deck,
            (Rule.CARD_TWICE, Rule.ACTION_CARDS),
        ),
        Paragraph(
            N_("Agree on the first dealer; then the deal goes round to the left. The cards left over are the talon."),
            {},
            (Rule.FIRST_DEALER,),
        ),
    )


def _bids(options: Options) -> tuple[Paragraph, ...]:
    aloud = N_("From the dealer’s left, everyone says aloud how many tricks: from 0 to the number of cards in hand.")
    sealed = N_("Everyone writes down how many tricks: from 0 to the number of cards in hand.")
    is_open = options.bidding is Bidding.OPEN
    return (
        Paragraph(
            N_("Turn up the top card of the talon: its colour is trump. An action card is passed over: turn the next."),
            {},
            (Rule.TURN_FIRST,),
            "table",
            step=Step.TRUMP,
        ),
        Paragraph(
            N_("Trump stays for the round. A new card is turned only after a no trump, or for a change of trump."),
            {},
            (Rule.NO_TURN_DUE,),
        ),
        Paragraph(aloud if is_open else sealed, {}, (Rule.BID_RANGE, Rule.NOT_YOUR_TURN), step=Step.BID),
        Paragraph(
            N_(
                "Nobody plays before all bids are in; then everyone says them once more, and they stand until the "
                "round is over."
            )
            if is_open
            else N_("Nobody plays before all bids are in, and then they stand until the round is over."),
            {},
            (Rule.BID_FIRST, Rule.BIDS_CLOSED),
            "round",
            step=Step.WAIT,
        ),
    )


def _tricks(options: Options) -> tuple[Paragraph, ...]:
    follow = N_(
        "Whoever holds a card of the colour led must play one; an action card or a trump is no way out. "
        "Without that colour play anything; nobody has to trump."
    )
    joker_follows = N_(
        "Whoever holds a card of the colour led must play one, or a joker; no other card is a way out. "
        "Without that colour play anything; nobody has to trump."
    )
    return (
        Paragraph(
            N_("The dealer’s left neighbour leads first, then whoever took the trick. Clockwise, a card each."),
            step=Step.LEAD,
        ),
        Paragraph(
            N_(
                "Any card may be led. The colour led is that of the first coloured card or joker; "
                "until there is one, everyone is free."
            ),
            step=Step.FREE,
        ),
        Paragraph(
            joker_follows if options.joker_anytime else follow, {}, (Rule.FOLLOW_COLOUR, Rule.REVOKE), step=Step.FOLLOW
        ),
        Paragraph(
            N_(
                "The highest trump takes the trick; without one, the highest card of the colour led. "
                "Where only action cards lie, the first one. Tricks won lie apart before whoever won them, so that all "
                "see how many there are."
            ),
            {},
            (Rule.TRICK_WINNER,),
            "trick",
            step=Step.WINNER,
        ),
    )


def _action_cards(options: Options) -> tuple[Paragraph, ...]:
    return (
        Paragraph(JOKER_TIES[options.joker_tie], {"high": VALUES[-1]}, step=Step.JOKER),
        Paragraph(
            N_(
                "No trump, the crossed-out circle: nothing is trump in this trick, whatever lies there already. "
                "After the trick a new trump is turned, unless the round is over."
            ),
            picture="actions",
            step=Step.NO_TRUMP,
        ),
        Paragraph(
            N_(
                "Change of trump, the exclamation mark: turn talon cards up to a coloured one. Its colour is trump at "
                "once, for this trick and the rest of the round. The colour led does not change."
            ),
            step=Step.CHANGE,
        ),
        Paragraph(CHANGES[options.nt_then_ct]),
        Paragraph(N_("+5 and −5 have no colour; they count for whoever takes the trick."), step=Step.FIVE),
    )


def _points(options: Options) -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            N_("Each trick 1 point. A bid made exactly: +%(made)s, also a bid of 0; otherwise −%(missed)s."),
            {"made": MADE, "missed": -MISSED},
            (Rule.SCORE,),
            step=Step.POINTS,
        ),
        Paragraph(
            N_(
                "Each +5 in the tricks won adds %(five)s, each −5 takes %(five)s away, whether or not the bid was made."
            ),
            {"five": FIVE},
        ),
        Paragraph(
            N_(
                "The tricks of all players add up to the cards of the round. The table shows a first round of four "
                "players."
            ),
            {},
            (Rule.TALLY_SUM, Rule.COUNT_RANGE),
            table=_example(),
        ),
        Paragraph(TIES[options.tie], {"rounds": ROUNDS}, (Rule.GAME_OVER,)),
    )


def _example() -> tuple[tuple[Any, ...], ...]:
    """Score a round as an example: what was bid and won by four players, and what it counts. Source: R-cs."""
    head = (N_("Bid"), N_("Tricks"), N_("+5 and −5"), N_("Points"))
    rounds = ((3, (3, 0, 1)), (3, (1, 1, 0)), (2, (2, 0, 0)), (3, (4, 0, 0)))
    rows = ((bid, won, row(Options(), ROUNDS, bid, won)) for bid, won in rounds)
    return (head, *((bid, won[0], scored.d, _sum(scored)) for bid, won, scored in rows))


def _sum(scored: Row) -> str:
    r"""Write how the points of a round come about: tricks, bid, and what the cards count, where they do.

    >>> _sum(row(Options(), ROUNDS, 3, (3, 0, 1)))
    '3+10−5\xa0=\xa08'
    """
    parts = (f"{part:+}" for part in (scored.c, scored.d) if part)
    return "".join([str(scored.b), *parts, "\xa0=\xa0", str(scored.n)]).replace("-", "−")


def _variants(options: Options, is_whole: bool) -> tuple[Paragraph | None, ...]:
    plus_minus = Paragraph(
        N_(
            "Plus/minus one: the bids may not add up to the tricks of the round; the last bidder must see to it. "
            "Only with open bids."
        ),
        {},
        (Rule.PLUS_MINUS_ONE, Rule.OPEN_BIDS_ONLY),
        step=Step.LAST_BID,
    )
    hidden = Paragraph(
        N_("Hidden bids: everyone writes in secret; all are shown before the first trick."), step=Step.HIDDEN
    )
    secret = Paragraph(N_("Secret bids: written, and shown only when the round is over."), step=Step.SECRET)
    durch = Paragraph(
        N_(
            "Durch: who takes every trick of a round scores %(factor)s for each of them; not in the last round. All "
            "else counts as usual."
        ),
        {"factor": DURCH_FACTOR},
    )
    return (
        plus_minus if is_whole or options.plus_minus_one else None,
        hidden if is_whole or options.bidding is Bidding.HIDDEN else None,
        secret if is_whole or options.bidding is Bidding.SECRET else None,
        durch if is_whole or options.durch else None,
    )


def _companion() -> tuple[Paragraph, ...]:
    return (
        Paragraph(N_("A trick that was begun card by card is finished card by card."), {}, (Rule.TRICK_OPEN,)),
        Paragraph(
            N_("A count of the whole round keeps the tricks that are recorded already, with their +5 and −5."),
            {},
            (Rule.TALLY_LESS,),
        ),
    )
