"""What no move can make or lose: cards, gems, tricks and points, counted anew by each game's own bookkeeping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.games.ikebana.cards import CARDS
from companion.games.ikebana.position import PRESTIGE
from companion.games.rage.position import ACTION_CARDS
from companion.games.ubongo.gems import COPIES, HOLES, ROWS
from companion.games.ubongo.moves import Count
from companion.play import Play


def hanabi(play: Play[Any]) -> None:
    position = play.position
    lying = sum(map(sum, position.discards)) + position.unnamed + sum(position.fireworks)
    assert position.deck + lying + sum(map(len, position.hands)) == sum(sum(suit.copies) for suit in position.suits)
    assert all(0 <= count <= suit.copies[value] for suit, row in _rows(position) for value, count in enumerate(row))
    assert 0 <= position.tokens <= position.options.hint_tokens.value
    assert 0 <= position.errors <= position.options.errors_allowed.value


def _rows(position: Any) -> Any:
    return zip(position.suits, position.discards, strict=True)


def ikebana(play: Play[Any]) -> None:
    position = play.position
    assert position.deck + sum(map(len, (*position.bouquets, *position.piles))) == CARDS
    assert position.deck >= 0
    earned = sum(reading.total for finished in position.sheet for reading in finished.bouquets)
    assert sum(position.prestige) == PRESTIGE * position.seats + earned
    assert min(position.prestige) >= 0


def rage(play: Play[Any]) -> None:
    position, standing = play.position, play.game.standing(play.position)
    for finished in position.sheet:
        assert sum(row.tricks for row in finished.rows) == finished.cards
        fives = sum(abs(row.d) for row in finished.rows) // 5
        assert fives <= finished.cards * position.seats
        assert fives <= sum(count for card, count in ACTION_CARDS[position.options.edition].items() if _is_five(card))
    assert sum(position.taken) <= position.cards
    totals = [sum(finished.rows[seat].n for finished in position.sheet) for seat in range(position.seats)]
    assert [place.score for place in sorted(standing.places, key=lambda place: place.seat)] == totals


def _is_five(card: Any) -> bool:
    return getattr(card, "name", "") in {"PLUS_FIVE", "MINUS_FIVE"}


def ubongo(play: Play[Any]) -> None:
    position = play.position
    by_colour = [sum(counts) for counts in zip(*position.gems, strict=True)]
    assert all(0 <= gems <= COPIES for gems in by_colour)
    assert all(0 <= left <= HOLES for left in position.rows)
    is_counted = play.last is not None and isinstance(play.last.asked.move, Count)
    assert is_counted or sum(by_colour) + sum(position.rows) == HOLES * ROWS


def tally(play: Play[Any]) -> None:
    position, standing = play.position, play.game.standing(play.position)
    assert [finished.number for finished in position.rounds] == list(range(1, len(position.rounds) + 1))
    totals = [0] * position.seats
    for finished in position.rounds:
        assert finished.before == tuple(totals)
        assert all(told is not None for row in finished.rows for told in row)
        totals = [total + points for total, points in zip(totals, finished.points, strict=True)]
    assert [place.score for place in sorted(standing.places, key=lambda place: place.seat)] == totals


CHECKS: Mapping[str, Callable[[Play[Any]], None]] = {
    "hanabi": hanabi,
    "ikebana": ikebana,
    "rage": rage,
    "tally": tally,
    "ubongo": ubongo,
}
