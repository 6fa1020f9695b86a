"""Everything true of a play of Rage: its options, the score sheet, the round, the trick.

Source: R-cs; points that it leaves open are settled in `docs/decisions.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from companion.games.rage.cards import Action, Card, Colour, Coloured, Joker, led_colour
from companion.games.rage.moves import Count

RULES = 2
"""The version of today's rules. By the first one a count of the round did not heed the trick on the table."""
ROUNDS = 10
PLAYERS = range(3, 9)


class Bidding(Enum):
    """How bids are made. Source: R-cs, variants."""

    OPEN = "open"
    """In turn, aloud."""
    HIDDEN = "hidden"
    """Written down, revealed together before the first trick."""
    SECRET = "secret"
    """Written down, revealed at the end of the round."""


class Tie(Enum):
    """Who wins when totals are equal. Source: decided here, R2."""

    SHARED = "shared"
    MOST_EXACT_BIDS = "most_exact_bids"


class JokerTie(Enum):
    """Which of two jokers of one colour is higher. Source: R-cs; R5."""

    LATER = "later"
    EARLIER = "earlier"


class NoTrumpThenChange(Enum):
    """What a change of trump does in a trick that already holds a no trump. Source: decided here, R7."""

    CT_WINS = "ct_wins"
    CT_WINS_BUT_REFLIP = "ct_wins_but_reflip"
    NT_DOMINATES = "nt_dominates"


class Edition(Enum):
    """Which box is on the table: it decides how many action cards there are. Source: R22."""

    AMIGO_2000 = "amigo_2000"
    """112 cards."""
    AMIGO_1985 = "amigo_1985"
    """108 cards."""
    US = "us"
    """110 cards."""


ACTION_CARDS: Mapping[Edition, Mapping[Action | type[Joker], int]] = {
    Edition.AMIGO_2000: {
        Joker: 2,
        Action.NO_TRUMP: 4,
        Action.CHANGE_OF_TRUMP: 4,
        Action.PLUS_FIVE: 3,
        Action.MINUS_FIVE: 3,
    },
    Edition.AMIGO_1985: {
        Joker: 2,
        Action.NO_TRUMP: 3,
        Action.CHANGE_OF_TRUMP: 3,
        Action.PLUS_FIVE: 2,
        Action.MINUS_FIVE: 2,
    },
    Edition.US: {
        Joker: 2,
        Action.NO_TRUMP: 4,
        Action.CHANGE_OF_TRUMP: 4,
        Action.PLUS_FIVE: 2,
        Action.MINUS_FIVE: 2,
    },
}


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose."""

    edition: Edition = Edition.AMIGO_2000
    bidding: Bidding = Bidding.OPEN
    plus_minus_one: bool = False
    """The bids may not add up to the number of tricks. Source: R-cs, variants."""
    durch: bool = False
    """Who takes every trick of a round scores two for each. Source: R-cs, variants; R15."""
    tie: Tie = Tie.SHARED
    joker_tie: JokerTie = JokerTie.LATER
    joker_anytime: bool = False
    """Whether a joker may be played by who could follow. Source: R12."""
    nt_then_ct: NoTrumpThenChange = NoTrumpThenChange.CT_WINS
    first_dealer: int | None = None
    """None: the last seat, so that seat 0 bids first. Source: R1."""


class Talon(Enum):
    """What is known of the trump card on the table."""

    CLOSED = "closed"
    """None was turned in this round; no cards can be played yet."""
    UP = "up"
    """The trump (or that there is none in this trick) is known."""
    DUE = "due"
    """The next card must be turned before anything else is played."""
    UNSURE = "unsure"
    """The last trick was recorded as a whole: a new trump may have been turned, and may be told."""


class Way(Enum):
    """How a table records its tricks."""

    COUNT = "count"
    TRICKS = "tricks"
    CARDS = "cards"


@dataclass(frozen=True, slots=True)
class Row:
    """One seat's line of a finished round, with the columns of the score sheet."""

    a: int
    """The bid."""
    b: int
    """Points for tricks."""
    c: int
    """Points for the bid."""
    d: int
    """Points of action cards."""
    tricks: int
    plus: int
    """+5 cards won."""
    minus: int
    """−5 cards won."""

    @property
    def n(self) -> int:
        """The round's total."""
        return self.b + self.c + self.d


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round: one row per seat, clockwise from seat 0."""

    cards: int
    dealer: int
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A seat has played a card."""

    seat: int
    card: Card
    trick: int
    """The number of the trick, from 1."""


