"""What an evening costs its people: each kind entered through the pages by a hand that looks and taps as one does.

Run: .venv/bin/python -m benchmarks.pace (a quarter of an hour), or some of it: .venv/bin/python -m benchmarks.pace rage

A tap takes 400 ms, a look 700 ms. The hand looks when its turn comes, and again whenever a key that it wants was not
there when it looked. What it waits for beside – keys that sleep, the table's answer, the machine – counts as it is.

Who acts in turn is waited for by the whole table; what everybody does at once the table waits for only once.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from itertools import chain, count, product
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from playwright.sync_api import Browser, Locator, Playwright, expect, sync_playwright

from benchmarks.tricks import evening
from companion import record
from tests.pages import test_hanabi, test_ikebana, test_rage, test_ubongo
from tests.pages.night import Night
from tests.phones import Phone, Server, chromium, free_port

TAP_S, LOOK_S = 0.4, 0.7
Make = Callable[..., Phone]
NAMES = ["Anna", "Bohdan", "Katka", "Dalibor"]
LOOK = """() => {
  const isThere = (part) => part.checkVisibility({ visibilityProperty: true });
  window.seen = new WeakSet([...document.querySelectorAll("a, button, label, summary")].filter(isThere));
}"""
TAKES_TAPS = """key => {
  const [area] = (key.closest(".hand, .undo, .table-top")?.className ?? "").split(" ");
  return !area || !(document.body.dataset.asleep ?? "").split(" ").includes(area);
}"""
"""Whether the keys around this one do not sleep (`keys.js`)."""
FEWEST = 24
"""Turns of Hanabi that are told."""
ROUNDS = 9
"""Of Ubongo, in each of which everybody calls."""


@dataclass
class Hand:
    """A hand that enters one move after the other, and what each has cost."""

    phone: Phone
    pauses: Callable[[float], None] = time.sleep
    taps: int = 0
    looks: int = 0

    @property
    def seconds(self) -> float:
        """What the hand has taken itself."""
        return self.taps * TAP_S + self.looks * LOOK_S

    def look(self) -> None:
        """Take in what is on the page."""
        self.pauses(LOOK_S)
        self.looks += 1
        self.phone.page.evaluate(LOOK)

    def touch(self, key: Locator) -> None:
        """Tap a key; look for one that was not there."""
        key.wait_for()
        if not key.evaluate("key => [key, ...key.querySelectorAll('*')].some((part) => window.seen.has(part))"):
            self.look()
        self.pauses(TAP_S)
        self.taps += 1


@dataclass(frozen=True)
class Spent:
    """What a turn has cost: the hands of the one whose turn it is, and the table, which waits for it."""

    seconds: float
    taps: float
    looks: float
    waited: float
    """Seconds that the table waits for these hands alone."""

    def __add__(self, other: Spent) -> Spent:
        return Spent(*(one + another for one, another in zip(astuple(self), astuple(other), strict=True)))


@dataclass
class Costs:
    """What the turns of one kind of evening have cost."""

    name: str
    per: str
    aim_s: float
    turns: list[Spent] = field(default_factory=list)

    def row(self) -> str:
        """Write its line of the table."""
        seconds, taps, looks, waited = (list(column) for column in zip(*map(astuple, self.turns), strict=True))
        own = mean(taps) * TAP_S + mean(looks) * LOOK_S
        told = [mean(taps), mean(looks), own, mean(waited), mean(seconds), max(seconds)]
        figures = " | ".join(f"{figure:.1f}" for figure in told)
        return f"| {self.name} | {self.per} | {len(seconds)} | {figures} | {self.aim_s:g} |"


@contextmanager
def paced(*phones: Phone) -> Iterator[list[Hand]]:
    """Let every tap of these pages be one of a person's, who looks first.

    All look and tap at once: the pauses of the others pass beside those of the first.
    """
    hands, at_once = [Hand(phones[0]), *(Hand(phone, _passed) for phone in phones[1:])], Locator.tap

    def tap(key: Locator, **how: Any) -> None:
        [hand] = [one for one in hands if one.phone.page == key.page]
        hand.touch(key)
        while not key.evaluate(TAKES_TAPS):
            time.sleep(0.01)
        at_once(key, **how)

    for hand in hands:
        hand.look()
    Locator.tap = tap  # type: ignore[method-assign]
    try:
        yield hands
    finally:
        Locator.tap = at_once  # type: ignore[method-assign]


def _passed(_seconds: float) -> None:
    """Wait for nothing: somebody beside waits as long."""


def entered(night: Night, moves: Iterator[dict[str, Any]]) -> Spent:
    """Enter the moves of a turn, each until the page shows it; afterwards let all phones come along."""
    first = next(moves)
    phone = night.phones[night.seat_of(first)]
    started = time.monotonic()
    with paced(phone) as [hand]:
        for move in chain([first], moves):
            number = int(phone.page.locator("#part").get_attribute("data-number") or 0)
            night.taps[move["move"]](phone, move)
            Night.waits(phone, "number => document.getElementById('part').dataset.number > number", number)
            night.rule(move)
    spent = Spent(time.monotonic() - started, hand.taps, hand.looks, hand.seconds)
    come_along(night, night.agree_on_the_record())
    return spent


def come_along(night: Night, number: int) -> None:
    """Wait until every phone shows an entry."""
    for one in night.phones:
        Night.waits(one, "number => document.getElementById('part').dataset.number >= number", number)


def entered_at_once(night: Night, moves: Sequence[dict[str, Any]]) -> dict[int, Spent]:
    """Let every seat enter its own move, all at the same time; each has cost the table its part of the time.

    The seat of the first move has the most taps: the others pass beside.
    """
    before = night.agree_on_the_record()
    seats = [night.seat_of(move) for move in moves]
    started = time.monotonic()
    with paced(*(night.phones[seat] for seat in seats)) as hands:
        for move, seat in zip(moves, seats, strict=True):
            night.taps[move["move"]](night.phones[seat], move)
    come_along(night, before + len(moves))
    each = (time.monotonic() - started) / len(moves)
    assert hands[0].seconds == max(hand.seconds for hand in hands), "another would not have passed beside the first"
    for move in moves:
        night.rule(move)
    night.agree_on_the_record()
    waited = hands[0].seconds / len(moves)
    return {seat: Spent(each, hand.taps, hand.looks, waited) for seat, hand in zip(seats, hands, strict=True)}


def any_evening(night: Night, *costs: Costs, apart: str = "") -> None:
    """Enter a random evening; the kind of move that is told apart goes to the last costs."""
    while (move := night.choose()) is not None:
        if move["move"] == "discard" and "slot" not in move:
            move.pop("card", None)  # where tokens are counted no page asks for it
        costs[-1 if move["move"] == apart else 0].turns.append(entered(night, iter([move])))


def hanabi(make: Make, server: Server) -> Iterator[Costs]:
    """Play evenings of Hanabi, tokens and cards; at random they are short, and so there are several."""
    tokens, cards = Costs("Hanabi, tokens", "turn", 1.5), Costs("Hanabi, cards", "turn", 4)
    for costs, taps, detail in ((tokens, test_hanabi.TOKENS, "tokens"), (cards, test_hanabi.TAPS, "cards")):
        for seed in count(1):
            any_evening(Night(server, make, "hanabi", NAMES[:3], taps, seed=seed, detail=detail), costs)
            if len(costs.turns) >= FEWEST:
                break
        yield costs


def ikebana(make: Make, server: Server) -> Iterator[Costs]:
    """Play two evenings of Ikebana."""
    for detail in ("payments", "cards"):
        draw, bouquet = Costs(f"Ikebana, {detail}", "card", 3), Costs(f"Ikebana, {detail}", "bouquet", 5)
        night = Night(server, make, "ikebana", NAMES[:3], test_ikebana.TAPS, seed=2, detail=detail)
        any_evening(night, draw, bouquet, apart="bouquet")
        yield from (costs for costs in (draw, bouquet) if costs.turns)


def rage(make: Make, server: Server) -> Iterator[Costs]:
    """Play an evening of Rage with a phone for each – bids in turn, counts at once – and one with a scorekeeper."""
    own, chance = Costs("Rage, each with a phone", "player and round", 2), Random(5)
    night = Night(server, make, "rage", NAMES, {"bid": test_rage.bids, "count": counts_fives})
    for told in evening(len(NAMES), chance):
        spent = [Spent(0, 0, 0, 0) for _name in NAMES]
        for _name in NAMES:
            seat = night.play.position.to_move
            spent[seat] += entered(night, iter([{"move": "bid", "seat": seat, "tricks": told.bids[seat]}]))
        each = enumerate(zip(told.tricks, told.plus, told.minus, strict=True))
        moves = [
            {"move": "count", "seat": seat, "tricks": tricks, "plus": plus, "minus": minus}
            for seat, (tricks, plus, minus) in each
        ]
        counts = entered_at_once(night, sorted(moves, key=lambda move: -move["plus"] - move["minus"]))
        own.turns += [bid + counts[seat] for seat, bid in enumerate(spent)]
    yield own
    yield kept(make, chance)


def counts_fives(phone: Phone, move: dict[str, Any]) -> None:
    """Tap the +5 and −5 of one's tricks, and how many those were."""
    for name in ("plus", "minus"):
        for _ in range(move[name]):
            phone.page.locator(f".hand .adder button[value={name}]").tap()
    test_rage.counts(phone, move)


