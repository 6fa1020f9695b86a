"""The keys stand where they stood: whole random games on two sizes of phones, looked at by a seat that acts and waits."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import expect

from companion import record
from companion.games import GAMES
from companion.testing import kit
from companion.testing.laws import KEYS, broken, cut, in_line, overlapping, shortened, unhandy
from companion.words import LANGUAGES
from tests.pages.places import Setting, table_of
from tests.phones import Phone

SIZES = ((360, 640), (390, 844))
"""Of a small phone and of a usual one."""
NAMES = (
    "Wolfensteinová", "Maksymilian", "Katarzyna", "Dalibor", "Guillermina", "Bohdana", "Gabriela Wolfová", "Hedvika"
)  # fmt: skip
"""Long ones: each has to be read."""
STATES = 12
"""States of a game that the gate looks at, spread over it."""
SETTINGS = (
    Setting("hanabi", 2, (), (("detail", "tokens"),)),
    Setting("hanabi", 5, (), (("detail", "tokens"), ("edition", "pl"), ("multicolour", 10), ("black_powder", True))),
    Setting("hanabi", 5, (), (("detail", "hints"), ("edition", "pl"), ("multicolour", 10), ("black_powder", True))),
    Setting("hanabi", 2, (), (("detail", "cards"),)),
    Setting("hanabi", 5, (), (("detail", "cards"), ("edition", "pl"), ("multicolour", 10), ("black_powder", True))),
    Setting("ikebana", 2, (), (("detail", "payments"),)),
    Setting("ikebana", 5, (), (("detail", "payments"),)),
    Setting("ikebana", 5, (), (("detail", "cards"),)),
    Setting("rage", 3, ()),
    Setting("rage", 8, (), (("bidding", "hidden"),)),
    Setting("ubongo", 2, ()),
    Setting("ubongo", 4, ()),
)
WAITING = """() => {
  const rest = innerHeight - document.querySelector(".table-top").getBoundingClientRect().top;
  return {
    headline: document.querySelector("h1").innerText,
    board: document.querySelector(".table-top").clientHeight / rest,
    seen: document.querySelector("h1").getBoundingClientRect().bottom <= innerHeight,
  };
}"""
LEAST_BOARD = 0.7
"""The part of what is beneath the bar that is table where a seat waits; what was said last has the rest."""


@dataclass
class Seat:
    """A seat's page, and where its keys have stood."""

    number: int
    phone: Phone
    size: tuple[int, int]
    places: dict[str, tuple[int, int]] = field(default_factory=dict)

    def shows(self, number: int) -> None:
        self.phone.page.wait_for_function(
            "number => document.getElementById('part').dataset.number >= number", arg=number
        )

    def waits_for(self, name: str | None) -> bool:
        """Tell whether its headline names somebody else who is to act."""
        return name is not None and name in self.phone.page.evaluate(WAITING)["headline"]

    def hindrances(self) -> Iterator[str]:
        """Name what stands between a seat that waits and its table."""
        found = self.phone.page.evaluate(WAITING)
        if found["board"] < LEAST_BOARD:
            yield f"the table has but {found['board']:.2f} of its place"
        if not found["seen"]:
            yield "who is awaited is not seen"
        yield from (f"{key['said']!r} is in the way" for key in self.phone.page.evaluate(KEYS)["keys"])

    def faults(self, acts: bool) -> Iterator[str]:
        """Name what a hand would stumble over."""
        yield from unhandy(self.phone.page, self.places, acts)
        yield from in_line(self.phone.page)
        yield from broken(self.phone.page)
        yield from cut(self.phone.page)
        yield from overlapping(self.phone.page)
        yield from shortened(self.phone.page, NAMES)


def played(setting: Setting, chance: random.Random) -> list[dict[str, Any]]:
    """Play a whole random game; give its moves as data."""
    game = GAMES[setting.game]
    moves = [play.last.asked.move for play in kit.play_on(table_of(setting), chance) if play.last]
    return [record.write_move(game, setting.seats, move) for move in moves]


