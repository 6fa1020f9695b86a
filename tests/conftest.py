"""What every test may use, beside what the kit for authors brings (`companion/testing`)."""

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby, islice
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from companion.printing import Printer
from companion.settings import PRINTABLES
from tests import quick, trials, turns
from tests.databases import Cluster, Database, Lite, Postgres
from tests.house import House, Server
from tests.redises import RedisServer
from tests.turns import DEAR, PAGES

LONGEST = (
    *DEAR,
    "tests/test_machine.py",
    "tests/test_quick.py",
    "tests/test_simulated.py",
    "tests/test_soak.py",
)
"""The files that begin first."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--behind",
        choices=["nothing", "nginx"],
        default="nothing",
        help="what stands between the phones and the server",
    )
    parser.addoption("--hurry", type=float, metavar="SECONDS", help="begin no trial any more when so long has passed")
    parser.addoption("--turn", type=int, help="of trials that take turns, run those whose turn it is (tests/turns.py)")
    parser.addoption(
        "--hours", type=float, default=0.05, metavar="HOURS", help="so long the demonstration is watched, with --long"
    )
    parser.addoption("--promise", type=int, help="run nothing but the trials of this promise")


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()  # what is loaded until all is collected is no garbage: to look through it is a third of the work
    if config.getoption("--long") and not hasattr(config, "workerinput") and not config.getoption("--collect-only"):
        config.pluginmanager.register(trials.Recorder())
    if (seconds := config.getoption("--hurry")) is not None:
        config.pluginmanager.register(quick.Hurry(seconds))


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say which turn it is, so that the very same trials can be run again."""
    turn = config.getoption("--turn")
    return None if turn is None else f"turn: {turn}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        trials.note(item)
    promise, turn = config.getoption("--promise"), config.getoption("--turn")
    left_out = {
        item: None
        for item in items
        if (item.get_closest_marker("long") and not config.getoption("--long"))
        or (promise and promise not in trials.promises_of(item))
    }
    if turn is not None:
        left_out |= dict.fromkeys(turns.left_out([item for item in items if item not in left_out], turn))
    config.hook.pytest_deselected(items=list(left_out))
    items[:] = [item for item in items if item not in left_out]
    if config.getoption("--hurry") is None:  # which has its own order
        items[:] = dealt(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def dealt(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """Let each worker begin with some of what takes longest, so that at the end nothing of it is left for one alone.

    Each is given one stretch of all. Files stay together, for what their trials share, but those of pages share nothing.
    What keeps a core busy (a browser) and what mostly waits (for a server, for a disk) are mixed.
    """
    long = [item for item in items if item.nodeid.startswith(LONGEST)]
    quick = iter([item for item in items if not item.nodeid.startswith(LONGEST)])
    of_a_kind = groupby(long, lambda item: item.nodeid if item.nodeid.startswith(PAGES) else item.path)
    groups = [list(group) for _kind, group in of_a_kind]
    Random(0).shuffle(groups)
    stretches: list[list[pytest.Item]] = [[] for _worker in range(workers)]
    for place, group in enumerate(groups):
        stretches[place % workers] += group
    for stretch in stretches:
        stretch.extend(islice(quick, max(0, len(items) // workers - len(stretch))))
    return [*chain.from_iterable(stretches), *quick]


def pytest_collection_finish() -> None:
    # What is loaded stays. To look through it for garbage again and again takes a sixth of the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what is marked `on_both` on SQLite and on PostgreSQL."""
    if "database" in metafunc.fixturenames and metafunc.definition.get_closest_marker("on_both"):
        metafunc.parametrize("database", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture(autouse=True)
def _own_surroundings() -> Iterator[None]:
    """Take back what a command that runs in this process sets in its environment."""
    with patch.dict(os.environ):
        yield


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """Start a PostgreSQL server; each of several test processes has one."""
    cluster = Cluster()
    try:
        cluster.make()
        yield cluster
    finally:
        cluster.remove()


@pytest.fixture(scope="session")
def shared(cluster: Cluster) -> Postgres:
    """Make the database that the tests share, one after the other."""
    return cluster.database("postgres").another()


@pytest.fixture
def postgres(shared: Postgres) -> Postgres:
    """Give a test a database of PostgreSQL with nothing in it."""
    shared.empty()
    return shared


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """Give a test an empty database: of SQLite, unless it is run on both."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return Lite(tmp_path)
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    """Start a Redis server of the test's own."""
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def shared_house(tmp_path: Path, postgres: Postgres, redis_server: RedisServer) -> Iterator[House]:
    """Give a test an app upon PostgreSQL and Redis."""
    house = House(tmp_path, postgres, redis_server.address)
    yield house
    house.close()


@pytest.fixture
def server(house: House) -> Iterator[Server]:
    """Start a server upon the house's database."""
    server = house.server()
    server.start()
    yield server
    server.kill()


@pytest.fixture
def house(tmp_path: Path, database: Database) -> Iterator[House]:
    """Give a test an app on a database of its own."""
    house = House(tmp_path, database)
    yield house
    house.close()


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Let the trial of a promise say what it has measured; a long run writes it into `docs/promises.md`."""

    def note(text: str) -> None:
        print(text)
        record_property("figure", text)

    return note


@pytest.fixture(scope="session")
def printer() -> Iterator[Printer]:
    """Start a render process, for all who only print: to load the layout engine takes longer than most sheets."""
    printer = Printer(PRINTABLES, patience_s=60)
    yield printer
    printer.close()
