"""Vault: a game with hands. Everybody hides a card that nobody else knows until the end; then stones are laid in turn.

1. Each player lays a card from 1 to 9 face down, and tells it to their own phone; it may be another until all have.
2. In turn, each lays up to three stones, twice.
3. Then the cards are turned over: stones and card count together, and the most wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from companion import game
from companion.fields import SeatNumber, Switch, Whole, shape
from companion.game import (
    Accepted,
    Game,
    Label,
    Place,
    Question,
    Refused,
    Schema,
    Seat,
    Standing,
    Verdict,
    Words,
    ranked,
)

CARDS, STONES, TURNS = range(1, 10), range(4), 2


class Rule(game.Rule):
    """What the referee of Vault cites."""

    PLAYERS = "vault.players", "Vault, players"
    GAME_OVER = "vault.game_over", "Vault, rule 3"
    HIDE_FIRST = "vault.hide_first", "Vault, rule 1"
    ALL_HIDDEN = "vault.all_hidden", "Vault, rule 1"
    NOT_YOUR_TURN = "vault.not_your_turn", "Vault, rule 2"
    CARD = "vault.card", "Vault, rule 1"
    STONES = "vault.stones", "Vault, rule 2"


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose."""

    is_double: bool = False
    """Whether a card counts twice."""


@dataclass(frozen=True, slots=True)
class Hide:
    """Lay a card face down."""

    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class Lay:
    """Lay stones."""

    seat: int
    stones: int


