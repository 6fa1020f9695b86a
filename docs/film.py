"""Film one round of Rage on four phones and the screen, played through the pages: docs/pictures/round.webp.

.venv/bin/python docs/film.py
"""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, expect, sync_playwright  # noqa: E402

from tests.phones import Phone, Server, chromium, free_port  # noqa: E402

FILM = ROOT / "docs" / "pictures" / "round.webp"
NAMES = ["Anna", "Bohdan", "Katka", "Dalibor"]
BIDS, TRICKS = (3, 4, 2, 2), (3, 3, 2, 2)
PHONE, WALL = (360, 740), (1280, 720)
PHONE_SHOWN, WALL_SHOWN = (180, 370), (756, 425)
GAP = 12
GROUND = "#241c17"
"""The wood of the table."""
GLANCE_MS, LOOK_MS, END_MS = 700, 1600, 3000
MOST_BYTES = 1_500_000


class Film:
    """Phones and the screen at one table, and the pictures that were taken of them together."""

    def __init__(self, server: Server, browser: Browser) -> None:
        """Open the table; the screen stands there, and nobody but the host sits."""
        self.phones = [_device(server, browser, PHONE, is_phone=True) for _name in NAMES]
        self.screen = _device(server, browser, WALL, is_phone=False)
        self.frames: list[Image.Image] = []
        self.lasting: list[int] = []
        self.code = self.phones[0].opens_table(NAMES)
        self.screen.opens(f"/t/{self.code}/screen")
        self.screen.is_live()

    def take(self, lasting_ms: int = GLANCE_MS) -> None:
        """Take a picture of all."""
        # What moves has come to rest.
        self.screen.page.wait_for_timeout(250)
        width = GAP + len(self.phones) * (PHONE_SHOWN[0] + GAP)
        frame = Image.new("RGB", (width, WALL_SHOWN[1] + PHONE_SHOWN[1] + 3 * GAP), GROUND)
        frame.paste(_photograph(self.screen, WALL_SHOWN), (GAP, GAP))
        for place, phone in enumerate(self.phones):
            left = GAP + place * (PHONE_SHOWN[0] + GAP)
            frame.paste(_photograph(phone, PHONE_SHOWN), (left, WALL_SHOWN[1] + 2 * GAP))
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

    def save(self) -> None:
        """Write the film, as good as its size allows."""
        first, *others = self.frames
        for quality in range(80, 20, -10):
            first.save(
                FILM, save_all=True, append_images=others, duration=self.lasting, loop=0, quality=quality, method=6
            )
            if FILM.stat().st_size <= MOST_BYTES:
                break
        size, lasting_s = FILM.stat().st_size / 1e6, sum(self.lasting) / 1000
        print(f"{len(self.frames)} pictures, {lasting_s:.0f} s, {size:.2f} MB")

    def _come_along(self, moves: int) -> None:
        """Wait until every page shows so many moves."""
        for one in (*self.phones, self.screen):
            one.page.wait_for_function("moves => document.getElementById('part').dataset.number >= moves", arg=moves)


def main() -> None:
    """Film it."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, chromium(playwright) as browser:
        server = Server(Path(folder), free_port(), "http://192.168.1.20:8000")
        server.start()
        try:
            film = Film(server, browser)
            film.sit()
            film.play()
            film.save()
        finally:
            server.stop()


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


def _photograph(one: Phone, size: tuple[int, int]) -> Image.Image:
    return Image.open(BytesIO(one.page.screenshot())).convert("RGB").resize(size, Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
