"""A house with the companion's games and one of another package, and a phone that has the modules of all of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from companion.games import GAMES
from companion.rendering.module import module
from companion.web.renderings import GIVEN, rendering
from companion.words import LANGUAGES
from tests.house import House
from tests.rendering.moments import reader
from tests.rendering.node import ROOT, Phone


@pytest.fixture(scope="session")
def all_games() -> Iterator[None]:
    """Bring the game of another package, as if it were installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tests" / "fifth_game")
        patch.setitem(GAMES, "cairn", __import__("cairn").GAME)
        yield
        sys.modules.pop("cairn")


@pytest.fixture(scope="session")
def house(all_games: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    yield house
    house.close()


@pytest.fixture(scope="session")
def modules(house: House) -> dict[str, bytes]:
    """Compile every module: `rage.cs` and the others."""
    made = {}
    with reader(house.app, "en"):
        for game in GAMES.values():
            for language in LANGUAGES:
                own = rendering(game).module(language)
                assert own, game.key
                made[f"{game.key}.{language}"] = own.code
    for language in LANGUAGES:
        made[f"any.{language}"] = _plain(house, language)
    return made


def _plain(house: House, language: str) -> bytes:
    """Compile the pages of any game: those that ours do without."""
    with reader(house.app, language):
        compiler, words = rendering(GAMES["cairn"]).compiler(language), rendering(GAMES["cairn"]).speaker(language, ())
    return module(compiler, ["games/any/seat.html", "games/any/screen.html"], GIVEN, words.said).code


@pytest.fixture(scope="session")
def phone(modules: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Phone:
    return Phone(tmp_path_factory.mktemp("phone"), modules)
