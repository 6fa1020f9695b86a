"""How many copies of each card are left, and whether so many cards in hands can be what was said of them.

Cards are bits, as in `deck.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.hanabi.cards import VALUES, Suit
from companion.kernel.once import part


@dataclass(frozen=True, slots=True, eq=False)
class Left:
    """The copies that are neither built nor discarded: in the hands and in the deck."""

    copies: tuple[int, ...]
    """Of each card, in the order of the deck."""
    at_least: tuple[int, ...]
    """The cards of which there are one or more, two or more, and so on."""

    @property
    def cards(self) -> int:
        """The cards of which there is one."""
        return self.at_least[0]

    def count(self, cards: int) -> int:
        """Count the copies of some cards."""
        return sum([(cards & some).bit_count() for some in self.at_least])


@part
def left_of(suits: tuple[Suit, ...], fireworks: tuple[int, ...], discards: tuple[tuple[int, ...], ...]) -> Left:
    """Count what is left beside so much that is built and discarded."""
    piles = zip(suits, fireworks, discards, strict=True)
    copies = tuple([suit.left(value, built, gone[value - 1]) for suit, built, gone in piles for value in VALUES])
    most = max(max(suit.copies) for suit in suits)
    at_least = [sum([(count > few) << bit for bit, count in enumerate(copies)]) for few in range(most)]
    return Left(copies, tuple(at_least))


def overfull(held: Sequence[int], left: Left) -> list[int]:
    """Find cards that are more than there are copies of all that they can be, by their places in the list.

    [] where each of them can be a copy of its own; else all that may have to do without one.

    >>> five_alone = Left((3, 1), (0b11, 0b01, 0b01))
    >>> overfull([0b10, 0b11, 0b10], five_alone), overfull([0b10, 0b11, 0b01], five_alone)
    ([2, 0], [])
    """
    counts = {cards: left.count(cards) for cards in set(held)}
    if all(count > before for before, count in enumerate(sorted([counts[cards] for cards in held]))):
        return []  # Whoever has the fewest to choose from chooses first, and the others still find one.
    taken: list[list[int]] = [[] for _ in left.copies]
    late = [place for place in range(len(held)) if not _takes(place, held, left, taken, [])]
    asked: list[int] = []
    for place in late:
        _takes(place, held, left, taken, asked)
    return asked


def _takes(place: int, held: Sequence[int], left: Left, taken: list[list[int]], asked: list[int]) -> bool:
    """Take a copy for a card, and let others take another one for it; whoever was asked in vain is not asked again."""
    asked.append(place)
    for card, copies in enumerate(left.copies):
        if not held[place] >> card & 1:
            continue
        if len(taken[card]) < copies:
            taken[card].append(place)
            return True
        for other in taken[card]:
            if other not in asked and _takes(other, held, left, taken, asked):
                taken[card].remove(other)
                taken[card].append(place)
                return True
    return False
