"""A key whose tap is on its way stays pressed until the table has it, or has said why not; and nothing moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.pages.places import Setting, laid
from tests.phones import Phone

NAMES = ["Anna", "Bohdan", "Katka"]
PRESSED = "[...document.querySelectorAll('#part [aria-busy=true]')].map((one) => one.value ?? one.localName)"
TAPPED = """() => {
  const shown = [...document.querySelectorAll("#part, #part *, .top *")].filter((one) => one.checkVisibility());
  const places = () => JSON.stringify(shown.map((one) => one.getBoundingClientRect()));
  document.querySelector(".own-hand input")?.click(); // a card that is touched opens its keys
  const keys = [...document.querySelectorAll(".hand .dock form[data-live] button:enabled:not([type=button], [formaction])")];
  const key = keys.find((one) => one.checkVisibility());
  for (const one of [...key.form.querySelectorAll("[type=radio]:enabled")].reverse()) one.checked = true;
  for (const one of key.form.querySelectorAll("select")) one.selectedIndex = 1;
  const before = places();
  window.stays = () => places() === before;
  key.click();
  const pressed = [...document.querySelectorAll("[aria-busy=true]")].map((one) => one === key);
  return { pressed, stays: window.stays(), isUnsaid: document.getElementById("outbox").hidden };
}"""
"""Taps a key that the page offers; says what is pressed before the tap has been dealt with, which no frame precedes."""
COVERED = """() => {
  const line = document.getElementById("outbox").getBoundingClientRect();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const covered = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const within = text.parentElement;
    if (!text.data.trim() || within.closest("#outbox, .vh") || !within.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const lies = ({ top, bottom, left, right }) => bottom > line.top && top < line.bottom && right > line.left && left < line.right;
    if ([...range.getClientRects()].some(lies)) covered.push(text.data.trim());
  }
  return covered;
}"""
"""Words that lie below the line which says how many taps wait."""
LOOKS = """() => {
  const look = (one) => { const of = getComputedStyle(one); return [...of].map((name) => of[name]); };
  const keys = [...document.querySelectorAll("#sealed-0 button[name=tricks]")];
  return [document.querySelector("#part").outerHTML, keys.map(look)];
}"""
"""All that somebody can see who looks over a shoulder."""
SETTINGS = [
    Setting("hanabi", 4, (0.4,)),
    Setting("ikebana", 4, (0.5,)),
    Setting("rage", 4, (0.3,)),
    Setting("ubongo", 4, (0.5,)),
]


def seated(anna: Phone, bohdan: Phone, **options: str) -> str:
    """Sit Anna and Bohdan down at a table of Rage."""
    code = anna.opens_table(NAMES, **options)
    bohdan.sits(code, "Bohdan")
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    return code


def is_pressed(one: Phone, *keys: str) -> None:
    one.page.wait_for_function(f"(keys) => {PRESSED}.join() === keys", arg=",".join(keys))


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.game)
def test_a_key_is_pressed_in_the_frame_of_its_tap_and_nothing_moves(
    phone: Callable[..., Phone], setting: Setting
) -> None:
    host = phone(viewport={"width": 360, "height": 640}, reduced_motion="reduce")
    host.opens(f"/t/{laid(host, setting, setting.far[0])}/0")
    host.is_live()
    host.page.context.set_offline(True)
    assert host.page.evaluate(TAPPED) == {"pressed": [True], "stays": True, "isUnsaid": True}
    expect(host.page.locator("#outbox")).to_have_text("Not saved yet. Waiting on this phone: 1")
    expect(host.page.locator("#outbox")).to_be_visible()
    assert host.page.evaluate("window.stays()")
    assert host.page.evaluate(COVERED) == []
    host.page.context.set_offline(False)
    is_pressed(host)


@pytest.mark.parametrize("is_barred", [False, True], ids=["line", "stream"])
def test_a_tap_that_waits_is_pressed_again_on_a_page_that_is_loaded_anew_and_so_is_the_next(
    phone: Callable[..., Phone], is_barred: bool
) -> None:
    anna, bohdan = phone(), phone()
    if is_barred:
        anna.bars_lines()
    seated(anna, bohdan)
    anna.page.route("**/move", lambda route: route.abort())
    barred = [True]

    def mute(wire: WebSocketRoute) -> None:
        """Let all come down, and at first nothing up."""
        above = wire.connect_to_server()
        wire.on_message(lambda tap: None if barred else above.send(tap))
        above.on_message(wire.send)

    if not is_barred:
        anna.page.route_web_socket("**/line*", mute)
    anna.page.reload()
    anna.is_live()
    anna.chooses(2)
    is_pressed(anna, "2")
    anna.chooses(5)
    is_pressed(anna, "2", "5")
    anna.page.reload()
    anna.is_live()
    is_pressed(anna, "2", "5")
    barred.clear()
    anna.page.unroute_all()
    anna.page.reload()
    expect(bohdan.page.locator("#undo")).to_contain_text("Anna bids 2.")
    is_pressed(anna)
    expect(anna.page.locator("#refusal")).to_be_visible()


def test_a_key_stays_pressed_until_what_was_entered_is_shown(phone: Callable[..., Phone]) -> None:
    anna, bohdan = phone(), phone()
    held: list[Callable[[], None]] = []
    answers: list[str] = []

    def slow(wire: WebSocketRoute) -> None:
        """Let answers come down at once, and what the seat sees, after the first time, when it is let go."""
        above = wire.connect_to_server()
        seen: list[str] = []

        def down(message: str | bytes) -> None:
            text = str(message)
            if '"all"' in text and seen:
                held.append(lambda: wire.send(text))
                return
            (seen if '"all"' in text else answers).append(text)
            wire.send(text)

        wire.on_message(above.send)
        above.on_message(down)

    anna.page.route_web_socket("**/line*", slow)
    seated(anna, bohdan)
    anna.chooses(3)
    expect(bohdan.page.locator("#undo")).to_contain_text("Anna bids 3.")
    anna.page.wait_for_function("() => !Object.keys(localStorage).some((one) => one.startsWith('outbox'))")
    assert len(answers) == 1
    is_pressed(anna, "3")
    for let_go in held:
        let_go()
    is_pressed(anna)
    expect(anna.page.locator("#undo")).to_contain_text("Anna bids 3.")


def test_a_refused_tap_is_let_go_with_the_reason(phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens(f"/t/{host.opens_table(['Anna', 'Bohdan', 'Katka'])}/0")
    host.is_live()
    key = host.page.locator(".hand button[name=tricks]").first
    key.evaluate("(key) => { key.value = '99'; }")
    key.tap()
    expect(host.page.locator("#refusal")).to_be_visible()
    is_pressed(host)
    expect(key).to_be_visible()


@pytest.mark.promise(6)
def test_a_sealed_bid_presses_no_key_so_nobody_reads_it_over_a_shoulder(phone: Callable[..., Phone]) -> None:
    anna, bohdan = phone(reduced_motion="reduce"), phone()
    seated(anna, bohdan, bidding="hidden")
    anna.page.context.set_offline(True)
    looks = []
    for tricks in (2, 7):
        anna.page.locator(f"#sealed-0 button[name=tricks][value='{tricks}']").tap()
        is_pressed(anna, "form")
        anna.page.locator("h1").tap()
        looks.append(anna.page.evaluate(LOOKS))
    assert looks[0] == looks[1]
