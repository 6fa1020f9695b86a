"""The games of other packages that the tests bring, as if their packages were installed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.game import AnyGame
from companion.games import GAMES
from tests.phones import ROOT


def cairn() -> AnyGame:
    """Read the game of `tests/fifth_game`."""
    return _brought("fifth_game", "cairn")


def vault() -> AnyGame:
    """Read the game with hands of `tests/hands_game`."""
    return _brought("hands_game", "vault")


@contextmanager
def installed(game: AnyGame) -> Iterator[None]:
    """Let a game of another package be installed meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, game.key, game)
        yield


def _brought(folder: str, package: str) -> AnyGame:
    """Read a package's game, and leave nothing behind by which others would find it installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tests" / folder)
        game: AnyGame = __import__(package).GAME
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
    return game
