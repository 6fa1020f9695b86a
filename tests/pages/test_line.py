"""Pages draw from the data of one line; where none passes, streams of drawn parts and posts do the same."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.phones import Phone

NAMES = ["Anna", "Bohdan", "Katka"]


def ways(phone: Phone) -> list[str]:
    """Note by which ways the page of a seat asks for anything after it has come."""
    found: list[str] = []
    phone.page.on("websocket", lambda wire: found.append(f"line {wire.url.rpartition('/t/')[2].partition('?')[0]}"))
    phone.page.on(
        "request",
        lambda asked: (
            found.append(f"{asked.method} {asked.url.rpartition('/')[2].partition('?')[0]}")
            if asked.resource_type in {"fetch", "eventsource"} and "/screen/" not in asked.url
            else None
        ),
    )
    return found


def round_of(host: Phone, guest: Phone) -> str:
    code = host.opens_table(NAMES, bidding="hidden")
    guest.sits(code, "Bohdan")
    host.opens(f"/t/{code}/0")
    host.is_live()
    guest.is_live()
    return code


def holds(phone: Phone) -> list[WebSocketRoute]:
    """Take hold of the lines of a phone, each when it opens."""
    wires: list[WebSocketRoute] = []

    def held(wire: WebSocketRoute) -> None:
        wires.append(wire)
        wire.connect_to_server()

    phone.page.route_web_socket("**/line*", held)
    return wires


def drawn(phone: Phone) -> str:
    """Give what the part shows; space is space."""
    return re.sub(r"\s+", " ", phone.page.locator("#part").inner_html()).strip()


def bids(phone: Phone, seat: int, tricks: int) -> None:
    phone.is_awake()
    phone.page.locator(f"#sealed-{seat} button[name=tricks][value='{tricks}']").dispatch_event("click")


@pytest.mark.promise(10)
@pytest.mark.parametrize("barred", [(), (0,), (0, 1)], ids=["lines", "a line and a stream", "streams"])
def test_a_round_by_lines_and_by_streams_is_the_same(phone: Callable[..., Phone], barred: tuple[int, ...]) -> None:
    phones = host, guest = phone(), phone()
    for place in barred:
        phones[place].bars_lines()
    asked = [ways(one) for one in phones]
    code = round_of(host, guest)
    before = int(host.page.locator("#part").get_attribute("data-number") or 0)
    for seat, one in enumerate((host, guest, host)):
        bids(one, seat, seat + 1)
        for each in phones:
            expect(each.page.locator("#part")).to_have_attribute("data-number", str(before + seat + 1))
    for each in phones:
        expect(each.page.locator("#part")).to_contain_text("3")
        shown = drawn(each)
        each.page.reload()
        each.is_live()
        assert drawn(each) == shown
    for seat, found in enumerate(asked):
        by_line = seat not in barred
        assert (f"line {code}/{seat}/line" in found) == by_line
        assert ("POST move" in found) != by_line
        assert ("GET stream" in found) != by_line


def test_a_line_that_breaks_is_there_again_and_nothing_is_missing(phone: Callable[..., Phone]) -> None:
    host, guest = phone(), phone()
    wires = holds(guest)
    code = round_of(host, guest)
    assert wires, code
    before = int(host.page.locator("#part").get_attribute("data-number") or 0)
    wires[-1].close()
    bids(host, 0, 1)
    expect(guest.page.locator("#part")).to_have_attribute("data-number", str(before + 1))
    bids(guest, 1, 2)
    expect(host.page.locator("#part")).to_have_attribute("data-number", str(before + 2))
    expect(guest.page.locator("#outbox")).to_be_hidden()


def test_a_page_that_stayed_open_through_an_update_loads_itself_anew_and_keeps_its_tap(
    phone: Callable[..., Phone],
) -> None:
    host, guest = phone(), phone()
    wires = holds(guest)
    round_of(host, guest)
    before = int(host.page.locator("#part").get_attribute("data-number") or 0)
    guest.page.evaluate("isOld = true; document.body.dataset.line = document.body.dataset.line.replace('=', '=0')")
    guest.page.context.set_offline(True)
    wires[-1].close()
    bids(guest, 1, 2)
    expect(guest.page.locator("#outbox")).to_be_visible()
    guest.page.context.set_offline(False)
    guest.page.wait_for_function("() => !('isOld' in window)")
    guest.is_live()
    expect(guest.page.locator("#outbox")).to_be_hidden()
    expect(host.page.locator("#part")).to_have_attribute("data-number", str(before + 1))


@pytest.mark.parametrize("is_barred", [False, True], ids=["by a line", "by a stream"])
def test_a_screen_that_stayed_open_through_an_update_is_the_screen_again(
    phone: Callable[..., Phone], is_barred: bool
) -> None:
    """It became the door of the table: whoever looked at it was asked which seat was theirs."""
    host, screen = phone(), phone("Desktop Chrome")
    if is_barred:
        screen.bars_lines()
    code = host.opens_table(NAMES)
    screen.opens(f"/t/{code}/screen")
    screen.is_live()
    screen.page.evaluate("""() => {
        isOld = true;
        const ways = document.body.dataset;
        for (const way of ["line", "stream"]) ways[way] = ways[way].replace(/(drawn|scripts)=/, "$1=0");
        dispatchEvent(new Event("online"));
    }""")
    screen.page.wait_for_function("() => !('isOld' in window)")
    expect(screen.page).to_have_url(re.compile(rf"/t/{code}/screen$"))
    screen.is_live()


def test_a_page_that_stayed_open_while_another_language_was_chosen_is_in_that_one_and_keeps_its_tap(
    phone: Callable[..., Phone],
) -> None:
    host, guest = phone(), phone()
    round_of(host, guest)
    before = int(host.page.locator("#part").get_attribute("data-number") or 0)
    guest.page.context.add_cookies([{"name": "language", "value": "cs", "url": guest.page.url}])
    guest.page.context.set_offline(True)
    bids(guest, 1, 2)
    expect(guest.page.locator("#outbox")).to_be_visible()
    guest.page.context.set_offline(False)
    expect(guest.page.locator("html")).to_have_attribute("lang", "cs")
    guest.is_live()
    expect(guest.page.locator("#outbox")).to_be_hidden()
    expect(host.page.locator("#part")).to_have_attribute("data-number", str(before + 1))
