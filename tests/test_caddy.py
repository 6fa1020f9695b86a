"""The Caddyfile of `docs/deploying/` does what it says: Debian's Caddy runs it before a real server (--long)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.api.program import PROBLEM
from tests.caddy import Caddy
from tests.house import PATIENCE_S, House, Server, free_port
from tests.test_deploying import CLEAR, OPENING, asked, assert_says_in_words_that_nobody_answers

pytestmark = pytest.mark.long
HOST = {"Host": "table.example"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Make a house."""
    house = House(tmp_path_factory.mktemp("site"))
    yield house
    house.close()


@pytest.fixture(scope="module")
def server(house: House) -> Iterator[Server]:
    """Start a server that is asked as table.example."""
    server = house.server()
    named = {"COMPANION_ADDRESS": "https://table.example", "COMPANION_HOSTS": "table.example", "COMPANION_PROXIES": "1"}
    server.environment = {**server.environment, **named}
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def caddy(house: House, server: Server) -> Iterator[Caddy]:
    """Start Caddy before it."""
    caddy = Caddy(house.folder, server.port)
    try:
        caddy.start(lambda: asked(caddy.port, "GET", "/"))
        yield caddy
    finally:
        caddy.stop()


def test_behind_our_caddy_a_page_and_a_program_are_answered(caddy: Caddy) -> None:
    assert asked(caddy.port, "GET", "/")[0] == 200
    status, _kind, _again, said = asked(caddy.port, "POST", "/api/tables", body=json.dumps(OPENING))
    assert status == 201
    assert json.loads(said)["table"]["join"].upper().startswith("HTTPS://TABLE.EXAMPLE/T/")


def test_the_figures_do_not_leave_by_our_caddy(caddy: Caddy) -> None:
    assert asked(caddy.port, "GET", "/metrics")[0] == 403


@pytest.mark.parametrize("path", ["/", "/t/K7QX2M?lang=cs", "/apiary"])
def test_our_caddy_leads_pages_to_https(caddy: Caddy, path: str) -> None:
    connection = HTTPConnection("127.0.0.1", caddy.plain, timeout=PATIENCE_S)
    connection.request("GET", path, headers=HOST)
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Location")) == (301, f"https://table.example{path}")
    connection.close()


@pytest.mark.parametrize(("method", "path"), CLEAR)
def test_our_caddy_leads_no_program_to_https(caddy: Caddy, method: str, path: str) -> None:
    connection = HTTPConnection("127.0.0.1", caddy.plain, timeout=PATIENCE_S)
    connection.request(method, path, json.dumps(OPENING), HOST)
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Location"), answer.getheader("Content-Type")) == (403, None, PROBLEM)
    assert json.load(answer)["detail"].startswith("Ask by https.")
    connection.close()


def test_behind_our_caddy_a_page_waits_for_a_companion_that_starts_anew(caddy: Caddy, server: Server) -> None:
    server.kill()
    with ThreadPoolExecutor() as pool:
        asks = pool.submit(asked, caddy.port, "GET", "/")
        with pytest.raises(TimeoutError):
            asks.result(timeout=1)
        server.start()
        assert asks.result()[0] == 200


def test_our_caddy_says_in_words_that_nobody_answers(tmp_path: Path) -> None:
    caddy = Caddy(tmp_path, free_port())
    try:
        caddy.start(lambda: asked(caddy.port, "GET", "/metrics"))
        assert_says_in_words_that_nobody_answers(caddy.port)
    finally:
        caddy.stop()
