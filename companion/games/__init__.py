"""The games, in the order of the lobby.

Other packages add theirs by the entry point group `companion.games`, and a folder of score sheets (`COMPANION_GAMES`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.game import AnyGame
from companion.games import hanabi, ikebana, rage, tally, ubongo
from companion.games.installed import homes, load, unseen

__all__ = ["GAMES", "OWN", "TURNED_AWAY", "Missing", "brought", "have_lost", "homes", "known", "unseen"]


@dataclass(frozen=True, slots=True)
class Missing:
    """A game of which nothing is here but its key, which stands at its tables."""

    key: str
    bgg: None = None
    is_shared: bool = False
    won_by_fewest: None = None

    @property
    def name(self) -> str:
        """Call it by its key."""
        return self.key

    def called(self, options: Mapping[str, Any]) -> str:
        """Call it by its key at every table."""
        return self.key

    def is_lost(self, summary: Mapping[str, Any]) -> bool:
        """Say whether all have lost, where the summary that was kept says so."""
        return summary.get("is_lost") is True


def known(key: str) -> AnyGame | Missing:
    """Give a game, or what stands for one that is not installed."""
    return GAMES.get(key) or Missing(key)


def have_lost(game: AnyGame | Missing, summary: Mapping[str, Any]) -> bool:
    """Say whether all have lost; where a game stumbles over what an older one has kept, as if it were gone."""
    try:
        return game.is_lost(summary)
    except Exception:  # whatever a game of another package does
        return Missing(game.key).is_lost(summary)


OWN = (hanabi.GAME, ikebana.GAME, rage.GAME, ubongo.GAME, tally.GAME)
GAMES: Mapping[str, AnyGame]
TURNED_AWAY: tuple[str, ...]
"""What is wrong with games of other packages, and with score sheets, that are not among them: a sentence each."""
GAMES, TURNED_AWAY = load(OWN, tally.written(os.environ.get("COMPANION_GAMES", "")))


def brought(name: str) -> tuple[Path, ...]:
    """List the folders of one name (`templates`, `printables`, `static`) that games of other packages bring."""
    places = (game.folder / name for game in GAMES.values() if game.folder)
    return tuple(place for place in places if place.is_dir())
