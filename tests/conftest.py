"""What every test may use: the flags `--long` and `--regenerate`, and Hypothesis with the same examples every time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.house import House

# A whole evening hangs on one number, so a failing example cannot be made smaller by shrinking it.
COMMON: dict[str, Any] = {
    "deadline": None,
    "database": None,
    "phases": [Phase.explicit, Phase.generate],
    "suppress_health_check": [HealthCheck.too_slow],
}
settings.register_profile("gate", max_examples=10, derandomize=True, **COMMON)
settings.register_profile("long", max_examples=300, **COMMON)
LONGEST = (
    "tests/pages/",
    "tests/test_every_sheet.py",
    "tests/test_durability.py",
    "tests/test_sheets.py",
    "tests/test_promises.py",
)
"""The files that begin first."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="run the trials of minutes too, and the others with more examples"
    )
    parser.addoption("--regenerate", action="store_true", help="write the transcripts anew; review them as a diff")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("long" if config.getoption("--long") else "gate")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Two workers take file after file: what takes minutes must not be left for the end, when one of them is idle.
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    if config.getoption("--long"):
        return
    long = [item for item in items if item.get_closest_marker("long")]
    config.hook.pytest_deselected(items=long)
    items[:] = [item for item in items if item not in long]


@pytest.fixture
def is_regenerating(request: pytest.FixtureRequest) -> bool:
    """Whether to write what is expected instead of comparing with it."""
    return bool(request.config.getoption("--regenerate"))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Give a test an app on a database of its own."""
    house = House(tmp_path)
    yield house
    house.close()


@pytest.fixture(scope="session")
def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether every combination is looked at, and not those alone that differ most."""
    return bool(request.config.getoption("--long"))
