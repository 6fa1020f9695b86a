"""How well each text of a page stands out from what lies behind it, as it is really drawn."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Any

from PIL import Image
from playwright.sync_api import CDPSession, Page

Colour = tuple[float, float, float]

MOST_HIGH = 6000
"""Pixels of a page that are looked at."""
SHARE = 0.1
"""So much of the ground may be worse: what a letter hardly touches, such as the edge of its mark."""
TEXTS = """(within) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const opacity = (part) => (part ? Number(getComputedStyle(part).opacity) * opacity(part.parentElement) : 1);
  // What only a screen reader says lies in a box of one pixel; the art of a box is a picture, its cards lie upon one another.
  const isSeen = (part) => part.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !part.closest(".vh, .box-art");
  const texts = [];
  const note = (part, text, colour, boxes) => {
    const [r, g, b, a] = rgba(colour);
    for (const { x, y, width, height } of boxes)
      if (width > 2 && height > 2) texts.push({ text: text.trim().slice(0, 60), html: part.outerHTML.slice(0, 90), colour: [r, g, b, a * opacity(part)], box: [x, y, width, height] });
  };
  const places = document.createTreeWalker(document.querySelector(within), NodeFilter.SHOW_TEXT);
  for (let node = places.nextNode(); node; node = places.nextNode()) {
    const part = node.parentElement;
    if (!node.data.trim() || part.closest("script, style, noscript, select, textarea, desc, title") || !isSeen(part)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const style = getComputedStyle(part);
    note(part, node.data, part.closest("svg text") ? style.fill : style.color, range.getClientRects());
  }
  for (const field of document.querySelector(within).querySelectorAll("input:not([type=radio], [type=checkbox], [type=hidden], [type=file]), select, textarea")) {
    if (!isSeen(field)) continue;
    const isEmpty = !field.value && field.placeholder;
    const style = getComputedStyle(field, isEmpty ? "::placeholder" : null);
    note(field, field.value || field.placeholder || "", style.color, [field.getBoundingClientRect()]);
  }
  return texts;
}"""
BARE = """* { -webkit-text-fill-color: transparent !important; text-shadow: none !important; text-decoration-color: transparent !important; }
svg text { fill: transparent !important; stroke: none !important; }
* { transition: none !important; animation: none !important; caret-color: transparent !important; }"""
"""The page without its letters, and else as it is: what was drawn in the colour of the text stays."""


@dataclass(frozen=True, slots=True)
class Faint:
    """A text that does not stand out enough."""

    ratio: float
    text: str
    html: str

    def __str__(self) -> str:
        return f"{self.ratio:.2f}:1 {self.text!r} in {self.html}"


def faint(page: Page, least: float = 4.5, within: str = "body") -> Iterator[Faint]:
    """Find the texts whose contrast is less than so much; the page is as high as all that is on it afterwards."""
    _stretch(page)
    texts = page.evaluate(TEXTS, within)
    ground = _ground(page)
    for each in texts:
        ratio = _against(ground, each)
        if ratio is not None and ratio < least:
            yield Faint(ratio, each["text"], each["html"])


def _stretch(page: Page) -> None:
    """Make the window as high as the page, so that nothing lies beneath what sticks to its foot."""
    size = page.viewport_size
    assert size
    high = page.evaluate("document.documentElement.scrollHeight")
    if high > size["height"]:
        page.set_viewport_size({"width": size["width"], "height": min(high, MOST_HIGH)})


def _ground(page: Page) -> Image.Image:
    """Photograph the page without its letters."""
    style = page.add_style_tag(content=BARE)
    session: CDPSession = page.context.new_cdp_session(page)
    shot = session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
    session.detach()
    style.evaluate("(part) => part.remove()")
    return Image.open(BytesIO(base64.b64decode(shot["data"]))).convert("RGB")


def _against(ground: Image.Image, each: dict[str, Any]) -> float | None:
    """Tell the contrast of a text with what lies behind the middle of its letters; None outside of the picture."""
    x, y, width, height = each["box"]
    middle = (round(x), round(y + height / 4), round(x + width), round(y + 3 * height / 4))
    left, top, right, bottom = (
        max(0, middle[0]),
        max(0, middle[1]),
        min(ground.width, middle[2]),
        min(ground.height, middle[3]),
    )
    if right <= left or bottom <= top:
        return None
    found = ground.crop((left, top, right, bottom)).getcolors((right - left) * (bottom - top)) or []
    *ink, alpha = each["colour"]
    return _worst([(contrast(_over(ink, alpha, behind), behind), count) for count, behind in found])


def _worst(found: Sequence[tuple[float, int]]) -> float:
    """Give the least contrast, but for the share that may be worse."""
    spare = SHARE * sum(count for _ratio, count in found)
    for ratio, count in sorted(found):
        spare -= count
        if spare < 0:
            return ratio
    raise AssertionError("no ground at all")


def _over(ink: Sequence[float], alpha: float, behind: Colour) -> Colour:
    red, green, blue = (round(alpha * one + (1 - alpha) * other) for one, other in zip(ink, behind, strict=True))
    return red, green, blue


@lru_cache(100_000)
def contrast(one: Colour, other: Colour) -> float:
    """Tell the contrast of two colours, 1 to 21. Source: WCAG 2.2, contrast ratio."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(100_000)
def _luminance(colour: Colour) -> float:
    """Tell the relative luminance of a colour, 0 to 1. Source: WCAG 2.2, relative luminance."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (level / 255 for level in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
