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
class Term:
    """What one firework adds to the score."""

    colour: Colour
    points: int
    """Its cards; of the black powder those that are missing, as a loss."""


@dataclass(frozen=True, slots=True)
class Plus:
    """A sum, and a firework that is added to it."""

    sum: object
    colour: Colour
    points: int


@dataclass(frozen=True, slots=True)
class Less:
    """A sum, and the black powder that is missing."""

    sum: object
    colour: Colour
    points: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    score: int
    raw: int
    """What the fireworks add up to, also where a defeat counts 0."""
    terms: tuple[Term, ...]
    """One per firework."""

    @property
    def sum(self) -> object:
        """The terms as a sum, to be said; an empty firework only where there is nothing to begin with."""
        first, *more = sorted(self.terms, key=lambda term: term.points <= 0)
        total: object = first
        for term in filter(lambda term: term.points, more):
            kind = Less if term.points < 0 else Plus
            total = kind(total, term.colour, abs(term.points))
        return total


class Perfected(Ended):
    """Every firework is complete."""


class Exploded(Ended):
    """The last error allowed was made."""


class Missed(Ended):
    """An indispensable card is lost."""


class Stranded(Ended):
    """Nobody can go on."""


class Burnt(Ended):
    """The final round is over."""