def kept(make: Make, chance: Random) -> Costs:
    """Let one phone keep the score of four; each round is told by its players."""
    costs, keeper = Costs("Rage, one scorekeeper of four", "player and round", 2), make()
    code = keeper.opens_table(NAMES, i_sit="")
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    for number, told in enumerate(evening(len(NAMES), chance), 1):
        started = time.monotonic()
        with paced(keeper) as [hand]:
            for turn in range(len(NAMES)):
                seat = (number - 1 + turn) % len(NAMES)
                heading = f"How many tricks will {NAMES[seat]} take?"
                expect(keeper.page.get_by_role("heading", name=heading)).to_be_visible()
                keeper.chooses(told.bids[seat])
            keeper.tallies(told.tricks)
            if any([*told.plus, *told.minus]):
                keeper.page.locator(".fives-tab").tap()
            for name, seat in product(("plus", "minus"), range(len(NAMES))):
                for _ in range(getattr(told, name)[seat]):
                    keeper.page.locator(f".counts .adder button[value={name}-{seat}]").tap()
            keeper.tap(f"Write down round {number}")
        expect(keeper.page.locator(".hand")).not_to_contain_text(f"Write down round {number}")
        whole = Spent(time.monotonic() - started, hand.taps, hand.looks, hand.seconds)
        costs.turns.append(Spent(*(part / len(NAMES) for part in astuple(whole))))
    return costs


