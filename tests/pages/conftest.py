from __future__ import annotations

import socket
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from tests.nginx import Nginx
from tests.phones import Phone, Server, chromium, free_port
from tests.redises import RedisServer

OPERATOR = "an operator's token, 32 letters."
PATIENCE_MS = 45_000
"""So long a page is waited for; no trial measures time by it. The first page with a sheet waits for the printer, which
may take thirty seconds to start, and ten for the sheet."""
FAILED = pytest.StashKey[bool]()
"""Whether a part of the trial has."""
SHELL = "chromium-headless-shell"
"""Chromium's pages, scripts and network without its windows: a seventh of the work for a new phone."""


@pytest.fixture(scope="session")
def nginx(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Nginx | None:
    """Name what stands between the phones and the server: nothing, or nginx (`--behind nginx`)."""
    if request.config.getoption("--behind") != "nginx":
        return None
    return Nginx(tmp_path_factory.mktemp("nginx"), free_port(), name="table.lan")


@pytest.fixture(scope="session")
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, nginx: Nginx | None
) -> Iterator[Server]:
    """Start a server as at home; or two workers on PostgreSQL and Redis, behind nginx."""
    folder = tmp_path_factory.mktemp("data")
    if nginx is None:
        server = Server(folder, free_port(), more={"COMPANION_OPERATOR": OPERATOR})
        server.start()
        yield server
        server.stop()
        return
    database = request.getfixturevalue("cluster").database("postgres").another().address
    redis = RedisServer(folder)
    redis.start()
    more = {"COMPANION_DATABASE": database, "COMPANION_REDIS": redis.address, "COMPANION_PROXIES": "1"}
    more["COMPANION_OPERATOR"] = OPERATOR
    server = Server(folder, nginx.behind, workers=2, more=more, behind=nginx.port)
    server.start()
    nginx.start(lambda: socket.create_connection(("127.0.0.1", nginx.port)).close())
    yield server
    nginx.stop()
    server.stop()
    redis.kill()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright, nginx: Nginx | None, is_long: bool) -> Iterator[Browser]:
    """Start a browser: the gate's is the light one, but for the secure door; `--long` tries everything in the whole one."""
    trusting = [f"--ignore-certificate-errors-spki-list={nginx.pin}"] if nginx else []
    with chromium(playwright, *trusting, program="chromium" if is_long else SHELL) as browser:
        yield browser


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    item.stash[FAILED] = report.failed or item.stash.get(FAILED, False)
    return report


@pytest.fixture
def phone(
    request: pytest.FixtureRequest,
    browser: Browser,
    playwright: Playwright,
    server: Server,
    is_long: bool,
) -> Iterator[Callable[..., Phone]]:
    """Make phones; at the end none may have complained. Those of a trial that failed say what they show.

    Nothing moves on them: what moves is drawn sixty times a second. A trial of what moves says so. In the gate they have
    one dot where a phone has seven: to draw all of them is a tenth of what a browser does.
    """
    made: list[Phone] = []
    usual: dict[str, Any] = {"locale": "en-GB", "reduced_motion": "reduce"} | (
        {} if is_long else {"device_scale_factor": 1}
    )

    def make(device: str = "Pixel 7", **settings: Any) -> Phone:
        context = browser.new_context(**{**playwright.devices[device], **usual, **settings})
        context.set_default_timeout(PATIENCE_MS)
        made.append(Phone(context.new_page(), server))
        return made[-1]

    yield make
    if request.node.stash.get(FAILED, False):
        print(*(one.shows() for one in made), sep="\n\n")
    for one in made:
        one.page.context.close()
    assert [complaint for one in made for complaint in one.complaints] == []
