"""Film a round of Rage on four phones and the screen, and the demonstration: docs/pictures/round.webp and demo.webp.

.venv/bin/python docs/film.py
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, Page, expect, sync_playwright  # noqa: E402

from tests.house import Server as Demonstration  # noqa: E402
from tests.house import environment  # noqa: E402
from tests.phones import Phone, Server, chromium, free_port  # noqa: E402

ROUND, DEMO = (ROOT / "docs" / "pictures" / f"{name}.webp" for name in ("round", "demo"))
NAMES = ["Anna", "Bohdan", "Katka", "Dalibor"]
BIDS, TRICKS = (3, 4, 2, 2), (3, 3, 2, 2)
PHONE, WALL = (360, 740), (1280, 720)
PHONE_SHOWN, WALL_SHOWN = (180, 370), (756, 425)
GAP = 12
GROUND = "#241c17"
"""The wood of the table."""
GLANCE_MS, LOOK_MS, END_MS = 700, 1600, 3000
MOST_BYTES = 1_500_000
STAGE, STAGE_SHOWN = (1280, 760), (800, 475)
"""The window in which the demonstration is seen."""
GAME, PACE_S, SEEN_S = "hanabi", 1.2, 45
"""What the demonstration shows, how long its players think, and how long it is filmed."""
MOVES = """
[...document.querySelectorAll("iframe")].map((one) => one.contentDocument.getElementById("part")?.dataset.number)
"""


class Film:
    """Pictures, and how long each is seen."""

    def __init__(self) -> None:
        """Begin with none."""
        self.frames: list[Image.Image] = []
        self.lasting: list[int] = []

    def save(self, file: Path) -> None:
        """Write the film, as good as its size allows."""
        first, *others = self.frames
        for quality in range(80, 20, -10):
            first.save(
                file, save_all=True, append_images=others, duration=self.lasting, loop=0, quality=quality, method=6
            )
            if file.stat().st_size <= MOST_BYTES:
                break
        size, lasting_s = file.stat().st_size / 1e6, sum(self.lasting) / 1000
        print(f"{file.name}: {len(self.frames)} pictures, {lasting_s:.0f} s, {size:.2f} MB")


class Round(Film):
    """Phones and the screen at one table, and the pictures that were taken of them together."""

    def __init__(self, server: Server, browser: Browser) -> None:
        """Open the table; the screen stands there, and nobody but the host sits."""
        super().__init__()
        self.phones = [_device(server, browser, PHONE, is_phone=True) for _name in NAMES]
        self.screen = _device(server, browser, WALL, is_phone=False)
        self.code = self.phones[0].opens_table(NAMES)
        self.screen.opens(f"/t/{self.code}/screen")
        self.screen.is_live()

    def take(self, lasting_ms: int = GLANCE_MS) -> None:
        """Take a picture of all."""
        # What moves has come to rest.
        self.screen.page.wait_for_timeout(250)
        width = GAP + len(self.phones) * (PHONE_SHOWN[0] + GAP)
        frame = Image.new("RGB", (width, WALL_SHOWN[1] + PHONE_SHOWN[1] + 3 * GAP), GROUND)
        frame.paste(_photograph(self.screen.page, WALL_SHOWN), (GAP, GAP))
        for place, phone in enumerate(self.phones):
            left = GAP + place * (PHONE_SHOWN[0] + GAP)
            frame.paste(_photograph(phone.page, PHONE_SHOWN), (left, WALL_SHOWN[1] + 2 * GAP))
        self.frames.append(frame)
        self.lasting.append(lasting_ms)

    def sit(self) -> None:
        """Let everybody come to the table."""
        for phone, name in zip(self.phones[1:], NAMES[1:], strict=True):
            phone.opens(f"/t/{self.code}")
            self.take()
            phone.sits(self.code, name)
        self.phones[0].page.get_by_role("link", name="To my seat").tap()
        self.phones[0].is_live()
        for phone in self.phones:
            phone.tap("All right")  # the note about https
        self.take(LOOK_MS)

    def play(self) -> None:
        """Play the first round: all bid in turn, then all count, and what it brought is told."""
        for seat, phone in enumerate(self.phones):
            phone.chooses(BIDS[seat])
            self._come_along(seat + 1)
            self.take()
        for seat, phone in enumerate(self.phones):
            expect(phone.page.get_by_role("heading", name="How many tricks did you take?")).to_be_visible()
            phone.chooses(TRICKS[seat])
            self._come_along(len(NAMES) + seat + 1)
            self.take(END_MS if seat == len(NAMES) - 1 else GLANCE_MS)

    def _come_along(self, moves: int) -> None:
        """Wait until every page shows so many moves."""
        for one in (*self.phones, self.screen):
            one.page.wait_for_function("moves => document.getElementById('part').dataset.number >= moves", arg=moves)


def main() -> None:
    """Film both."""
    with sync_playwright() as playwright, chromium(playwright) as browser:
        of_a_round(browser).save(ROUND)
        of_the_demonstration(browser).save(DEMO)


def of_a_round(browser: Browser) -> Film:
    """Film a round at a table of four."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), free_port(), "http://192.168.1.20:8000")
        server.start()
        try:
            film = Round(server, browser)
            film.sit()
            film.play()
        finally:
            server.stop()
    return film


def of_the_demonstration(browser: Browser) -> Film:
    """Film what `companion demo` shows: the screen, and the phone of one who plays."""
    film = Film()
    with _demonstration() as address:
        page = browser.new_page(
            viewport={"width": STAGE[0], "height": STAGE[1]}, reduced_motion="reduce", locale="en-GB"
        )
        page.goto(f"{address}/demo")
        seen, until = None, time.monotonic() + SEEN_S
        while time.monotonic() < until:
            if (number := page.evaluate(MOVES)) != seen:
                seen = number
                page.wait_for_timeout(250)  # what moves has come to rest
                film.frames.append(_photograph(page, STAGE_SHOWN))
                film.lasting.append(GLANCE_MS)
            page.wait_for_timeout(50)
        film.lasting[-1] = END_MS
    return film


@contextmanager
def _demonstration() -> Iterator[str]:
    """Start `companion demo`; gives its address."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        asked = ["demo", "--game", GAME, "--pace", f"{PACE_S}", "--host", "127.0.0.1", "--port", f"{port}"]
        command = [sys.executable, "-m", "companion", *asked]
        server = Demonstration(Path(folder), port, command, environment(Path(folder)))
        server.start()
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            server.kill()


def _device(server: Server, browser: Browser, size: tuple[int, int], *, is_phone: bool) -> Phone:
    viewport = {"width": size[0], "height": size[1]}
    context = browser.new_context(
        viewport=viewport,  # type: ignore[arg-type]
        has_touch=is_phone,
        is_mobile=is_phone,
        reduced_motion="reduce",
        locale="en-GB",
    )
    return Phone(context.new_page(), server)


def _photograph(page: Page, size: tuple[int, int]) -> Image.Image:
    return Image.open(BytesIO(page.screenshot())).convert("RGB").resize(size, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
