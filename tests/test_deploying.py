"""The files of `docs/deploying/` do what they say: Debian's nginx runs ours before a real server, and systemd reads ours."""

import json
import os
import re
import signal
import ssl
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

import pytest
from redis import Redis

from companion.commands.serve import serve
from companion.desk import quotas, trouble
from companion.errors import Away
from companion.words import LANGUAGES, translations
from tests.api.program import PROBLEM
from tests.api.wire import Wire
from tests.databases import Cluster
from tests.house import PATIENCE_S, Client, House, Server, bid, free_port, secret
from tests.jail import allowed
from tests.nginx import FILES, GOOD, Nginx, ciphers_agreed
from tests.redises import RedisServer
from tests.test_durability import form, workers_of
from tests.test_several_servers import Stream
from tests.waiting import until

OPENING = {"game": "rage", "players": ["Anna", "Bohdan", "Katka"]}
CLEAR = [
    ("GET", "/api"),
    ("GET", "/api/tables/K7QX2M"),
    ("POST", "/api/tables"),
    ("DELETE", "/API/tables/K7QX2M/seats/0"),
]
"""What no program may ask without encryption."""


@dataclass
class Site:
    """A companion behind nginx."""

    house: House
    port: int
    behind: int
    """The port of the server."""
    plain: int
    """The port without encryption."""
    server: Server

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
    site = Site(house, nginx.port, server.port, nginx.plain, server)
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


def test_behind_our_nginx_a_tap_in_the_hand_of_a_worker_that_dies_is_answered_by_another(site: Site) -> None:
    codes = [site.house.open(["A", "B", "C"], bidding="hidden") for _ in range(6)]
    assert site.server.process is not None

    def tap(code: str) -> int:
        return site.asks("POST", f"/t/{code}/0/move", form(bid(0, 1), "k"))

    with ThreadPoolExecutor(len(codes)) as pool:
        with site.house.database.locked():
            taps = [pool.submit(tap, code) for code in codes]
            until(lambda: site.house.rows("SELECT count(*) FROM pg_locks WHERE NOT granted") >= [(2,)])
            time.sleep(1)
            for worker in workers_of(site.server.process.pid)[1:]:
                os.kill(int(worker), signal.SIGKILL)
        print(
            [answer.result() for answer in taps],
            (site.house.folder / "nginx.log").read_text(),
            (site.house.folder / "access.log").read_text()[-1500:],
        )
        assert [answer.result() for answer in taps] == [303] * len(codes)
    assert [site.house.read(code).number for code in codes] == [1] * len(codes)


