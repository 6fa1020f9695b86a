"""What a release leaves behind: databases full of evenings, and their records with how they ended.

`python -m tests.releases FOLDER` lays evenings of every game, with every value of every option, half of them played
to the end, and writes the release's SQLite file, its dump of PostgreSQL, and its records. `bin/release` runs it, once
for a release, on the release's own code; the folder is kept under `tests/releases/`, and later code is held to it.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from marshmallow import ValidationError

from companion import log, record
from companion.game import AnyGame
from companion.games import GAMES
from companion.log import groups, keeping
from companion.log.book import Book, Search, all_evenings
from companion.play import Play
from companion.tables import amending, opening, referee, seating
from companion.tables.noting import Notes
from companion.tables.seating import hashed
from companion.testing import kit
from tests.databases import Cluster, Database, Lite
from tests.house import House, secret

FOLDERS = Path(__file__).parent / "releases"
SQLITE, POSTGRESQL, RECORDS = "companion.sqlite", "postgresql.dump", "records.jsonl"
NAMES = ("Žofie", "Bo", "=1+1", "李小龍", "", "A'b", "Gus", "Hal")
HOST = hashed(secret("host"))
LEAST = 15
"""So many moves has a whole evening; Ubongo's may be cut short by a count of the gems."""
TRIES = 20
"""So often a longer one is looked for: a Tally of one round has four moves however it is played."""
MORE = (
    ("ubongo", {"board": [["green", "red", "blue", "purple", "brown", "yellow"] * 2] * 6}),
    ("ubongo", {"pawns": [0, 5, 2, 2]}),
    ("ubongo", {"glass_s": 30}),
    ("ubongo", {"glass_s": 120}),
)
"""Options whose values the kit cannot draw."""


@dataclass(frozen=True)
class Evening:
    """A play, its options as data, and how it came into the house."""

    table: kit.Table
    play: Play[Any]
    is_entered: bool
    """Entered move by move, as phones do; otherwise brought as a record."""


def choices(game: AnyGame) -> Iterator[dict[str, Any]]:
    """Give options in which every value of every option stands once."""
    for name, field in game.options.fields.items():
        yield from ({name: value} for value in kit.option_values(field, game.players[-1]))
    yield from (dict(options) for key, options in MORE if key == game.key)


def evenings() -> Iterator[Evening]:
    """Play an evening for every choice: with others beside it, to its end or not."""
    for game in GAMES.values():
        for number, options in enumerate(choices(game)):
            rng = Random(f"{game.key} {number}")
            if table := _table(game, options, number, rng):
                yield Evening(table, _play(table, rng, is_whole=number % 2 > 0), is_entered=number % 4 < 2)


def _table(game: AnyGame, options: dict[str, Any], number: int, rng: Random) -> kit.Table | None:
    """Lay a table with these options and others that go with them; None for a value that goes with none."""
    for attempt in range(200):
        seats = game.players[(number + attempt // 20) % len(game.players)]
        drawn = {
            name: rng.choice(values)
            for name, field in game.options.fields.items()
            if (values := kit.option_values(field, seats)) and rng.random() < 0.2
        }
        table = kit.Table(game, drawn | options, seats)
        if _begins(table):
            return table
    return None


def _play(table: kit.Table, rng: Random, is_whole: bool) -> Play[Any]:
    """Play to the end, and no game that is cut short, unless it is never longer; or so far."""
    for _ in range(TRIES):
        plays = list(islice(kit.play_on(table, rng), 10_000 if is_whole else rng.randint(3, 40)))
        if len(plays) >= (LEAST if is_whole else 1):
            break
    return plays[-1]


def _begins(table: kit.Table) -> bool:
    try:
        return kit.begins(table.game, table.options, table.seats)
    except ValidationError:
        return False


def lay(house: House) -> None:
    """Bring all evenings into a house; some in a group's book, some seats taken by phones, some steps taken back."""
    with house.app.app_context():
        group = groups.found("Thursdays", HOST).id
    for number, evening in enumerate(evenings()):
        with house.app.app_context():
            notes = Notes("Klub", f"Evening {number}", group if number % 3 == 0 else 0)
            _enter(evening, number, notes) if evening.is_entered else _bring(evening, number)


def _bring(evening: Evening, number: int) -> None:
    about = {"opened": f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}T20:00:00.000Z", "location": "Doma"}
    data = record.write(evening.play, evening.table.options, NAMES[: evening.table.seats], about)
    opening.open_from(record.replay(record.read_data(data)), HOST)


def _enter(evening: Evening, number: int, notes: Notes) -> None:
    table, rng = evening.table, Random(number)
    names = NAMES[: table.seats]
    code = opening.open_table(table.game, table.options, names, HOST, notes=notes).code
    host = seating.Asker(seating.find_table(code), HOST)
    for place, ruled in enumerate(evening.play.moves()):
        data = record.write_move(table.game, table.seats, ruled.asked.move)
        assert isinstance(referee.rule_on(host, data, f"move.{place}"), log.Reading)
        if rng.random() < 0.1:
            referee.take_back(host, f"back.{place}")
            referee.put_back(host, f"forth.{place}")
        if rng.random() < 0.05:
            latest = log.read(host.table).play.moves()[-1].asked.number
            amending.amend(host, amending.Change(latest, data), f"amend.{place}")
    phone = seating.Asker(seating.find_table(code), hashed(secret("bo")))
    seating.sit_down(phone, number % table.seats, "Bo", "sit")
    log.rest()


def records(house: House) -> Iterator[dict[str, Any]]:
    """Give every table's record, how it is ruled, and its result as it is kept."""
    with house.app.app_context():
        for table in list(all_evenings(Book(), Search())):
            data = log.record_of(table)
            yield {
                "record": data,
                "outcome": record.outcome(record.replay(record.read_data(data))),
                "result": table.result,
            }


def write(folder: Path) -> None:
    """Write what the release of this code leaves behind."""
    folder.mkdir(parents=True)
    cluster = Cluster()
    try:
        cluster.make()
        _write(folder, cluster.database("postgres").another(), POSTGRESQL)
        with tempfile.TemporaryDirectory() as place:
            _write(folder, Lite(Path(place)), SQLITE)
    finally:
        cluster.remove()


def _write(folder: Path, database: Database, name: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        house = House(Path(place), database)
        lay(house)
        with house.app.app_context():
            keeping.backup(Path(place) / name)
        shutil.copy(Path(place) / name, folder / name)
        if name == SQLITE:
            lines = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in records(house)]
            (folder / RECORDS).write_text("\n".join(lines) + "\n")
        house.close()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
