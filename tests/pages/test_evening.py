"""An evening of Rage on four phones and the screen, in a real browser."""

from __future__ import annotations

import io
import json
import random
import re
import urllib.request
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from tests.phones import SHOWN, Phone, Server

NAMES = ["Anna", "Bohdan", "Katka", "Dalibor"]


def shared(total: int, seats: int, chance: random.Random) -> list[int]:
    """Share the tricks of a round among the seats."""
    cuts = sorted(chance.choices(range(total + 1), k=seats - 1))
    return [after - before for before, after in zip([0, *cuts], [*cuts, total], strict=True)]


def agree(phones: list[Phone], expected: list[int]) -> None:
    for phone in phones:
        phone.page.wait_for_function(SHOWN, arg=[str(points).replace("-", "−") for points in expected])
        assert phone.points() == expected, phone.page.locator("#part").inner_text()


TAPPED = {10, 5, 1}
"""The rounds, by their cards, that are tapped in the gate; programs tell the others."""


class Evening:
    """Four phones and the screen at one table, and what the score should be by plain arithmetic."""

    def __init__(self, server: Server, phone: Callable[..., Phone], **options: str) -> None:
        self.server, self.chance = server, random.Random(7)
        self.players = [phone(), phone("iPhone 13"), phone(), phone()]
        self.code = self.players[0].opens_table(NAMES, **options)
        for player, name in zip(self.players[1:], NAMES[1:], strict=True):
            player.sits(self.code, name)
        self.players[0].opens(f"/t/{self.code}/0")
        self.players[0].is_live()
        self.screen = phone("Desktop Chrome")
        self.screen.opens(f"/t/{self.code}/screen")
        self.screen.is_live()
        self.totals = [0, 0, 0, 0]

    def bid(self, cards: int, bids: list[int], away: int | None = None) -> None:
        """Write down everyone's bid; the phone that is away sends its own when it is back."""
        for seat, player in enumerate(self.players):
            expect(player.page.get_by_text(f"Round {11 - cards} of 10")).to_be_visible()
            player.page.context.set_offline(seat == away)
            player.tap(str(bids[seat]), within=".sealed >> nth=0")
            if seat == away:
                expect(player.page.locator("#outbox")).to_be_visible()
            elif seat < 3:
                expect(player.page.get_by_text("Your bid is written down.").first).to_be_visible()
        if away is not None:
            self.players[away].page.context.set_offline(False)
            expect(self.players[away].page.locator("#outbox")).to_be_hidden()

    def count(self, cards: int, took: list[int], mistaken: int | None = None) -> None:
        """Count everyone's tricks; who is mistaken takes it back and counts again."""
        for seat, player in enumerate(self.players):
            expect(player.page.get_by_role("heading", name="How many tricks did you take?")).to_be_visible()
            if seat == mistaken:
                wrong = (took[seat] + 1) % (cards + 1)
                player.chooses(wrong)
                expect(player.page.locator("#undo")).to_contain_text(f"{NAMES[seat]} counts {wrong}")
                player.tap("Take back")
                # All of them: what is tapped upon a table that has gone a step back is stale.
                for one in self.players:
                    expect(one.page.locator("#undo")).to_contain_text(f"Taken back: {NAMES[seat]} counts {wrong}")
            player.chooses(took[seat])

    def tell(self, bids: list[int], took: list[int]) -> None:
        """Enter a round as programs do, with everyone's own phone."""
        for move, told in (("bid", bids), ("count", took)):
            for seat, player in enumerate(self.players):
                said = {"move": move, "seat": seat, "tricks": told[seat]}
                player.asks("POST", f"/tables/{self.code}/moves", said)

    def plays_round(self, cards: int, *, is_tapped: bool) -> None:
        bids = [self.chance.randint(0, cards) for _ in NAMES]
        took = shared(cards, len(NAMES), self.chance)
        if is_tapped:
            self.bid(cards, bids, away=2 if cards == 10 else None)
            self.count(cards, took, mistaken=1 if cards == 5 else None)
        else:
            self.tell(bids, took)
        for seat, (bid, tricks) in enumerate(zip(bids, took, strict=True)):
            self.totals[seat] += tricks + (10 if tricks == bid else -5)
        if cards > 1:
            agree([*self.players, self.screen], self.totals)
        if cards in {10, 5}:
            tallies = [move for move in self.server.record(self.code)["moves"] if move["move"] == "tally"]
            assert tallies[-1]["tricks"] == took
            assert len(tallies) == 11 - cards


@pytest.mark.promise(3, 16)
def test_four_phones_play_ten_rounds_with_secret_bids_and_everything_agrees(
    server: Server, phone: Callable[..., Phone], is_long: bool
) -> None:
    evening = Evening(server, phone, bidding="secret")
    for cards in range(10, 0, -1):
        evening.plays_round(cards, is_tapped=is_long or cards in TAPPED)
    totals = evening.totals

    for player in evening.players:
        expect(player.page.locator(".ranking li").first.locator(".points")).to_have_text(str(max(totals)))
        foot = player.page.locator("table.sheet tfoot td").all_inner_texts()
        assert [int(text.replace("−", "-")) for text in foot] == totals
    expect(evening.screen.page.get_by_role("heading", name="wins")).to_be_visible()
    assert sorted(evening.screen.points()) == sorted(totals)

    file = server.data / "evening.json"
    file.write_bytes(server.run("export", evening.code))
    replayed = json.loads(server.run("replay", "--json", str(file)))
    assert replayed["finished"]
    assert {place["seat"]: place["score"] for place in replayed["standing"]} == dict(enumerate(totals))

    pdf = urllib.request.urlopen(f"http://127.0.0.1:{server.port}/t/{evening.code}/sheet.pdf").read()
    text = PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
    # After each total stand its exact bids and its place.
    printed = re.findall(r"[−-]?\d+", text[text.index("Total") :])[:12:3]
    assert [int(number.replace("−", "-")) for number in printed] == totals
