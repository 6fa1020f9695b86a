"""The files of `docs/deploying/` do what they say: Debian's nginx runs ours before a real server."""

import os
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

import pytest

from companion.authority import identity
from companion.commands.serve import serve
from tests.house import PATIENCE_S, House, free_port, secret
from tests.test_durability import form
from tests.test_several_servers import Stream

FILES = Path(__file__).parent.parent / "docs" / "deploying"
HEAD = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
{user}
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    scgi_temp_path {folder}/scgi;
    uwsgi_temp_path {folder}/uwsgi;
    include {folder}/site.conf;
}}
"""


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


@pytest.fixture
def site(house: House) -> Iterator[Site]:
    """Start a server, and nginx with our file: only its names, ports and files are others."""
    folder, port = house.folder, free_port()
    server = house.server()
    server.environment = {**server.environment, "COMPANION_PROXIES": "1", "COMPANION_ADDRESS": "https://127.0.0.1"}
    made = identity(folder / "authority", ("127.0.0.1",))
    text = (FILES / "nginx.conf").read_text()
    changes = {
        r"listen 80;": f"listen 127.0.0.1:{free_port()};",
        r"listen 443": f"listen 127.0.0.1:{port}",
        r"127\.0\.0\.1:8000": f"127.0.0.1:{server.port}",
        r"/etc/letsencrypt/\S+/fullchain\.pem": str(made.certificate),
        r"/etc/letsencrypt/\S+/privkey\.pem": str(made.key),
        r"server_name table\.example": "server_name 127.0.0.1",
    }
    for old, new in changes.items():
        text, count = re.subn(old, new, text)
        assert count, old
    (folder / "site.conf").write_text(text)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(HEAD.format(folder=folder, user=user))
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    assert program, "nginx is not here; bin/test installs it."
    server.start()
    nginx = subprocess.Popen([program, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "nginx.log"])
    site = Site(house, port)
    try:
        wait_for(site, nginx)
        yield site
    finally:
        nginx.terminate()
        nginx.wait()
        server.kill()


def wait_for(site: Site, nginx: subprocess.Popen[bytes]) -> None:
    give_up = time.monotonic() + PATIENCE_S
    while True:
        assert nginx.poll() is None, (site.house.folder / "nginx.log").read_text()
        assert time.monotonic() < give_up
        try:
            assert site.asks("GET", "/healthz") == 200
        except OSError:
            time.sleep(0.02)
        else:
            return


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
