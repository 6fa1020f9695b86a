"""What the referee of Rage says, in English; gettext has the other languages.

Field terms: trick, trump, to follow, talon, dealer, bid.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from companion import game
from companion.game import N_, Agreeing, Label, Plural, Words
from companion.games.rage import cards_asked, points_asked
from companion.games.rage.cards import Action, BareJoker, Colour, Coloured, Joker
from companion.games.rage.ending import AheadByExactBids, PlaceShared
from companion.games.rage.moves import (
    Bid,
    BidMade,
    BidRevealed,
    BidSealed,
    CardPlayed,
    CardTurned,
    Count,
    CountTold,
    CountWithFivesTold,
    GameEnded,
    PlayCard,
    RoundScored,
    RoundTallied,
    Rule,
    Tally,
    Trick,
    TrickTaken,
    TrickWithFivesTaken,
    TrumpTurned,
    Turn,
)
from companion.games.rage.terms import BidMet, BidMissed, EveryTrick, MinusFives, PlusFives, TricksWon
from companion.games.rage.whys import (
    AllSeen,
    FivesLeft,
    LessThanNone,
    LieInTrick,
    LiesAsTrump,
    Missing,
    NoRoom,
    NoRoomBeside,
    PlayedBefore,
    Recorded,
    TooMany,
    WasTurned,
)

RULES: dict[game.Rule | type[Any], str | Plural] = {
    Rule.PLAYERS: N_("Rage is for %(fewest)s to %(most)s players."),
    Rule.FIRST_DEALER: N_("The first dealer is one of the %(seats)s players: a record counts them from 0 to %(last)s."),
    Rule.GAME_OVER: N_("All ten rounds are played; the game is over."),
    Rule.NOT_YOUR_TURN: N_("It is not your turn: %(seat)s is next."),
    Rule.TURN_FIRST: N_("First turn up a talon card: a new trump is due."),
    Rule.NO_TURN_DUE: N_("The trump is known; no talon card is turned now."),
    Rule.BIDS_CLOSED: N_("All bids are in; they stand until the end of the round."),
    Rule.BID_RANGE: N_("A bid is a number from 0 to %(most)s, the tricks of this round."),
    Rule.BID_FIRST: N_("All bids come before the first trick. Still to bid: %(seats)s."),
    Rule.PLUS_MINUS_ONE: Plural(
        "Plus/minus one: with %(tricks)s the bids would add up to the one trick of this round. You may bid %(open)s.",
        "Plus/minus one: with %(tricks)s the bids would add up to the %(cards)s tricks. You may bid %(open)s.",
        by="cards",
    ),
    Rule.OPEN_BIDS_ONLY: N_("Plus/minus one needs open bids: with sealed ones nobody bids last."),
    Rule.FOLLOW_COLOUR: N_("%(colour)s was led and must be followed; %(card)s may not be played."),
    Rule.TRICK_WINNER: N_("The highest trump wins the trick; without one, the highest card of the colour led."),
    Rule.REVOKE: N_(
        "%(seat)s played %(card)s to %(colour)s in trick %(trick)s, and now plays %(now)s: one of the two is entered "
        "wrong, or the colour was not followed."
    ),
    Rule.CARD_TWICE: N_("%(card)s cannot come again: %(seen)s."),
    Rule.TRICK_OPEN: N_("This trick was begun card by card; play it out so."),
    Rule.ACTION_CARDS: N_("That cannot be: %(why)s."),
    Rule.TALLY_LESS: N_("There cannot be less than is recorded already: %(known)s."),
    Rule.TALLY_SUM: Plural(
        "%(added)s = %(told)s, but this round has one trick: %(off)s.",
        "%(added)s = %(told)s, but this round has %(cards)s tricks: %(off)s.",
        by="cards",
    ),
    Rule.COUNT_RANGE: Plural(
        "%(seat)s cannot have %(told)s tricks: this round has one.",
        "%(seat)s cannot have %(told)s tricks: this round has %(cards)s.",
        by="cards",
    ),
    Rule.SCORE: N_("Each trick counts one, an exact bid ten, any other minus five; each +5 and −5 counts as printed."),
}

EVENTS: dict[game.Rule | type[Any], str | Plural] = {
    CardTurned: N_("%(card)s was turned up; the next card decides."),
    TrumpTurned: N_("%(card)s was turned up: %(colour)s is trump."),
    BidMade: N_("%(seat)s bids %(tricks)s."),
    BidSealed: N_("%(seat)s has written down a bid."),
    BidRevealed: N_("%(seat)s had bid %(tricks)s."),
    CardPlayed: N_("%(seat)s plays %(card)s."),
    TrickTaken: N_("%(seat)s takes the trick."),
    TrickWithFivesTaken: N_("%(seat)s takes the trick, with %(fives)s."),
    CountTold: N_("%(seat)s counts %(tricks)s."),
    CountWithFivesTold: N_("%(seat)s counts %(tricks)s, with %(fives)s."),
    RoundTallied: N_("Round %(round)s is counted."),
    RoundScored: N_("%(seat)s scores %(points)s: %(terms)s."),
    cards_asked.CardWins: N_("Card number %(place)s wins the trick: %(card)s."),
    cards_asked.TrumpWins: N_("It is the highest card of the trump, %(colour)s."),
    cards_asked.LedWins: N_("No trump beats it: it is the highest card of the colour led, %(colour)s."),
    cards_asked.FirstWins: N_("Only action cards were played, so the first one wins."),
    cards_asked.MayPlay: N_("Yes: %(card)s may be played."),
    cards_asked.MayNotPlay: N_("No: %(card)s may not be played, for %(colour)s must be followed."),
    cards_asked.NoTrumpHere: N_("No trump: there is none in this trick, and trumps played are ordinary cards."),
    cards_asked.TrumpFromNow: N_("From now on %(colour)s is trump."),
    cards_asked.TrumpToTurn: N_("After the trick a new trump is turned up."),
    cards_asked.OpenCards: N_("From this hand may be played: %(cards)s."),
    points_asked.RoundBrings: N_("The round brings: %(scores)s."),
    points_asked.Terms: N_("%(name)s: tricks %(tricks)s, bid %(bid)s, action cards %(fives)s."),
    points_asked.LastMayBid: N_("Whoever bids last may bid %(open)s."),
    points_asked.LastMayNotBid: N_("Not %(tricks)s: then the bids would add up to the tricks."),
    AheadByExactBids: N_("%(ahead)s and %(behind)s have equal totals; exact bids decide, %(more)s to %(fewer)s."),
    PlaceShared: N_("Equal totals: %(seats)s share place %(rank)s."),
    GameEnded: N_("The game is over. First place: %(winners)s."),
}

THINGS: dict[game.Rule | type[Any], game.Sentence] = {
    points_asked.Scored: N_("%(name)s %(points)s"),
    Coloured: Agreeing(
        "colour",
        {
            Colour.BLUE: N_("blue %(value)s"),
            Colour.GREEN: N_("green %(value)s"),
            Colour.RED: N_("red %(value)s"),
            Colour.YELLOW: N_("yellow %(value)s"),
            Colour.PURPLE: N_("purple %(value)s"),
            Colour.ORANGE: N_("orange %(value)s"),
        },
    ),
    Joker: N_("joker %(colour)s"),
    BareJoker: N_("joker"),
    TricksWon: Plural("%(tricks)s trick +%(points)s", "%(tricks)s tricks +%(points)s", by="tricks"),
    EveryTrick: N_("Durch, all %(tricks)s tricks +%(points)s"),
    BidMet: N_("bid of %(bid)s made +%(points)s"),
    BidMissed: N_("bid of %(bid)s missed %(points)s"),
    PlusFives: Plural("one +5", "%(cards)s × +5: +%(points)s", by="cards"),
    MinusFives: Plural("one −5", "%(cards)s × −5: %(points)s", by="cards"),
    PlayedBefore: N_("%(seat)s played it in trick %(trick)s"),
    LiesAsTrump: N_("it is the trump card on the table"),
    WasTurned: N_("it was turned up in this round"),
    AllSeen: Plural(
        "the box has one of it, and this round has seen it",
        "the box has %(copies)s of it, and this round has seen them all",
        by="copies",
    ),
    Missing: Plural(
        "one is missing",
        "%(tricks)s are missing",
        by="tricks",
    ),
    TooMany: Plural("one too many", "%(tricks)s too many", by="tricks"),
    LessThanNone: N_("a number of cards is never below 0"),
    FivesLeft: N_("%(told)s × %(five)s told, %(left)s left in this round"),
    NoRoom: Plural(
        "so many tricks hold %(cards)s card in all, and %(told)s × ±5 are told",
        "so many tricks hold %(cards)s cards in all, and %(told)s × ±5 are told",
        by="cards",
    ),
    NoRoomBeside: N_("%(told)s × ±5 told, and beside the cards on the table so many tricks have room for %(cards)s"),
    Recorded: N_("%(seat)s has tricks %(tricks)s, +5 %(plus)s, −5 %(minus)s"),
    LieInTrick: N_("whoever takes the trick on the table has %(cards)s from it"),
    Turn: N_("turn a talon card"),
    Bid: N_("bid of %(seat)s"),
    PlayCard: N_("card of %(seat)s"),
    Trick: N_("trick of %(seat)s"),
    Count: N_("count of %(seat)s"),
    Tally: N_("count of the round"),
}

NAMES: dict[Enum, str] = {
    Colour.BLUE: N_("blue"),
    Colour.GREEN: N_("green"),
    Colour.RED: N_("red"),
    Colour.YELLOW: N_("yellow"),
    Colour.PURPLE: N_("purple"),
    Colour.ORANGE: N_("orange"),
    Action.NO_TRUMP: N_("no trump"),
    Action.CHANGE_OF_TRUMP: N_("change of trump"),
    Action.PLUS_FIVE: N_("+5"),
    Action.MINUS_FIVE: N_("−5"),
}

OPTIONS: dict[str | tuple[str, object], Label] = {
    "bidding": Label(N_("Bidding"), N_("How everyone says how many tricks they will take.")),
    ("bidding", "open"): Label(N_("Open"), N_("Aloud, in turn from the dealer’s left.")),
    ("bidding", "hidden"): Label(N_("Hidden"), N_("In secret; all bids are shown before the first trick.")),
    ("bidding", "secret"): Label(N_("Secret"), N_("In secret; the bids are shown when the round is over.")),
    "plus_minus_one": Label(
        N_("Plus/minus one"),
        N_("The bids may not add up to the number of tricks: the last bidder must see to it."),
    ),
    "durch": Label(N_("Durch"), N_("Who takes every trick of a round scores two for each, but not in the last round.")),
    "tie": Label(N_("Equal totals"), N_("Who wins when the totals are equal.")),
    ("tie", "shared"): Label(N_("Shared"), N_("They share the place.")),
    ("tie", "most_exact_bids"): Label(N_("More exact bids"), N_("Whoever made more bids exactly is ahead.")),
    "joker_tie": Label(N_("Two jokers of one colour"), N_("Which one is higher.")),
    ("joker_tie", "later"): Label(N_("The later"), N_("The second joker beats the first.")),
    ("joker_tie", "earlier"): Label(N_("The earlier"), N_("The first joker beats the second.")),
    "joker_anytime": Label(N_("Joker at any time"), N_("A joker may be played even by who could follow the colour.")),
    "nt_then_ct": Label(N_("Change of trump after no trump"), N_("Both cards lie in one trick, the change later.")),
    ("nt_then_ct", "ct_wins"): Label(N_("The change wins"), N_("Its colour is trump now and stays.")),
    ("nt_then_ct", "ct_wins_but_reflip"): Label(
        N_("The change wins this trick"), N_("After the trick a new trump is turned.")
    ),
    ("nt_then_ct", "nt_dominates"): Label(
        N_("No trump in this trick"), N_("The new colour is trump from the next trick on.")
    ),
    "edition": Label(N_("Edition"), N_("Which box is on the table: it decides how many action cards there are.")),
    ("edition", "amigo_2000"): Label(N_("2000, 112 cards"), N_("4 no trump, 4 change of trump, 3 +5, 3 −5, 2 jokers.")),
    ("edition", "amigo_1985"): Label(N_("1985, 108 cards"), N_("3 no trump, 3 change of trump, 2 +5, 2 −5, 2 jokers.")),
    ("edition", "us"): Label(
        N_("US, 110 cards"), N_("4 no trump, 4 change of trump, 2 +5, 2 −5, 2 jokers; the first joker wins.")
    ),
    "first_dealer": Label(N_("First dealer"), N_("The seat to the left of the dealer bids first.")),
}

FIELDS = {
    "seat": N_("Player"),
    "card": N_("Card"),
    "tricks": N_("Tricks"),
    "plus": N_("+5 cards"),
    "minus": N_("−5 cards"),
}

WORDS = Words(sentences=RULES | EVENTS | THINGS, names=NAMES, options=OPTIONS, fields=FIELDS)
