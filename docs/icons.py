"""Draw the icons of the installed app from the companion's mark: `PYTHONPATH=. .venv/bin/python docs/icons.py`."""

from __future__ import annotations

import base64
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.phones import chromium

STATIC = Path(__file__).parents[1] / "companion" / "static"
PAGE = """<body style="margin:0;width:{size}px;height:{size}px;background:#1d5443;display:grid;place-items:center">
<img width="{inner}" height="{inner}" src="data:image/svg+xml;base64,{mark}"></body>"""


def main() -> None:
    """Draw them; the mark keeps within the middle four fifths, so that any mask leaves it whole."""
    mark = base64.b64encode((STATIC / "mark.svg").read_bytes()).decode()
    with sync_playwright() as playwright, chromium(playwright) as browser:
        page = browser.new_page()
        for size in (192, 512):
            page.set_viewport_size({"width": size, "height": size})
            page.set_content(PAGE.format(size=size, inner=size * 3 // 5, mark=mark))
            page.screenshot(path=STATIC / "icons" / f"icon-{size}.png")


if __name__ == "__main__":
    main()
