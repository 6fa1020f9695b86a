from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.phones import Phone, Server, chromium, free_port

SHELL = "chromium-headless-shell"
"""Chromium's pages, scripts and network without its windows: a seventh of the work for a new phone."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("data"), free_port())
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright, is_long: bool) -> Iterator[Browser]:
    """Start a browser: the gate's is the light one, but for the secure door; `--long` tries everything in the whole one."""
    with chromium(playwright, program="chromium" if is_long else SHELL) as browser:
        yield browser


@pytest.fixture
def phone(browser: Browser, playwright: Playwright, server: Server) -> Iterator[Callable[..., Phone]]:
    """Make phones; at the end none may have complained."""
    made: list[Phone] = []

    def make(device: str = "Pixel 7", **settings: Any) -> Phone:
        context = browser.new_context(**{**playwright.devices[device], "locale": "en-GB", **settings})
        context.set_default_timeout(15_000)
        made.append(Phone(context.new_page(), server))
        return made[-1]

    yield make
    for one in made:
        one.page.context.close()
    assert [complaint for one in made for complaint in one.complaints] == []
