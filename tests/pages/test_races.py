"""A tap that came second, on real phones: told as a race, calmly, also when it was long on its way."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.phones import Phone

NAMES = ["Anna", "Bohdan", "Katka"]


def seated(anna: Phone, bohdan: Phone, **options: str) -> str:
    """Sit Anna and Bohdan down at a table of Rage; the host plays for Katka."""
    code = anna.opens_table(NAMES, **options)
    bohdan.sits(code, "Bohdan")
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    return code


def number(one: Phone) -> int:
    return int(one.page.locator("#part").get_attribute("data-number") or 0)


def takes_trick(one: Phone) -> None:
    one.page.locator("#fold-trick > summary").tap()
    one.tap("I took this trick")


def test_two_people_take_one_trick(phone: Callable[..., Phone]) -> None:
    """The slower one's phone was away: its tap comes late."""
    anna, bohdan = phone(), phone()
    seated(anna, bohdan)
    for bidder, name in ((anna, "Anna"), (bohdan, "Bohdan"), (anna, "Katka")):
        bidder.chooses(3)
        for one in (anna, bohdan):
            expect(one.page.locator("#undo")).to_contain_text(f"{name} bids 3.")
    bohdan.page.context.set_offline(True)
    takes_trick(bohdan)
    expect(bohdan.page.locator("#outbox")).to_be_visible()
    pressed = bohdan.page.locator("[aria-busy=true]")
    expect(pressed).to_have_text("I took this trick")
    takes_trick(anna)
    expect(anna.page.locator("#undo")).to_contain_text("Anna takes the trick.")
    bohdan.page.context.set_offline(False)
    notice = bohdan.page.locator("#refusal")
    expect(notice).to_be_visible()
    expect(pressed).to_have_count(0)
    expect(notice.get_by_role("heading")).to_have_text("Anna was quicker")
    expect(notice).to_contain_text("Anna takes the trick. What you tapped was not entered.")
    red = bohdan.page.evaluate("getComputedStyle(document.querySelector('#refusal h2')).color")
    assert red == bohdan.page.evaluate("getComputedStyle(document.querySelector('h1')).color")
    expect(bohdan.page.locator("#said")).to_have_text(
        "Anna was quicker Anna takes the trick. What you tapped was not entered."
    )
    assert notice.get_attribute("role") is None  # else it would be read aloud twice


def test_what_was_lost_is_told_though_the_next_tap_was_entered(phone: Callable[..., Phone]) -> None:
    anna, bohdan = phone(), phone()
    seated(anna, bohdan, bidding="hidden")
    bohdan.chooses(3)
    expect(bohdan.page.locator("#undo")).to_contain_text("Bohdan has written down a bid.")
    bohdan.page.context.set_offline(True)
    bohdan.tap("Take back")
    expect(bohdan.page.locator("#outbox")).to_contain_text("1")
    bohdan.page.locator("#fold-bid-1 button[name=tricks][value='5']").dispatch_event("click")
    expect(bohdan.page.locator("#outbox")).to_contain_text("2")
    anna.tap("4", within="#sealed-0")
    expect(anna.page.locator("#undo")).to_contain_text("Anna has written down a bid.")
    before = number(anna)
    bohdan.page.context.set_offline(False)
    expect(bohdan.page.locator("#part")).to_have_attribute("data-number", str(before + 1))
    expect(bohdan.page.locator("#refusal")).to_contain_text("Anna was quicker")
    expect(bohdan.page.locator("#outbox")).to_be_hidden()


