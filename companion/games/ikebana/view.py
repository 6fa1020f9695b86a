"""What one seat of Ikebana may see and do. Everything lies open on the table; nothing is secret."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from companion.game import Place
from companion.games.ikebana.bouquet import Reading, Wild
from companion.games.ikebana.cards import VALUES, Card
from companion.games.ikebana.position import ROUNDS, Detail, Position, Round, Told
from companion.games.ikebana.scoring import readings, standing
from companion.kernel.frozen import replace
from companion.kernel.once import once, part


class Phase(Enum):
    """What the table is doing."""

    DRAWING = "drawing"
    """A seat draws or buys."""
    TELLING = "telling"
    """The bouquets are complete and are told, in any order."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Pile:
    """One seat's discard pile."""

    height: int
    """How many cards lie in it."""
    top: Card | None
    """None where there is none, or where it was not told."""
    prices: tuple[int, ...]
    """The prices at which the viewing seat may buy the top card now; () when it may not.

    More than one only where the card was not told.
    """


@dataclass(frozen=True, slots=True)
class Player:
    """One seat, as everybody sees it."""

    seat: int
    prestige: int
    rank: int
    taken: int
    """How many cards the bouquet has."""
    reading: Reading
    """The cards of the bouquet that were told, and their present value."""
    pile: Pile
    is_starter: bool
    is_next: bool
    """Whether it is the seat's turn."""
    is_due: bool
    """Whether the seat's complete bouquet must be told."""


@dataclass(frozen=True, slots=True)
class View:
    """The page of one seat (None: the spectator's screen)."""

    seat: int | None
    phase: Phase
    detail: Detail
    wild: Wild
    round: int
    rounds: int
    is_final: bool
    """Whether the bouquets of this round count double."""
    to_move: int | None
    players: tuple[Player, ...]
    """One per seat, clockwise from seat 0."""
    refusals: int
    """How many cards the seat to move has refused in this turn."""
    price: int | None
    """What its next refusal costs; None while it is nobody's turn."""
    payee: int | None
    """Who gets that."""
    may_keep: bool
    """Whether the viewing seat may draw and keep."""
    may_refuse: bool
    """Whether it may draw and refuse: it can pay the price."""
    may_tell: bool
    """Whether it may tell its bouquet."""
    left: tuple[tuple[Card, int], ...]
    """(card, copies) by colour and value: what can be drawn now, or stand in a bouquet that is told now."""
    deck: int
    """How many cards lie in the draw pile; when none do, the next draw shuffles."""
    sheet: tuple[Round, ...]
    """The finished rounds, the first one first."""
    winners: tuple[int, ...]
    """The seats in first place, once the game is over."""


def view(position: Position, seat: int | None) -> View:
    """Show the play to a seat, or to everyone (None)."""
    shown = _shown(position)
    return shown if seat is None else replace(shown, **own(position, seat))


def own(position: Position, seat: int) -> Mapping[str, Any]:
    """Show what is a seat's own. What one may do must agree with `judge`."""
    shown = _shown(position)
    is_mine, price = seat == shown.to_move, shown.price
    return {
        "seat": seat,
        "players": _offered(position, seat, shown.players) if is_mine else shown.players,
        "may_keep": is_mine,
        "may_refuse": is_mine and price is not None and price <= position.prestige[seat],
        "may_tell": shown.phase is Phase.TELLING and not position.has_told(seat),
    }


@once
def _shown(position: Position) -> View:
    """Show the play to everyone, who may do nothing."""
    is_over, to_move, places = position.is_finished, position.to_move, standing(position).places
    return View(
        seat=None,
        phase=Phase.OVER if is_over else Phase.TELLING if to_move is None else Phase.DRAWING,
        detail=position.options.detail,
        wild=position.options.wild,
        round=position.round,
        rounds=ROUNDS,
        is_final=position.is_final,
        to_move=to_move,
        players=_players(position, places, to_move),
        refusals=position.refusals,
        price=position.price,
        payee=position.payee,
        may_keep=False,
        may_refuse=False,
        may_tell=False,
        left=() if is_over else position.left_of_each,
        deck=position.deck,
        sheet=position.sheet,
        winners=tuple([place.seat for place in places if place.rank == 1]) if is_over else (),
    )


def _players(position: Position, places: tuple[Place, ...], to_move: int | None) -> tuple[Player, ...]:
    """Show the seats to everyone, who may buy of none of them."""
    ranks, is_full = {place.seat: place.rank for place in places}, position.are_bouquets_full
    return tuple(
        [
            Player(
                seat=seat,
                prestige=position.prestige[seat],
                rank=ranks[seat],
                taken=len(position.bouquets[seat]),
                reading=reading,
                pile=_pile(position.piles[seat]),
                is_starter=seat == position.starter,
                is_next=seat == to_move,
                is_due=is_full and not position.has_told(seat),
            )
            for seat, reading in enumerate(readings(position))
        ]
    )


@part
def _pile(pile: tuple[Told, ...]) -> Pile:
    return Pile(len(pile), pile[-1] if pile else None, ())


def _offered(position: Position, buyer: int, players: tuple[Player, ...]) -> tuple[Player, ...]:
    """Show the seats to who may buy the top of their piles. Must agree with `judge`."""
    return tuple([_with_prices(player, _prices(position, buyer, player)) for player in players])


def _with_prices(player: Player, prices: tuple[int, ...]) -> Player:
    return replace(player, pile=replace(player.pile, prices=prices)) if prices else player


def _prices(position: Position, buyer: int, player: Player) -> tuple[int, ...]:
    if player.seat == buyer or position.refusals or not player.pile.height:
        return ()
    top = player.pile.top
    prices = tuple(VALUES) if top is None else (top.value,)
    return tuple([price for price in prices if price <= position.prestige[buyer]])
