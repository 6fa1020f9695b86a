"""What every test may use, beside what the kit for authors brings (`companion/testing`)."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.printing import Printer
from companion.settings import PRINTABLES
from tests import quick, trials, turns
from tests.databases import Cluster, Database, Lite, Postgres
from tests.house import House, Server
from tests.redises import RedisServer

LONGEST = (
    "tests/pages/",
    "tests/test_bad_days.py",
    "tests/test_every_sheet.py",
    "tests/test_durability.py",
    "tests/test_sheets.py",
    "tests/test_promises.py",
    "tests/test_claim.py",
    "tests/test_new_game.py",
    "tests/test_packaging.py",
    "tests/test_keeps_rules.py",
    "tests/test_machine.py",
    "tests/test_simulated.py",
    "tests/api/test_description.py",
    "tests/web/test_sealed.py",
    "tests/web/test_invited.py",
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
    if config.getoption("--long") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(trials.Recorder())
    if (seconds := config.getoption("--hurry")) is not None:
        config.pluginmanager.register(quick.Hurry(seconds))


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say which turn it is, so that the very same trials can be run again."""
    turn = config.getoption("--turn")
    return None if turn is None else f"turn: {turn}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Two workers take file after file: what takes minutes must not be left for the end, when one of them is idle.
    if config.getoption("--hurry") is None:  # which has its own order
        items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
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
