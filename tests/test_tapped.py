"""Whatever the referee would accept has a key: on the page of the seat, or on that of who acts for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion import log
from companion.games import GAMES
from companion.log import Reading
from companion.play import Play
from companion.record import write_move
from companion.tables.seating import Asker, hashed
from companion.testing.kit import Table, play_on
from companion.testing.moments import reader, some_table
from companion.testing.room import secret
from companion.web import parts
from tests.house import House
from tests.web.page import SHUT, Form, Page

MOST_LEGAL = 300
"""So many of a seat's moves are looked at for their kinds."""
MOST_MOVES = 120
LOOKS = 4
"""So many moments of a play are looked at."""
INSTEAD = {("rage", "count"): "tally", ("rage", "tally"): "count"}
"""What is told by a key for something else: who counts for all tells no seat's own tricks, and the other way round."""
Kind = tuple[str, str | None]
"""What is done, and the seat that does it; None: the table."""


def keys_of(form: Form) -> Iterator[Kind]:
    """Tell what a form can say."""
    said: dict[str, list[str]] = defaultdict(list)
    for part in form.fields:
        if (name := part.get("name")) and not SHUT & part.keys():
            said[name].append(part.get("value") or "")
    for move in said["move"]:
        yield from ((move, seat) for seat in said.get("seat", [None]))


def keys_on(house: House, table: log.Table, phone: str, seat: int, play: Play[Any]) -> set[Kind]:
    """Tell what the page of a seat can say."""
    asker = Asker(table, hashed(secret(phone)))
    with reader(house.app, "en"):
        told = parts.told(asker, seat, Reading(len(play.moves()), play))
        page = Page(str(parts.drawn(table, parts.template(table, seat), told)))
    return {key for form in page.forms if form.action.partition("?")[0].endswith("/move") for key in keys_of(form)}


def open_kinds(table: Table, position: Any, seat: int | None) -> set[Kind]:
    """Tell what the referee would accept; a hand whose places nobody records is put in no order."""
    moves = islice(table.game.legal(position, seat), MOST_LEGAL)
    kinds = {str(write_move(table.game, table.seats, move)["move"]) for move in moves}
    if table.game.key == "hanabi" and not position.options.has_places:
        kinds -= {"arrange"}
    return {(kind, None if seat is None else str(seat)) for kind in kinds}


def is_told(key: str, kind: Kind, keys: set[Kind]) -> bool:
    """Say whether there is a key for what may be done, or for what stands for it."""
    move, _seat = kind
    return kind in keys or INSTEAD.get((key, move)) in {other for other, _ in keys}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    house = House(tmp_path_factory.mktemp("house"))
    yield house
    house.close()


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 100))])
@pytest.mark.parametrize("key", ["hanabi", "ikebana", "rage", "tally", "ubongo"])
def test_whatever_may_be_done_has_a_key(house: House, key: str, seed: int) -> None:
    rng = Random(f"{key} {seed}")
    table = some_table(GAMES[key], rng)
    plays = [table.begin(), *play_on(table, rng, MOST_MOVES)]
    phones = {0: "host", **{seat: f"p{seat}" for seat in range(1, table.seats)}}
    alone = {seat: phone for seat, phone in phones.items() if seat}  # the host has no seat, and acts for one
    for sitting in (phones, alone):
        with house.asks(house.open(["A"] * table.seats, sitting, key, **table.options), "host") as asker:
            laid = asker.table
        for play in rng.sample(plays, min(LOOKS, len(plays))):
            seats = range(table.seats)
            keys = [keys_on(house, laid, phones[seat], seat, play) for seat in seats]
            on_any = set().union(*keys)
            missing = [
                kind
                for seat in seats
                for kind in open_kinds(table, play.position, seat)
                if not is_told(key, kind, keys[seat])
            ]
            missing += [kind for kind in open_kinds(table, play.position, None) if not is_told(key, kind, on_any)]
            assert missing == [], f"{table.options} {table.seats} after {len(play.moves())}"
