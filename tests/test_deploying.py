"""The files of `docs/deploying/` do what they say: Debian's nginx runs ours before a real server."""

import re
import ssl
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPSConnection
from statistics import median
from urllib.parse import urlencode

import pytest

from companion.commands.serve import serve
from tests.house import PATIENCE_S, House, secret
from tests.nginx import FILES, Nginx
from tests.test_durability import form
from tests.test_several_servers import Stream


@dataclass
class Site:
    """A companion behind nginx."""

    house: House
    port: int

    def connection(self) -> HTTPSConnection:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE_S, context=context)

    def asks(self, method: str, path: str, data: dict[str, object] | None = None, **headers: str) -> int:
        """Ask as the host's phone does; the status."""
        connection = self.connection()
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        cookie = {"Cookie": f"phone={secret('host')}"}
        connection.request(method, path, urlencode(data or {}), {**kind, **cookie, **headers})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Start a server, and nginx before it."""
    house = House(tmp_path_factory.mktemp("site"))
    server = house.server()
    server.environment = {**server.environment, "COMPANION_PROXIES": "1", "COMPANION_ADDRESS": "https://127.0.0.1"}
    nginx = Nginx(house.folder, server.port)
    site = Site(house, nginx.port)
    try:
        server.start()
        nginx.start(lambda: site.asks("GET", "/healthz"))
        yield site
    finally:
        nginx.stop()
        server.kill()
        house.close()


def test_behind_our_nginx_streams_pass_at_once(site: Site) -> None:
    code = site.house.open(["A", "B", "C"], bidding="hidden")
    streams = [Stream(0, code, "host", place, site.connection()) for place in ("0", "1", "screen")]
    took = []
    for turn in range(20):
        begun = time.monotonic()
        data = form({"move": "bid", "seat": turn % 2, "tricks": turn % 11}, f"k{turn}")
        assert site.asks("POST", f"/t/{code}/{turn % 2}/move", data) == 303
        for stream in streams:
            stream.reaches(turn + 1)
        took.append(time.monotonic() - begun)
    print(f"from tap to all phones through nginx: median {median(took):.3f} s, slowest {max(took):.3f} s")
    assert median(took) < 1


def test_our_nginx_speaks_http_2(site: Site) -> None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2", "http/1.1"])
    connection = HTTPSConnection("127.0.0.1", site.port, timeout=PATIENCE_S, context=context)
    connection.connect()
    assert isinstance(connection.sock, ssl.SSLSocket)
    assert connection.sock.selected_alpn_protocol() == "h2"
    connection.close()


def test_the_figures_do_not_leave_by_our_nginx(site: Site) -> None:
    assert site.asks("GET", "/metrics") == 403


@pytest.mark.promise(12)
def test_nobody_guesses_longer_by_claiming_other_addresses(site: Site) -> None:
    claimed = [site.asks("GET", "/t/ZZZZZZ", None, **{"X-Forwarded-For": f"203.0.113.{n}"}) for n in range(31)]
    # One was tried while the server's start was waited for.
    assert claimed == [404] * 29 + [429] * 2


def test_the_unit_starts_the_server_with_options_that_it_has() -> None:
    unit = (FILES / "companion.service").read_text()
    (line,) = re.findall(r"^ExecStart=/opt/companion/bin/companion serve (.*)$", unit, re.MULTILINE)
    known = {name for option in serve.params for name in option.opts}
    assert set(re.findall(r"--[a-z-]+", line)) <= known
