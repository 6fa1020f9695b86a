"""A tap over which the rules of a game raise each time: it is said which, and let go where somebody says so."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.phones import ROOT, Phone, Server, free_port

STUMBLING = '''
"""Games of the trials that fall over what their rules did not expect."""

from dataclasses import replace

import cairn
import vault


def lay(position, move):
    """Rule on a roll, but on one by which a pile falls."""
    return cairn.rules.judge(position, move) if move.die != position.last else {}["stone"]


def hide(position, move):
    """Rule on what is hidden or laid, but on a card like one that lies there."""
    return vault.judge(position, move) if getattr(move, "card", 0) not in position.cards else {}["stone"]


CAIRN, VAULT = replace(cairn.GAME, judge=lay), replace(vault.GAME, judge=hide)
'''
ENTRY_POINTS = "[companion.games]\ncairn = stumbling:CAIRN\nvault = stumbling:VAULT\n"


@pytest.fixture(scope="module")
def stumbling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server beside which such games are installed."""
    site = tmp_path_factory.mktemp("site")
    about = site / "stumbling-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: stumbling\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    (site / "stumbling.py").write_text(STUMBLING)
    folders = [ROOT, site, ROOT / "tests/fifth_game", ROOT / "tests/hands_game"]
    path = os.pathsep.join(map(str, folders))
    server = Server(tmp_path_factory.mktemp("stumbling"), free_port(), more={"PYTHONPATH": path})
    server.start()
    yield server
    server.stop()


Sits = Callable[..., tuple[Phone, str]]


@pytest.fixture
def sits(phone: Callable[..., Phone], stumbling: Server) -> Sits:
    """Sit a phone down at the first seat of a game, where lines pass or not."""

    def sit(game: str, has_lines: bool) -> tuple[Phone, str]:
        anna = phone()
        anna.server = stumbling
        if not has_lines:
            anna.bars_lines()
        code = anna.opens_table(["Anna", "Bohdan"], game)
        anna.opens(f"/t/{code}/0")
        anna.is_live()
        return anna, code

    return sit


@pytest.mark.parametrize("has_lines", [True, False], ids=["by a line", "by posts"])
def test_what_the_companion_stumbles_over_is_named_and_let_go_and_what_was_tapped_after_it_goes_on(
    sits: Sits, stumbling: Server, has_lines: bool
) -> None:
    """It stayed first in the phone's outbox for ever, and nothing that was tapped after it was sent."""
    anna, code = sits("cairn", has_lines)
    anna.page.locator("button[name=die][value='6']").tap()
    expect(anna.page.locator("#undo")).to_contain_text("Anna lays 6.")
    key = anna.page.locator("button[name=die][value='6']")
    key.tap()
    expect(anna.page.locator("#outbox")).to_contain_text("1")
    anna.page.locator("button[name=die][value='3']").tap()
    expect(anna.page.locator("#outbox")).to_contain_text("2")
    stuck = anna.page.locator("#stuck")
    expect(stuck).to_contain_text("The companion stumbles over this tap each time")
    expect(stuck.locator("b")).to_have_text("6")
    anna.page.reload()
    anna.is_live()
    expect(stuck.locator("b")).to_have_text("6")
    expect(key).to_have_attribute("aria-busy", "true")
    stuck.get_by_role("button", name="Do not send it").tap()
    expect(anna.page.locator("#undo")).to_contain_text("Bohdan lays 3.")
    expect(stuck).to_have_count(0)
    expect(anna.page.locator("#outbox")).to_be_hidden()
    expect(anna.page.locator("[aria-busy=true]")).to_have_count(0)
    notice = anna.page.locator("#refusal")
    expect(notice.get_by_role("heading")).to_have_text("Something broke")
    expect(notice).to_contain_text("This tap is not sent any more")
    assert [move["die"] for move in stumbling.record(code)["moves"]] == [6, 3]


def test_a_secret_over_which_the_companion_stumbles_is_not_said(sits: Sits) -> None:
    anna, _code = sits("vault", True)
    for name in ("Anna", "Bohdan"):
        expect(anna.page.locator(".hand h2")).to_contain_text(name)
        anna.is_awake()
        anna.page.locator("button[name=card][value='9']").tap()
    stuck = anna.page.locator("#stuck")
    expect(stuck.locator("b")).to_have_text("Bohdan")
    stuck.get_by_role("button", name="Do not send it").tap()
    expect(anna.page.locator(".table-top #refusal")).to_contain_text("This tap is not sent any more")
    expect(anna.page.locator("#said")).to_contain_text("This tap is not sent any more")
    expect(anna.page.locator("#outbox")).to_be_hidden()
