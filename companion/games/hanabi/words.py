"""What the referee of Hanabi says, in English; gettext has the other languages.

Field terms: firework, hint, hint token, error, discard pile, deck, reward tile.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from companion import game
from companion.game import N_, Agreeing, Plural, Words
from companion.games.hanabi import contradictions, events, question
from companion.games.hanabi.cards import Card, Colour
from companion.games.hanabi.labels import FIELDS, OPTIONS, RATINGS
from companion.games.hanabi.moves import Arrange, Discard, Hint, PlayCard, Reward, Rule
from companion.games.hanabi.position import Tile
from companion.games.hanabi.rewards import NothingFits

RULES: dict[game.Rule | type[Any], str | Plural] = {
    Rule.PLAYERS: N_("Hanabi is for %(fewest)s to %(most)s players."),
    Rule.FIRST_SEAT: N_("The starting player is one of the seats; a record counts them from 0 to %(last)s."),
    Rule.ONE_BLACK: N_("In this edition black is an ordinary colour, so there can be no black powder."),
    Rule.GAME_OVER: N_("The game is over."),
    Rule.NOT_YOUR_TURN: N_("It is not your turn: %(seat)s is next."),
    Rule.REWARD_FIRST: N_("First %(seat)s reveals a reward tile: a firework was completed."),
    Rule.NO_TOKEN: N_("A hint costs a hint token, and none is available. Discard or play a card."),
    Rule.NOT_ONESELF: N_("A hint goes to another player."),
    Rule.NOBODY_TO_HINT: N_("A hint needs another player who holds cards."),
    Rule.ONE_THING: N_("A hint names one thing: say a colour or a value."),
    Rule.NOT_NAMEABLE: N_("%(colour)s may not be named in a hint here. Colours to name: %(colours)s."),
    Rule.VALUE_RANGE: N_("A value is a number from 1 to 5."),
    Rule.SLOTS: Plural(
        "The hint points at cards of %(seat)s, each once; there is %(cards)s card in that hand.",
        "The hint points at cards of %(seat)s, each once; there are %(cards)s cards in that hand.",
        by="cards",
    ),
    Rule.EMPTY_HINT: N_("At this table a hint must point at one card or more."),
    Rule.ALL_TOKENS: N_("All %(tokens)s hint tokens are available, so nothing may be discarded. Hint or play."),
    Rule.NO_CARDS: N_("There is no card left in this hand; only a hint can be given."),
    Rule.SLOT: Plural(
        "There is %(cards)s card in this hand: its place is 1; a record counts from 0.",
        "There are %(cards)s cards in this hand: their places are 1 to %(cards)s; a record counts them from 0.",
        by="cards",
    ),
    Rule.NO_SUCH_CARD: N_("There is no %(card)s in this game."),
    Rule.NO_COPY_LEFT: N_("No %(card)s is left: every copy is built or discarded already."),
    Rule.DOES_NOT_FIT: N_("%(card)s does not fit. These would fit: %(cards)s."),
    Rule.SAY_ALL: N_(
        "Say which card it is, or whom the hint goes to and what it names; where every hint is remembered, also the "
        "places in the hand."
    ),
    Rule.SAY_LESS: N_(
        "This table records no places in a hand: leave them out; where it records only tokens, leave out the hint, too."
    ),
    Rule.ORDER: Plural(
        "To arrange the hand, name its %(cards)s place once; a record counts from 0.",
        "To arrange the hand, name each of its %(cards)s places once; a record counts them from 0.",
        by="cards",
    ),
    Rule.NO_REWARD: N_("No reward tile is due: it comes when a firework is completed by its 5."),
    Rule.TILE_GONE: N_("Reward tile %(tile)s was revealed before; there is only one of it."),
    Rule.TILE_NEEDS: N_("Reward tile %(tile)s: name what it asks for, and nothing else."),
    Rule.INSTEAD: N_(
        "Only the tile that shuffles a card into the deck may be used as another one: as that for a firework, when the "
        "deck is empty."
    ),
    Rule.MUST_USE: N_("Reward tile %(tile)s can be used now, so it must be: say how."),
    Rule.NOT_DISCARDED: N_("%(card)s is not in the discard pile."),
    Rule.CONTRADICTION: N_("%(how)s"),
    Rule.SCORE: N_("The score is the sum of the fireworks; cards missing in black powder count against it."),
    Rule.FITS: N_("A card fits if it is the very next one of its own firework."),
}

EVENTS: dict[game.Rule | type[Any], game.Sentence] = {
    events.ColourHinted: Plural(
        "%(seat)s shows %(to)s the one %(colour)s card: place %(places)s.",
        "%(seat)s shows %(to)s the %(count)s %(colour)s cards: places %(places)s.",
        by="count",
    ),
    events.ValueHinted: Plural(
        "%(seat)s shows %(to)s the one card of value %(value)s: place %(places)s.",
        "%(seat)s shows %(to)s the %(count)s cards of value %(value)s: places %(places)s.",
        by="count",
    ),
    events.NoColourHinted: N_("%(seat)s tells %(to)s: no card of yours is %(colour)s."),
    events.NoValueHinted: N_("%(seat)s tells %(to)s: no card of yours has the value %(value)s."),
    events.ColourNamed: N_("%(seat)s gives %(to)s a hint: %(colour)s."),
    events.ValueNamed: N_("%(seat)s gives %(to)s a hint: the value %(value)s."),
    events.HintCounted: N_("%(seat)s gives a hint."),
    events.CardDiscarded: N_("%(seat)s discards %(card)s."),
    events.DiscardCounted: N_("%(seat)s discards a card."),
    events.CardBuilt: N_("%(seat)s plays %(card)s, and it fits."),
    events.CardFailed: N_("%(seat)s plays %(card)s, and it does not fit: error number %(errors)s."),
    events.ErrorCounted: N_("%(seat)s plays a card that does not fit: error number %(errors)s."),
    events.FireworkCompleted: Agreeing(
        "colour",
        {
            Colour.WHITE: N_("The white firework is complete."),
            Colour.RED: N_("The red firework is complete."),
            Colour.BLUE: N_("The blue firework is complete."),
            Colour.YELLOW: N_("The yellow firework is complete."),
            Colour.GREEN: N_("The green firework is complete."),
            Colour.BLACK: N_("The black firework is complete."),
            Colour.MULTICOLOUR: N_("The multicolour firework is complete."),
        },
    ),
    events.TokenRegained: Plural(
        "A hint token comes back: %(tokens)s is available.",
        "A hint token comes back: %(tokens)s are available.",
        by="tokens",
    ),
    events.TileRevealed: N_("%(seat)s reveals reward tile %(tile)s."),
    events.ErrorTakenBack: Plural(
        "An error is taken back: %(errors)s counts.", "An error is taken back: %(errors)s count.", by="errors"
    ),
    events.CardReturned: N_("%(card)s is shuffled back into the deck."),
    events.ReturnCounted: N_("A discarded card is shuffled back into the deck."),
    events.CardRecovered: N_("%(card)s goes from the discard pile to its firework."),
    events.RewardLost: N_("The reward cannot be used and is lost."),
    events.HandArranged: N_("%(seat)s arranges the hand."),
    events.LastCardDrawn: N_("The last card is drawn: everyone has one more turn, %(turns)s in all."),
    events.TurnSkipped: N_("%(seat)s has neither cards nor a hint to give and is passed over."),
    events.Perfected: N_("Every firework is complete: %(sum)s = %(score)s points, and the game is won."),
    events.Exploded: N_(
        "One error too many: everything burns, and the game is lost. Built: %(sum)s = %(raw)s. Score: %(score)s."
    ),
    events.Missed: N_(
        "A card that nothing can replace is gone, and the game is lost. Built: %(sum)s = %(raw)s. Score: %(score)s."
    ),
    events.Stranded: N_(
        "There is nobody who could go on, and the game is lost. Built: %(sum)s = %(raw)s. Score: %(score)s."
    ),
    events.Burnt: N_("The final round is over. Score: %(sum)s = %(score)s."),
    question.Scores: Plural("%(score)s point: %(tier)s.", "%(score)s points: %(tier)s.", by="score"),
    question.CanReach: Plural(
        "With the cards that are left, %(score)s point can be reached.",
        "With the cards that are left, %(score)s points can be reached.",
        by="score",
    ),
    question.AreCritical: N_("Only one copy is left of: %(cards)s."),
    question.NoneCritical: N_("No card is down to its last copy."),
    question.Fits: N_("Yes: %(card)s fits."),
    question.FitsNot: N_("No: %(card)s does not fit, and would be an error. These would fit: %(cards)s."),
    question.HintShows: Plural(
        "Yes: it shows the card at place %(places)s, %(cards)s.",
        "Yes: it shows %(count)s cards, at the places %(places)s: %(cards)s.",
        by="count",
    ),
    question.HintShowsNone: N_("Yes: it says that there is no such card in the hand."),
    question.MayNotHint: N_("No, this hint may not be given."),
    question.CardCanBe: N_("It can be: %(cards)s."),
    question.CardCanBeNothing: N_("No card goes with all of that: look again at what was said and seen."),
    question.FitsNothing: N_("No: %(card)s does not fit, for every firework is complete."),
}

THINGS: dict[game.Rule | type[Any], game.Sentence] = {
    Card: Agreeing(
        "colour",
        {
            Colour.WHITE: N_("white %(value)s"),
            Colour.RED: N_("red %(value)s"),
            Colour.BLUE: N_("blue %(value)s"),
            Colour.YELLOW: N_("yellow %(value)s"),
            Colour.GREEN: N_("green %(value)s"),
            Colour.BLACK: N_("black %(value)s"),
            Colour.MULTICOLOUR: N_("multicolour %(value)s"),
        },
    ),
    events.Term: N_("%(colour)s %(points)s"),
    events.Plus: N_("%(sum)s + %(colour)s %(points)s"),
    events.Less: N_("%(sum)s − %(colour)s %(points)s"),
    contradictions.IsColour: N_("This card is %(colour)s."),
    contradictions.IsNotColour: N_("This card is not %(colour)s."),
    contradictions.IsValue: N_("This card has the value %(value)s."),
    contradictions.IsNotValue: N_("This card does not have the value %(value)s."),
    contradictions.Belied: N_("%(card)s contradicts what %(seat)s said of it in entry %(number)s: “%(hint)s”"),
    contradictions.Opposed: N_(
        "Entry %(number)s, %(seat)s: “%(hint)s” Entry %(now)s, %(by)s: “%(said)s” Both are about the card of %(to)s at "
        "place %(place)s, and one of them is wrong."
    ),
    contradictions.TooMany: N_(
        "Entry %(now)s, %(by)s: this hint shows more of these cards than are left: %(cards)s. Something is wrong."
    ),
    contradictions.TooManyTogether: N_(
        "%(hints)s: together the hints show more of these cards than are left: %(cards)s. One of them is wrong."
    ),
    contradictions.OpposedTogether: N_(
        "Of the card of %(to)s at place %(place)s: %(hints)s No card is all that, and one of them is wrong."
    ),
    contradictions.Quoted: N_("entry %(number)s, %(seat)s: “%(hint)s”"),
    contradictions.Given: N_("entry %(number)s, %(seat)s"),
    Hint: N_("hint of %(seat)s"),
    Discard: N_("discard of %(seat)s"),
    PlayCard: N_("card of %(seat)s"),
    Reward: N_("reward tile of %(seat)s"),
    Arrange: N_("new order of the hand of %(seat)s"),
    NothingFits: N_("none, and the reward is lost"),
}

NAMES: dict[Enum, str] = {
    Colour.WHITE: N_("white"),
    Colour.RED: N_("red"),
    Colour.BLUE: N_("blue"),
    Colour.YELLOW: N_("yellow"),
    Colour.GREEN: N_("green"),
    Colour.BLACK: N_("black"),
    Colour.MULTICOLOUR: N_("multicolour"),
    Tile.T1: N_("“a hint token”"),
    Tile.T2: N_("“an error and a hint token”"),
    Tile.T3: N_("“a colour hint”"),
    Tile.T4: N_("“a value hint”"),
    Tile.T5: N_("“a discarded card into the deck”"),
    Tile.T6: N_("“a discarded card to its firework”"),
    **RATINGS,
}

WORDS = Words(sentences=RULES | EVENTS | THINGS, names=NAMES, options=OPTIONS, fields=FIELDS)
