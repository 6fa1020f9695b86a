"""In two networks of Linux: the name is found, and when the number changes in mid-round, all phones are back."""

from __future__ import annotations

import ctypes
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlencode

import pytest
from zeroconf import AddressResolverIPv4, IPVersion, Zeroconf

from tests.databases import PATIENCE_S
from tests.house import environment
from tests.waiting import until

T = TypeVar("T")
LAPTOP, PHONES = f"laptop-{os.getpid()}", f"phones-{os.getpid()}"
BEFORE, AFTER, THEIRS = "10.77.0.1", "10.77.0.9", "10.77.0.2"
PORT = 8000
NET = 0x40000000
"""What of a thread is put elsewhere: its network (`CLONE_NEWNET`)."""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def number(name: str, own: str, other: str) -> None:
    """Give a machine its number, and the way out."""
    ip("-n", name, "addr", "flush", "dev", "wlan0")
    ip("-n", name, "addr", "add", f"{own}/24", "dev", "wlan0")
    ip("-n", name, "route", "add", "default", "via", other)


@pytest.fixture
def networks() -> Iterator[None]:
    """Lay a cable between two machines."""
    with ExitStack() as undone:
        for name in (LAPTOP, PHONES):
            ip("netns", "add", name)
            undone.callback(ip, "netns", "del", name)
        ip("-n", LAPTOP, "link", "add", "wlan0", "type", "veth", "peer", "name", "wlan0", "netns", PHONES)
        for name, own, other in ((LAPTOP, BEFORE, THEIRS), (PHONES, THEIRS, BEFORE)):
            for link in ("lo", "wlan0"):
                ip("-n", name, "link", "set", link, "up")
            number(name, own, other)
        yield


@pytest.fixture
def there(networks: None) -> Iterator[Callable[[Callable[[], T]], T]]:
    """Do something where the phones are."""

    def go() -> None:
        with open(f"/run/netns/{PHONES}") as place:
            assert ctypes.CDLL(None, use_errno=True).setns(place.fileno(), NET) == 0

    with ThreadPoolExecutor(1, initializer=go) as pool:
        yield lambda do: pool.submit(do).result()


@contextmanager
def serving(folder: Path, machine: str) -> Iterator[Path]:
    """Serve there as people start it; gives the file with what the terminal says."""
    folder.mkdir()
    said = folder / "terminal"
    command = ["ip", "netns", "exec", machine, sys.executable, "-m", "companion", "serve", "--no-browser"]
    with said.open("wb") as terminal:
        server = subprocess.Popen(command, env=environment(folder / "data"), stdout=terminal, stderr=terminal)
    try:
        yield said
    finally:
        server.terminate()
        server.wait(PATIENCE_S)


def resolved(name: str) -> list[str]:
    """Ask the network for a name, as phones do."""
    asked = AddressResolverIPv4(f"{name}.local.")
    network = Zeroconf(interfaces=[THEIRS], ip_version=IPVersion.V4Only)
    try:
        asked.request(network, 3000)
        return asked.parsed_addresses()
    finally:
        network.close()


class Browser:
    """A phone's browser: it keeps a cookie for each number that gave it one."""

    def __init__(self) -> None:
        self.cookies: dict[str, str] = {}

    def asks(self, host: str, path: str, form: object = None) -> tuple[HTTPResponse, str]:
        connection = HTTPConnection(host, PORT, timeout=PATIENCE_S)
        headers = {"Cookie": self.cookies.get(host, "")}
        body = None if form is None else urlencode(form)
        if body is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"http://{host}:{PORT}"}
        connection.request("POST" if body is not None else "GET", path, body, headers)
        answer = connection.getresponse()
        for line in answer.headers.get_all("Set-Cookie") or ():
            if line.startswith("phone="):
                self.cookies[host] = line.partition(";")[0]
        text = answer.read().decode()
        connection.close()
        return answer, text


@pytest.mark.long
@pytest.mark.promise(9)
def test_the_name_is_found_and_all_phones_are_back_under_another_number(
    there: Callable[[Callable[[], object]], object], tmp_path: Path, figure: Callable[[str], None]
) -> None:
    with serving(tmp_path / "one", LAPTOP) as terminal:
        until(lambda: "To type: http://companion.local:8000" in terminal.read_text())
        assert there(lambda: resolved("companion")) == [BEFORE]
        with serving(tmp_path / "two", PHONES) as other:
            until(lambda: "To type: http://companion-2.local:8000" in other.read_text())
        there(lambda: plays(terminal, figure))


def plays(terminal: Path, figure: Callable[[str], None]) -> None:
    """Begin a round, lose the number, and play it on."""
    phones = [Browser() for _ in range(4)]
    names = ["Anna", "Bo", "Cyril", "Dana"]
    form = [*(("name", name) for name in names), ("i_sit", "0"), ("bidding", "secret")]
    code = str(phones[0].asks(BEFORE, "/open/rage", form)[0].getheader("Location")).split("/")[2]
    for seat, phone in enumerate(phones[1:], 1):
        assert phone.asks(BEFORE, f"/t/{code}/sit", {"seat": seat})[0].status == 303
    bids(phones[:2], BEFORE, code, 0)
    pages = [phone.asks(BEFORE, f"/t/{code}/{seat}")[1] for seat, phone in enumerate(phones)]
    returns = [re.search(r'return-code.*?class="code">(\w{6})', page, re.DOTALL) for page in pages]

    number(LAPTOP, AFTER, THEIRS)
    gone = time.monotonic()
    until(lambda: f"the companion is at http://{AFTER}:{PORT} now" in terminal.read_text())
    told = time.monotonic() - gone
    until(lambda: resolved("companion") == [AFTER])
    assert "The address has changed" in Browser().asks(AFTER, f"/t/{code}/screen")[1]
    for seat, (phone, said) in enumerate(zip(phones, returns, strict=True)):
        assert phone.asks(AFTER, f"/t/{code}/{seat}")[0].status == 403
        assert said
        answer = phone.asks(AFTER, f"/t/{code}/return", {"return_code": said[1]})[0]
        assert (answer.status, answer.getheader("Location")) == (303, f"/t/{code}/{seat}")
    back = time.monotonic() - gone
    bids(phones[2:], AFTER, code, 2)
    assert "took" in phones[3].asks(AFTER, f"/t/{code}/3")[1]
    figure(
        f"the terminal said so after {told:.0f} s; 4 of 4 phones in their seats after {back:.0f} s, and the round went on"
    )


def bids(phones: list[Browser], host: str, code: str, first: int) -> None:
    for seat, phone in enumerate(phones, first):
        form = {"move": "bid", "seat": seat, "tricks": 1}
        assert phone.asks(host, f"/t/{code}/{seat}/move", form)[0].status == 303
