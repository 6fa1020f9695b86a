"""A host who was away, a pause, and a player who has to go, on real phones."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect
from sqlalchemy import create_engine, text

from tests.phones import Phone, Server

NAMES = ["Anna", "Bohdan", "Katka"]
SMALL = {"viewport": {"width": 360, "height": 640}}


def seated(host: Phone, *others: Phone) -> str:
    """Sit people down at a table of Rage."""
    code = host.opens_table(NAMES)
    for one, name in zip(others, NAMES[1:], strict=False):
        one.sits(code, name)
    host.opens(f"/t/{code}/0")
    host.is_live()
    return code


def test_a_pause_takes_the_keys_away_and_any_phone_ends_it(phone: Callable[..., Phone]) -> None:
    host, bo, screen = phone(**SMALL), phone(**SMALL), phone()
    code = seated(host, bo)
    screen.opens(f"/t/{code}/screen")
    screen.is_live()
    keys = host.page.locator(".hand .dock")
    expect(keys).to_be_visible()
    bo.opens(f"/t/{code}/seats")
    bo.tap("Pause the game")
    expect(bo.page.locator("main")).to_contain_text("The game is paused.")
    bo.opens(f"/t/{code}/1")
    for one in (host, bo, screen):
        expect(one.page.locator("#halted")).to_be_in_viewport(ratio=1)
        expect(one.page.locator("#halted")).to_contain_text("Paused")
    middle = (
        "part => { const { top, bottom } = part.getBoundingClientRect(); return (top + bottom) / 2 / innerHeight; }"
    )
    assert 0.3 < screen.page.locator("#halted h1").evaluate(middle) < 0.6
    expect(keys).to_be_hidden()
    box = bo.page.locator("#halted button").bounding_box()
    assert box is not None
    assert box["height"] >= 56
    bo.tap("Go on")
    for one in (host, bo, screen):
        expect(one.page.locator("#halted")).to_have_count(0)
    expect(keys).to_be_visible()
    host.chooses(3)
    expect(bo.page.locator("#undo")).to_contain_text("Anna bids 3.")


def test_what_was_tapped_into_a_pause_is_told_as_what_it_is(phone: Callable[..., Phone]) -> None:
    """The phone was away when the game was paused: its tap comes late."""
    host, bo = phone(), phone()
    code = seated(host, bo)
    host.page.context.set_offline(True)
    host.chooses(3)
    expect(host.page.locator("#outbox")).to_be_visible()
    bo.asks("PUT", f"/tables/{code}/halt", {"halt": "paused"})
    host.page.context.set_offline(False)
    expect(host.page.locator("#refusal")).to_contain_text("The game is paused, so nothing was entered. Go on first.")
    expect(host.page.locator("#outbox")).to_be_hidden()
    expect(host.page.locator("#halted")).to_be_visible()


def test_another_hand_gets_the_keys_of_who_has_to_go(phone: Callable[..., Phone]) -> None:
    host, bo, katka = phone(), phone(), phone()
    code = seated(host, bo, katka)
    host.chooses(3)
    bo.opens(f"/t/{code}/seats")
    bo.page.locator("#fold-seat-1 > summary").tap()
    bo.tap("Katka plays on")
    expect(bo.page.locator("main")).to_contain_text("played on by Katka")
    katka.chooses(2)
    expect(host.page.locator("#undo")).to_contain_text("Bohdan bids 2.")


def test_whoever_was_the_host_is_told_when_the_phone_is_back(phone: Callable[..., Phone], server: Server) -> None:
    """That two minutes pass nobody waits for here: `tests/web/test_silence.py` has a clock of its own."""
    host, bo = phone(**SMALL), phone()
    code = seated(host, bo)
    strip = host.page.locator("#silence")
    expect(strip).to_be_empty()
    host.page.context.set_offline(True)
    engine = create_engine(server.database)
    with engine.begin() as connection:
        ours = {"code": code}
        connection.execute(text("UPDATE tables SET former_host = host WHERE code = :code"), ours)
        new = "SELECT phone FROM seatings WHERE table_id = tables.id AND seat = 1"
        connection.execute(text(f"UPDATE tables SET host = ({new}) WHERE code = :code"), ours)
    engine.dispose()
    host.page.context.set_offline(False)
    expect(strip).to_contain_text("Bohdan has taken the table on while this phone was away.")
    expect(host.page.locator(".hand .dock")).to_be_in_viewport()