@pytest.mark.promise(32)
@pytest.mark.parametrize(
    "setting", SETTINGS, ids=lambda one: "-".join([one.game, str(one.seats), *map(str, dict(one.options).values())])
)
def test_keys_are_whole_uncovered_and_where_they_were(
    phone: Callable[..., Phone], is_long: bool, setting: Setting
) -> None:
    seed = random.SystemRandom().randrange(10**6)
    all_ways = list(product(LANGUAGES, SIZES))
    ways = all_ways if is_long else [all_ways[seed % len(all_ways)]]
    print(f"seed {seed}, {ways}")
    moves = played(setting, random.Random(seed))
    every = 1 if is_long else max(1, len(moves) // STATES)
    for language, size in ways:
        walk(partial(phone, locale=language), setting, moves, size, every)


def walk(
    make: Callable[..., Phone], setting: Setting, moves: list[dict[str, Any]], size: tuple[int, int], every: int
) -> None:
    """Play the moves by the API, and look at the page of a seat."""
    phones = [make(viewport={"width": size[0], "height": size[1]}, device_scale_factor=1) for _seat in range(2)]
    names = list(NAMES[: setting.seats])
    code = phones[0].asks(
        "POST", "/tables", {"game": setting.game, "players": names, "options": dict(setting.options)}
    )["table"]["code"]
    for number, one in enumerate(phones):
        one.asks("PUT", f"/tables/{code}/seats/{number}", {"name": ""})
    helper, guest = phones[0], Seat(1, phones[1], size)
    guest.phone.opens(f"/t/{code}/{guest.number}")
    guest.phone.is_live()
    for place, move in enumerate(moves):
        by = guest.phone if move.get("seat") == guest.number else helper
        answer = by.asks("POST", f"/tables/{code}/moves", move)
        following = moves[place + 1].get("seat") if place + 1 < len(moves) else None
        if place % every == 0 or (following == guest.number and place % every == 1):
            guest.shows(answer["number"])
            faults = list(guest.faults(acts=following == guest.number))
            if guest.waits_for(names[following] if following not in (None, guest.number) else None):
                faults += guest.hindrances()
            assert faults == [], f"after move {place + 1}, {move}"


def test_a_card_that_shows_several_revokes_leaves_the_table_in_sight(phone: Callable[..., Phone]) -> None:
    size = SIZES[0]
    host, one = (phone(viewport={"width": size[0], "height": size[1]}, device_scale_factor=1) for _phone in range(2))
    told = {"game": "rage", "players": list(NAMES[:3]), "options": {}}
    code = host.asks("POST", "/tables", told)["table"]["code"]
    one.asks("PUT", f"/tables/{code}/seats/2", {"name": ""})
    moves = [{"move": "turn", "card": "R12"}, *({"move": "bid", "seat": seat, "tricks": 3} for seat in range(3))]
    for played_card in ("0 Y8", "1 B3", "2 Y9", "2 Y1", "0 Y2", "1 B4", "0 Y3", "1 B5", "2 Y4", "2 G1", "0 G2", "1 Y5"):
        seat, card = played_card.split()
        moves.append({"move": "play", "seat": int(seat), "card": card})
    for move in moves:
        (one if move.get("seat") == 2 else host).asks("POST", f"/tables/{code}/moves", move)
    guest = Seat(2, one, size)
    one.opens(f"/t/{code}/{guest.number}")
    assert list(guest.hindrances()) == []
    notice = one.page.locator(".notice-look")
    first, *others = notice.get_by_text("and now plays yellow 5").all()
    assert first.is_visible()
    assert [other.is_visible() for other in others] == [False, False]
    notice.get_by_text("2 more places").tap()
    assert [other.is_visible() for other in others] == [True, True]
    last = notice.get_by_role("link").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport(ratio=0.9)
    notice.get_by_text("2 more places").tap()
    assert list(guest.hindrances()) == []


def test_the_menu_gives_the_keys_back_to_a_keyboard_that_leaves_it(phone: Callable[..., Phone]) -> None:
    """It stayed open, over the keys that the keyboard then went through."""
    one = phone(viewport={"width": 360, "height": 640})
    code = one.asks("POST", "/tables", {"game": "rage", "players": list(NAMES[:3])})["table"]["code"]
    one.opens(f"/t/{code}/0")
    one.is_live()
    summary, last = one.page.locator(".menu > summary"), one.page.get_by_role("link", name="All games")
    for leave in ("Tab", "Escape"):
        summary.press("Enter")
        expect(last).to_be_visible()
        last.press(leave)
        expect(last).to_be_hidden()
    expect(summary).to_be_focused()
