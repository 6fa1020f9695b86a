"""Every table goes out as a record and comes back into an empty house: the same records, places and statistics."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from marshmallow import ValidationError

from companion import log, record
from companion.games import GAMES
from companion.log import statistics
from companion.log.book import Book, Search, all_evenings
from companion.tables import opening, referee
from companion.tables.evenings import records_zip
from companion.tables.importing import import_files
from companion.tables.seating import Asker, hashed
from companion.testing import kit
from tests.house import House, secret

HOST = hashed(secret("host"))
NAMES = ("Žofie", "Bo", "=1+1", "李小龍", "", "A'b", "Gus", "Hal")


def random_table(rng: Random) -> kit.Table:
    """Choose a game, seats, and some options that go together."""
    game = rng.choice(list(GAMES.values()))
    seats, options = rng.choice(game.players), dict[str, Any]()
    for name, field in game.options.fields.items():
        values = kit.option_values(field, seats)
        if values and rng.random() < 0.3:
            more = {**options, name: rng.choice(values)}
            try:
                options = more if kit.begins(game, more, seats) else options
            except ValidationError:
                continue
    return kit.Table(game, options, seats)


def random_record(number: int) -> dict[str, Any]:
    """Write the record of a random evening that has come some way, or to its end."""
    rng = Random(number)
    table = random_table(rng)
    play = kit.played(table, rng, most=rng.choice((3, 40, 250)))
    about = {
        "opened": f"2026-01-{number % 28 + 1:02}T20:{number % 60:02}:00.000Z",
        "location": rng.choice(("", "Klub")),
    }
    names = [rng.choice(NAMES) for _seat in range(table.seats)]
    return record.write(play, table.options, names, about)


def fill(house: House, count: int) -> None:
    """Open random tables; at some of them something was taken back."""
    with house.app.app_context():
        for number in range(count):
            data = random_record(number)
            table = opening.open_from(record.replay(record.read_data(data)), HOST)
            if number % 5 == 0 and data["moves"]:
                referee.take_back(Asker(table, HOST), f"back.{number}")
                log.rest()


def handed_on(house: House) -> bytes:
    with house.app.app_context():
        return b"".join(records_zip(map(log.record_of, all_evenings(Book(), Search()))))


def unpacked(packed: bytes) -> Iterator[tuple[str, Any]]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        for name in archive.namelist():
            yield name, json.loads(archive.read(name))


def ended(house: House) -> list[tuple[Any, ...]]:
    """List where everybody ended, and what was counted of them."""
    return house.rows(
        "SELECT code, seat, name, rank, score, figures, closed, location FROM seatings "
        "JOIN tables ON id = table_id ORDER BY code, seat"
    )


def statistics_of(house: House) -> list[Any]:
    """Sum up what the book tells, and how one player did against the others."""
    with house.app.app_context():
        return [*statistics.played(Book(), Search()), *statistics.meetings(Book(), Search(player="bo"), "Bo")]


@pytest.mark.promise(3)
@pytest.mark.parametrize("count", [40, pytest.param(500, marks=pytest.mark.long)])
def test_all_tables_come_back_as_they_were(tmp_path: Path, count: int) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    house, empty = House(tmp_path / "one"), House(tmp_path / "two")
    fill(house, count)
    packed = handed_on(house)
    with empty.app.app_context():
        brought = list(import_files([("all.zip", lambda: io.BytesIO(packed))], lambda: HOST))
    assert [one.problem for one in brought] == [None] * count
    assert dict(unpacked(handed_on(empty))) == dict(unpacked(packed))
    assert ended(empty) == ended(house)
    results = "SELECT code, result FROM tables WHERE closed IS NOT NULL ORDER BY code"
    told = [(code, json.loads(result)) for code, result in empty.rows(results)]
    assert told == [(code, json.loads(result)) for code, result in house.rows(results)]
    assert 0 < len(told) < count
    assert statistics_of(empty) == statistics_of(house) != []
    house.close()
    empty.close()
