"""A seat's page on a small phone, in Chromium: whole random plays, its keys looked at in every turn.

It needs the package playwright, and Chromium: the one of the machine, or what `playwright install chromium` has brought.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from companion import record
from companion.games import GAMES
from companion.testing.kit import Table, play_on
from companion.testing.laws import broken, cut, in_line, overlapping, shortened, unhandy

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZE = {"width": 360, "height": 640}
"""Of a small phone."""
NAMES = ("Wolfensteinová", "Maksymilian", "Katarzyna", "Dalibor", "Guillermina", "Bohdana", "Ester", "Hedvika")
"""Long ones: each has to be read."""
STATES = 16
"""States of a play that are looked at, spread over it."""
PATIENCE_S = 60
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


class Program:
    """A program at a server, which is one phone there."""

    def __init__(self, address: str) -> None:
        """Know nobody yet."""
        self.address = address
        self.token = ""

    def asks(self, method: str, path: str, data: Mapping[str, Any] | None = None) -> Any:
        """Ask the API, as one and the same phone."""
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {self.token}"} if self.token else {}
        )
        body = json.dumps(data).encode() if data is not None else None
        request = urllib.request.Request(f"{self.address}/api{path}", body, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            said = json.load(answer)
        self.token = said.get("token", self.token)
        return said


@pytest.mark.parametrize("most", [False, True], ids=["fewest", "most"])
def test_the_keys_of_a_seat_are_whole_on_a_small_phone(key: str, most: bool, tmp_path: Path) -> None:
    """The host acts for everybody: at each turn its page has the keys of whoever is to move."""
    game = GAMES[key]
    table = Table(game, {}, game.players[-1 if most else 0])
    with page() as seen, serving(tmp_path) as address:
        found = list(faults(seen, Program(address), table))
    assert not found, "\n".join(found)


def faults(page: Page, program: Program, table: Table) -> Iterator[str]:
    """Play at random, and name what is wrong with the page of seat 0, with the number of the move before."""
    names = list(NAMES[: table.seats])
    opened = program.asks("POST", "/tables", {"game": table.game.key, "players": names, "options": table.options})
    page.context.add_cookies([{"name": "phone", "value": program.token, "url": program.address}])
    page.goto(f"{program.address}/t/{opened['table']['code']}/0")
    moves = [play.last.asked.move for play in play_on(table, Random(table.seats)) if play.last]
    places: dict[str, tuple[int, int]] = {}
    for number, move in enumerate(moves, 1):
        data = record.write_move(table.game, table.seats, move)
        now = program.asks("POST", f"/tables/{opened['table']['code']}/moves", data)["number"]
        if number % max(1, len(moves) // STATES) == 0:
            page.wait_for_function("number => document.getElementById('part').dataset.number >= number", arg=now)
            laid = (*in_line(page), *broken(page), *cut(page), *overlapping(page), *shortened(page, NAMES))
            for fault in (*unhandy(page, places), *laid):
                yield f"after move {number}, {data}: {fault}"


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Run `companion serve` on a folder of its own, whatever database and the like are set here; gives the address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", str(port)]
    own = {name for name in os.environ if name.startswith("COMPANION_") and name != "COMPANION_GAMES"}
    others = {name: value for name, value in os.environ.items() if name not in own}
    surroundings = {**others, "COMPANION_DATA": str(folder / "data")}
    with (folder / "server.log").open("wb") as output:
        process = subprocess.Popen(command, env=surroundings, stdout=subprocess.DEVNULL, stderr=output)
    try:
        _await(process, f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


def _await(process: subprocess.Popen[bytes], address: str) -> None:
    give_up = time.monotonic() + PATIENCE_S
    while True:
        try:
            urllib.request.urlopen(f"{address}/healthz", timeout=PATIENCE_S).close()
        except OSError:
            assert process.poll() is None, "the server has ended"
            assert time.monotonic() < give_up, "the server does not answer"
            time.sleep(0.05)
        else:
            return


@contextmanager
def page() -> Iterator[Page]:
    """Open a page in Chromium, or skip the trial where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed here.")
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    flags = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    with api.sync_playwright() as running:
        try:
            browser = running.chromium.launch(executable_path=program, args=flags)
        except api.Error as error:
            pytest.skip(f"There is no Chromium here: {error}")
        context = browser.new_context(viewport=SIZE, has_touch=True, is_mobile=True, device_scale_factor=1)
        yield context.new_page()
        browser.close()


__all__ = ["test_the_keys_of_a_seat_are_whole_on_a_small_phone"]
