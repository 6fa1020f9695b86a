"""Ubongo through the pages: a whole game, the taps of a round, and a clock that is the server's."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.night import Night
from tests.phones import Phone, Server

NAMES = ["Anna", "Bohdan", "Katka"]
LONG = "600"
"""Seconds of sand: enough for the slowest machine."""


def form(phone: Phone, move: dict[str, Any]) -> Any:
    return phone.page.locator(
        f"form:has(input[name=move][value={move['move']}]):has([name=seat][value='{move['seat']}'])"
    )


def rolls(phone: Phone, move: dict[str, Any]) -> None:
    phone.page.locator(f"button[name=symbol][value='{move['symbol']}']").tap()
    phone.taps += 1


def says(phone: Phone, move: dict[str, Any]) -> None:
    form(phone, move).locator("button").tap()
    phone.taps += 1


def places(phone: Phone, move: dict[str, Any]) -> None:
    form(phone, move).locator(f"button[name=row][value='{move['row']}']").tap()
    phone.taps += 1


def takes(phone: Phone, move: dict[str, Any]) -> None:
    *first, last = move.get("gems", []) or [None]
    taking = form(phone, move)
    for colour in first:
        taking.locator(f"label:has(input[value={colour}])").tap()
        phone.taps += 1
    taking.locator(f"button[value={last}]" if last else "button").tap()
    phone.taps += 1


TAPS = {"roll": rolls, "ubongo": says, "void": says, "place": places, "take": takes}
"""A count would end the game at once, and the end of the glass has a test of its own."""


GEMS = """wanted => wanted.every((counts, seat) => {
    const cells = [...document.querySelectorAll(`table.gems tr[data-seat="${seat}"] td`)].map(cell => cell.textContent.trim());
    return cells.length === counts.length && cells.every((cell, place) => cell === counts[place]);
})"""
"""The gems of every seat, colour by colour."""


def shows_gems(night: Night) -> Callable[[Phone], None]:
    def shows(phone: Phone) -> None:
        night.waits(phone, GEMS, [[str(count) for count in counts] for counts in night.play.position.gems])

    return shows


def night_of(server: Server, phone: Callable[..., Phone], seats: int, **more: Any) -> Night:
    return Night(server, phone, "ubongo", NAMES[:seats], TAPS, **{"glass_s": LONG, **more})


@pytest.mark.promise(3, 16)
def test_three_phones_play_nine_rounds_and_everything_agrees(
    server: Server, phone: Callable[..., Phone], is_long: bool
) -> None:
    night = night_of(server, phone, 3, plain=1, is_long=is_long, seed=3, locale="pl-PL")
    night.plays(shows_gems(night), away=(20, 7), undo=9, retake=15)
    winner = night.play.game.standing(night.play.position).places[0]
    expect(night.screen.page.locator(".ranking li").first).to_contain_text(NAMES[winner.seat])


def test_a_call_is_one_tap_and_gems_are_two(server: Server, phone: Callable[..., Phone]) -> None:
    night = night_of(server, phone, 2)
    anna, bo = night.phones
    night.make({"move": "roll", "symbol": 3})
    for one, move, taps in (
        (bo, {"move": "ubongo", "seat": 1}, 1),
        (anna, {"move": "ubongo", "seat": 0}, 1),
        (bo, {"move": "take", "seat": 1, "gems": ["blue", "yellow"]}, 2),
    ):
        one.taps = 0
        night.make(move)
        assert one.taps == taps
        night.agree(shows_gems(night))
    calls = anna.page.locator(".calls li")
    expect(calls.first).to_contain_text("Bohdan")
    expect(calls.nth(1)).to_contain_text(re.compile(r"\d+ ms later"))


def test_the_button_to_call_is_a_third_of_the_screen(server: Server, phone: Callable[..., Phone]) -> None:
    night = night_of(server, phone, 2)
    night.make({"move": "roll", "symbol": 1})
    button = night.phones[1].page.get_by_role("button", name="Ubongo!")
    expect(button).to_be_visible()
    box, screen = button.bounding_box(), night.phones[1].page.viewport_size
    assert box
    assert screen
    assert box["height"] >= screen["height"] / 3
    assert box["y"] + box["height"] <= screen["height"]


@pytest.mark.promise(22)
@pytest.mark.parametrize("off_ms", [0, 86_400_000, -86_400_000])
def test_a_phone_with_a_wrong_clock_shows_the_same_seconds(
    server: Server, phone: Callable[..., Phone], off_ms: int
) -> None:
    night = night_of(server, phone, 2)
    anna, bo = night.phones
    bo.page.add_init_script(f"const now = Date.now; Date.now = () => now() + {off_ms};")
    bo.page.reload()
    bo.is_live()
    night.make({"move": "roll", "symbol": 1})
    left = []
    for one in (anna, bo, night.screen):
        expect(one.page.locator("#clock-left")).to_have_text(re.compile(r"59\d"))
        left.append((int(one.page.locator("#clock-left").inner_text()), time.monotonic()))
    for seconds, seen in left:
        assert abs(seconds - left[0][0] + (seen - left[0][1])) <= 2


def test_when_the_sand_has_run_out_the_page_offers_to_say_so(server: Server, phone: Callable[..., Phone]) -> None:
    night = night_of(server, phone, 2, glass_s="2")
    anna, bo = night.phones
    night.make({"move": "roll", "symbol": 1})
    expect(anna.page.locator("#time-up.is-due")).to_be_visible(timeout=8_000)
    expect(anna.page.locator("#clock-left")).to_have_text("0")
    bo.page.get_by_role("button", name="Ubongo!").tap()
    expect(bo.page.locator("#refusal")).to_contain_text("Too late")
    anna.page.locator("#time-up button").tap()
    expect(bo.page.get_by_text("seconds, second glass")).to_be_visible()


def test_gems_can_be_counted_once_and_the_count_amended(server: Server, phone: Callable[..., Phone]) -> None:
    night = night_of(server, phone, 2)
    anna, _ = night.phones
    anna.page.locator("#fold-count > summary").tap()
    for seat, counts in enumerate(((4, 3, 2, 6, 1, 0), (6, 4, 2, 2, 2, 2))):
        for place, count in enumerate(counts):
            anna.page.locator(f"input[name=gems-{seat}-{place}]").fill(str(count))
    anna.tap("End the game with these counts")
    expect(anna.page.locator(".ranking li").first).to_contain_text("6 4 3 2 1 0".replace(" 1 0", ""))
    expect(anna.page.locator(".why-won")).to_contain_text("Level on 6 and 4")
    anna.page.get_by_role("link", name="History").tap()
    anna.page.get_by_role("link", name=re.compile("Change")).first.tap()
    anna.page.locator("input[name=gems-1-0]").fill("7")
    anna.tap("Change it")
    anna.page.wait_for_url("**/history")
    anna.opens(f"/t/{night.code}/0")
    expect(anna.page.locator(".ranking li").first).to_contain_text("Bohdan")
