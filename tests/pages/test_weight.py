"""A page is there at once, on bad Wi-Fi too: what a first visit weighs, and that nothing jumps when the table moves on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Response, expect

from tests.pages.places import Setting, laid
from tests.pages.test_secure import SENT
from tests.phones import Phone, Server

MOST, MOST_SCRIPT = 100_000, 40_000
"""Bytes of a first visit, as they are sent, and of its scripts."""
MOST_SHIFT = 0.02
EVENINGS = [
    Setting("hanabi", 5, (0.6,)),
    Setting("ikebana", 5, (0.6,)),
    Setting("rage", 8, (0.6,)),
    Setting("ubongo", 4, (0.6,)),
]
SHIFTS = """() => new Promise((answer) => {
  let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => { sum += entry.value; }))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => answer(sum), 300);
})"""

TOUCHES = """() => {
  window.touched = 0;
  new MutationObserver((list) => { window.touched += list.length; })
    .observe(document.getElementById("part"), { subtree: true, childList: true, characterData: true, attributes: true });
  return document.querySelectorAll("#part *").length;
}"""
MOST_TOUCHED = 40
"""Changes to the page of somebody who waits, of hundreds of elements."""


def weighed(phone: Callable[..., Phone], server: Server, path: str, cookies: list[dict[str, str]]) -> dict[str, int]:
    """Visit a page for the first time and weigh what comes, by kind."""
    visitor = phone()
    visitor.page.context.add_cookies(cookies)  # type: ignore[arg-type]
    sizes: dict[str, int] = {}

    def weigh(answer: Response) -> None:
        kind = answer.headers.get("content-type", "").split(";")[0]
        if kind != "text/event-stream" and answer.status == 200:
            sizes[kind] = sizes.get(kind, 0) + int(answer.headers.get("content-length") or len(answer.body()))

    visitor.page.on("response", weigh)
    visitor.opens(path)
    visitor.page.wait_for_load_state("load")
    visitor.page.wait_for_timeout(200)
    return sizes


def test_what_never_changes_under_its_address_comes_once(phone: Callable[..., Phone]) -> None:
    host = phone()
    code = laid(host, EVENINGS[0], 0.6)
    sent = []
    for _visit in range(2):
        host.opens(f"/t/{code}/0")
        host.is_live()
        sent.append(host.page.evaluate(SENT))
    assert len(sent[0]) > 10
    assert sent[1] == []


@pytest.mark.parametrize("setting", EVENINGS, ids=lambda setting: setting.game)
def test_a_first_visit_is_light(phone: Callable[..., Phone], server: Server, setting: Setting) -> None:
    host = phone()
    code = laid(host, setting, setting.far[0])
    cookies = [
        {"name": one["name"], "value": one["value"], "url": server.address} for one in host.page.context.cookies()
    ]
    for path in (f"/t/{code}/0", f"/t/{code}/history", "/"):
        sizes = weighed(phone, server, path, cookies)
        assert sizes["text/html"] > 1000
        assert sum(sizes.values()) <= MOST, (path, sizes)
        assert sizes.get("text/javascript", 0) <= MOST_SCRIPT, (path, sizes)


def test_nothing_jumps_while_a_page_loads_or_when_the_table_moves_on(
    phone: Callable[..., Phone], server: Server
) -> None:
    anna, bohdan = phone(), phone()
    code = anna.opens_table(["Anna", "Bohdan", "Katka"])
    bohdan.sits(code, "Bohdan")
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    anna.chooses(3)
    expect(bohdan.page.locator("#undo")).to_contain_text("Anna bids 3.")
    assert bohdan.page.evaluate(SHIFTS) <= MOST_SHIFT
    for path in ("/", f"/t/{code}/history", "/open/hanabi", "/help/ubongo"):
        anna.opens(path)
        assert anna.page.evaluate(SHIFTS) <= MOST_SHIFT, path


def test_a_move_touches_of_a_page_only_what_it_changes(phone: Callable[..., Phone]) -> None:
    anna, katka = phone(), phone()
    code = anna.opens_table(["Anna", "Bohdan", "Katka"], game="hanabi", detail="cards")
    katka.sits(code, "Katka")
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    assert katka.page.evaluate(TOUCHES) > 5 * MOST_TOUCHED
    anna.page.locator(".hand-of:has([name=to][value='2']) [data-touch][value='0']").tap()
    anna.page.locator("#hint button[name=value][value='3']").tap()
    expect(katka.page.locator("#undo")).to_contain_text("Anna shows Katka")
    assert 10 < katka.page.evaluate("window.touched") <= MOST_TOUCHED
