"""Evenings of Rage as people play them: they bid what their hands promise, and play for their bids.

Most bids come true, or miss by one. Drawn at random hardly any would, and nearly every count would be corrected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from companion.games.rage.cards import VALUES, Action, Card, Colour, Coloured, Joker, led_colour, winner

ROUNDS = 10
ACTIONS = {Action.NO_TRUMP: 4, Action.CHANGE_OF_TRUMP: 4, Action.PLUS_FIVE: 3, Action.MINUS_FIVE: 3}
"""How many there are of each."""
JOKERS = 2
PROMISING = 10
"""A card of another colour promises something from this value on; a trump always does."""


@dataclass(frozen=True)
class Round:
    """What is told of a round; each in the order of the seats."""

    bids: Sequence[int]
    tricks: Sequence[int]
    plus: Sequence[int]
    minus: Sequence[int]


def evening(seats: int, chance: Random) -> Iterator[Round]:
    """Play the rounds of an evening; the first seat leads the first one, then its left neighbour."""
    for number in range(ROUNDS):
        yield _round(number % seats, ROUNDS - number, seats, chance)


def _round(leader: int, cards: int, seats: int, chance: Random) -> Round:
    coloured: list[Card] = [Coloured(colour, value) for colour in Colour for value in VALUES]
    trump = chance.choice(list(Colour))
    deck = coloured + [action for action, count in ACTIONS.items() for _ in range(count)] + [Joker(trump)] * JOKERS
    chance.shuffle(deck)
    hands = [deck[seat * cards : (seat + 1) * cards] for seat in range(seats)]
    bids = [round(sum(_promise(card, trump, cards, seats) for card in hand)) for hand in hands]
    tricks, plus, minus = ([0] * seats for _ in range(3))
    for _ in range(cards):
        trick: list[Card] = []
        for turn in range(seats):
            seat = (leader + turn) % seats
            card = _chosen(hands[seat], trick, trump, wants=tricks[seat] < bids[seat])
            hands[seat].remove(card)
            trick.append(card)
        leader = (leader + winner(trick, None if Action.NO_TRUMP in trick else trump)) % seats
        if Action.CHANGE_OF_TRUMP in trick:
            trump = chance.choice(list(Colour))
        tricks[leader] += 1
        plus[leader] += trick.count(Action.PLUS_FIVE)
        minus[leader] += trick.count(Action.MINUS_FIVE)
    return Round(bids, tricks, plus, minus)


def _promise(card: Card, trump: Colour, cards: int, seats: int) -> float:
    """Guess how much of a trick a card will bring: the fewer are dealt, the more a high one."""
    top = max(VALUES)
    if not isinstance(card, Coloured):
        return float(isinstance(card, Joker))
    spread = 1 - cards * seats / 2 / (len(Colour) * len(VALUES))  # how likely nobody can trump it, about
    if card.colour is trump:
        return 0.4 + 0.6 * card.value / top
    return max(0.0, card.value - PROMISING) / (top - PROMISING) * spread


def _chosen(hand: Sequence[Card], trick: Sequence[Card], trump: Colour, *, wants: bool) -> Card:
    """Play high for a trick that is wanted; else the highest card that does not take it, or the lowest."""
    led = led_colour(trick)
    following = [card for card in hand if isinstance(card, Coloured) and card.colour is led]
    by_rank = sorted(following or hand, key=lambda card: _promise(card, trump, 0, 0) + _value(card) / 100)
    takes = [card for card in by_rank if winner([*trick, card], trump) == len(trick)]
    if wants:
        return takes[-1] if takes else by_rank[0]
    return next((card for card in reversed(by_rank) if card not in takes), by_rank[0])


def _value(card: Card) -> int:
    return card.value if isinstance(card, Coloured) else 0
