"""The game with hands of `tests/hands_game`, as if its package were installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.game import AnyGame
from companion.games import GAMES
from tests.phones import ROOT


def vault() -> AnyGame:
    """Read the game, and leave nothing behind by which others would find it installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tests" / "hands_game")
        game: AnyGame = __import__("vault").GAME
    del sys.modules["vault"]
    return game


@contextmanager
def installed(game: AnyGame) -> Iterator[None]:
    """Let a game of another package be installed meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, game.key, game)
        yield
