"""What can be asked at a table of Ikebana, the rules that can stand in its way, and what then happens.

Source: I-es, and `docs/decisions.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion import game
from companion.game import Seat
from companion.games.ikebana.cards import Card, CountsAs


class Rule(game.Rule):
    """What the referee of Ikebana cites."""

    PLAYERS = "ikebana.players", "I-es, components; I16"
    FIRST_SEAT = "ikebana.first_seat", "I-es, setup: the table says who starts"
    GAME_OVER = "ikebana.game_over", "I-es, end of the game; I16"
    BOUQUET_KNOWN = "ikebana.bouquet_known", "decided here: told card by card, a bouquet is known"
    BOUQUET_GROWING = "ikebana.bouquet_growing", "I-es, end of the round"
    BOUQUET_TOLD = "ikebana.bouquet_told", "decided here: a bouquet is told once"
    BOUGHT_CARD = "ikebana.bought_card", "decided here, I20"
    BOUQUETS_DUE = "ikebana.bouquets_due", "I-es, end of the round"
    NOT_YOUR_TURN = "ikebana.not_your_turn", "I-es, course of the game"
    CARD_NEEDED = "ikebana.card_needed", "decided here: the table tells its cards"
    CARD_UNASKED = "ikebana.card_unasked", "decided here: the table tells payments only"
    CARD_GONE = "ikebana.card_gone", "I-es, components; I1, I8, I17"
    CANNOT_REFUSE = "ikebana.cannot_refuse", "I-es, drawing; I3, I4"
    BUY_AFTER_DRAWING = "ikebana.buy_after_drawing", "I-es, course of the game; I11"
    OWN_PILE = "ikebana.own_pile", "I-es, buying"
    EMPTY_PILE = "ikebana.empty_pile", "I-es, buying"
    PRICE_NEEDED = "ikebana.price_needed", "I-es, buying; I5"
    PRICE_UNASKED = "ikebana.price_unasked", "I-es, buying; I5"
    CANNOT_BUY = "ikebana.cannot_buy", "I-es, buying; I3"
    BEST_READING = "ikebana.best_reading", "I-es, scoring; I12, I13"


@dataclass(frozen=True, slots=True)
class Keep:
    """Draw a card and add it to one's bouquet."""

    seat: int
    card: Card | None = None
    """None at tables that tell payments only."""


@dataclass(frozen=True, slots=True)
class Refuse:
    """Draw a card, pay, and put the card on one's own pile."""

    seat: int
    card: Card | None = None
    """None at tables that tell payments only."""


@dataclass(frozen=True, slots=True)
class Buy:
    """Take the top card of another seat's pile."""

    seat: int
    owner: int
    price: int | None = None
    """The value of the card, at tables that tell payments only."""


@dataclass(frozen=True, slots=True)
class TellBouquet:
    """Tell a complete bouquet, at tables that tell payments only."""

    seat: int
    cards: tuple[Card, ...]
    """Five."""


Move = Keep | Refuse | Buy | TellBouquet


@dataclass(frozen=True, slots=True)
class CardKept:
    """A card was drawn and kept."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class DrawKept:
    """A card that was not told was drawn and kept."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardRefused:
    """A card was drawn and refused."""

    seat: Seat
    card: Card
    price: int
    payee: Seat


@dataclass(frozen=True, slots=True)
class DrawRefused:
    """A card that was not told was drawn and refused."""

    seat: Seat
    price: int
    payee: Seat


@dataclass(frozen=True, slots=True)
class CardBought:
    """The top card of a pile was bought."""

    seat: Seat
    card: Card
    price: int
    owner: Seat


@dataclass(frozen=True, slots=True)
class TopBought:
    """The top card of a pile was bought, and not told."""

    seat: Seat
    price: int
    owner: Seat


@dataclass(frozen=True, slots=True)
class PilesShuffled:
    """Before the draw, the cards beneath the tops were shuffled into a new draw pile."""

    cards: int


@dataclass(frozen=True, slots=True)
class BouquetTold:
    """A bouquet was told; its cards, as they count."""

    seat: Seat
    cards: tuple[Card | CountsAs, ...]


@dataclass(frozen=True, slots=True)
class BouquetScored:
    """A bouquet was scored at the end of its round."""

    seat: Seat
    base: int
    multiplier: int
    points: int


@dataclass(frozen=True, slots=True)
class BouquetDoubled:
    """A final bouquet was scored."""

    seat: Seat
    base: int
    multiplier: int
    points: int


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """All cards were gathered and shuffled, and the next round began."""

    round: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last round is scored."""

    winners: tuple[Seat, ...]
