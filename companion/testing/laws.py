"""What holds on every page, whatever it is about: nothing is dead, or shown though hidden, and no word is broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

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


CUT = """() => {
  // What may be pushed sideways, is shortened by dots, or is there for the ear.
  const isFree = (part) => part.closest(".vh, svg, script, style, noscript, option, .scroll");
  const edges = (part) => {
    let [left, right] = [0, innerWidth];
    for (let one = part; one && one !== document.body; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.overflowX === "visible" || style.display === "inline") continue;
      if (style.textOverflow === "ellipsis") return null;
      const box = one.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    }
    return [left, right];
  };
  const found = [];
  const places = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = places.nextNode(); node; node = places.nextNode()) {
    const part = node.parentElement;
    if (!node.data.trim() || isFree(part) || !part.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const seen = box.width > 0 && edges(part);
    if (seen && (box.left < seen[0] - 1 || box.right > seen[1] + 1)) {
      found.push(`${node.data.trim()} in ${part.outerHTML.slice(0, 80)}`);
    }
  }
  return found;
}"""


def cut(page: Page) -> Iterator[str]:
    """Find the texts that an edge at their side cuts off."""
    yield from (f"cut: {text}" for text in page.evaluate(CUT))


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
