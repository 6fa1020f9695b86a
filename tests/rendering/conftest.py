"""A house with the companion's games and one of another package, and a phone that has the modules of all of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import pytest

from companion.game import AnyGame
from companion.games import GAMES
from companion.rendering.module import module
from companion.web.live_part import GIVEN
from companion.web.renderings import PARTS, rendering
from companion.words import LANGUAGES
from tests.house import House
from tests.rendering.moments import reader
from tests.rendering.node import ROOT, Phone


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
    made = {}
    with installed(cairn), reader(house.app, "en"):
        for game in GAMES.values():
            for part, language in product(PARTS, LANGUAGES):
                own = rendering(game).module(part, language)
                assert own, game.key
                made[f"{game.key}.{part}.{language}"] = own.code
    for part, language in product(PARTS, LANGUAGES):
        made[f"any.{part}.{language}"] = _plain(house, cairn, part, language)
    return made


def _plain(house: House, cairn: AnyGame, part: str, language: str) -> bytes:
    """Compile the pages of any game: those that ours do without."""
    with reader(house.app, language):
        compiler, words = rendering(cairn).compiler(language), rendering(cairn).speaker(language, ())
    return module(compiler, [f"games/any/{part}.html"], GIVEN, words.vocabulary).code


@pytest.fixture(scope="session")
def phone(modules: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Phone:
    return Phone(tmp_path_factory.mktemp("phone"), modules)
