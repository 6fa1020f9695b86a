"""What somebody who has no cards may well do at a table of Rage."""

from __future__ import annotations

from random import Random

from companion.game import Accepted
from companion.games.rage.cards import every_card
from companion.games.rage.moves import Bid, Count, Move, PlayCard
from companion.games.rage.position import Position, Talon
from companion.games.rage.rules import judge, open_bids


def likely(position: Position, seat: int, at: str, chance: Random) -> Move | None:
    """Bid about one's share, count about what was bid, and play a card where cards are told; None to wait."""
    if position.is_finished:
        return None
    if not position.are_bids_in:
        return _bid(position, seat, chance) if position.bids[seat] is None else None
    if position.trick or position.talon is not Talon.CLOSED:
        return _card(position, seat, chance) if seat == position.to_move else None
    return _corrected(position, seat) if position.counts[seat] else _count(position, seat, chance)


def _bid(position: Position, seat: int, chance: Random) -> Bid | None:
    wish = _share(position.cards, position.seats, chance)
    nearest = sorted(open_bids(position, seat), key=lambda tricks: abs(tricks - wish))
    return Bid(seat, nearest[0]) if nearest else None


def _card(position: Position, seat: int, chance: Random) -> Move | None:
    plays = [PlayCard(seat, card) for card in every_card()]
    held = [play for play in plays if isinstance(judge(position, play), Accepted)]
    return chance.choice(held) if held else None


def _count(position: Position, seat: int, chance: Random) -> Count:
    """Count what is left by those who have counted: all of it as the last one, else some."""
    left, others = _left(position), position.counts.count(None) - 1
    bid, taken = position.bids[seat] or 0, position.taken[seat]
    some = chance.choice([min(left, max(0, bid - taken)), _share(left, others + 1, chance)])
    return Count(seat, taken + (some if others else left), position.plus[seat], position.minus[seat])


def _corrected(position: Position, seat: int) -> Count | None:
    """Count again where all have counted and it does not add up."""
    count = position.counts[seat]
    if count is None or None in position.counts:
        return None
    told = sum(other.tricks for other in position.counts if other)
    tricks = max(position.taken[seat], count.tricks + position.cards - told)
    return None if tricks == count.tricks else Count(seat, tricks, count.plus, count.minus)


def _left(position: Position) -> int:
    """Count the tricks that nobody has told of."""
    seats = zip(position.counts, position.taken, strict=True)
    return max(0, position.cards - sum(count.tricks if count else taken for count, taken in seats))


def _share(tricks: int, seats: int, chance: Random) -> int:
    return sum(chance.random() * seats < 1 for _ in range(tricks))