@dataclass(frozen=True, slots=True)
class CardHidden:
    """A card was hidden. An event is told to everybody, so it does not name the card."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StonesLaid:
    """Stones were laid."""

    seat: Seat
    stones: int


@dataclass(frozen=True, slots=True)
class CardTurned:
    """At the end a card was turned over."""

    seat: Seat
    card: int


@dataclass(frozen=True, slots=True)
class Position:
    """Everything true of a play, what nobody may know yet among it; one entry per seat."""

    options: Options
    cards: tuple[int | None, ...]
    """None as long as a seat has hidden none."""
    stones: tuple[tuple[int, ...], ...]

    @property
    def are_hidden(self) -> bool:
        """Whether all cards lie there."""
        return None not in self.cards

    @property
    def is_finished(self) -> bool:
        """Whether all stones are laid."""
        return len(self.stones[-1]) == TURNS

    @property
    def to_move(self) -> int | None:
        """Whose turn it is; None where anybody is awaited who has not hidden a card, or nobody."""
        is_due = self.are_hidden and not self.is_finished
        return sum(map(len, self.stones)) % len(self.cards) if is_due else None


def start(options: Options, seats: int) -> Position | Refused:
    """Begin with nothing hidden."""
    if seats not in range(2, 7):
        return Refused(Rule.PLAYERS, {"option": "players"})
    return Position(options, (None,) * seats, ((),) * seats)


def judge(position: Position, move: Hide | Lay) -> Accepted[Position] | Refused:
    """Rule on a move. A refusal is told to whoever asked: it may name what that seat knows, and nothing else."""
    if position.is_finished:
        return Refused(Rule.GAME_OVER)
    if isinstance(move, Hide):
        if position.are_hidden:
            return Refused(Rule.ALL_HIDDEN)
        if move.card not in CARDS:
            return Refused(Rule.CARD)
        cards = (*position.cards[: move.seat], move.card, *position.cards[move.seat + 1 :])
        return Accepted(replace(position, cards=cards), (CardHidden(Seat(move.seat)),))
    if not position.are_hidden:
        return Refused(Rule.HIDE_FIRST)
    if move.seat != position.to_move:
        return Refused(Rule.NOT_YOUR_TURN, {"seat": Seat(position.to_move or 0)})
    if move.stones not in STONES:
        return Refused(Rule.STONES)
    return _laid(position, move)


def _laid(position: Position, move: Lay) -> Accepted[Position]:
    stones = list(position.stones)
    stones[move.seat] += (move.stones,)
    after = replace(position, stones=tuple(stones))
    laid = StonesLaid(Seat(move.seat), move.stones)
    if not after.is_finished:
        return Accepted(after, (laid,))
    turned = (CardTurned(Seat(seat), card or 0) for seat, card in enumerate(after.cards))
    return Accepted(after, (laid, *turned))


def legal(position: Position, seat: int | None) -> Iterator[Hide | Lay]:
    """Yield the moves open to a seat."""
    if seat is None:
        return
    moves = [*(Hide(seat, card) for card in CARDS), *(Lay(seat, stones) for stones in STONES)]
    yield from (move for move in moves if isinstance(judge(position, move), Accepted))


def has_secrets(position: Position) -> bool:
    """Say whether somebody has hidden something that is not turned over."""
    return any(position.cards) and not position.is_finished


def still_means(seen: Position, now: Position, move: Hide | Lay) -> bool:
    """Let cards be hidden in any order: they may cross on the way."""
    return seen == now or (isinstance(move, Hide) and not now.are_hidden)


def standing(position: Position) -> Standing:
    """Rank the seats by what everybody may know: the stones, and at the end the cards."""
    worth = (2 if position.options.is_double else 1) * position.is_finished
    totals = [sum(stones) + worth * (card or 0) for stones, card in zip(position.stones, position.cards, strict=True)]
    places = (Place(seat, rank, totals[seat]) for rank, seat in ranked([(total,) for total in totals]))
    return Standing(tuple(places), position.is_finished)


def summary(position: Position) -> dict[str, Any]:
    """Write what everybody may know as data: sheets, records and the API have it."""
    cards = list(position.cards) if position.is_finished else [None] * len(position.cards)
    hidden = [card is not None for card in position.cards]
    stones = [list(own) for own in position.stones]
    return {"cards": cards, "hidden": hidden, "stones": stones, "to_move": position.to_move}


@dataclass(frozen=True, slots=True)
class Player:
    """A seat, as somebody sees it."""

    seat: int
    has_hidden: bool
    stones: tuple[int, ...]
    card: int | None
    """None where the viewer may not know it."""


@dataclass(frozen=True, slots=True)
class View:
    """What a seat may see: its own card, and at the end all."""

    seat: int | None
    players: tuple[Player, ...]
    to_move: int | None
    are_hidden: bool


def view(position: Position, seat: int | None) -> View:
    """Show the play to a seat; None is the screen, which knows no hand."""
    players = (
        Player(own, card is not None, position.stones[own], card if own == seat or position.is_finished else None)
        for own, card in enumerate(position.cards)
    )
    return View(seat, tuple(players), position.to_move, position.are_hidden)


@cache
def moves(seats: int) -> Mapping[str, Schema]:
    """Give the schemas of the moves."""
    return {
        "hide": shape(Hide, seat=SeatNumber(seats, required=True), card=Whole(required=True)),
        "lay": shape(Lay, seat=SeatNumber(seats, required=True), stones=Whole(required=True)),
    }


def answer(words: Sequence[str], options: Mapping[str, str]) -> Verdict:
    """Answer what a card brings."""
    if len(words) != 1 or not words[0].isdecimal():
        raise ValueError("Name a card.")
    return Verdict((CardTurned(Seat(0), int(words[0])),), Rule.CARD, {"points": int(words[0])})


GAME: Game[Options, Position, Hide | Lay, View] = Game(
    key="vault",
    name="Vault",
    players=range(2, 7),
    rules=Rule,
    options=shape(Options, is_double=Switch()),
    moves=moves,
    words=Words(
        sentences={
            Rule.PLAYERS: "Vault is for 2 to 6 players.",
            Rule.GAME_OVER: "All cards are turned over; the game is over.",
            Rule.HIDE_FIRST: "First everybody hides a card.",
            Rule.ALL_HIDDEN: "All cards are hidden, and stay as they are.",
            Rule.NOT_YOUR_TURN: "It is not your turn: %(seat)s is next.",
            Rule.CARD: "Cards are 1 to 9.",
            Rule.STONES: "Lay up to three stones.",
            CardHidden: "%(seat)s hides a card.",
            StonesLaid: "%(seat)s lays %(stones)s.",
            CardTurned: "%(seat)s had hidden %(card)s.",
            Hide: "card of %(seat)s",
            Lay: "stones of %(seat)s",
        },
        names={},
        options={"is_double": Label("Double", "A card counts twice.")},
        fields={"card": "Card", "stones": "Stones"},
    ),
    start=start,
    judge=judge,
    legal=legal,
    view=view,
    standing=standing,
    summary=summary,
    question=Question("7", {}, answer),
    has_secrets=has_secrets,
    has_hands=True,
    still_means=still_means,
    folder=Path(__file__).parent,
)