def asked(
    port: int, method: str, path: str, language: str = "en", body: str | None = None
) -> tuple[int, str | None, str | None, str]:
    """Ask a proxy by https, with JSON if there is a body; the status, the kind, when to ask again, and what is said."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = HTTPSConnection("127.0.0.1", port, timeout=PATIENCE_S, context=context)
    headers = {"Host": "table.example", "Accept-Language": language, "Content-Type": "application/json"}
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    return answer.status, answer.getheader("Content-Type"), answer.getheader("Retry-After"), said


def assert_says_in_words_that_nobody_answers(port: int) -> None:
    """Ask a proxy behind which there is no server, as a phone and as a program."""
    with ThreadPoolExecutor() as pool:
        answers = pool.map(lambda language: asked(port, "GET", "/t/K7QX2M", f"{language}-XX,en;q=0.5"), LANGUAGES)
    for language, (status, kind, again, said) in zip(LANGUAGES, answers, strict=True):
        words = translations(language)
        assert (status, kind, again) == (503, "text/html; charset=utf-8", str(trouble.RETRY_S))
        assert words.gettext(Away.title) in said
        assert words.gettext(Away.message) in said
        assert f'lang="{language}"' in said
    status, kind, again, said = asked(port, "POST", "/api/tables", "cs")
    assert (status, kind, again) == (503, PROBLEM, str(trouble.RETRY_S))
    told = {"type": "", "title": Away.title, "status": 503, "detail": Away.message}
    assert {**json.loads(said), "type": ""} == told


def test_our_nginx_says_in_words_that_nobody_answers(tmp_path: Path) -> None:
    nginx = Nginx(tmp_path, free_port())
    try:
        nginx.start(lambda: asked(nginx.port, "GET", "/"))
        assert_says_in_words_that_nobody_answers(nginx.port)
    finally:
        nginx.stop()


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


def asked_in_the_clear(site: Site, method: str, path: str) -> tuple[HTTPResponse, bytes]:
    """Ask by the port without encryption; the answer, and what it says."""
    connection = HTTPConnection("127.0.0.1", site.plain, timeout=PATIENCE_S)
    connection.request(method, path, json.dumps(OPENING))
    answer = connection.getresponse()
    said = answer.read()
    connection.close()
    return answer, said


@pytest.mark.parametrize("path", ["/t/K7QX2M?lang=cs", "/apiary"])
def test_our_nginx_leads_pages_to_https(site: Site, path: str) -> None:
    answer, _said = asked_in_the_clear(site, "GET", path)
    assert (answer.status, answer.getheader("Location")) == (301, f"https://127.0.0.1{path}")


@pytest.mark.parametrize(("method", "path"), CLEAR)
def test_our_nginx_leads_no_program_to_https(site: Site, method: str, path: str) -> None:
    answer, said = asked_in_the_clear(site, method, path)
    assert (answer.status, answer.getheader("Location"), answer.getheader("Content-Type")) == (403, None, PROBLEM)
    assert json.loads(said)["detail"].startswith("Ask by https.")
    assert said.decode() in (FILES / "Caddyfile").read_text(), "Caddy says something else"


def test_our_nginx_does_not_echo_a_request(site: Site) -> None:
    assert site.asks("TRACE", "/") == 405


def test_the_figures_do_not_leave_by_our_nginx(site: Site) -> None:
    assert site.asks("GET", "/metrics") == 403


@pytest.mark.promise(27)
@pytest.mark.parametrize(("path", "status"), [("/T/", 302), ("/api/tables/", 200), ("/api/v1/tables/", 200)])
def test_an_invitation_does_not_stand_in_the_logs_of_our_nginx(site: Site, path: str, status: int) -> None:
    code = site.house.open()
    ((own,),) = site.house.rows("SELECT invitation FROM tables WHERE code = ?", code)
    assert site.asks("GET", f"{path}{code}{own}") == status
    log = site.house.folder / "access.log"
    until(lambda: f'"GET {path}{code}' in log.read_text(), "it is written after the answer")
    assert f'"GET {path}{code}... HTTP/1.1" {status}' in log.read_text()
    assert not any(own in file.read_text() for file in site.house.folder.glob("*.log"))


@pytest.mark.promise(12)
def test_nobody_guesses_longer_by_claiming_other_addresses(site: Site) -> None:
    with Redis.from_url(site.house.redis) as counted:  # the minute begins here, and does not end in between
        for key in counted.keys("LIMITS:*"):
            counted.delete(key)
    claimed = [site.asks("GET", "/t/ZZZZZZ", None, **{"X-Forwarded-For": f"203.0.113.{n}"}) for n in range(31)]
    assert claimed == [404] * 30 + [429]


KEYS_IN_ADDRESSES = (
    *("/groups/join/", "/GROUPS/JOIN/", "/groups/join?key=", "/api/groups/", "/api/v1/groups/"),
    "/t/K7QX2M/host/",
)


@pytest.mark.parametrize("path", KEYS_IN_ADDRESSES)
def test_no_key_in_an_address_stands_in_the_logs_of_our_nginx(site: Site, path: str) -> None:
    key = f"{zlib.crc32(path.encode()):012X}"
    site.asks("GET", f"{path}{key}?lang=cs")
    log = site.house.folder / "access.log"
    until(lambda: f'"GET {path}' in log.read_text(), "it is written after the answer")
    assert f'"GET {path}...?lang=cs HTTP/1.1"' in log.read_text()
    assert key not in log.read_text()


def test_the_unit_starts_the_server_with_options_that_it_has() -> None:
    unit = (FILES / "companion.service").read_text()
    (line,) = re.findall(r"^ExecStart=/opt/companion/bin/companion serve (.*)$", unit, re.MULTILINE)
    known = {name for option in serve.params for name in option.opts}
    assert set(re.findall(r"--[a-z-]+", line)) <= known


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """Give our unit with a command that is there."""
    file = tmp_path / "companion.service"
    root = FILES.parents[1]
    file.write_text((FILES / "companion.service").read_text().replace("/opt/companion", str(root)))
    return file


def analyzed(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Ask systemd of a unit."""
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)


def test_systemd_understands_the_unit_and_finds_little_exposed(unit: Path, figure: Callable[[str], None]) -> None:
    verified = analyzed("verify", unit)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")
    looked_at = analyzed("security", "--offline=true", unit)
    found = re.search(r"Overall exposure level .*: ([\d.]+)", looked_at.stdout)
    assert found, looked_at.stderr
    assert float(found[1]) <= 3
    figure(f"exposed: {found[1]} of 10")


def test_systemd_finds_what_is_wrong_with_a_unit(unit: Path) -> None:
    unit.write_text(unit.read_text().replace("ProtectClock", "ProtectClok"))
    assert "ProtectClok" in analyzed("verify", unit).stderr


