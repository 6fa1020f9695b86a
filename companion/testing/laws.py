"""What holds on every page, whatever it is about: nothing is dead, or shown though hidden, and no word is broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.web.unindented import BLOCKS

if TYPE_CHECKING:
    from playwright.sync_api import Page

HIDDEN = """() => [...document.querySelectorAll("[hidden]")].filter((part) => part.getClientRects().length)
  .map((part) => part.outerHTML.slice(0, 100))"""
DEAD = """() => {
  const seen = (part) => part.checkVisibility({ visibilityProperty: true });
  const leads = (link) => link.hasAttribute("href") && !link.getAttribute("href").startsWith("#") || document.querySelector(link.getAttribute("href") ?? ":not(*)");
  const sends = (button) => button.type === "submit" && button.form?.getAttribute("action");
  return [
    ...[...document.querySelectorAll("a")].filter((link) => seen(link) && !leads(link)),
    ...[...document.querySelectorAll("button:not([type=button])")].filter((button) => seen(button) && !sends(button)),
  ].map((part) => part.outerHTML.slice(0, 100));
}"""
BY_SCRIPT = "button[type=button]:enabled:visible"
"""Keys that do something by script alone."""
WATCH = """() => {
  window.happened = 0;
  new MutationObserver((records) => { window.happened += records.length; })
    .observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def shown_though_hidden(page: Page) -> Iterator[str]:
    """Find what is said to be hidden, and is not."""
    yield from (f"hidden, and seen: {html}" for html in page.evaluate(HIDDEN))


def dead(page: Page) -> Iterator[str]:
    """Find the links that lead nowhere, the keys that send nothing, and those that nothing happens upon.

    On a page over plain http, where a browser gives neither clipboard nor share sheet.
    """
    assert not page.evaluate("isSecureContext")
    yield from (f"leads nowhere: {html}" for html in page.evaluate(DEAD))
    if keys := page.locator(BY_SCRIPT).all():
        page.evaluate(WATCH)
    # The last one first: a key that hides when it is touched moves none that is still to come.
    for key in reversed(keys):
        html = key.evaluate("(key) => key.outerHTML")
        page.evaluate("window.happened = 0")
        key.click()
        if not page.evaluate("new Promise((done) => setTimeout(() => done(window.happened)))"):
            yield f"nothing happens: {html}"


IN_LINE = """(blocks) => [...document.body.querySelectorAll(blocks)]
  .filter((part) => part instanceof HTMLElement && part.nodeName !== "BR" && getComputedStyle(part).display.startsWith("inline"))
  .map((part) => part.outerHTML.slice(0, 100))"""


def in_line(page: Page) -> Iterator[str]:
    """Find the blocks that a style lets run on in a line: no space is sent beside them, so it would be missed."""
    yield from (f"in a line: {html}" for html in page.evaluate(IN_LINE, BLOCKS.replace("|", ",")))


BROKEN = """() => {
  // What nobody reads word by word may be broken anywhere.
  const isText = (part) => !part.closest(".vh, script, style, noscript, select, textarea, svg, .path, .fingerprint, .join-address, .code, .source[lang]");
  const found = [];
  const places = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = places.nextNode(); node; node = places.nextNode()) {
    const part = node.parentElement;
    if (!isText(part) || !part.checkVisibility({ visibilityProperty: true })) continue;
    for (const { 0: word, index } of node.data.matchAll(/[\\p{L}\\p{N}+−]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => Math.round(bottom)));
      if (lines.size > 1) found.push(`${word} in ${part.outerHTML.slice(0, 80)}`);
    }
  }
  return found;
}"""


def broken(page: Page) -> Iterator[str]:
    """Find the words and numbers that are broken into two lines."""
    yield from (f"broken: {word}" for word in page.evaluate(BROKEN))


LAID = """
  // Each text that is seen, with the box of each of its lines, and of all that its page and the parts around it show.
  const frame = (part) => {
    let shown = { left: 0, right: innerWidth, top: 0, bottom: innerHeight, hasDots: false };
    for (let one = part; one && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      if ((style.overflowX === "visible" && style.overflowY === "visible") || style.display === "inline") continue;
      const edge = one.getBoundingClientRect();
      shown = {
        left: Math.max(shown.left, edge.left),
        right: Math.min(shown.right, edge.right),
        top: Math.max(shown.top, edge.top),
        bottom: Math.min(shown.bottom, edge.bottom),
        hasDots: shown.hasDots || style.textOverflow === "ellipsis",
      };
    }
    return shown;
  };
  const laid = [];
  const places = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = places.nextNode(); node; node = places.nextNode()) {
    const part = node.parentElement;
    const said = node.data.trim();
    if (!said || part.closest(".vh, svg, script, style, noscript, option")) continue;
    if (!part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width > 0) laid.push({ said, part, box, shown: frame(part) });
    }
  }
"""
CUT = (
    "() => {"
    + LAID
    + """
  // What may be pushed sideways, or is shortened by dots, is not cut.
  return laid
    .filter(({ part, shown }) => !part.closest(".scroll") && !shown.hasDots)
    .filter(({ box, shown }) => box.left < shown.left - 1 || box.right > shown.right + 1)
    .map(({ said, part }) => `${said} in ${part.outerHTML.slice(0, 80)}`);
}"""
)


def cut(page: Page) -> Iterator[str]:
    """Find the texts that an edge at their side cuts off."""
    yield from (f"cut: {text}" for text in page.evaluate(CUT))


OVERLAPPING = (
    "() => {"
    + LAID
    + """
  // What lies over the rest by intent, as a refusal, is compared with itself alone.
  const layer = (part) => {
    let one = part;
    while (one && !["sticky", "fixed"].includes(getComputedStyle(one).position)) one = one.parentElement;
    return one;
  };
  const seen = laid.map(({ said, part, box, shown }) => ({
    said,
    part,
    on: layer(part),
    least: 0.35 * box.height,
    left: Math.max(box.left, shown.left),
    right: Math.min(box.right, shown.right),
    top: Math.max(box.top, shown.top),
    bottom: Math.min(box.bottom, shown.bottom),
  }));
  const isOn = (one, other) => {
    if (one.on !== other.on || one.part === other.part) return false;
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return wide > 2 && high > Math.min(one.least, other.least);
  };
  return seen.flatMap((one, place) =>
    seen
      .slice(0, place)
      .filter((other) => isOn(one, other))
      .map((other) => `${one.said} on ${other.said}`),
  );
}"""
)


def overlapping(page: Page) -> Iterator[str]:
    """Find the texts that lie on another by more than a third of a line."""
    yield from (f"overlapping: {texts}" for texts in page.evaluate(OVERLAPPING))


SHORTENED = """([names, least]) => {
  // The edges that cut a text off, and how much of its end is taken by dots.
  const cutters = (part) => {
    const found = [];
    for (let one = part; one && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.overflowX !== "visible" && style.display !== "inline") {
        found.push([one.getBoundingClientRect(), style.textOverflow === "ellipsis" && one.scrollWidth > one.clientWidth]);
      }
    }
    return found;
  };
  const found = [];
  const places = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = places.nextNode(); node; node = places.nextNode()) {
    const part = node.parentElement;
    const name = node.data.trim();
    if (!names.includes(name) || part.closest(".vh, svg, option") || !part.checkVisibility({ visibilityProperty: true })) continue;
    const start = node.data.indexOf(name);
    const size = Number.parseFloat(getComputedStyle(part).fontSize);
    const edges = cutters(part);
    const range = document.createRange();
    const isSeen = (place) => {
      range.setStart(node, start + place);
      range.setEnd(node, start + place + 1);
      const { left, right } = range.getBoundingClientRect();
      return edges.every(([box, hasDots]) => right <= box.right - (hasDots ? 0.6 * size : 0) + 1 && left >= box.left - 1);
    };
    const whole = edges.every(([box]) => {
      range.setStart(node, start);
      range.setEnd(node, start + name.length);
      return range.getBoundingClientRect().right <= box.right + 1;
    });
    const seen = [...name].filter((_letter, place) => isSeen(place)).length;
    if (!whole && seen < Math.min(least, name.length)) found.push(`${name} to ${seen} in ${part.parentElement.outerHTML.slice(0, 80)}`);
  }
  return found;
}"""
LEAST_LETTERS = 6


def shortened(page: Page, names: Sequence[str]) -> Iterator[str]:
    """Find the names that are shortened below six letters."""
    yield from (f"shortened: {name}" for name in page.evaluate(SHORTENED, [list(names), LEAST_LETTERS]))


KEYS = """() => {
  const hand = document.querySelector(".hand") ?? document.querySelector("main");
  const shown = (part) => part.checkVisibility({ visibilityProperty: true });
  const keys = [...hand.querySelectorAll("button, label:has(input)")].filter(shown);
  const said = (key) => {
    const own = key.matches("label") ? key.querySelector("input") : key;
    const move = own.form?.querySelector("input[type=hidden][name=move]")?.value ?? "";
    return [move, own.name, own.value, own.type].join(" ");
  };
  return {
    scrolls: hand.scrollHeight - hand.clientHeight,
    keys: keys.map((key) => {
      const { x, y, width, height } = key.getBoundingClientRect();
      const there = document.elementFromPoint(x + width / 2, y + height / 2);
      return { said: said(key), x, y, width, height, isCovered: !(there && (key.contains(there) || there.contains(key))) };
    }),
  };
}"""
LEAST_PX = 48
"""A key is as wide and as high, at least."""


def unhandy(page: Page, places: dict[str, tuple[int, int]], acts: bool = True) -> Iterator[str]:
    """Find what a hand would stumble over: keys that are cut off, covered, small, or not where they were.

    Args:
        page: a seat's page, not scrolled.
        places: where each key has stood; what is new is noted there.
        acts: whether it is this seat's turn: then its keys do not scroll either.
    """
    found = page.evaluate(KEYS)
    size = page.viewport_size or {"width": 0, "height": 0}
    if acts and found["scrolls"] > 0:
        yield f"the keys scroll by {found['scrolls']} px"
    for key in found["keys"]:
        left, top, right, bottom = key["x"], key["y"], key["x"] + key["width"], key["y"] + key["height"]
        if left < 0 or right > size["width"] + 0.5 or top < 0 or bottom > size["height"] + 0.5:
            yield f"{key['said']!r} lies outside: {left}, {top} – {right}, {bottom}"
        elif key["isCovered"]:
            yield f"{key['said']!r} is covered"
        if min(key["width"], key["height"]) < LEAST_PX - 0.5:
            yield f"{key['said']!r} is {key['width']} × {key['height']} px"
        place = round(left), round(top)
        if places.setdefault(key["said"], place) != place:
            yield f"{key['said']!r} moved from {places[key['said']]} to {place}"
