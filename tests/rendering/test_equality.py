"""One source, two renderers: what a phone draws is what the server draws, byte for byte, over whole random plays."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.web import parts, renderings
from companion.web.renderings import part_of
from tests.house import House
from tests.rendering.moments import Moment, examples, moments, of_any_game, reader
from tests.rendering.node import Asked, Phone

GAMES = ("hanabi", "ikebana", "rage", "ubongo", "cairn")
EACH = 12
"""Moments of a play."""
SOME = 60
"""So many of each game's are compared in the gate, at least."""
CHUNKS, PARTS = 20, 1000
"""Of the long trial, a game: so many times so many parts."""
PLAYS = 150
"""Which shall come upon everything that is not named as never drawn."""
NEVER_DRAWN = Path(__file__).with_name("never_drawn.json")
"""By game and template what random plays do not come upon, and why."""


def told(moment: Moment) -> tuple[str, dict[str, Any]]:
    """Name a moment's template, and give what it is told."""
    about = moment.asker, moment.seat, moment.reading
    data = parts.told(*about, moment.refusal) | {"is_then": moment.is_then}
    if not moment.is_plain:
        return parts.template(moment.asker.table, moment.seat), data
    return f"games/any/{'screen' if moment.seat is None else 'seat'}.html", data | of_any_game(moment)


def both(house: House, phone: Phone, looks: Iterable[Moment]) -> tuple[list[str], list[str]]:
    """Draw moments on the server and on a phone."""
    by_server, asked = [], []
    for moment in looks:
        with reader(house.app, moment.language):
            name, data = told(moment)
            by_server.append(str(parts.drawn(moment.asker.table, name, data)))
        game = "any" if moment.is_plain else moment.asker.table.game
        asked.append(Asked(f"{game}.{part_of(moment.seat)}.{moment.language}", name, json.dumps(data)))
    return by_server, phone.draws(asked)


def compare(house: House, phone: Phone, looks: list[Moment]) -> None:
    by_server, by_phone = both(house, phone, looks)
    for look, one, other in zip(looks, by_server, by_phone, strict=True):
        assert other == one, look


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
