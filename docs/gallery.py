"""Photograph every page, in light and dark: `PYTHONPATH=. .venv/bin/python docs/gallery.py` fills docs/gallery/."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import album  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import Browser, sync_playwright  # noqa: E402

from tests.pages.places import ALONE, SETTINGS, places  # noqa: E402
from tests.phones import Phone, Server, chromium, free_port  # noqa: E402

GALLERY = ROOT / "docs" / "gallery"
PHONE, WALL = {"width": 360, "height": 740}, {"width": 1280, "height": 720}
GAP = 12
LONGEST_PX = 8000
"""A page that goes on beyond is cut off there: no album is unrolled so far."""


def main() -> None:
    """Visit every page there is; write the pictures and the list of them."""
    album.empty(GALLERY)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright, chromium(playwright) as browser:
        server = Server(Path(folder), free_port(), "http://192.168.1.20:8000")
        server.start()
        try:
            names = list(_photographed(server, browser))
        finally:
            server.stop()
    head = "# Every page, in light and dark\n\nMade by `docs/gallery.py` from random evenings of every game."
    album.list_up(GALLERY, head, names, ", in light and in dark")


def _photographed(server: Server, browser: Browser) -> Iterator[str]:
    """Photograph page after page; yield their names."""
    phone = Phone(browser.new_context(viewport=PHONE, has_touch=True, locale="en-GB").new_page(), server)
    for path in ALONE:
        name = {"/": "lobby", "/nowhere": "not-there", "/t/AAAAAA": "no-such-table"}.get(
            path, re.sub(r"\W+", "-", path[1:])
        )
        yield _taken(phone, name, path)
    for setting in SETTINGS:
        for name, path in places(phone, setting):
            yield _taken(phone, name, path)


def _taken(phone: Phone, name: str, path: str) -> str:
    """Photograph one page in both themes, side by side; the spectators' screen as a television shows it."""
    is_wall = name.endswith("screen")
    phone.page.set_viewport_size(WALL if is_wall else PHONE)
    phone.opens(path)
    pictures = []
    for theme in ("light", "dark"):
        phone.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        phone.page.wait_for_timeout(80)
        pictures.append(Image.open(BytesIO(phone.page.screenshot(full_page=not is_wall))))
    if is_wall:
        pictures = [picture.resize((picture.width // 2, picture.height // 2)) for picture in pictures]
    width, height = sum(picture.width for picture in pictures) + GAP, max(picture.height for picture in pictures)
    height = min(height, LONGEST_PX)
    both = Image.new("RGB", (width, height), "white")
    both.paste(pictures[0], (0, 0))
    both.paste(pictures[1], (pictures[0].width + GAP, 0))
    both.save(GALLERY / f"{name}.webp", quality=82, method=6)
    return name


if __name__ == "__main__":
    main()
