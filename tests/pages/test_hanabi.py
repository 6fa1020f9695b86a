"""Hanabi through the pages: whole games, and what a turn costs in taps."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.pages.night import Night
from tests.phones import Phone, Server

NAMES = ["Anna", "Bohdan", "Katka"]


def hints(phone: Phone, move: dict[str, Any]) -> None:
    if "to" not in move:
        phone.page.locator("button[name=move][value=hint]").tap()
        phone.taps += 1
        return
    target = phone.page.locator(f"#hint-{move['seat']}-{move['to']}")
    if target.get_attribute("open") is None:
        target.locator("summary").tap()
        phone.taps += 1
    for slot in move["slots"]:
        target.locator(f"label:has(input[name=slots][value='{slot}'])").tap()
        phone.taps += 1
    name = "colour" if "colour" in move else "value"
    target.locator(f"button[name={name}][value='{move[name]}']").tap()
    phone.taps += 1


def lays(phone: Phone, move: dict[str, Any]) -> None:
    laying = phone.page.locator(f"#lay-{move['seat']}")
    if laying.get_attribute("open") is None:
        laying.locator("summary").tap()
        phone.taps += 1
    laying.locator(f"label:has(input[name=slot][value='{move['slot']}'])").tap()
    laying.locator(f"label:has(input[name=card][value={move['card']}])").tap()
    laying.locator(f"button[name=move][value={move['move']}]").tap()
    phone.taps += 3


TAPS = {"hint": hints, "play": lays, "discard": lays}


def counts(phone: Phone, move: dict[str, Any]) -> None:
    if move["move"] == "discard":
        phone.page.locator("button[name=move][value=discard]").tap()
    elif "card" in move:
        phone.page.locator(f"button[name=card][value={move['card']}]").tap()
    else:
        phone.page.locator("button.act-play").tap()
    phone.taps += 1


TOKENS = {"hint": hints, "play": counts, "discard": counts}


def shows_state(night: Night) -> Callable[[Phone], None]:
    def shows(phone: Phone) -> None:
        now = night.play.game.summary(night.play.position)
        expect(phone.page.locator(".points").first).to_have_text(str(now["score"]).replace("-", "−"))
        tops = [str(built) if built else "–" for built in now["fireworks"].values()]
        expect(phone.page.locator(".fireworks .num")).to_have_text(tops)
        if now["result"] == "playing":
            expect(phone.page.locator("#hint-tokens")).to_have_text(str(now["hint_tokens"]))
            expect(phone.page.locator("#errors")).to_have_text(str(now["errors"]))

    return shows


@pytest.mark.promise(3, 16)
def test_three_phones_play_a_game_card_by_card_and_everything_agrees(
    server: Server, phone: Callable[..., Phone], is_long: bool
) -> None:
    night = Night(
        server, phone, "hanabi", NAMES, TAPS, plain=1, is_long=is_long, seed=92, multicolour="5", locale="cs-CZ"
    )
    night.plays(shows_state(night), away=(7, 3), undo=4, retake=6)
    expect(night.screen.page.get_by_role("heading", level=1)).to_have_text(
        night.said({"won": "Won", "lost": "Lost", "ended": "The fireworks are over"}[night.play.position.result.value])
    )


def test_three_phones_count_tokens_only_and_everything_agrees(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES, TOKENS, seed=5, detail="tokens")
    night.plays(shows_state(night), away=(9, 3), undo=4, retake=6)


def test_a_hint_is_four_taps_at_most_and_a_card_three(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TAPS)
    anna, bo = night.phones
    for one, move, taps in (
        (anna, {"move": "hint", "seat": 0, "to": 1, "colour": "R", "slots": [0, 3]}, 4),
        (bo, {"move": "play", "seat": 1, "slot": 0, "card": "R1"}, 3),
        (anna, {"move": "discard", "seat": 0, "slot": 4, "card": "G2"}, 3),
    ):
        if move["move"] != "hint" and one.page.locator("details[id^=lay-]").get_attribute("open") is None:
            one.page.locator("details[id^=lay-] > summary").tap()
        one.taps = 0
        night.make(move)
        assert one.taps <= taps
        night.agree(shows_state(night))
    held = bo.page.locator(".hand-row.mine .held").nth(2)
    expect(held).to_contain_text("red")  # the fourth card moved up when the first was played


def test_where_tokens_are_counted_a_hint_is_one_tap(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TOKENS, detail="tokens")
    anna, bo = night.phones
    for one, move in (
        (anna, {"move": "hint", "seat": 0}),
        (bo, {"move": "play", "seat": 1, "card": "Y1"}),
        (anna, {"move": "play", "seat": 0}),
        (bo, {"move": "discard", "seat": 1}),
    ):
        one.taps = 0
        night.make(move)
        assert one.taps == 1
        night.agree(shows_state(night))


def test_where_tokens_are_counted_a_5_that_did_not_fit_is_named_and_loses_the_endless_game(
    server: Server, phone: Callable[..., Phone]
) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TOKENS, detail="tokens", endless="on")
    anna, bo = night.phones
    anna.page.locator(".act-play").tap()
    anna.page.locator("#tray-gone button[value=R5]").tap()
    expect(bo.page.get_by_role("heading", level=1)).to_have_text("Lost")


def test_where_tokens_are_counted_a_tile_asks_for_the_card(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TOKENS, detail="tokens", edition="pl", flamboyants="on")
    anna, bo = night.phones
    red = [{"move": "play", "card": f"R{value}"} for value in range(1, 6)]
    for turn, move in enumerate([{"move": "hint"}, {"move": "discard"}, *red]):
        night.make({**move, "seat": turn % 2})
        night.agree(shows_state(night))
    anna.is_awake()
    anna.page.locator("#tile-T6 summary").tap()
    anna.page.locator("#tile-card-T6").select_option("B1")
    anna.page.locator("#tile-T6 button.main").tap()
    expect(bo.page.get_by_role("heading", level=1)).to_have_text("You are next")
    last = server.record(night.code)["moves"][-1]
    assert (last["move"], last["tile"], last["card"]) == ("reward", "T6", "B1")


def test_an_earlier_hint_is_amended(server: Server, phone: Callable[..., Phone]) -> None:
    night = Night(server, phone, "hanabi", NAMES[:2], TAPS)
    anna, _ = night.phones
    night.make({"move": "hint", "seat": 0, "to": 1, "value": 3, "slots": [1]})
    expect(anna.page.locator("#undo")).to_contain_text("3")
    anna.page.get_by_role("link", name="History").tap()
    anna.page.get_by_role("link", name=re.compile("Change")).first.tap()
    anna.page.locator("[name=slots]").fill("2 4")
    anna.tap("Change it")
    anna.page.wait_for_url("**/history")
    assert server.record(night.code)["moves"][0]["slots"] == [2, 4]