@dataclass(frozen=True, slots=True)
class Void:
    """A seat has not followed a colour."""

    seat: int
    colour: Colour
    card: Card
    """What it played instead."""
    trick: int
    """The number of the trick, from 1."""
    acts: int
    """How many acts the round had before it."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything true of a play of Rage. Tuples hold one entry per seat, clockwise from seat 0."""

    options: Options
    seats: int
    sheet: tuple[Round, ...]
    """The finished rounds, the first one first."""
    bids: tuple[int | None, ...]
    counts: tuple[Count | None, ...]
    taken: tuple[int, ...]
    """Tricks won in this round."""
    plus: tuple[int, ...]
    """+5 cards won in this round."""
    minus: tuple[int, ...]
    """−5 cards won in this round."""
    leader: int
    """Who leads the trick."""
    trick: tuple[Card, ...] = ()
    """The cards of the trick so far, the leader's first."""
    talon: Talon = Talon.CLOSED
    turned: Colour | None = None
    """The colour of the trump card; None while none lies there."""
    is_without_trump: bool = False
    """A no trump holds in this trick."""
    is_returning: bool = False
    """After this trick a new trump will be turned."""
    seen: tuple[Card, ...] = ()
    """Cards of this round that were turned or played, in order."""
    plays: tuple[Played, ...] = ()
    """Who played which of them, in order."""
    voids: tuple[Void, ...] = ()
    """Those of this round that no later card has put in doubt, in order."""
    acts: int = 0
    """How many cards, tricks and counts were told in this round."""
    way_before: Way = Way.COUNT
    """How the round before was recorded."""
    rules: int = RULES
    """The version of the rules by which it is played."""

    @property
    def is_finished(self) -> bool:
        """Whether all rounds are scored."""
        return len(self.sheet) == ROUNDS

    @property
    def round(self) -> int:
        """The number of this round, from 1; the last one when the game is over."""
        return min(len(self.sheet) + 1, ROUNDS)

    @property
    def cards(self) -> int:
        """How many cards each seat was dealt, and so how many tricks there are."""
        return max(ROUNDS - len(self.sheet), 1)

    @property
    def dealer(self) -> int:
        """Who deals this round. Source: R-cs; R1."""
        first, before = self.options.first_dealer, min(len(self.sheet), ROUNDS - 1)
        return ((self.seats - 1 if first is None else first) + before) % self.seats

    @property
    def way(self) -> Way:
        """How this table records its tricks: read off what it did last, so that the page offers that first."""
        if self.talon is not Talon.CLOSED:
            return Way.CARDS
        if any(self.taken):
            return Way.TRICKS
        return Way.COUNT if any(self.counts) else self.way_before

    @property
    def trump(self) -> Colour | None:
        """The trump that holds now; None without one, or while it is to be turned."""
        return None if self.is_without_trump or self.talon is Talon.DUE else self.turned

    @property
    def led(self) -> Colour | None:
        """The colour to follow; None before there is one."""
        return led_colour(self.trick)

    @property
    def are_bids_in(self) -> bool:
        """Whether every seat has bid."""
        return None not in self.bids

    @property
    def are_bids_open(self) -> bool:
        """Whether everyone may know the bids of this round."""
        bidding = self.options.bidding
        return bidding is Bidding.OPEN or self.is_finished or (bidding is Bidding.HIDDEN and self.are_bids_in)

    @property
    def to_move(self) -> int | None:
        """The seat that bids or plays next; None while bids are sealed, a talon card comes first, or at the end."""
        to_bid = self.bids.count(None)
        if to_bid:
            is_open = self.options.bidding is Bidding.OPEN
            return (self.dealer + 1 - to_bid) % self.seats if is_open else None
        if self.is_finished or (self.trick and self.talon is Talon.DUE):
            return None
        return (self.leader + len(self.trick)) % self.seats

    def left(self, kind: Card | type[Joker]) -> int:
        """Count the copies of a card that were not seen in this round."""
        if isinstance(kind, Coloured):
            return int(kind not in self.seen)
        if isinstance(kind, Action):
            return left_of(kind, self.options.edition, self.seen)
        return ACTION_CARDS[self.options.edition][Joker] - sum([isinstance(card, Joker) for card in self.seen])


def left_of(action: Action, edition: Edition, seen: tuple[Card, ...]) -> int:
    """Count the copies of an action card in a box that are not among those seen."""
    return ACTION_CARDS[edition][action] - sum([card is action for card in seen])
