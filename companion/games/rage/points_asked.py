"""What the referee of Rage is asked of points: what a round brings, and what is left to the last bidder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from companion.game import N_, Refused, Verdict
from companion.games.rage.cards import Action
from companion.games.rage.moves import Rule
from companion.games.rage.position import PLAYERS, ROUNDS, Edition, Options, Position, Round
from companion.games.rage.rules import barred_bid, bids
from companion.games.rage.scoring import row
from companion.games.rage.tally import dealt
from companion.games.rage.whys import added, off, why_not_fives
from companion.kernel.frozen import replace
from companion.question import Asked, Unclear, choice, is_on, number, parted, told


@dataclass(frozen=True, slots=True)
class Scored:
    """A player's points in a round."""

    name: str
    points: int


@dataclass(frozen=True, slots=True)
class RoundBrings:
    """What a round brings to each."""

    scores: tuple[Scored, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """What a player's points are made of, each with its sign."""

    name: str
    tricks: str
    bid: str
    fives: str


@dataclass(frozen=True, slots=True)
class LastMayBid:
    """What is open to who bids last; `barred` is what plus/minus one forbids."""

    open: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LastMayNotBid:
    """What plus/minus one forbids to who bids last."""

    tricks: int


class Row(TypedDict):
    """What a round brings to a player: the letters are those of the score sheet."""

    name: str
    bid: int
    tricks: int
    b: int
    c: int
    d: int
    n: int


class RoundScored(TypedDict):
    """A round of so many tricks."""

    cards: int
    scores: list[Row]


class LastBid(TypedDict):
    """What the last one may bid in a round of so many tricks, and what not."""

    cards: int
    barred: int | None
    legal: list[int]


def score(words: Sequence[str], options: Asked) -> Verdict:
    """Answer what a round brings to each player, told as `A=bid,tricks,+5 cards,−5 cards`. Raises: Unclear."""
    cards = told(options, "cards", range(1, ROUNDS + 1), ROUNDS)
    chosen = Options(durch=is_on(options, "durch"), edition=choice(Edition, options, "edition", Edition.AMIGO_2000))
    players = [_player(word, cards) for word in words]
    if not players:
        raise Unclear(N_("Name the bid and the tricks."), missing="bid")
    _check_round(players, cards, dealt(chosen, len(PLAYERS), ()))
    rows = [(name, row(chosen, cards, bid, won)) for name, bid, won in players]
    data: RoundScored = {
        "cards": cards,
        "scores": [
            {"name": name, "bid": one.a, "tricks": one.tricks, "b": one.b, "c": one.c, "d": one.d, "n": one.n}
            for name, one in rows
        ],
    }
    terms = (Terms(name, _signed(one.b), _signed(one.c), _signed(one.d)) for name, one in rows)
    return Verdict((RoundBrings(tuple(Scored(name, one.n) for name, one in rows)), *terms), Rule.SCORE, data)


def _player(word: str, cards: int) -> tuple[str, int, tuple[int, int, int]]:
    """Read a player: the name, the bid, and the tricks with their +5 and −5."""
    name, _, text = word.rpartition("=")
    counts = parted(text)
    if len(counts) not in range(2, 5):
        raise Unclear(N_("%(word)s is no player with bid and tricks, as A=3,3 is, or A=3,3,0,1 with −5."), word=word)
    bid, tricks, plus, minus = (number(count, range(cards + 1)) for count in [*counts, "0", "0"][:4])
    if plus + minus > tricks * PLAYERS[-1]:
        raise Unclear(N_("%(name)s: so many +5 and −5 do not lie in so few tricks."), name=name)
    return name, bid, (tricks, plus, minus)


def _check_round(players: Sequence[tuple[str, int, tuple[int, int, int]]], cards: int, table: Position) -> None:
    """Refuse what is more than a round has: tricks, +5, −5. Raises: Unclear."""
    tricks, plus, minus = (sum(won[place] for _, _, won in players) for place in range(3))
    most = (table.left(Action.PLUS_FIVE), table.left(Action.MINUS_FIVE))
    if tricks > cards:
        each = [won[0] for _, _, won in players]
        facts = {"added": added(each), "told": tricks, "cards": cards, "off": off(each, cards)}
        raise Unclear(Refused(Rule.TALLY_SUM, facts))
    if why := why_not_fives((plus, minus), most, tricks * PLAYERS[-1]):
        raise Unclear(Refused(Rule.ACTION_CARDS, {"why": why}))


def _signed(points: int) -> str:
    return f"{points:+d}".replace("-", "−") if points else "0"


def last_bid(words: Sequence[str], options: Asked) -> Verdict:
    """Answer what plus/minus one leaves to the last bidder, after these bids. Raises: Unclear."""
    cards = told(options, "cards", range(1, ROUNDS + 1), ROUNDS)
    before = [number(word, range(cards + 1)) for word in parted(options.get("bids", ""))]
    if len(before) not in range(PLAYERS[0] - 1, PLAYERS[-1]):
        fewest, most = PLAYERS[0] - 1, PLAYERS[-1] - 1
        raise Unclear(
            N_("Name the bids before the last one, %(fewest)s to %(most)s."), "bids", fewest=fewest, most=most
        )
    sheet = (Round(cards, 0, ()),) * (ROUNDS - cards)
    position = replace(dealt(Options(plus_minus_one=True), len(before) + 1, ()), sheet=sheet, bids=(*before, None))
    barred = barred_bid(position)
    legal = bids(cards, barred)
    says = (LastMayBid(legal), *(() if barred is None else (LastMayNotBid(barred),)))
    return Verdict(says, Rule.PLUS_MINUS_ONE, LastBid(cards=cards, barred=barred, legal=list(legal)))
