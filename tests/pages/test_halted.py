"""A table that stands still is looked at: no key is left that would be refused, and Hanabi's sky is seen as a whole."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.pages.places import Setting, laid
from tests.phones import Phone

SETTINGS = {
    "Hanabi with cards": Setting("hanabi", 3, (0.5,), (("detail", "cards"),)),
    "Hanabi for five": Setting("hanabi", 5, (0.5,), (("detail", "cards"),)),
    "Hanabi with tokens": Setting("hanabi", 2, (0.4,), (("detail", "tokens"),)),
    "Ikebana": Setting("ikebana", 4, (0.5,)),
    "Rage, sealed bids": Setting("rage", 8, (0.02,), (("bidding", "hidden"),)),
    "Rage, tricks": Setting("rage", 4, (0.3,)),
    "Ubongo": Setting("ubongo", 4, (0.5,)),
}
LEFT = """() => [...document.querySelectorAll("#part :is(button:not(.peek), label:has(input), input, details:has(form, input) > summary)")]
  .filter((key) => !key.closest("#halted") && key.checkVisibility({ visibilityProperty: true }))
  .map((key) => key.outerHTML.slice(0, 100))"""
COVERED = """() => [...document.querySelectorAll(".night-sky > *")]
  .filter((one) => one.getBoundingClientRect().bottom > document.querySelector("#halted").getBoundingClientRect().top)
  .map((one) => one.className)"""


def halted(host: Phone, code: str, halt: str) -> None:
    host.asks("PUT", f"/tables/{code}/halt", {"halt": halt})
    host.opens(f"/t/{code}/0")
    host.page.locator("#halted").wait_for()


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_nothing_is_left_to_tap_but_the_way_on(phone: Callable[..., Phone], setting: Setting) -> None:
    host = phone(viewport={"width": 360, "height": 640})
    code = laid(host, setting, setting.far[0])
    for halt in ("paused", "broken_off"):
        halted(host, code, halt)
        assert host.page.evaluate(LEFT) == []
        assert host.page.evaluate(COVERED) == []


def test_no_counter_is_left_to_the_one_who_keeps_the_score(phone: Callable[..., Phone]) -> None:
    keeper = phone(viewport={"width": 360, "height": 640})
    wish = {"game": "rage", "players": ["Anna", "Bohdan", "Katka"], "options": {}}
    code = str(keeper.asks("POST", "/tables", wish)["table"]["code"])
    for seat in range(3):
        keeper.asks("POST", f"/tables/{code}/moves", {"move": "bid", "seat": seat, "tricks": 3})
    keeper.asks("PUT", f"/tables/{code}/seats/0", {"name": ""})
    halted(keeper, code, "broken_off")
    assert keeper.page.evaluate(LEFT) == []
    assert keeper.page.locator("table.players").is_visible()


def test_a_game_that_was_ended_asks_for_no_pawn(phone: Callable[..., Phone]) -> None:
    host = phone()
    code = laid(host, Setting("ubongo", 4, (0,)), 0)
    halted(host, code, "broken_off")
    assert "Who says nothing starts on field 1." not in host.page.locator("#part").inner_text()
