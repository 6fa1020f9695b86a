"""An evening of Rage on four phones and the screen, in a real browser."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable

from playwright.sync_api import expect
from pypdf import PdfReader

from tests.phones import Phone, Server

NAMES = ["Anna", "Bohdan", "Katka", "Dalibor"]


def shared(total: int, seats: int, chance: random.Random) -> list[int]:
    """Share the tricks of a round among the seats."""
    cuts = sorted(chance.choices(range(total + 1), k=seats - 1))
    return [after - before for before, after in zip([0, *cuts], [*cuts, total], strict=True)]


def bids(phone: Phone, tricks: int) -> None:
    phone.tap(str(tricks), within=".sealed >> nth=0")


def agree(phones: list[Phone], expected: list[int]) -> None:
    for phone in phones:
        expect(phone.page.locator("td.points").first).to_have_text(str(expected[0]).replace("-", "−"))
        assert phone.points() == expected, phone.page.locator("#part").inner_text()


def test_four_phones_play_ten_rounds_with_secret_bids_and_everything_agrees(
    server: Server, phone: Callable[..., Phone]
) -> None:
    chance = random.Random(7)
    anna, bohdan, katka, dalibor = players = [phone(), phone("iPhone 13"), phone(), phone()]
    code = anna.opens_table(NAMES, bidding="secret")
    for player, name in zip(players[1:], NAMES[1:], strict=True):
        player.sits(code, name)
    anna.opens(f"/t/{code}/0")
    anna.is_live()
    screen = phone("Desktop Chrome")
    screen.opens(f"/t/{code}/screen")
    screen.is_live()
    totals = [0, 0, 0, 0]

    for cards in range(10, 0, -1):
        bid = [chance.randint(0, cards) for _ in NAMES]
        took = shared(cards, 4, chance)
        for seat, player in enumerate(players):
            expect(player.page.get_by_text(f"Round {11 - cards} of 10")).to_be_visible()
            if cards == 7 and player is katka:
                katka.page.context.set_offline(True)
                bids(katka, bid[seat])
                expect(katka.page.locator("#outbox")).to_be_visible()
                continue
            bids(player, bid[seat])
            if seat < 3:
                expect(player.page.get_by_text("Your bid is written down.").first).to_be_visible()
        if cards == 7:
            katka.page.context.set_offline(False)
            expect(katka.page.locator("#outbox")).to_be_hidden(timeout=10_000)
        for seat, player in enumerate(players):
            expect(player.page.get_by_role("heading", name="How many tricks did you take?")).to_be_visible()
            if cards == 5 and player is bohdan:
                wrong = (took[1] + 1) % (cards + 1)
                bohdan.chooses(wrong)
                expect(bohdan.page.locator("#undo")).to_contain_text(f"Bohdan counts {wrong}")
                bohdan.tap("Take back")
                expect(bohdan.page.locator("#undo")).not_to_contain_text(f"Bohdan counts {wrong}")
            player.chooses(took[seat])
        for seat in range(4):
            totals[seat] += took[seat] + (10 if took[seat] == bid[seat] else -5)
        if cards > 1:
            agree([*players, screen], totals)
        if cards in {10, 5}:
            tallies = [move for move in server.record(code)["moves"] if move["move"] == "tally"]
            assert tallies[-1]["tricks"] == took
            assert len(tallies) == 11 - cards

    best = max(totals)
    for player in players:
        expect(player.page.locator(".ranking li").first.locator(".points")).to_have_text(str(best))
        expect(player.page.locator("table.sheet tfoot td").first).to_be_visible()
        foot = player.page.locator("table.sheet tfoot td").all_inner_texts()
        assert [int(text.replace("−", "-")) for text in foot] == totals
    file = server.data / "evening.json"
    file.write_text(json.dumps(server.record(code)))
    replayed = json.loads(server.run("replay", "--json", str(file)))
    assert replayed["finished"]
    assert {place["seat"]: place["score"] for place in replayed["standing"]} == dict(enumerate(totals))
    pdf = anna.page.context.request.get(f"http://127.0.0.1:{server.port}/t/{code}/sheet.pdf").body()
    text = PdfReader(io.BytesIO(pdf)).pages[0].extract_text()
    # After each total stand its exact bids and its place.
    printed = re.findall(r"[−-]?\d+", text[text.index("Total") :])[:12:3]
    assert [int(number.replace("−", "-")) for number in printed] == totals
