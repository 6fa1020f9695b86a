"""The games, in the order of the lobby; other packages add theirs by the entry point group `companion.games`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import entry_points

from companion.game import AnyGame
from companion.games import hanabi, ikebana, rage, ubongo


def _known() -> dict[str, AnyGame]:
    own = [hanabi.GAME, ikebana.GAME, rage.GAME, ubongo.GAME]
    others = [point.load() for point in entry_points(group="companion.games")]
    return {game.key: game for game in (*own, *others)}


GAMES: Mapping[str, AnyGame] = _known()
