"""Make the pictures of the README: a real table, played through the pages, and its real sheet.

.venv/bin/python docs/pictures.py
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, expect, sync_playwright  # noqa: E402

from companion import record  # noqa: E402
from companion.games import GAMES  # noqa: E402
from companion.testing import kit  # noqa: E402
from companion.testing.kit import Table  # noqa: E402
from tests.phones import Phone, Server, chromium, free_port  # noqa: E402

NAMES = ["Anna", "Bohdan", "Katka", "Dalibor"]
ROUNDS = [
    ((3, 4, 2, 2), (3, 3, 2, 2)),
    ((2, 1, 3, 2), (2, 2, 3, 2)),
    ((1, 3, 1, 2), (1, 3, 2, 2)),
    ((2, 2, 0, 2), (3, 2, 0, 2)),
]
RECORD = {"format": "companion-record", "version": 1}
FIREWORKS = [
    {"move": "hint", "seat": 0, "to": 1, "value": 1, "slots": [0, 2]},
    {"move": "play", "seat": 1, "slot": 0, "card": "W1"},
    {"move": "hint", "seat": 2, "to": 3, "colour": "R", "slots": [1]},
    {"move": "play", "seat": 3, "slot": 1, "card": "R1"},
    {"move": "discard", "seat": 0, "slot": 3, "card": "G4"},
    {"move": "play", "seat": 1, "slot": 1, "card": "Y1"},
    {"move": "hint", "seat": 2, "to": 0, "value": 5, "slots": [2]},
    {"move": "hint", "seat": 3, "to": 1, "colour": "B", "slots": [0, 3]},
    {"move": "play", "seat": 0, "slot": 1, "card": "R2"},
    {"move": "discard", "seat": 1, "slot": 2, "card": "W3"},
    {"move": "play", "seat": 2, "slot": 0, "card": "W2"},
]
"""Random evenings of Hanabi burn early; this one begins well."""
PICTURES = ROOT / "docs" / "pictures"


def main() -> None:
    """Play four rounds and a half, and take the pictures."""
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, chromium(playwright) as browser:
        server = Server(Path(folder), free_port(), "http://192.168.1.20:8000")
        server.start()
        try:
            _evening(server, browser)
        finally:
            server.stop()


def _evening(server: Server, browser: Browser) -> None:
    keeper = _phone(server, browser, 390, 844)
    code = keeper.opens_table(NAMES, i_sit="")
    keeper.opens(f"/t/{code}/0")
    for number, (bids, tricks) in enumerate(ROUNDS, start=1):
        _play(keeper, number, bids, tricks)
    _bid(keeper, len(ROUNDS) + 1, (2, 1, 2, 2))
    expect(keeper.page.get_by_text(f"Write down round {len(ROUNDS) + 1}")).to_be_visible()
    anna = _phone(server, browser, 390, 844)
    keeper.opens(f"/t/{code}/seats")
    anna.sits(code, "Anna")
    anna.page.screenshot(path=PICTURES / "seat.png")
    screen = _phone(server, browser, 1280, 720)
    screen.opens(f"/t/{code}/screen")
    screen.is_live()
    screen.page.screenshot(path=PICTURES / "screen.png")
    sheet = server.data / "sheet.pdf"
    server.run("print", code, "-o", str(sheet))
    _others(server, browser)
    subprocess.run(["pdftoppm", "-r", "90", "-png", "-singlefile", sheet, PICTURES / "sheet"], check=True)


def _others(server: Server, browser: Browser) -> None:
    """Take a picture of a seat of every other game, some moves into an evening."""
    for game, seats, moves in (("hanabi", 4, 0), ("ikebana", 4, 13), ("ubongo", 3, 2)):
        table = Table(GAMES[game], {}, seats)
        plays = list(kit.play_on(table, Random(3)))[:moves]
        written = FIREWORKS if not moves else [record.write_move(table.game, seats, p.last.asked.move) for p in plays]
        file = server.data / f"{game}.json"
        file.write_text(json.dumps({**RECORD, "game": game, "players": NAMES[:seats], "moves": written}))
        told = server.run("import", str(file)).decode()
        host = re.search(r"/t/\w+/host/\w+", told)
        assert host
        phone = _phone(server, browser, 390, 844)
        phone.opens(host[0])
        phone.page.locator("form .main").tap()
        phone.page.wait_for_url("**/seats")
        phone.opens(host[0].split("/host/")[0] + "/0")
        phone.is_live()
        phone.page.screenshot(path=PICTURES / f"{game}.png")


def _phone(server: Server, browser: Browser, width: int, height: int) -> Phone:
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, device_scale_factor=2, locale="en-GB"
    )
    return Phone(context.new_page(), server)


def _play(keeper: Phone, number: int, bids: tuple[int, ...], tricks: tuple[int, ...]) -> None:
    _bid(keeper, number, bids)
    keeper.tallies(tricks)
    keeper.tap(f"Write down round {number}")
    expect(keeper.page.get_by_text(f"Round {number + 1} of 10")).to_be_visible()


def _bid(keeper: Phone, number: int, bids: tuple[int, ...]) -> None:
    for turn in range(len(NAMES)):
        seat = (number - 1 + turn) % len(NAMES)
        expect(keeper.page.get_by_role("heading", name=f"How many tricks will {NAMES[seat]} take?")).to_be_visible()
        keeper.chooses(bids[seat])


if __name__ == "__main__":
    main()