def test_who_is_refused_before_the_news_come_sees_the_news_too(phone: Callable[..., Phone]) -> None:
    """A server may say no before it says what has happened: where its disk is slow, or another worker told it."""
    anna, bohdan = phone(), phone()
    late: list[tuple[WebSocketRoute, str | bytes]] = []
    is_late = False

    def held(wire: WebSocketRoute) -> None:
        def pass_on(said: str | bytes) -> None:
            if is_late and '"all"' in str(said):
                late.append((wire, said))
            else:
                wire.send(said)

        wire.connect_to_server().on_message(pass_on)

    bohdan.page.route_web_socket("**/line*", held)
    seated(anna, bohdan)
    anna.chooses(1)
    expect(bohdan.page.locator("#undo")).to_contain_text("Anna bids 1.")
    bohdan.is_awake()
    is_late = True
    anna.tap("Take back")
    expect(anna.page.locator("#part")).to_have_attribute("data-number", str(number(bohdan) + 1))
    bohdan.chooses(2)
    expect(bohdan.page.locator("#refusal")).to_be_visible()
    is_late = False
    assert late
    for wire, said in late:
        wire.send(said)
    expect(bohdan.page.locator("#part")).to_have_attribute("data-number", str(number(anna)))
    expect(bohdan.page.locator("#refusal")).to_be_visible()
    expect(bohdan.page.locator("#undo")).to_contain_text("Taken back: Anna bids 1.")


def test_what_was_set_with_care_stays_when_the_tap_is_refused(phone: Callable[..., Phone]) -> None:
    """Everyone's gems are counted on a phone without a network, while another one rolls the die."""
    anna, bohdan = phone(), phone()
    code = anna.opens_table(NAMES, "ubongo")
    bohdan.sits(code, "Bohdan")
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    anna.page.locator("#fold-count > summary").tap()
    for seat, count in enumerate("531"):
        anna.page.locator(f"input[name=gems-{seat}-0]").fill(count)
    anna.page.context.set_offline(True)
    anna.tap("End the game with these counts")
    expect(anna.page.locator("#outbox")).to_be_visible()
    bohdan.asks("POST", f"/tables/{code}/moves", {"move": "roll", "symbol": 1})
    anna.page.context.set_offline(False)
    expect(anna.page.locator("#refusal")).to_be_visible()
    expect(anna.page.locator("#outbox")).to_be_hidden()
    assert [anna.page.locator(f"input[name=gems-{seat}-0]").input_value() for seat in range(3)] == ["5", "3", "1"]


@pytest.mark.parametrize("has_lines", [True, False], ids=["by a line", "by posts"])
@pytest.mark.parametrize("tapped", ["2", "Take back"])
def test_who_was_put_elsewhere_while_a_tap_waited_is_told_what_became_of_it(
    phone: Callable[..., Phone], has_lines: bool, tapped: str
) -> None:
    """Without a line the tap was gone, and nobody said so: the page of the seat of before is another's."""
    anna, bohdan = phone(), phone()
    if not has_lines:
        bohdan.bars_lines()
    code = seated(anna, bohdan)
    anna.chooses(1)
    expect(bohdan.page.locator("#undo")).to_contain_text("Anna bids 1.")
    bohdan.chooses(3)
    expect(bohdan.page.locator("#undo")).to_contain_text("Bohdan bids 3.")
    if tapped == "2":
        bohdan.tap("Take back")
        expect(bohdan.page.locator("#undo")).to_contain_text("Taken back: Bohdan bids 3.")
    bohdan.is_awake()
    bohdan.page.context.set_offline(True)
    bohdan.tap(tapped)
    expect(bohdan.page.locator("#outbox")).to_contain_text("1")
    anna.asks("PUT", f"/tables/{code}/start", {"order": [1, 2, 0], "options": {"first_dealer": 1}})
    bohdan.page.context.set_offline(False)
    expect(bohdan.page).to_have_url(re.compile(rf"/t/{code}/0$"))  # it may be led there twice
    bohdan.is_live()
    expect(bohdan.page.locator("#refusal")).to_be_visible()
    expect(bohdan.page.locator("#outbox")).to_be_hidden()
    assert [move["move"] for move in anna.server.record(code)["moves"]] == ["bid"] * (1 if tapped == "2" else 2)