def ubongo(make: Make, server: Server) -> Iterator[Costs]:
    """Play an evening of Ubongo in which everybody calls in every round."""
    costs, chance = Costs("Ubongo", "caller", 4), Random(3)
    night = Night(server, make, "ubongo", NAMES[:3], test_ubongo.TAPS, glass_s=test_ubongo.LONG)
    for _round in range(ROUNDS):
        entered(night, iter([{"move": "roll", "symbol": chance.randint(1, 6)}]))
        order = chance.sample(range(3), 3)
        called = {seat: entered(night, iter([{"move": "ubongo", "seat": seat}])) for seat in order}
        costs.turns += [called[seat] + entered(night, taking(night, seat)) for seat in order]
    yield costs


def taking(night: Night, seat: int) -> Iterator[dict[str, Any]]:
    """Move the pawn, where it may, and take what lies there then."""
    for kind in ("place", "take"):
        game = night.table.game
        every = (record.write_move(game, night.table.seats, move) for move in game.legal(night.play.position, seat))
        yield from [move for move in every if move["move"] == kind and "in_time" not in move][:1]


EVENINGS: dict[str, Callable[[Make, Server], Iterator[Costs]]] = {
    "hanabi": hanabi,
    "ikebana": ikebana,
    "rage": rage,
    "ubongo": ubongo,
}


def main(wanted: Sequence[str]) -> None:
    """Print the table as Markdown."""
    print("| evening | for each | turns | taps | looks | own hands, s | waited, s | all, s | longest, s | aim, s |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder), free_port())
        server.start()
        try:
            with chromium(playwright, program="chromium-headless-shell") as browser:
                for name in wanted or EVENINGS:
                    for costs in EVENINGS[name](phones_of(browser, playwright, server), server):
                        print(costs.row(), flush=True)
        finally:
            server.stop()


def phones_of(browser: Browser, playwright: Playwright, server: Server) -> Make:
    """Make phones as the trials do."""

    def make(device: str = "Pixel 7", **settings: Any) -> Phone:
        context = browser.new_context(**{**playwright.devices[device], "locale": "en-GB", **settings})
        return Phone(context.new_page(), server)

    return make


if __name__ == "__main__":
    main(sys.argv[1:])
