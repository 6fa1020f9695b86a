"""A real server and real browsers, for tests and pictures: phones that tap, and the screen in the middle."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Locator, Page, Playwright, expect

from companion.desk.phone import COOKIE, HOST_ONLY
from tests.waiting import PATIENCE_S, wait_until

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name that is not localhost: a true plain-http origin, as at home.
    "--host-resolver-rules=MAP table.lan 127.0.0.1",
]
NO_LINES = """window.WebSocket = class {
    constructor() { this.readyState = 3; setTimeout(() => this.onclose?.({ code: 1006 })); }
    close() {}
};"""
AWAKE = "() => !document.body.hasAttribute('data-asleep')"
KNOWN_BY = (COOKIE, HOST_ONLY + COOKIE)
"""The cookie that tells phones apart: what it is called behind http, and behind https, as nginx has it."""
LOOK_MS = 2_000
"""So long a page is asked what it shows: one that hangs has nothing to say."""
NO_WAY = re.compile("Failed to load resource|WebSocket connection to")
"""What a browser says of a server that is away."""
ROOT = Path(__file__).parents[1]
POINTS = """() => {
  const rows = [...document.querySelectorAll("table.players tbody tr, .wall [data-seat]:has(.points)")];
  const seen = rows.filter((row) => !row.closest(".wall") || row.checkVisibility());
  return Object.fromEntries(seen.map((row, at) => [row.dataset.seat ?? at, row.querySelector(".points").textContent.trim()]));
}"""
"""What the points of each seat are, as a page shows them, or the stage that the screen has on."""
SHOWN = f"wanted => Object.values(({POINTS})()).join() === wanted.join()"
"""Whether they are these, seat 0 first."""


@dataclass
class Server:
    """`companion serve`, as people start it, on a data folder of its own."""

    data: Path
    port: int
    printed: str = ""
    """The address in QR codes, where it is not the one that the phones open."""
    https_port: int | None = None
    """Where the secure door is; None without one."""
    workers: int = 1
    more: Mapping[str, str] = field(default_factory=dict)
    """Other settings."""
    behind: int | None = None
    """Where nginx listens; None without it."""
    process: subprocess.Popen[bytes] | None = None
    options: Sequence[str] = ()
    """What else is typed behind the command."""

    @property
    def address(self) -> str:
        return f"https://table.lan:{self.behind}" if self.behind else f"http://table.lan:{self.port}"

    @property
    def secure_address(self) -> str:
        return f"https://table.lan:{self.https_port}"

    @property
    def database(self) -> str:
        """Where the tables are."""
        return self.more.get("COMPANION_DATABASE") or f"sqlite:///{self.data / 'companion.sqlite'}"

    @property
    def environment(self) -> dict[str, str]:
        address = self.printed or self.address
        own = {"COMPANION_DATA": str(self.data), "COMPANION_ADDRESS": address, "PYTHONPATH": str(ROOT)}
        own["COMPANION_HOMES"] = "0"  # all phones of all trials come by one address
        return {**os.environ, **own, **self.more}

    def start(self) -> None:
        command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        command += ["--workers", str(self.workers), *self.options]
        command += ["--https", "--https-port", str(self.https_port)] if self.https_port else []
        # Into a file: a pipe that nobody reads would stop a server that has much to say.
        with (self.data / "server.log").open("ab") as output:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=subprocess.DEVNULL, stderr=output, start_new_session=True
            )
        healthz = f"http://127.0.0.1:{self.port}/healthz"
        wait_until(
            lambda: urllib.request.urlopen(healthz, timeout=PATIENCE_S).close(),
            self.process,
            (self.data / "server.log").read_text,
        )

    def stop(self, sign: int = signal.SIGTERM) -> None:
        assert self.process
        os.killpg(self.process.pid, sign)
        self.process.wait(PATIENCE_S)

    @contextmanager
    def stopped(self) -> Iterator[str]:
        """Be away; gives what phones then say. It is back whatever happens: a test that fails takes no other with it."""
        self.stop()
        try:
            # nginx is there, and answers that the server is not.
            yield "away" if self.behind else "off"
        finally:
            self.start()

    def run(self, *command: str) -> bytes:
        """Run a `companion` command on the same data."""
        return subprocess.run(
            [sys.executable, "-m", "companion", *command],
            env=self.environment,
            check=True,
            capture_output=True,
        ).stdout

    def record(self, code: str) -> dict[str, Any]:
        """Ask it for a table's record, as any phone may: a `companion export` loads all of the companion first."""
        with urllib.request.urlopen(
            f"http://127.0.0.1:{self.port}/t/{code}/files/record.json", timeout=PATIENCE_S
        ) as answer:
            read: dict[str, Any] = json.load(answer)
        return read


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def chromium(playwright: Playwright, *more: str, program: str = "chromium") -> Iterator[Browser]:
    """Start Debian's Chromium, the whole of it unless a lighter program is named; as root it runs without its sandbox."""
    flags = [*FLAGS, *more, *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    browser = playwright.chromium.launch(executable_path=f"/usr/bin/{program}", args=flags)
    yield browser
    browser.close()


class Phone:
    """One phone with its own memory; it notes everything that its page complains about."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page, self.server = page, server
        self.complaints: list[str] = []
        self.taps = 0
        self.secret = ""
        """By which the API knows it, once it has asked."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def bars_lines(self) -> None:
        """Let no WebSocket through from the next page on, as some proxies do."""
        self.page.add_init_script(NO_LINES)

    def _console(self, message: Any) -> None:
        if message.type in {"error", "warning"} and not NO_WAY.match(message.text):
            self.complaints.append(message.text)

    def shows(self) -> str:
        """Say where the phone is, and all that can be read there; whoever looks for why a trial failed begins here."""
        try:
            text = self.page.locator(":root").inner_text(timeout=LOOK_MS)
        except Error as why:
            text = f"nothing: {why}"
        return f"-- {self.page.url}\n{text}"

    def asks(self, method: str, path: str, data: dict[str, Any] | None = None) -> dict[str, Any]:
        """Ask the API as this very phone: quicker than taps, where it is not the taps that are tried."""
        memory = self.page.context
        known = (one["value"] for one in memory.cookies(self.server.address) if one["name"] in KNOWN_BY)
        self.secret = next(known, self.secret)
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        with closing(HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE_S)) as connection:
            connection.request(method, f"/api{path}", json.dumps(data) if data is not None else None, headers)
            answer = connection.getresponse()
            text = answer.read()
        assert answer.status < 300, text
        said: dict[str, Any] = json.loads(text)
        if "token" in said:
            self.secret = said["token"]
            memory.add_cookies([{"name": COOKIE, "value": self.secret, "url": self.server.address}])
        return said

    def opens(self, path: str) -> None:
        self.page.goto(self.server.address + path)

    def tap(self, name: str | re.Pattern[str], exact: bool = True, within: str = "body") -> None:
        self.is_awake()
        button = self.page.locator(within).get_by_role("button", name=name, exact=exact)
        button.first.tap()
        self.taps += 1

    def chooses(self, number: int) -> None:
        """Tap a number in the hand: a bid, or the tricks taken."""
        self.tap(re.compile(rf"^{number}\b"), within=".hand .dock")

    def tallies(self, tricks: Sequence[int]) -> None:
        """Set everyone's tricks in the scorekeeper's list, one tap for each that differs from what stands there."""
        for seat, took in enumerate(tricks):
            field = self.page.locator(f"input[name=tricks-{seat}]")
            by = took - int(field.input_value())
            key = self.page.locator(f".counts-row:has(input[name=tricks-{seat}]) [data-add='{1 if by > 0 else -1}']")
            for _ in range(abs(by)):
                key.first.tap()
                self.taps += 1
            expect(field).to_have_value(str(took))

    def is_awake(self) -> None:
        """Wait until keys whose meaning has changed take taps again."""
        if not self.page.evaluate(AWAKE):  # a page without script waits for nothing, and could not say when
            self.page.wait_for_function(AWAKE, polling=10)

    def changes(self, link: Locator) -> None:
        """Open the keys that amend an entry, by its link in the history, and wait until they take taps."""
        link.tap()
        self.page.wait_for_url(re.compile(r"/history/\d+$"))
        self.page.locator("html[data-script]").wait_for()
        self.is_awake()

    def is_live(self) -> None:
        expect(self.page.locator("body")).to_have_attribute("data-live", "on")

    def opens_table(self, names: list[str], game: str = "rage", **options: str) -> str:
        """Open a table of a game through the pages, sitting on the first seat; return its code."""
        self.opens(f"/open/{game}")
        while self.page.locator("input[name=name]").count() > len(names):
            fields = self.page.locator("input[name=name]").count()
            self.page.locator("button[name=fewer]").tap()
            expect(self.page.locator("input[name=name]")).to_have_count(fields - 1)
        for seat, name in enumerate(names):
            if seat >= self.page.locator("input[name=name]").count():
                self.page.locator("button[name=more]").tap()
            self.page.locator("input[name=name]").nth(seat).fill(name)
        if options.keys() - {"i_sit"}:
            self.page.locator("#rules > summary").tap()
        for option, value in options.items():
            if (number := self.page.locator(f"input[name={option}][type=number]")).count():
                number.fill(value)
                continue
            self.page.locator(f"label:has(input[name={option}][value='{value}'])").tap()
        self.page.locator(".foot-bar button.main").tap()
        self.page.wait_for_url("**/seats")
        return self.page.url.split("/")[4]

    def sits(self, code: str, name: str) -> None:
        self.opens(f"/t/{code}")
        self.tap(re.compile(name), exact=False)
        self.page.wait_for_url(re.compile(rf"/t/{code}/\d$"))
        self.is_live()

    def points(self) -> list[int]:
        """Read the points of every seat, seat 0 first, as the page shows them."""
        told = self.page.evaluate(POINTS)
        return [int(told[seat].replace("−", "-")) for seat in sorted(told, key=int)]
