"""What a phone that only listens may rely on: it hears that the server is there, and nothing more once its seat is lost."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from http.client import HTTPConnection
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from companion.push.line import BEAT_S
from tests.databases import PATIENCE_S
from tests.house import Client, House, Server, secret

SCRIPT = Path(__file__).parents[1] / "companion" / "static" / "live.js"
CLOSED_S = 2.0
"""So soon after its seat is taken away a stream has ended."""


class Listener:
    """A stream, read line by line: when each came, and when it ended."""

    def __init__(self, port: int, path: str, own: str) -> None:
        """Take the secret of the phone that listens."""
        self.connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        known = {"Cookie": f"phone={own}", "Authorization": f"Bearer {own}"}
        self.connection.request("GET", path, headers=known)
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200
        self.lines: list[tuple[float, bytes]] = []
        self.ended = 0.0
        self.is_begun = threading.Event()
        self.thread = threading.Thread(target=self._listen, daemon=True)
        self.thread.start()
        assert self.is_begun.wait(PATIENCE_S)

    def _listen(self) -> None:
        while line := self.answer.readline():
            self.lines.append((time.monotonic(), line))
            if line.startswith(b"data:"):
                self.is_begun.set()
        self.ended = time.monotonic()
        self.connection.close()

    def ends(self) -> float:
        """Wait for its end; the time."""
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()
        return self.ended


@pytest.mark.promise(10)
def test_a_stream_beats_every_fifteen_seconds_and_a_phone_waits_for_two_beats() -> None:
    [silence_ms] = re.findall(r"const SILENCE_MS = ([\d_]+);", SCRIPT.read_text())
    [patience_ms] = re.findall(r"const PATIENCE_MS = ([\d_]+);", SCRIPT.read_text())
    assert BEAT_S == 15
    assert 2 * BEAT_S < int(silence_ms.replace("_", "")) / 1000 < 3 * BEAT_S
    assert int(patience_ms.replace("_", "")) == 3_000


@pytest.mark.long
@pytest.mark.promise(10)
def test_a_stream_that_has_nothing_to_tell_says_so_in_time(
    house: House, server: Server, figure: Callable[[str], None]
) -> None:
    code, beats = house.open(["A", "B", "C"]), 4
    listener = Listener(server.port, f"/t/{code}/screen/stream?after=99", secret("host"))
    give_up = time.monotonic() + 60 * beats
    while len(heard := [at for at, line in listener.lines if line.startswith(b": beat")]) < beats:
        assert time.monotonic() < give_up
        time.sleep(0.5)
    gaps = [later - earlier for earlier, later in pairwise(heard)]
    figure(f"silent for {min(gaps):.1f} to {max(gaps):.1f} s")
    assert min(gaps) > BEAT_S - 1
    assert max(gaps) < 2 * BEAT_S


def closing_times(house: House, servers: list[Server], times: int) -> list[float]:
    """Let a phone sit down and listen at each server, take its seat away, and measure how long it hears on."""
    code, took = house.open(["A", "B", "C"]), list[float]()
    with Client(servers[0].port, "host") as host, Client(servers[0].port, "bo") as guest:
        for turn in range(times):
            assert guest.post(f"/t/{code}/sit", {"seat": "1", "key": f"sit{turn}"}).status == 303
            paths = (f"/t/{code}/1/stream", f"/api/tables/{code}/events?seat=1")
            own = guest.headers["Cookie"].removeprefix("phone=")  # who sits down first is given a new one
            listeners = [Listener(server.port, path, own) for server in servers for path in paths]
            assert host.post(f"/t/{code}/free", {"seat": "1", "key": f"free{turn}"}).status == 303
            freed = time.monotonic()
            took += [listener.ends() - freed for listener in listeners]
            for listener in listeners:
                assert b"event: gone\n" in [line for _at, line in listener.lines]
    return took


@pytest.mark.promise(15)
@pytest.mark.on_both
def test_a_stream_ends_when_its_seat_is_taken_away(house: House, server: Server, figure: Callable[[str], None]) -> None:
    took = closing_times(house, [server], times=10)
    figure(f"{len(took)} streams ended {median(took) * 1000:.0f} ms after their seats, at most {max(took):.2f} s")
    assert max(took) < CLOSED_S


@pytest.mark.promise(15)
def test_a_stream_at_another_server_ends_when_its_seat_is_taken_away(
    shared_house: House, figure: Callable[[str], None]
) -> None:
    servers = [shared_house.server() for _ in range(2)]
    try:
        for server in servers:
            server.start()
        took = closing_times(shared_house, servers, times=10)
    finally:
        for server in servers:
            server.kill()
    figure(f"{len(took)} streams at two servers ended at most {max(took):.2f} s after their seats")
    assert max(took) < CLOSED_S
