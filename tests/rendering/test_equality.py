"""One source, two renderers: what a phone draws is what the server draws, byte for byte, over whole random plays."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from companion.testing.moments import Moment, moments, reader
from companion.testing.node import Asked, Phone
from companion.testing.renderers import EACH, compare, told
from companion.web import renderings
from companion.web.renderings import part_of
from tests.house import House
from tests.rendering.moments import examples

GAMES = ("hanabi", "ikebana", "rage", "ubongo", "cairn")
SOME = 60
"""So many of each game's are compared in the gate, at least."""
CHUNKS, PARTS = 20, 1000
"""Of the long trial, a game: so many times so many parts."""
PLAYS = 150
"""Which shall come upon everything that is not named as never drawn."""
NEVER_DRAWN = Path(__file__).with_name("never_drawn.json")
"""By game and template what random plays do not come upon, and why."""


@pytest.mark.parametrize("key", GAMES)
def test_a_phone_draws_what_the_server_draws(house: House, phone: Phone, key: str) -> None:
    by_chance = [look for seed in range(8) for look in moments(house, key, seed, EACH)]
    looks = [*by_chance, *examples(house, key, every=8)]
    assert len(looks) >= SOME
    compare(house, phone, looks)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("key", GAMES)
def test_a_phone_draws_a_hundred_thousand_parts_as_the_server_does(
    house: House, phone: Phone, key: str, chunk: int
) -> None:
    looks: list[Moment] = []
    for seed in count(1000 * (chunk + 1)):
        looks += moments(house, key, seed, 4 * EACH)
        if len(looks) >= PARTS:
            break
    compare(house, phone, looks)


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_what_is_never_drawn_is_named_with_the_reason(
    house: House, phone: Phone, key: str, is_regenerating: bool
) -> None:
    """In English: in the other languages the same is drawn, but for forms of plurals."""
    by_chance = (look for seed in range(PLAYS) for look in moments(house, key, seed, 4 * EACH))
    asked = []
    for look in (*by_chance, *examples(house, key)):
        with reader(house.app, "en"):
            name, data = told(look)
        if not look.is_plain:
            asked.append(Asked(f"{key}.{part_of(look.seat)}.en", name, json.dumps(data)))
    never = phone.never_drawn(asked, *[f"{key}.{part}.en" for part in renderings.PARTS])
    named = json.loads(NEVER_DRAWN.read_text())
    if is_regenerating:
        named[key] = {place: named.get(key, {}).get(place, "") for place in never}
        NEVER_DRAWN.write_text(json.dumps(named, ensure_ascii=False, indent=2) + "\n")
    assert never == [*named[key]]
    assert all(named[key].values()), "a reason is missing"
