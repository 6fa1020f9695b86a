"""Rage's keys on a small phone: at every turn all of them are there, none is covered, and each has its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import takewhile
from random import Random, randrange
from typing import Any

import pytest
from playwright.sync_api import expect

from companion import record
from companion.games import GAMES
from companion.games.rage.position import Position, Talon
from companion.play import Asked, Play
from companion.testing.kit import Table
from companion.testing.laws import broken
from companion.words import LANGUAGES
from tests.phones import Phone

NAMES = ("Anna", "Bohdan", "Katarzyna", "Dalibor", "Evženie", "Filip", "Wolfensteinová", "Hugo")
SMALL = {"width": 360, "height": 640}
MOST_IDLE = 4
WAYS = ("count", "tricks", "cards")
KEYS = """() => [...document.querySelectorAll(".hand button, .hand .colour, .hand .fives-tab, .table-top .stepper button")]
  .filter((key) => key.checkVisibility({ visibilityProperty: true }))
  .map((key) => {
    const { x, y, width, height, bottom } = key.getBoundingClientRect();
    const over = document.elementFromPoint(x + width / 2, y + height / 2);
    const isFree = over !== null && (key.contains(over) || over.closest("label, button") === key);
    const own = key.querySelector("input") ?? key;
    const move = own.form?.querySelector("input[name=move]")?.value;
    const isNumber = own.name === "tricks"; // for a bid as for a count
    const said = `${isNumber ? "" : move} ${own.name} ${own.value} ${key.getAttribute("aria-label") ?? key.className}`;
    return { said, is_seen: isFree && y >= 0 && bottom <= innerHeight, size: Math.min(width, height), at: [x, y] };
  })"""
"""What each key says, whether all of it is seen, its smaller side and its place."""


class Walk:
    """A phone that sees a random game, whose moves are made beside its page."""

    def __init__(self, phone: Callable[..., Phone], seats: int, seed: int, way: str) -> None:
        """Lay the table; nobody sits at it but the host."""
        self.chance, self.way = Random(seed), way
        self.table = Table(GAMES["rage"], {}, seats)
        self.play: Play[Any] = self.table.begin()
        locale = [*LANGUAGES][seed % len(LANGUAGES)]
        self.host = phone(viewport=SMALL, locale=locale)
        asked = {"game": "rage", "players": list(NAMES[:seats])}
        self.code = str(self.host.asks("POST", "/tables", asked)["table"]["code"])
        self.anna: Phone | None = None
        self.places: dict[str, list[float]] = {}

    def sits(self, anna: Phone) -> None:
        """Let Anna have the first seat."""
        anna.asks("PUT", f"/tables/{self.code}/seats/0", {"name": NAMES[0]})
        self.anna = anna

    def looks(self) -> Phone:
        """Open the page that is looked at: Anna's own, or the scorekeeper's."""
        one = self.anna or self.host
        one.opens(f"/t/{self.code}/0")
        one.is_live()
        return one

    def moves(self) -> Iterator[dict[str, Any]]:
        """Give the moves of a few rounds, told in one way."""
        while len(self.play.position.sheet) < 4:
            yield self._move(self.play.position)

    def _move(self, position: Position) -> dict[str, Any]:
        if not position.are_bids_in:
            return {"move": "bid", "seat": position.to_move, "tricks": self.chance.randint(0, position.cards)}
        if self.way == "tricks":
            return {"move": "trick", "seat": self.chance.randrange(position.seats)}
        if self.way == "cards" and not sum(position.taken):
            if position.talon in {Talon.CLOSED, Talon.DUE}:
                return self._any(position, "turn")
            return self._any(position, "play")
        if self.anna and self.way == "count" and None in position.counts:
            return {"move": "count", "seat": position.counts.index(None), "tricks": self._rest(position)}
        return self._tally(position)

    def _any(self, position: Position, kind: str) -> dict[str, Any]:
        game, seats = self.table.game, self.table.seats
        seat = None if kind == "turn" else position.to_move
        every = (record.write_move(game, seats, move) for move in game.legal(position, seat))
        return self.chance.choice(list(takewhile(lambda move: move["move"] == kind, every)))  # they come first

    def _rest(self, position: Position) -> int:
        """Let the last one have what the others left."""
        told = sum(count.tricks for count in position.counts if count)
        is_last = position.counts.count(None) == 1
        return position.cards - told if is_last else self.chance.randint(0, position.cards - told)

    def _tally(self, position: Position) -> dict[str, Any]:
        tricks = list(position.taken)
        for _ in range(position.cards - sum(tricks)):
            tricks[self.chance.randrange(position.seats)] += 1
        return {"move": "tally", "tricks": tricks, "plus": list(position.plus), "minus": list(position.minus)}

    def makes(self, move: dict[str, Any]) -> None:
        """Enter a move by the API, and beside the table."""
        one = self.anna if self.anna and move.get("seat") == 0 else self.host
        one.asks("POST", f"/tables/{self.code}/moves", move)
        asked = Asked(len(list(self.play.moves())) + 1, record.read_move(self.table.game, self.table.seats, move))
        ruling = self.play.judge(asked)
        assert isinstance(ruling, Play)
        self.play = ruling

    def finds(self, one: Phone) -> Iterator[str]:
        """Find what is wrong with the keys that are there now."""
        for key in one.page.evaluate(KEYS):
            said = key["said"]
            if not key["is_seen"]:
                yield f"{said} is not wholly seen"
            if round(key["size"], 2) < 48:
                yield f"{said} is small: {key['size']}"
            before = self.places.setdefault(said, key["at"])
            if max(abs(now - then) for now, then in zip(key["at"], before, strict=True)) > 1:
                yield f"{said} was at {before}, and is at {key['at']}"
        yield from broken(one.page)

    def goes(self, one: Phone) -> int:
        """Look at the page before each move; count how often it had keys."""
        asked = 0
        for number, move in enumerate(self.moves(), start=1):
            faults = list(self.finds(one))
            assert faults == [], f"before move {number}, {move}: {faults}"
            asked += one.page.locator(".hand .dock").count()
            shown = str(one.page.locator("#part").get_attribute("data-number"))
            self.makes(move)
            expect(one.page.locator("#part")).not_to_have_attribute("data-number", shown)
        return asked


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("looker", ["keeper of 3", "keeper of 8", "one of 3", "one of 8"])
def test_at_every_turn_all_keys_are_seen_each_in_its_place(
    phone: Callable[..., Phone], looker: str, way: str, is_long: bool
) -> None:
    for seed in range(len(LANGUAGES)) if is_long else (randrange(1000),):
        print(f"seed {seed}")
        walk = Walk(phone, int(looker[-1]), seed, way)
        if looker.startswith("one"):
            walk.sits(phone(viewport=SMALL, locale=[*LANGUAGES][seed % len(LANGUAGES)]))
        assert walk.goes(walk.looks()) > MOST_IDLE


def test_a_finished_trick_is_looked_at_before_the_next_keys_wake(phone: Callable[..., Phone]) -> None:
    keeper = phone()
    code = keeper.opens_table(["Anna", "Bohdan", "Katka"], i_sit="")
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    for name in ("Anna", "Bohdan", "Katka"):
        expect(keeper.page.get_by_role("heading", name=f"How many tricks will {name} take?")).to_be_visible()
        keeper.chooses(3)
    keeper.page.locator("#fold-trick > summary").tap()
    keeper.tap(re.compile("Bohdan"), exact=False, within="#fold-trick")
    held = keeper.page.locator(".hand .held")
    expect(held).to_contain_text("Trick 1: Bohdan")
    expect(held).to_be_visible()
    keeper.page.locator(".hand button[name=seat][value='2']").tap()
    expect(held).to_be_hidden()
    expect(keeper.page.locator("#part")).to_have_attribute("data-number", "4")
    expect(keeper.page.get_by_role("heading", name="Who took trick 2?")).to_be_visible()


def test_plus_five_and_minus_five_are_told_by_taps_and_no_more_than_there_are(phone: Callable[..., Phone]) -> None:
    keeper = phone()
    code = keeper.opens_table(["Anna", "Bohdan", "Katka"], i_sit="")
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    for name, bid in (("Anna", 3), ("Bohdan", 3), ("Katka", 3)):
        expect(keeper.page.get_by_role("heading", name=f"How many tricks will {name} take?")).to_be_visible()
        keeper.chooses(bid)
    write = keeper.page.get_by_role("button", name="Write down round 1")
    expect(write).to_be_disabled()
    rows = keeper.page.locator(".counts-row")
    rows.nth(1).locator("[data-add='1']").first.tap()
    expect(write).to_be_enabled()
    expect(keeper.page.locator(".counts-row[data-differs]")).to_have_count(1)
    keeper.page.locator(".fives-tab").tap()
    for row, taps in ((0, 2), (2, 1), (1, 1)):  # three there are: the fourth is none
        for _ in range(taps):
            rows.nth(row).locator(".adder button").first.tap()
    for row, minus in enumerate(("2", "0", "1")):
        expect(rows.nth(row).locator("input[name^=minus]")).to_have_value(minus)
    expect(rows.nth(0).locator("[data-fives]")).to_have_text("−5 −5")
    keeper.tap("Write down round 1")
    expect(keeper.page.get_by_text("Round 2 of 10")).to_be_visible()
    assert keeper.points() == [3, -1, 8]
    result = keeper.page.locator(".results li")
    assert " ".join(result.nth(1).inner_text().split()) == "A Anna 3 tricks +3 bid 3 ✓ +10 ±5 −10 3 0 + 3"
    keeper.chooses(4)
    expect(keeper.page.locator("#undo")).to_contain_text("Bohdan bids 4.")
    expect(result.filter(has_text="Bohdan")).to_contain_text("bids 4")  # the round stays until somebody shuts it
    keeper.page.locator(".round > summary").tap()
    expect(keeper.page.locator("table.players")).to_be_visible()


SUM_ENDS = """() => {
  const text = document.createRange();
  text.selectNodeContents(document.querySelector("#tally .sum"));
  return [text.getBoundingClientRect().right, document.querySelector(".fives-tab").getBoundingClientRect().left];
}"""


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_counts_come_to_is_read_beside_the_keys(
    phone: Callable[..., Phone], language: str, width: int
) -> None:
    """In German the key for +5 and −5 lay on it."""
    keeper = phone(viewport={"width": width, "height": 640}, locale=language)
    names = ["Anna", "Bohdan", "Katka"]
    code = keeper.asks("POST", "/tables", {"game": "rage", "players": names})["table"]["code"]
    for seat in range(len(names)):
        keeper.asks("POST", f"/tables/{code}/moves", {"move": "bid", "seat": seat, "tricks": 10})
    keeper.opens(f"/t/{code}/0")
    keeper.is_live()
    expect(keeper.page.locator("#tally .sum")).to_contain_text("30")
    ends, begins = keeper.page.evaluate(SUM_ENDS)
    assert ends <= begins


def test_the_fives_that_were_told_are_seen_and_kept_when_the_tricks_are_counted_again(
    phone: Callable[..., Phone],
) -> None:
    """Nobody saw them before the round was written down, and who counted again had lost them."""
    anna, bohdan, screen = (phone(viewport=SMALL) for _ in range(3))
    names = ["Anna", "Bohdan", "Katka"]
    code = anna.asks("POST", "/tables", {"game": "rage", "players": names})["table"]["code"]
    anna.asks("PUT", f"/tables/{code}/seats/0", {"name": "Anna"})
    bohdan.asks("PUT", f"/tables/{code}/seats/1", {"name": "Bohdan"})
    for seat, one in enumerate((anna, bohdan, anna)):
        one.asks("POST", f"/tables/{code}/moves", {"move": "bid", "seat": seat, "tricks": 3})
    for one, path in ((bohdan, "1"), (anna, "0"), (screen, "screen")):
        one.opens(f"/t/{code}/{path}")
        one.is_live()
    bohdan.page.locator(".hand .fives [value=plus]").tap()
    for _twice in range(2):
        bohdan.page.locator(".hand .fives [value=minus]").tap()
    bohdan.chooses(4)
    for one in (bohdan, anna):
        expect(one.page.locator("table.players tbody tr").nth(1).locator(".fives-told")).to_have_text("+5 −5 −5")
    expect(screen.page.locator(".player-row").nth(1).locator(".fives-told")).to_have_text("+5 −5 −5")
    for seat in (0, 2):
        anna.asks("POST", f"/tables/{code}/moves", {"move": "count", "seat": seat, "tricks": 4})
    expect(bohdan.page.get_by_role("heading", name="Count again")).to_be_visible()
    expect(bohdan.page.locator(".hand .adder-count").first).to_have_value("1")
    expect(bohdan.page.locator(".hand .adder-count").last).to_have_value("2")
    bohdan.chooses(2)
    expect(bohdan.page.get_by_text("Round 2 of 10")).to_be_visible()
    assert bohdan.points() == [-1, 2 - 5 + 5 - 10, -1]


SCROLLED = "(table) => table.scrollTop"


def test_a_new_round_is_read_from_its_head_and_a_bid_moves_nothing(phone: Callable[..., Phone]) -> None:
    """Who had looked at the eighth player saw nothing of what the round brought, nor whose turn it was."""
    host, hugo = phone(viewport=SMALL), phone(viewport=SMALL)
    code = host.asks("POST", "/tables", {"game": "rage", "players": list("ABCDEFGH")})["table"]["code"]
    hugo.asks("PUT", f"/tables/{code}/seats/7", {"name": "H"})
    hugo.opens(f"/t/{code}/7")
    hugo.is_live()
    table = hugo.page.locator("#table-top")
    table.evaluate("(table) => table.scrollTo(0, table.scrollHeight)")
    at = table.evaluate(SCROLLED)
    assert at > 0
    for seat in range(2):
        host.asks("POST", f"/tables/{code}/moves", {"move": "bid", "seat": seat, "tricks": 1})
    expect(hugo.page.locator(".undo")).to_contain_text("B bids 1.")
    assert table.evaluate(SCROLLED) == at
    for seat in range(2, 7):
        host.asks("POST", f"/tables/{code}/moves", {"move": "bid", "seat": seat, "tricks": 1})
    hugo.asks("POST", f"/tables/{code}/moves", {"move": "bid", "seat": 7, "tricks": 1})
    table.evaluate("(table) => table.scrollTo(0, table.scrollHeight)")
    hugo.asks("POST", f"/tables/{code}/moves", {"move": "count", "seat": 7, "tricks": 3})
    for seat in range(7):
        host.asks("POST", f"/tables/{code}/moves", {"move": "count", "seat": seat, "tricks": 1})
    expect(hugo.page.get_by_text("Round 2 of 10")).to_be_visible()
    assert table.evaluate(SCROLLED) == 0
