"""What happens at a table of Hanabi, for the history and for reading aloud. Places count from 1, left to right."""

from __future__ import annotations

from dataclasses import dataclass

from companion.game import Seat
from companion.games.hanabi.cards import Card, Colour
from companion.games.hanabi.position import Tile


@dataclass(frozen=True, slots=True)
class ColourHinted:
    """Somebody was shown the cards of a colour."""

    seat: Seat
    to: Seat
    colour: Colour
    places: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True)
class ValueHinted:
    """Somebody was shown the cards of a value."""

    seat: Seat
    to: Seat
    value: int
    places: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True)
class NoColourHinted:
    """Somebody was told that no card is of a colour."""

    seat: Seat
    to: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class NoValueHinted:
    """Somebody was told that no card is of a value."""

    seat: Seat
    to: Seat
    value: int


@dataclass(frozen=True, slots=True)
class ColourNamed:
    """Somebody was told about a colour, and the table does not record which cards."""

    seat: Seat
    to: Seat
    colour: Colour


@dataclass(frozen=True, slots=True)
class ValueNamed:
    """Somebody was told about a value, and the table does not record which cards."""

    seat: Seat
    to: Seat
    value: int


@dataclass(frozen=True, slots=True)
class HintCounted:
    """Somebody gave a hint, and the table counts no more than that."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardDiscarded:
    """A card was discarded."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class DiscardCounted:
    """A card was discarded that nobody named."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardBuilt:
    """A card was played and fitted."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardFailed:
    """A card was played and did not fit."""

    seat: Seat
    card: Card
    errors: int


@dataclass(frozen=True, slots=True)
class ErrorCounted:
    """A card was played that did not fit, and nobody named it."""

    seat: Seat
    errors: int


@dataclass(frozen=True, slots=True)
class FireworkCompleted:
    """The last card of a firework was built."""

    colour: Colour


@dataclass(frozen=True, slots=True)
class TokenRegained:
    """A hint token became available."""

    tokens: int


@dataclass(frozen=True, slots=True)
class TileRevealed:
    """A reward tile was turned up."""

    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True)
class ErrorTakenBack:
    """An error was forgiven."""

    errors: int


@dataclass(frozen=True, slots=True)
class CardReturned:
    """A discarded card went back into the deck."""

    card: Card


@dataclass(frozen=True, slots=True)
class ReturnCounted:
    """A discarded card that nobody named went back into the deck."""


@dataclass(frozen=True, slots=True)
class CardRecovered:
    """A discarded card went to its firework."""

    card: Card


@dataclass(frozen=True, slots=True)
class RewardLost:
    """A reward could not be used."""


@dataclass(frozen=True, slots=True)
class HandArranged:
    """Somebody re-ordered a hand."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LastCardDrawn:
    """The deck is empty: so many turns are left."""

    turns: int


@dataclass(frozen=True, slots=True)
class TurnSkipped:
    """A player had neither cards nor hints to give."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Perfected:
    """Every firework is complete."""

    score: int


@dataclass(frozen=True, slots=True)
class Exploded:
    """The last error allowed was made."""

    score: int


@dataclass(frozen=True, slots=True)
class Missed:
    """An indispensable card is lost."""

    score: int


@dataclass(frozen=True, slots=True)
class Stranded:
    """Nobody can go on."""

    score: int


@dataclass(frozen=True, slots=True)
class Burnt:
    """The final round is over."""

    score: int
