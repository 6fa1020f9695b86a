"""A house with the companion's games and one of another package, and a phone that has the modules of all of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.game import AnyGame
from companion.games import GAMES
from companion.testing.node import Phone
from companion.testing.renderers import modules as compiled
from companion.testing.renderers import plain_modules
from tests.house import House
from tests.phones import ROOT


@pytest.fixture(scope="session")
def cairn() -> AnyGame:
    """Read the game of another package, and leave nothing behind by which others would find it installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tests" / "fifth_game")
        game: AnyGame = __import__("cairn").GAME
    for name in [name for name in sys.modules if name.partition(".")[0] == "cairn"]:
        del sys.modules[name]
    return game


@contextmanager
def installed(game: AnyGame) -> Iterator[None]:
    """Let a game of another package be installed meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES, game.key, game)
        yield


@pytest.fixture(autouse=True)
def all_games(cairn: AnyGame) -> Iterator[None]:
    """Let it be installed for one test: those of other folders that follow know of our games alone."""
    with installed(cairn):
        yield


@pytest.fixture(scope="session")
def house(cairn: AnyGame, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with installed(cairn):
        house = House(tmp_path_factory.mktemp("house"))
    yield house
    house.close()


@pytest.fixture(scope="session")
def modules(house: House, cairn: AnyGame) -> dict[str, bytes]:
    """Compile every module: `rage.seat.cs` and the others."""
    with installed(cairn):
        return compiled(house.app, GAMES) | plain_modules(house.app, cairn)


@pytest.fixture(scope="session")
def phone(modules: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Phone:
    return Phone(tmp_path_factory.mktemp("phone"), modules)
