"""A kit for the authors of games, and for our own: a pytest plugin, `pytest -p companion.testing`.

What it has is imported into a file of tests, a line each:

    from companion.testing.promises import *    # what every game promises, on random plays
    from companion.testing.renderers import *   # what a phone draws is what the server draws, where Node is
    from companion.testing.pages import *       # the keys of a seat at 360 × 640, where Chromium is

They try the games of other packages that are installed, or those that `--game` names; where there are none, our own.
`kit.py` plays at random, `transcripts.py` writes a play as text.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

# A whole evening hangs on one number, so a failing example cannot be made smaller by shrinking it.
_COMMON: dict[str, Any] = {
    "deadline": None,
    "database": None,
    "phases": [Phase.explicit, Phase.generate],
    "suppress_health_check": [HealthCheck.too_slow],
}
settings.register_profile("gate", max_examples=10, derandomize=True, **_COMMON)
settings.register_profile("long", max_examples=300, **_COMMON)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add what can be asked of the trials."""
    group = parser.getgroup("companion")
    group.addoption(
        "--long", action="store_true", help="run the trials of minutes too, and the others with more examples"
    )
    group.addoption("--regenerate", action="store_true", help="write transcripts and pages anew; review them as a diff")
    group.addoption("--game", action="append", metavar="KEY", help="try this game, and no other; may be said again")


def pytest_configure(config: pytest.Config) -> None:
    """Draw the same examples every time; with `--long` many, and others."""
    config.addinivalue_line("markers", "promise(*numbers): tries promises of the companion")
    settings.load_profile("long" if config.getoption("--long") else "gate")
    if config.getoption("--game"):
        games_under_trial(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Try what every game has to hold on each game."""
    if "key" in metafunc.fixturenames and metafunc.function.__module__.startswith(f"{__name__}."):
        metafunc.parametrize("key", games_under_trial(metafunc.config))


def games_under_trial(config: pytest.Config) -> list[str]:
    """Name the games: those that were asked for, or those of other packages, or else all.

    Raises:
        UsageError: one that was asked for is not there; says what was wrong with those that were left out.
    """
    from companion.games import GAMES, OWN, TURNED_AWAY  # noqa: PLC0415 (whoever tests something else does not wait)

    asked: list[str] = config.getoption("--game") or []
    if lacking := [key for key in asked if key not in GAMES]:
        raise pytest.UsageError("\n".join([f"There is no game called {', '.join(lacking)} here.", *TURNED_AWAY]))
    return asked or [key for key in GAMES if key not in {game.key for game in OWN}] or list(GAMES)


@pytest.fixture
def is_regenerating(request: pytest.FixtureRequest) -> bool:
    """Whether to write what is expected instead of comparing with it."""
    return bool(request.config.getoption("--regenerate"))


@pytest.fixture(scope="session")
def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether every combination is looked at, and not those alone that differ most."""
    return bool(request.config.getoption("--long"))
