"""A tap means what was seen: whoever taps twice, as hands do, has entered one thing, with and without a network."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.places import NAMES, Setting
from tests.phones import Phone

PAUSES_MS = (60, 130, 200, 280)
"""Between the two taps of a hand that trembles, or is in a hurry."""
TREMBLE_MS = 350
"""Two taps that are further apart, since the machine had no time for the second, are two of a hand that looks."""
SETTLED_MS = 700
"""After which whatever was sent is entered, and every key awake."""
TURNS, LONG_TURNS = 8, 200
SETTINGS = (
    Setting("hanabi", 2, (), (("detail", "tokens"),)),
    Setting("hanabi", 3, (), (("detail", "hints"),)),
    Setting("hanabi", 4, (), (("detail", "cards"),)),
    Setting("ikebana", 3, (), (("detail", "payments"),)),
    Setting("rage", 4, ()),
    Setting("rage", 3, (), (("bidding", "hidden"),)),
    Setting("ubongo", 3, ()),
)
CHOOSE = """number => {
  for (const fold of document.querySelectorAll(".hand details")) fold.open = true;
  const shown = (part) => part.checkVisibility({ visibilityProperty: true });
  const cards = [...document.querySelectorAll("#part label:has(input[name=slot])")].filter(shown);
  if (cards.length) cards[number % cards.length].click();
  const keys = [...document.querySelectorAll(".hand button:not([type=button])")].filter((key) => shown(key) && !key.disabled && !key.hasAttribute("formaction"));
  if (!keys.length) return null;
  const key = keys[number % keys.length];
  for (const field of key.form.querySelectorAll("input[required]"))
    if (!key.formNoValidate && !key.form.querySelector(`input[name="${field.name}"]:checked`)) field.click();
  key.scrollIntoView({ block: "center" });
  const { x, y, width, height } = key.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2, said: `${key.name} ${key.value} ${key.textContent.trim()}` };
}"""


FELT = """() => {
  window.felt = [];
  window.onpointerdown = ({ timeStamp }) => window.felt.push(timeStamp);
}"""


BUSY = """() => {
  const busy = () => {
    for (const until = performance.now() + 1200; performance.now() < until; );
  };
  const watch = new MutationObserver(() => {
    watch.disconnect();
    busy();
  });
  watch.observe(document.getElementById("part"), { attributeFilter: ["data-number"] });
}"""
"""The page has much to do as soon as it shows the next number."""


def number(phone: Phone) -> int:
    return int(phone.page.locator("#part").get_attribute("data-number") or 0)


def taps_twice(phone: Phone, key: dict[str, Any], pause_ms: int) -> bool:
    """Tap twice in one place; tell whether the page has felt both as near to each other as they were meant.

    One that was loaded anew in between has not.
    """
    phone.page.evaluate(FELT)
    for pause in (pause_ms, SETTLED_MS):
        phone.page.touchscreen.tap(key["x"], key["y"])
        phone.page.wait_for_timeout(pause)
    felt: list[float] = phone.page.evaluate("window.felt ?? []")
    return len(felt) > 1 and felt[1] - felt[0] <= TREMBLE_MS


@pytest.mark.promise(32)
@pytest.mark.parametrize(
    "setting", SETTINGS, ids=lambda one: "-".join([one.game, *map(str, dict(one.options).values())])
)
def test_two_taps_in_one_place_enter_one_thing(
    phone: Callable[..., Phone], figure: Callable[[str], None], is_long: bool, setting: Setting
) -> None:
    seed = random.SystemRandom().randrange(10**6)
    print(f"seed {seed}")
    chance, keeper, twice = (
        random.Random(seed),
        phone(viewport={"width": 360, "height": 640}, reduced_motion="no-preference"),
        0,
    )
    asked = {"game": setting.game, "players": list(NAMES[: setting.seats]), "options": dict(setting.options)}
    code = keeper.asks("POST", "/tables", asked)["table"]["code"]
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    for turn in range(LONG_TURNS if is_long else TURNS):
        keeper.is_awake()
        key = keeper.page.evaluate(CHOOSE, chance.randrange(1000))
        if key is None:
            break  # the game is over
        before, is_away = number(keeper), turn % 4 == 3
        keeper.page.context.set_offline(is_away)
        is_double = taps_twice(keeper, key, chance.choice(PAUSES_MS))
        if is_away:
            keeper.page.context.set_offline(False)
            keeper.page.wait_for_function("code => !localStorage.getItem(`outbox-${code}`)", arg=code)
            keeper.page.wait_for_timeout(SETTLED_MS)
        entered = number(keeper) - before
        assert entered <= (1 if is_double else 2), f"{key['said']}: {entered} entries at turn {turn + 1}"
        twice += is_double and entered
    assert twice > 0
    figure(f"{setting.game}: {twice} entries by double taps, none that was not meant")


@pytest.mark.promise(32)
def test_a_second_tap_of_which_a_busy_page_hears_late_is_none_either(phone: Callable[..., Phone]) -> None:
    keeper = phone(viewport={"width": 360, "height": 640}, reduced_motion="no-preference")
    asked = {"game": "hanabi", "players": list(NAMES[:3]), "options": {"detail": "tokens"}}
    code = keeper.asks("POST", "/tables", asked)["table"]["code"]
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    for _ in range(4):
        keeper.is_awake()
        keys = (keeper.page.evaluate(CHOOSE, place) for place in range(20))
        key = next(key for key in keys if key and "Hint given" in key["said"])
        keeper.page.evaluate(BUSY)
        before, is_double = number(keeper), taps_twice(keeper, key, 250)
        keeper.page.wait_for_timeout(SETTLED_MS)
        if is_double:  # else the machine had no time for the second
            break
    assert is_double
    assert number(keeper) == before + 1


def test_enter_that_is_held_down_takes_back_one_move_and_stays_on_its_key(phone: Callable[..., Phone]) -> None:
    """Held for two seconds it once took back a whole round, and then put back what it had taken."""
    keeper = phone(viewport={"width": 360, "height": 640})
    bids = [{"move": "bid", "seat": seat, "tricks": 2} for seat in range(3)]
    asked = {"format": "companion-record", "version": 1, "game": "rage", "players": list(NAMES[:3]), "moves": bids}
    code = keeper.asks("POST", "/records", asked)["table"]["code"]
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    keeper.is_awake()
    before, key = number(keeper), keeper.page.get_by_role("button", name="Take back")
    key.focus()
    for _ in range(4):
        keeper.page.keyboard.down("Enter")
        keeper.page.wait_for_timeout(SETTLED_MS)
    keeper.page.keyboard.up("Enter")
    assert number(keeper) == before + 1
    expect(key).to_be_focused()
    keeper.page.keyboard.press("Enter")
    expect(keeper.page.locator("#undo")).to_contain_text(f"Taken back: {NAMES[1]} bids 2.")
