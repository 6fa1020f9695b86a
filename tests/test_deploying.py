"""The files of `docs/deploying/` do what they say: Debian's nginx runs ours before a real server."""

import re
import ssl
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPSConnection
from statistics import median
from urllib.parse import urlencode

import pytest

from companion.commands.serve import serve
from tests.api.wire import Wire
from tests.databases import Cluster
from tests.house import PATIENCE_S, Client, House, bid, secret
from tests.nginx import FILES, GOOD, Nginx, ciphers_agreed
from tests.redises import RedisServer
from tests.test_durability import form
from tests.test_several_servers import Stream


@dataclass
class Site:
    """A companion behind nginx."""

    house: House
    port: int
    behind: int
    """The port of the server."""
    plain: int
    """The port without encryption."""

    @property
    def tls(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context

    def connection(self) -> HTTPSConnection:
        return HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE_S, context=self.tls)

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
def site(tmp_path_factory: pytest.TempPathFactory, cluster: Cluster) -> Iterator[Site]:
    """Start a server with two workers, and nginx before it."""
    folder = tmp_path_factory.mktemp("site")
    redis = RedisServer(folder)
    redis.start()
    house = House(folder, cluster.database("postgres").another(), redis.address)
    server = house.server(workers=2)
    server.environment = {**server.environment, "COMPANION_PROXIES": "1", "COMPANION_ADDRESS": "https://127.0.0.1"}
    nginx = Nginx(house.folder, server.port)
    site = Site(house, nginx.port, server.port, nginx.plain)
    try:
        server.start()
        nginx.start(lambda: site.asks("GET", "/healthz"))
        yield site
    finally:
        nginx.stop()
        server.kill()
        house.close()
        redis.kill()


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


def test_behind_our_nginx_moves_are_ruled_on_where_their_tables_are_kept(site: Site) -> None:
    codes = [site.house.open(["A", "B", "C"], bidding="hidden") for _ in range(6)]
    for turn in range(3):
        for code in codes:
            assert site.asks("POST", f"/t/{code}/0/move", form(bid(0, turn), f"k{turn}")) == 303
    with Client(site.behind, "operator") as client:
        assert "companion_strays_total 0.0" in client.get("/metrics").body.decode()


def test_behind_our_nginx_a_socket_plays(site: Site) -> None:
    code = site.house.open(["A", "B", "C"], phones={0: "anna", 1: "bohdan"}, bidding="hidden")
    begun_at = site.house.read(code).number
    wires = [Wire(site.port, code, phone, f"?seat={seat}", site.tls) for seat, phone in enumerate(("anna", "bohdan"))]
    assert [wire.status for wire in wires] == [101, 101]
    assert [wire.until("look")["look"]["number"] for wire in wires] == [begun_at, begun_at]
    took = []
    for number in range(begun_at, begun_at + 20):
        begun = time.monotonic()
        wires[number % 2].move(f"k{number}", bid(number % 2, number % 11), after=number)
        assert wires[number % 2].until("ruled")["ruled"]["number"] == number + 1
        for wire in wires:
            while wire.until("look")["look"]["number"] <= number:
                pass
        took.append(time.monotonic() - begun)
    for wire in wires:
        wire.socket.close()
    print(f"from a message to both programs through nginx: median {median(took):.4f} s, slowest {max(took):.3f} s")
    assert median(took) < 1


def test_behind_our_nginx_nothing_else_is_upgraded(site: Site) -> None:
    """Who asks for another protocol is answered in this one, and the connection to the server is kept."""
    upgrading = {
        "Upgrade": "h2c",
        "Connection": "Upgrade, HTTP2-Settings",
        "HTTP2-Settings": "AAMAAABkAAQAoAAAAAIAAAAA",
    }
    assert site.asks("GET", "/healthz", None, **upgrading) == 200


def test_our_nginx_speaks_http_2(site: Site) -> None:
    context = site.tls
    context.set_alpn_protocols(["h2", "http/1.1"])
    connection = HTTPSConnection("127.0.0.1", site.port, timeout=PATIENCE_S, context=context)
    connection.connect()
    assert isinstance(connection.sock, ssl.SSLSocket)
    assert connection.sock.selected_alpn_protocol() == "h2"
    connection.close()


def test_our_nginx_agrees_on_no_weak_encryption(site: Site) -> None:
    assert ciphers_agreed(site.port) == {GOOD}


@pytest.mark.parametrize(
    ("path", "status", "location"),
    [
        ("/t/K7QX2M?lang=cs", 301, "https://127.0.0.1/t/K7QX2M?lang=cs"),
        ("/apiary", 301, "https://127.0.0.1/apiary"),
        ("/api", 403, None),
        ("/api/tables/K7QX2M", 403, None),
    ],
)
def test_our_nginx_leads_pages_to_https_and_no_program(
    site: Site, path: str, status: int, location: str | None
) -> None:
    connection = HTTPConnection("127.0.0.1", site.plain, timeout=PATIENCE_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    assert (answer.status, answer.getheader("Location")) == (status, location)


def test_our_nginx_does_not_echo_a_request(site: Site) -> None:
    assert site.asks("TRACE", "/") == 405


def test_the_figures_do_not_leave_by_our_nginx(site: Site) -> None:
    assert site.asks("GET", "/metrics") == 403


@pytest.mark.promise(27)
def test_an_invitation_does_not_stand_in_the_logs_of_our_nginx(site: Site) -> None:
    code = site.house.open()
    ((own,),) = site.house.rows("SELECT invitation FROM tables WHERE code = ?", code)
    assert site.asks("GET", f"/T/{code}{own}") == 302
    log, give_up = site.house.folder / "access.log", time.monotonic() + PATIENCE_S
    while f'"GET /T/{code}... HTTP/1.1" 302' not in log.read_text():
        assert time.monotonic() < give_up, "it is written after the answer"
        time.sleep(0.01)
    assert not any(own in file.read_text() for file in site.house.folder.glob("*.log"))


@pytest.mark.promise(12)
def test_nobody_guesses_longer_by_claiming_other_addresses(site: Site) -> None:
    claimed = [site.asks("GET", "/t/ZZZZZZ", None, **{"X-Forwarded-For": f"203.0.113.{n}"}) for n in range(31)]
    # One was tried while the server's start was waited for.
    assert claimed == [404] * 29 + [429] * 2


@pytest.mark.parametrize("path", ["/groups/join/", "/GROUPS/JOIN/", "/t/K7QX2M/host/"])
def test_no_key_in_an_address_stands_in_the_logs_of_our_nginx(site: Site, path: str) -> None:
    key = f"{zlib.crc32(path.encode()):012X}"
    site.asks("GET", f"{path}{key}?lang=cs")
    log, give_up = site.house.folder / "access.log", time.monotonic() + PATIENCE_S
    while f'"GET {path}...?lang=cs HTTP/1.1"' not in log.read_text():
        assert time.monotonic() < give_up, "it is written after the answer"
        time.sleep(0.01)
    assert key not in log.read_text()


def test_the_unit_starts_the_server_with_options_that_it_has() -> None:
    unit = (FILES / "companion.service").read_text()
    (line,) = re.findall(r"^ExecStart=/opt/companion/bin/companion serve (.*)$", unit, re.MULTILINE)
    known = {name for option in serve.params for name in option.opts}
    assert set(re.findall(r"--[a-z-]+", line)) <= known
