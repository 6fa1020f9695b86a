"""What somebody who has no cards may well do at a table of Hanabi."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from random import Random

from companion.games.hanabi.moves import Arrange, Discard, Hint, Move, PlayCard
from companion.games.hanabi.position import Position
from companion.games.hanabi.rules import legal

SOME = 400
"""As many moves are looked at; of each kind there are some among them."""
HINT, FITS, ERROR, DISCARD, REWARD = "hint", "fits", "error", "discard", "reward"
OFTEN = {HINT: 8.0, FITS: 6.0, DISCARD: 5.0, ERROR: 0.3, REWARD: 1.0}
"""How often each kind is chosen, beside the others."""


def likely(position: Position, seat: int, at: str, chance: Random) -> Move | None:
    """Hint, build or discard, seldom err; None while another seat is on turn."""
    if position.is_finished or seat != position.turn:
        return None
    kinds: dict[str, list[Move]] = defaultdict(list)
    for move in islice(legal(position, seat), SOME):
        if not isinstance(move, Arrange):
            kinds[_kind(position, move)].append(move)
    if not kinds:
        return None
    (kind,) = chance.choices(list(kinds), [OFTEN[kind] for kind in kinds])
    return chance.choice(kinds[kind])


def _kind(position: Position, move: Move) -> str:
    if isinstance(move, Hint):
        return HINT
    if isinstance(move, PlayCard):
        return FITS if move.card is not None and position.fits(move.card) else ERROR
    return DISCARD if isinstance(move, Discard) else REWARD
