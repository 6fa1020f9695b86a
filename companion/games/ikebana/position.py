"""Everything true of a play of Ikebana: its options, the finished rounds, the bouquets, the piles, the prestige.

Source: I-es; points that it leaves open are settled in `docs/decisions.md`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.games.ikebana.bouquet import SIZE, Reading, Wild
from companion.games.ikebana.cards import CARDS, COPIES, EACH, Card, copies_in, counted
from companion.kernel.frozen import replace

ROUNDS = 4
PLAYERS = range(2, 6)
PRESTIGE = 6
"""What everyone has at the start, in prestige points. Source: I-es, setup."""


class NextStarter(Enum):
    """Whose score decides who starts the next round. Source: decided here, I6."""

    TOTAL = "total"
    """The highest prestige."""
    ROUND = "round"
    """The best bouquet of the round."""


class Detail(Enum):
    """What the table tells the referee."""

    CARDS = "cards"
    """Every card."""
    PAYMENTS = "payments"
    """Who pays what, and the bouquets when they are complete."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose."""

    wild: Wild = Wild.COLOUR
    next_starter: NextStarter = NextStarter.TOTAL
    final_bouquet: bool = False
    """The bouquets of the last round count double. Source: I-es, variants; I15."""
    first_seat: int = 0
    """Who starts the first round. Source: I-es, setup."""
    detail: Detail = Detail.CARDS


Told = Card | None
"""A card, or None for one that was not told."""


@dataclass(frozen=True, slots=True)
class Round:
    """A finished round; tuples hold one entry per seat, clockwise from seat 0."""

    starter: int
    bouquets: tuple[Reading, ...]
    prestige: tuple[int, ...]
    """After the bouquets were scored."""


@dataclass(frozen=True, slots=True)
class Purchase:
    """A card that was bought and not told."""

    seat: int
    price: int
    acts: int
    """How many moves the round had before it."""


@dataclass(frozen=True, slots=True)
class Position:
    """Everything true of a play of Ikebana. Tuples hold one entry per seat, clockwise from seat 0."""

    options: Options
    seats: int
    sheet: tuple[Round, ...]
    """The finished rounds, the first one first."""
    prestige: tuple[int, ...]
    """In points, never negative."""
    starter: int
    """Who began this round."""
    bouquets: tuple[tuple[Told, ...], ...]
    """Cards in the order taken."""
    piles: tuple[tuple[Told, ...], ...]
    """Discard piles, from bottom to top."""
    taken: int = 0
    """How many cards lie in all bouquets."""
    refusals: int = 0
    """How many cards the seat to move has refused in this turn."""
    bought: tuple[Purchase, ...] = ()
    """The cards of this round that were bought and not told."""
    acts: int = 0
    """How many moves this round has had."""

    @property
    def is_finished(self) -> bool:
        """Whether all rounds are scored."""
        return len(self.sheet) == ROUNDS

    @property
    def round(self) -> int:
        """The number of this round, from 1; the last one when the game is over."""
        return min(len(self.sheet) + 1, ROUNDS)

    @property
    def is_final(self) -> bool:
        """Whether the bouquets of this round count double. Source: I15."""
        return self.options.final_bouquet and self.round == ROUNDS

    @property
    def are_bouquets_full(self) -> bool:
        """Whether everyone has five cards."""
        return self.taken == self.seats * SIZE

    @property
    def to_move(self) -> int | None:
        """The seat whose turn it is; None while complete bouquets are told, and at the end."""
        return None if self.taken == self.seats * SIZE else (self.starter + self.taken) % self.seats

    @property
    def price(self) -> int | None:
        """What the next refusal costs, in points; None while it is nobody's turn. Source: I-es, drawing."""
        return None if self.to_move is None else self.refusals + 1

    @property
    def payee(self) -> int | None:
        """Who gets that price: the left neighbour first, then on around the table without oneself. Source: I9."""
        seat = self.to_move
        return None if seat is None else (seat + 1 + self.refusals % (self.seats - 1)) % self.seats

    @property
    def deck(self) -> int:
        """How many cards lie in the draw pile."""
        return CARDS - self.taken - sum(map(len, self.piles))

    @property
    def shuffled(self) -> Position:
        """The position in which a card can be drawn: if the draw pile is empty, all piles but their tops become it.

        Source: I-es, end of the draw pile; I8.
        """
        return self if self.deck else replace(self, piles=tuple(pile[-1:] for pile in self.piles))

    def left(self, card: Card) -> int:
        """Count the copies of a card that can come now.

        They are those in the draw pile (after a shuffle that is due); while bouquets are told, those in no bouquet.
        """
        return COPIES[card] - sum([held.count(card) for held in self._out])

    @property
    def left_of_each(self) -> tuple[tuple[Card, int], ...]:
        """(card, copies) of all that can come now, by colour and value."""
        return copies_in(EACH - counted(self._out))

    @property
    def _out(self) -> tuple[tuple[Told, ...], ...]:
        """The bouquets and piles whose cards cannot come now."""
        return (*self.bouquets, *self.shuffled.piles)

    def has_told(self, seat: int) -> bool:
        """Say whether every card of a seat's bouquet is known."""
        return None not in self.bouquets[seat]
