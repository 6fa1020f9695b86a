"""Hanabi's arithmetic: the score and its tier, what can still be reached, the summary.

Source: H-cs, H-es, H-pl, score; H2, H7, H21, H25, H35, H36.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import combinations_with_replacement
from typing import Any, TypedDict

from companion.game import Place, Standing
from companion.games.hanabi.cards import VALUES, Card, Colour, Suit, card_name
from companion.games.hanabi.options import Indispensable, LateShuffle, ThirdError
from companion.games.hanabi.position import FULL, Clue, Position, Result, Slot, Tile
from companion.kernel.once import by_value, once, part


class Tier(Enum):
    """The bands of the rating scale, the lowest first. Source: H25."""

    FLOP = 1
    WEAK = 2
    FAIR = 3
    GREAT = 4
    SUPERB = 5
    LEGENDARY = 6
    DIVINE = 7


BANDS = ((5, Tier.FLOP), (10, Tier.WEAK), (15, Tier.FAIR), (20, Tier.GREAT), (24, Tier.SUPERB), (29, Tier.LEGENDARY))
"""(Highest score, tier). Source: H7, H25."""


def tier(score: int) -> Tier:
    """Rate a score.

    >>> tier(-5).name, tier(18).name, tier(25).name, tier(30).name
    ('FLOP', 'GREAT', 'LEGENDARY', 'DIVINE')
    """
    return next((band for most, band in BANDS if score <= most), Tier.DIVINE)


def points(suit: Suit, built: int) -> int:
    """Score one firework: its cards; of the black powder, those that are missing, as a loss. Source: H7."""
    return built - FULL if suit.is_falling else built


def raw(position: Position) -> int:
    """Add up the fireworks."""
    return _raw(position.suits, position.fireworks)


@part
def _raw(suits: tuple[Suit, ...], fireworks: tuple[int, ...]) -> int:
    return sum(map(points, suits, fireworks))


def score(position: Position) -> int:
    """Score the play as it stands; a defeat counts 0, unless the table keeps the sum. Source: H2."""
    is_burnt = position.result is Result.LOST and position.options.third_error is ThirdError.ZERO
    return 0 if is_burnt else raw(position)


@once
def max_score(position: Position) -> int:
    """Give the highest score that is still possible, as the summary says it.

    Where every card is named, that is what the discard pile allows; where tokens are counted it is a bound, by what was
    named, what tiles may bring back, and the turns left. Source: H35.
    """
    return at_most(position) if position.options.is_counted else _by_pile(position)


def at_most(position: Position) -> int:
    """Bound the score that is still possible, whatever is recorded: with the tiles to come, and the turns left."""
    return min(_by_pile(position, len(returning(position))), _in_time(position))


def _in_time(position: Position) -> int:
    """Bound the score by the turns left: each builds one card, and tiles to come may each build one on top."""
    if position.turns_left is None or _may_restart(position):
        return FULL * len(position.suits)
    return raw(position) + position.turns_left + len(returning(position))


def _by_pile(position: Position, returns: int = 0) -> int:
    """Add up the fireworks as far as cards could still build them, so many of those that are lost brought back."""
    return _built_up(position.suits, position.fireworks, position.discards, returns)


@part
def _built_up(
    suits: tuple[Suit, ...], fireworks: tuple[int, ...], discards: tuple[tuple[int, ...], ...], returns: int
) -> int:
    piles = list(zip(suits, fireworks, discards, strict=True))
    ways = combinations_with_replacement(range(len(piles)), returns)
    return max(
        sum([points(pile[0], reachable(*pile, way.count(index))) for index, pile in enumerate(piles)]) for way in ways
    )


def returning(position: Position) -> set[Tile]:
    """Name the tiles to come that take a card out of the discard pile. Source: H-pl, Five Flamboyants."""
    return {Tile.T5, Tile.T6} - set(position.tiles) if position.options.flamboyants else set()


def _may_restart(position: Position) -> bool:
    """Say whether a tile to come may begin the final round anew. Source: H11."""
    return position.options.late_shuffle is LateShuffle.RESTART and Tile.T5 in returning(position)


def reachable(suit: Suit, built: int, discards: tuple[int, ...], returns: int = 0) -> int:
    """Count the cards that a firework could still get: up to the first of which no copy is left or brought back."""
    for place in range(built, FULL):
        value = suit.value(place)
        if discards[value - 1] == suit.copies[value - 1]:
            returns -= 1
            if returns < 0:
                return place
    return FULL


def is_loss_marked(position: Position) -> bool:
    """Say whether the table marks what is lost for good: no tile to come may bring it back."""
    return position.options.aid_cut_off and not returning(position)


def critical(position: Position) -> Iterator[Card]:
    """Yield the cards of which one copy is left, and none is built."""
    return (card for card in position.cards() if position.left(card) == 1 and not position.is_built(card))


def is_indispensable_lost(position: Position) -> bool:
    """Say whether some firework can no longer be completed, and no tile may still help.

    Source: H-cs and H-pl, expert variant; H17, H19.
    """
    options = position.options
    may_wait = options.flamboyants and options.indispensable is Indispensable.IGNORE
    if may_wait and not {Tile.T5, Tile.T6} <= set(position.tiles):
        return False
    return min(map(reachable, position.suits, position.fireworks, position.discards)) < FULL


def pace(position: Position, most: int) -> int:
    """Count the turns that may still pass without a card played, if all else succeeds: below 0 is too late.

    Args:
        position: of the table.
        most: the highest score that is still possible.

    Source: decided here, as players of Hanabi reckon it: score + deck + players − highest score reachable.
    """
    return raw(position) + position.deck + position.seats - most


@once
def standing(position: Position) -> Standing:
    """Put everyone in first place: they win and lose together, and `is_lost` says which."""
    return _standing(position.seats, score(position), position.is_finished)


@by_value
def _standing(seats: int, total: int, is_finished: bool) -> Standing:
    return Standing(tuple([Place(seat, 1, total) for seat in range(seats)]), is_finished)


def is_lost(summary: Mapping[str, Any]) -> bool:
    """Say whether all have lost a finished play, by its summary; 0.1.0 wrote its `result`, too. Source: H36."""
    return bool(summary["result"] == Result.LOST.value)


_CLUES: Mapping[Clue, int] = {clue: place for place, clue in enumerate((*Colour, *VALUES))}
"""The order in which clues are named."""


def told(slot: Slot, is_touched: bool) -> list[Clue]:
    """List what the hints said that a card is (or is not), each once: colours first, then values."""
    return sorted({mark.clue for mark in slot.marks if mark.is_touched is is_touched}, key=_CLUES.__getitem__)


Known = TypedDict("Known", {"is": list[str | int], "is_not": list[str | int]})
"""What the hints said of a card: colours and values."""


class Summary(TypedDict):
    """A position, as the table record has it."""

    hint_tokens: int
    errors: int
    deck: int
    fireworks: dict[str, int]
    """By colour."""
    discarded: dict[str, int]
    """By card; none of which there is none."""
    score: int
    raw: int
    max_score: int
    pace: int
    critical: list[str]
    turns_left: int | None
    tier: int | None
    is_lost: bool
    result: str
    to_move: int | None
    hands: list[list[Known]]


def summary(position: Position) -> Summary:
    """Write the position as the table record does."""
    total, most = score(position), max_score(position)
    return {
        "hint_tokens": position.tokens,
        "errors": position.errors,
        "deck": position.deck,
        "fireworks": {suit.colour.value: built for suit, built in zip(position.suits, position.fireworks, strict=True)},
        "discarded": {card_name(card): copies for card in position.cards() if (copies := position.discarded(card))},
        "score": total,
        "raw": raw(position),
        "max_score": most,
        "pace": pace(position, most),
        "critical": [card_name(card) for card in critical(position)],
        "turns_left": position.turns_left,
        "tier": None if position.options.endless else tier(total).value,
        "is_lost": position.result is Result.LOST,
        "result": position.result.value,
        "to_move": position.to_move,
        "hands": [
            [{"is": _written(slot, True), "is_not": _written(slot, False)} for slot in hand] for hand in position.hands
        ],
    }


def _written(slot: Slot, is_touched: bool) -> list[str | int]:
    return [clue if isinstance(clue, int) else clue.value for clue in told(slot, is_touched)]
