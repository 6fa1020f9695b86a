"""What can be asked at a table of Rage, the rules that can stand in its way, and what then happens.

Source: R-cs, and `docs/decisions.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion import game
from companion.game import Seat
from companion.games.rage.cards import Card, Colour


class Rule(game.Rule):
    """What the referee of Rage cites."""

    PLAYERS = "rage.players", "R-cs, components; R23"
    FIRST_DEALER = "rage.first_dealer", "decided here, R1"
    GAME_OVER = "rage.game_over", "R-cs, end of the game"
    NOT_YOUR_TURN = "rage.not_your_turn", "R-cs, bidding and trick play"
    TURN_FIRST = "rage.turn_first", "R-cs, trump"
    NO_TURN_DUE = "rage.no_turn_due", "R-cs, trump; R9"
    BIDS_CLOSED = "rage.bids_closed", "R-cs, bidding"
    BID_RANGE = "rage.bid_range", "R-cs, bidding; R17"
    BID_FIRST = "rage.bid_first", "R-cs, bidding"
    PLUS_MINUS_ONE = "rage.plus_minus_one", "R-cs, variants"
    OPEN_BIDS_ONLY = "rage.open_bids_only", "decided here, R16"
    FOLLOW_COLOUR = "rage.follow_colour", "R-cs, trick play; R12"
    TRICK_WINNER = "rage.trick_winner", "R-cs, trick play; R4, R5"
    REVOKE = "rage.revoke", "R-cs, trick play; R25"
    CARD_TWICE = "rage.card_twice", "R-cs, components; R22"
    TRICK_OPEN = "rage.trick_open", "decided here: a trick begun card by card is finished so"
    ACTION_CARDS = "rage.action_cards", "R-cs, components; R22"
    TALLY_LESS = "rage.tally_less", "decided here: a tally keeps what is recorded"
    TALLY_SUM = "rage.tally_sum", "R-cs, scoring of the round"
    COUNT_RANGE = "rage.count_range", "R-cs, scoring of the round"
    SCORE = "rage.score", "R-cs, scoring of the round; R15, R19, R21"


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn up a talon card."""

    card: Card


@dataclass(frozen=True, slots=True)
class Bid:
    """Say how many tricks one will take."""

    seat: int
    tricks: int


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play one card to the trick."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class Trick:
    """Record a whole trick: who took it, and how many +5 and −5 lay in it."""

    seat: int
    plus: int = 0
    minus: int = 0


@dataclass(frozen=True, slots=True)
class Count:
    """Tell one's own part of the tally; when every seat has told and it adds up, the round is scored.

    Source: decided here. The table record writes the tally that the counts make up.
    """

    seat: int
    tricks: int
    plus: int = 0
    minus: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """Record the whole round: one entry per seat, clockwise from seat 0."""

    tricks: tuple[int, ...]
    plus: tuple[int, ...]
    minus: tuple[int, ...]


FIVES = tuple(tuple(" ".join(("+5",) * plus + ("−5",) * minus) for minus in range(4)) for plus in range(4))
"""How so many +5, and so many −5, are written: no box has more than three of them."""

Move = Turn | Bid | PlayCard | Trick | Count | Tally


@dataclass(frozen=True, slots=True)
class CardTurned:
    """An action card came up from the talon: the next one is turned."""

    card: Card


@dataclass(frozen=True, slots=True)
class TrumpTurned:
    """A coloured card came up: its colour is trump."""

    card: Card
    colour: Colour


@dataclass(frozen=True, slots=True)
class BidMade:
    """A bid was said aloud."""

    seat: Seat
    tricks: int


@dataclass(frozen=True, slots=True)
class BidSealed:
    """A bid was written down; nobody else knows it."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BidRevealed:
    """A sealed bid was shown, with all the others."""

    seat: Seat
    tricks: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played to the trick."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """A trick went to a seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TrickWithFivesTaken:
    """A trick in which +5 or −5 lay went to a seat."""

    seat: Seat
    fives: str


@dataclass(frozen=True, slots=True)
class CountTold:
    """A seat told its own tricks."""

    seat: Seat
    tricks: int


@dataclass(frozen=True, slots=True)
class CountWithFivesTold:
    """A seat told its own tricks, and the +5 and −5 among them."""

    seat: Seat
    tricks: int
    fives: str


@dataclass(frozen=True, slots=True)
class RoundTallied:
    """A round was recorded as a whole."""

    round: int


@dataclass(frozen=True, slots=True)
class RoundScored:
    """A seat's points of a finished round."""

    seat: Seat
    points: int
    terms: tuple[object, ...]
    """What makes them, each of `terms.py`."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last round is scored."""

    winners: tuple[Seat, ...]
