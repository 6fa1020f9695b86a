"""Everything true of a play of Hanabi, as far as the referee can know it: never a face in a hand.

Source: H-cs, H-es, H-pl; `docs/decisions.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from companion.games.hanabi.cards import VALUES, Card, Colour, Suit
from companion.games.hanabi.options import Options

PLAYERS = range(2, 6)
HAND = {2: 5, 3: 5, 4: 4, 5: 4}
"""Players -> cards in each hand."""
FULL = len(VALUES)
"""Cards in a complete firework."""


class Result(Enum):
    """How the table stands with the game."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"
    ENDED = "ended"


class Ending(Enum):
    """What ended the game."""

    NONE = "none"
    """It goes on."""
    PERFECTION = "perfection"
    """Every firework is complete. Source: H4, H29."""
    EXPLOSION = "explosion"
    """The last error allowed was made. Source: H2, H23."""
    INDISPENSABLE = "indispensable"
    """Endless: a card without which a firework cannot be completed is lost. Source: H19."""
    STUCK = "stuck"
    """Endless: a player (or everyone) has neither cards nor hints to give. Source: H18."""
    LAST_TURN = "last_turn"
    """The final round is over. Source: H5."""


RESULTS = {
    Ending.NONE: Result.PLAYING,
    Ending.PERFECTION: Result.WON,
    Ending.EXPLOSION: Result.LOST,
    Ending.INDISPENSABLE: Result.LOST,
    Ending.STUCK: Result.LOST,
    Ending.LAST_TURN: Result.ENDED,
}


class Tile(Enum):
    """The six reward tiles, one each. Source: H-pl, Five Flamboyants; H31."""

    T1 = "T1"
    """A hint token back."""
    T2 = "T2"
    """An error and a hint token back."""
    T3 = "T3"
    """A colour hint for nothing."""
    T4 = "T4"
    """A value hint for nothing."""
    T5 = "T5"
    """A discarded card goes back into the deck."""
    T6 = "T6"
    """A discarded card goes to its firework."""


Clue = Colour | int
"""What a hint names: a colour or a value."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What one hint said about one card."""

    clue: Clue
    is_touched: bool
    """Whether the card was shown as one of these, or as none of them."""
    seat: int
    """Who gave the hint."""
    number: int
    """Which move of the play it was, from 1."""
    is_doubted: bool = False
    """Whether it was remarked upon that this cannot be true beside another hint. Source: H33."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a hand, with the hints that its card got while it was there, the first one first."""

    marks: tuple[Mark, ...] = ()


Hand = tuple[Slot, ...]
"""From left to right; a drawn card enters at the right."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything true of a play of Hanabi that the referee can know."""

    options: Options
    suits: tuple[Suit, ...]
    seats: int
    turn: int
    """The seat whose turn it is, or was when the game ended."""
    deck: int
    """Cards left to draw."""
    tokens: int
    """Hint tokens available."""
    fireworks: tuple[int, ...]
    """Cards built, per suit."""
    discards: tuple[tuple[int, ...], ...]
    """Copies in the discard pile, per suit, of the values 1 to 5."""
    hands: tuple[Hand, ...]
    """One per seat, clockwise from seat 0."""
    errors: int = 0
    unnamed: int = 0
    """Cards in the discard pile that nobody named; 0 where cards are recorded."""
    tiles: tuple[Tile, ...] = ()
    """The reward tiles revealed so far, the first one first."""
    is_reward_due: bool = False
    """A tile must be revealed before the turn goes on."""
    turns_left: int | None = None
    """Turns of the final round; None before the last card is drawn, and in the endless variant."""
    ending: Ending = Ending.NONE
    moves: int = 0
    """How many moves were made."""
    turns: int = 0
    """How many turns were taken to their end."""
    arranged: tuple[tuple[int, ...], ...] = ()
    """What was where in each hand before it was put in this order: cards of which nothing was said look alike."""

    @property
    def is_finished(self) -> bool:
        """Whether the game is over."""
        return self.ending is not Ending.NONE

    @property
    def result(self) -> Result:
        """How the table stands with the game."""
        return RESULTS[self.ending]

    @property
    def to_move(self) -> int | None:
        """The seat that hints, discards, plays or reveals next; None at the end."""
        return None if self.is_finished else self.turn

    def index(self, card: Card) -> int | None:
        """Find the suit of a card; None if there is no such card in this game."""
        for index, suit in enumerate(self.suits):
            if suit.colour is card.colour:
                return index
        return None

    def is_built(self, card: Card) -> bool:
        """Say whether a copy of a card of this game lies in its firework."""
        index = self.index(card)
        return index is not None and self.suits[index].place(card.value) < self.fireworks[index]

    def fits(self, card: Card) -> bool:
        """Say whether a card of this game is the next one of its firework. Source: H27."""
        index = self.index(card)
        return index is not None and self.suits[index].place(card.value) == self.fireworks[index]

    def discarded(self, card: Card) -> int:
        """Count the copies of a card of this game that were seen to go to the discard pile, and still lie there."""
        index = self.index(card)
        return 0 if index is None else self.discards[index][card.value - 1]

    def left(self, card: Card) -> int:
        """Count the copies of a card that are neither built nor seen in the discard pile."""
        index = self.index(card)
        if index is None:
            return 0
        return self.suits[index].left(card.value, self.fireworks[index], self.discards[index][card.value - 1])

    def cards(self) -> Iterator[Card]:
        """Yield each different card of this game once."""
        return (Card(suit.colour, value) for suit in self.suits for value in VALUES)

    def next_cards(self) -> Iterator[Card]:
        """Yield the cards that fit now."""
        built = zip(self.suits, self.fireworks, strict=True)
        return (suit.card(place) for suit, place in built if place < FULL)

    def holds_elsewhere(self, seat: int) -> int:
        """Count the cards that the other seats hold."""
        return sum(map(len, self.hands)) - len(self.hands[seat])

    def may_do_something(self, seat: int) -> bool:
        """Say whether a seat could do anything in a turn of its own. Source: H18."""
        return bool(self.hands[seat]) or bool(self.tokens and self.holds_elsewhere(seat))
