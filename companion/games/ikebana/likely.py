"""What somebody who has no cards may well do at a table of Ikebana."""

from __future__ import annotations

from collections import defaultdict
from random import Random

from companion.games.ikebana.bouquet import SIZE
from companion.games.ikebana.cards import Card
from companion.games.ikebana.moves import Buy, Keep, Move, Refuse, TellBouquet
from companion.games.ikebana.position import Position
from companion.games.ikebana.rules import legal

OFTEN: dict[type[Move], float] = {Keep: 10.0, Refuse: 3.0, Buy: 2.0}
"""How often each kind is chosen, beside the others."""


def likely(position: Position, seat: int, at: str, chance: Random) -> Move | None:
    """Keep mostly, refuse or buy now and then, and tell any bouquet that can be; None to wait."""
    if position.is_finished:
        return None
    if position.to_move is None:
        return None if position.has_told(seat) else TellBouquet(seat, _bouquet(position, chance))
    kinds: dict[type[Move], list[Move]] = defaultdict(list)
    for move in legal(position, seat):
        kinds[type(move)].append(move)
    if not kinds:
        return None
    (kind,) = chance.choices(list(kinds), [OFTEN[kind] for kind in kinds])
    return chance.choice(kinds[kind])


def _bouquet(position: Position, chance: Random) -> tuple[Card, ...]:
    there = [card for card, copies in position.left_of_each for _ in range(copies)]
    return tuple(sorted(chance.sample(there, SIZE), key=there.index))
