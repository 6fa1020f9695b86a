"""What one seat of Rage may see and do.

Before its reveal no bid is in any view, not even its own seat's: the phone that made it remembers it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter
from typing import Any

from companion.game import Place
from companion.games.rage.cards import Action, Card, Colour, led_colour
from companion.games.rage.position import ROUNDS, Bidding, Edition, Options, Position, Round, Talon, Way, left_of
from companion.games.rage.rules import barred_bid, bids
from companion.games.rage.scoring import standing_of
from companion.kernel.frozen import replace
from companion.kernel.once import by_value, once, part

Ranked = tuple[tuple[Place, int], ...]
"""The place of each seat, and its rank before the round that was finished last."""


class Phase(Enum):
    """What the table is doing."""

    BIDDING = "bidding"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Player:
    """One seat, as everybody sees it."""

    seat: int
    has_bid: bool
    bid: int | None
    """None before the seat has bid, and while the bid is sealed."""
    taken: int
    """Tricks recorded in this round."""
    plus: int
    minus: int
    told: int | None
    """What the seat has counted for the whole round; None before."""
    fives: tuple[int, int] | None
    """The +5 and −5 that it has counted for the whole round; None before."""
    score: int
    """Points of the finished rounds."""
    rank: int
    rank_before: int
    """Before the round that was finished last."""
    is_dealer: bool
    is_next: bool
    """Whether the seat bids or plays next."""


@dataclass(frozen=True, slots=True)
class View:
    """The page of one seat (None: the spectator's screen)."""

    seat: int | None
    phase: Phase
    bidding: Bidding
    round: int
    rounds: int
    cards: int
    """How many tricks this round has."""
    dealer: int
    to_move: int | None
    players: tuple[Player, ...]
    """One per seat, clockwise from seat 0."""
    are_bids_in: bool
    are_bids_open: bool
    bids_total: int | None
    """The sum of the bids so far; None while they are sealed."""
    open_bids: tuple[int, ...]
    """The bids that this seat may make now; () when it may not bid."""
    barred_bid: int | None
    """The bid that plus/minus one bars whoever bids next from; None where it bars none."""
    trump: Colour | None
    talon: Talon
    led: Colour | None
    trick: tuple[tuple[int, Card], ...]
    """(seat, card) of the trick so far, the leader first."""
    way: Way
    left: tuple[tuple[Card, int], ...]
    """(+5 or −5, how many are in nobody's tricks yet)."""
    sheet: tuple[Round, ...]
    """The finished rounds, the first one first."""
    winners: tuple[int, ...]
    """The seats in first place, once the game is over."""


def view(position: Position, seat: int | None) -> View:
    """Show the play to a seat, or to everyone (None)."""
    shown = _shown(position)
    return shown if seat is None else replace(shown, **own(position, seat))


def own(position: Position, seat: int) -> Mapping[str, Any]:
    """Show what is a seat's own. What one may bid must agree with `open_bids`."""
    shown = _shown(position)
    may_bid = shown.phase is Phase.BIDDING and shown.to_move in (None, seat)
    return {"seat": seat, "open_bids": bids(shown.cards, shown.barred_bid) if may_bid else ()}


@once
def _shown(position: Position) -> View:
    """Show the play to everyone."""
    is_open, is_in, is_over = position.are_bids_open, position.are_bids_in, position.is_finished
    ranked = _ranked(position.sheet, position.options, position.seats)
    to_move, dealer = position.to_move, position.dealer
    return View(
        seat=None,
        phase=Phase.OVER if is_over else Phase.PLAYING if is_in else Phase.BIDDING,
        bidding=position.options.bidding,
        round=position.round,
        rounds=ROUNDS,
        cards=position.cards,
        dealer=dealer,
        to_move=to_move,
        players=_players(position, ranked, (dealer, to_move), is_open),
        are_bids_in=is_in,
        are_bids_open=is_open,
        bids_total=sum(filter(None, position.bids)) if is_open else None,
        open_bids=(),
        barred_bid=barred_bid(position),
        trump=position.trump,
        talon=position.talon,
        led=led_colour(position.trick),
        trick=tuple([((position.leader + i) % position.seats, card) for i, card in enumerate(position.trick)]),
        way=position.way,
        left=_fives(position.options.edition, position.seen, position.trick),
        sheet=position.sheet,
        winners=tuple([place.seat for place, _before in ranked if place.rank == 1]) if is_over else (),
    )


_player = by_value(Player)


@part
def _ranked(sheet: tuple[Round, ...], options: Options, seats: int) -> Ranked:
    """Rank the seats by the finished rounds, and before the last of them."""
    now, before = (
        sorted(standing_of(rounds, options, seats).places, key=attrgetter("seat")) for rounds in (sheet, sheet[:-1])
    )
    return tuple([(place, earlier.rank) for place, earlier in zip(now, before, strict=True)])


def _players(position: Position, ranked: Ranked, turns: tuple[int, int | None], is_open: bool) -> tuple[Player, ...]:
    dealer, to_move = turns
    return tuple(
        [
            _player(
                seat=seat,
                has_bid=position.bids[seat] is not None,
                bid=position.bids[seat] if is_open else None,
                taken=position.taken[seat],
                plus=position.plus[seat],
                minus=position.minus[seat],
                told=count.tricks if (count := position.counts[seat]) else None,
                fives=(count.plus, count.minus) if count else None,
                score=place.score,
                rank=place.rank,
                rank_before=rank_before,
                is_dealer=seat == dealer,
                is_next=seat == to_move,
            )
            for seat, (place, rank_before) in enumerate(ranked)
        ]
    )


@part
def _fives(edition: Edition, seen: tuple[Card, ...], trick: tuple[Card, ...]) -> tuple[tuple[Card, int], ...]:
    """Must agree with `tally.fives_left`."""
    fives = (Action.PLUS_FIVE, Action.MINUS_FIVE)
    return tuple([(five, left_of(five, edition, seen) + trick.count(five)) for five in fives])
