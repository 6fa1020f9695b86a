"""The Caddyfile of `docs/deploying/` does what it says: Debian's Caddy runs it before a real server (--long)."""

from __future__ import annotations

import json
import ssl
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPSConnection

import pytest

from tests.api.program import PROBLEM
from tests.caddy import Caddy
from tests.house import PATIENCE_S, House
from tests.test_deploying import CLEAR, OPENING

pytestmark = pytest.mark.long
HOST = {"Host": "table.example"}


@pytest.fixture(scope="module")
def caddy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caddy]:
    """Start a server, and Caddy before it."""
    house = House(tmp_path_factory.mktemp("site"))
    server = house.server()
    named = {"COMPANION_ADDRESS": "https://table.example", "COMPANION_HOSTS": "table.example", "COMPANION_PROXIES": "1"}
    server.environment = {**server.environment, **named}
    caddy = Caddy(house.folder, server.port)
    try:
        server.start()
        caddy.start(lambda: asked(caddy, "GET", "/"))
        yield caddy
    finally:
        caddy.stop()
        server.kill()
        house.close()


def asked(caddy: Caddy, method: str, path: str, body: str | None = None) -> tuple[int, str]:
    """Ask by https; the status, and what is said."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = HTTPSConnection("127.0.0.1", caddy.port, timeout=PATIENCE_S, context=context)
    connection.request(method, path, body, {**HOST, "Content-Type": "application/json"})
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    return answer.status, said


def test_behind_our_caddy_a_page_and_a_program_are_answered(caddy: Caddy) -> None:
    assert asked(caddy, "GET", "/")[0] == 200
    status, said = asked(caddy, "POST", "/api/tables", json.dumps(OPENING))
    assert status == 201
    assert json.loads(said)["table"]["join"].upper().startswith("HTTPS://TABLE.EXAMPLE/T/")


def test_the_figures_do_not_leave_by_our_caddy(caddy: Caddy) -> None:
    assert asked(caddy, "GET", "/metrics")[0] == 403


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