def test_the_unit_leaves_no_call_by_which_a_machine_is_changed() -> None:
    calls = allowed()
    assert {"accept4", "execve", "fsync", "prlimit64", "sendmsg"} <= calls
    assert {"chown", "setuid", "mount", "ptrace", "bpf", "init_module", "reboot", "swapon"} & calls == set()


@pytest.mark.long
def test_a_server_that_the_unit_has_locked_in_plays_and_prints(house: House) -> None:
    server = house.server()
    server.command = [sys.executable, "-m", "tests.jail", *server.as_started()]
    server.start()
    try:
        code = house.open(["A", "B", "C"], phones={0: "anna"}, bidding="hidden")
        with Client(server.port, "anna") as client:
            assert client.post(f"/t/{code}/0/move", form(bid(0, 1), "k")).status == 303
            assert client.get(f"/t/{code}/sheet.pdf").body.startswith(b"%PDF")
            assert client.get(f"/t/{code}/sheet.png").body.startswith(b"\x89PNG")
            assert "companion_database_up 1.0" in client.get("/metrics").body.decode()
    finally:
        server.kill()


@pytest.mark.parametrize(
    ("file", "machines"), [("deploying/compose.many.yaml", 1), ("deploying/patroni.yml", 2), ("deploying.md", 1)]
)
def test_the_database_has_room_for_all_workers_and_for_copies(house: House, file: str, machines: int) -> None:
    started = (FILES / "compose.many.yaml").read_text() + (FILES / "companion.service").read_text()
    workers = max(int(number) for number in re.findall(r"--workers\W+(\d+)", started))
    kept = house.app.config["SQLALCHEMY_ENGINE_OPTIONS"]
    each = kept["pool_size"] + kept["max_overflow"] + 1  # the one that writes
    room = re.search(r"max_connections ?[=:] ?(\d+)", (FILES.parent / file).read_text())
    assert room
    assert int(room[1]) >= machines * workers * each + 20
    assert f"{each} at most" in (FILES.parent / "keeping.md").read_text()


def test_our_nginx_waits_longer_than_evenings_are_read() -> None:
    patience = re.search(r"proxy_read_timeout (\d+)s;", (FILES / "nginx.conf").read_text())
    assert patience
    assert int(patience[1]) >= 2 * quotas.BRING_S


# For Prometheus and Grafana


DRAWN, ALARMS = (FILES / "grafana.json").read_text(), (FILES / "alerts.yml").read_text()


def known(house: House) -> set[str]:
    """Name all that `/metrics` tells of."""
    told = house.app.test_client().get("/metrics").text
    kinds = dict(re.findall(r"^# TYPE (\w+) (\w+)$", told, re.MULTILINE))
    parts = {
        f"{name}{end}" for name, kind in kinds.items() if kind == "histogram" for end in ("_bucket", "_count", "_sum")
    }
    return {name for name, kind in kinds.items() if kind != "histogram"} | parts


@pytest.mark.parametrize("text", [DRAWN, ALARMS], ids=["dashboard", "alarms"])
def test_every_figure_that_is_named_is_there(house: House, text: str) -> None:
    named = set(re.findall(r"\bcompanion_\w+", text))
    assert named
    assert named - known(house) == set()
    kinds = set(re.findall(r'\bkind=\\?"(\w+)', text))
    assert kinds <= {*quotas.KINDS, *trouble.KINDS, "move"}


def test_every_figure_is_drawn(house: House) -> None:
    drawn = set(re.findall(r"\bcompanion_\w+", DRAWN))
    bare = {re.sub("_(bucket|count|sum)$", "", name) for name in known(house) if not name.endswith("_created")}
    unasked = {"companion_disk_size_bytes"}
    assert bare - {re.sub("_bucket$", "", name) for name in drawn} == unasked


def test_the_dashboard_and_the_alarms_are_whole() -> None:
    panels = json.loads(DRAWN)["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    assert all(panel["title"] and panel["targets"] for panel in panels)
    places = [tuple(panel["gridPos"][side] for side in "xy") for panel in panels]
    assert len(set(places)) == len(places)
    _head, *alarms = re.split(r"^ {6}- alert: ", ALARMS, flags=re.MULTILINE)
    assert len(alarms) > 10
    for alarm in alarms:
        assert alarm.startswith("Companion")
        assert re.search(r"^ {8}expr: \S", alarm, re.MULTILINE), alarm
        assert re.search(r"^ {8}labels: {severity: (critical|warning|info)}$", alarm, re.MULTILINE), alarm
        assert re.search(r"^ {8}annotations:\n {10}summary: \"\S", alarm, re.MULTILINE), alarm
