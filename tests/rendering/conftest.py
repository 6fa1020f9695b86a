"""A house with the companion's games and one of another package, and a phone that has the modules of all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from companion.game import AnyGame
from companion.games import GAMES
from companion.testing.node import Phone
from companion.testing.renderers import modules as compiled
from companion.testing.renderers import plain_modules
from tests import neighbours
from tests.house import House
from tests.neighbours import installed


@pytest.fixture(scope="session")
def cairn() -> AnyGame:
    """Read the game of another package."""
    return neighbours.cairn()


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
