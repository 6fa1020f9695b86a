"""What earlier releases left behind opens, is stamped, and replays: files of SQLite, dumps of PostgreSQL, records."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import log, record
from companion.games import GAMES
from companion.log import keeping
from companion.log.book import Book, Search, all_evenings
from companion.log.readings import forget
from companion.tables import opening
from tests.databases import Database, Lite, Postgres
from tests.house import House
from tests.releases import FOLDERS, HOST, POSTGRESQL, RECORDS, SQLITE, choices

RELEASES = {folder.name: folder for folder in sorted(FOLDERS.iterdir())}
FIRST = "0.1.0"
"""Its tables and records bear no stamp: they are of the first version of the rules."""


def kept(release: str) -> Iterator[dict[str, Any]]:
    """Read the records that a release has left, each with its outcome and the result that was kept."""
    for line in (RELEASES[release] / RECORDS).read_text().splitlines():
        yield json.loads(line)


def database_of(release: str, database: Database) -> Database:
    """Copy what a release has left into a database of the test's own."""
    folder = RELEASES[release]
    if isinstance(database, Lite):
        shutil.copy(folder / SQLITE, database.file)
        return database
    assert isinstance(database, Postgres)
    return database.copy(folder / POSTGRESQL)


def test_every_value_of_every_option_was_kept_and_evenings_that_ended_and_not() -> None:
    lines = list(kept(FIRST))
    for game in (game for game in GAMES.values() if game.key != "tally"):
        own = [line for line in lines if line["record"]["game"] == game.key]
        assert {line["outcome"]["finished"] for line in own} == {True, False}
        assert {len(line["record"]["players"]) for line in own} == set(game.players)
        said = {(name, str(value)) for line in own for name, value in line["record"]["options"].items()}
        asked = {(name, str(value)) for choice in choices(game) for name, value in choice.items()}
        # Defaults are left out, and a glass of no seconds is no value.
        assert len(asked & said) >= len(asked) / 2 - 1


@pytest.mark.in_turn(of=2)
@pytest.mark.promise(24)
@pytest.mark.on_both
@pytest.mark.parametrize("release", RELEASES)
def test_a_database_that_a_release_left_opens_and_every_log_in_it_replays(
    tmp_path: Path, database: Database, release: str
) -> None:
    house = House(tmp_path, database_of(release, database))
    results = {line["record"]["table"]: line["result"] for line in kept(release)}
    with house.app.app_context():
        tables = list(all_evenings(Book(), Search()))
        assert len(tables) == len(results) > 100
        if isinstance(database, Lite):
            # Both were laid with the same evenings, under codes of their own.
            assert {table.code: table.result for table in tables} == results
        for table in tables:
            log.fold(table)  # which says so where it would end otherwise than it ended
            if table.rules == GAMES[table.game].version:
                assert list(keeping.wrong_with(table)) == []
    house.close()


@pytest.mark.promise(24)
@pytest.mark.on_both
def test_a_database_of_the_first_release_is_stamped_with_the_first_rules(tmp_path: Path, database: Database) -> None:
    copy = database_of(FIRST, database)
    House(tmp_path, copy).close()
    assert copy.rows("SELECT DISTINCT rules FROM tables") == [(1,)]


@pytest.mark.promise(25)
@pytest.mark.parametrize("release", RELEASES)
def test_a_record_of_an_older_release_is_ruled_as_it_was(release: str) -> None:
    """Stamped with its rules, it holds as far and ends as it did; what is said of it may have become other words."""
    for line in kept(release):
        told, was = record.outcome(record.replay(record.read_data({"rules": 1, **line["record"]}))), line["outcome"]
        same = ["legal", "moves", "finished", "standing"]
        if GAMES[line["record"]["game"]].version == line["record"].get("rules", 1):
            same.append("summary")
        assert [told[part] for part in same] == [was[part] for part in same]


LATE_PAWN = [
    {"move": "roll", "symbol": 1, "at": "2026-11-21T19:00:00.000Z"},
    {"move": "ubongo", "seat": 0, "at": "2026-11-21T19:00:30.000Z"},
    {"move": "place", "seat": 0, "row": 3, "at": "2026-11-21T19:01:01.000Z"},
]
MANY_GEMS = [{"move": "count", "gems": [[6, 6, 0, 0, 0, 0], [6, 5, 5, 5, 0, 0]]}]


@pytest.mark.parametrize(("moves", "rule"), [(LATE_PAWN, "ubongo.too_late"), (MANY_GEMS, "ubongo.count")])
def test_what_older_rules_took_they_still_take(moves: list[dict[str, Any]], rule: str) -> None:
    played = {"format": "companion-record", "version": 1, "game": "ubongo", "players": ["Anna", "Bo"], "moves": moves}
    old, new = (record.outcome(record.replay(record.read_data({**played, **stamp}))) for stamp in ({"rules": 1}, {}))
    assert old["legal"]
    assert new["refused"]["rule"] == rule


def test_a_table_is_ruled_by_the_rules_that_it_is_stamped_with(house: House) -> None:
    played = {"format": "companion-record", "version": 1, "game": "ubongo", "players": ["Anna", "Bo"]}
    with house.app.app_context():
        data = record.read_data({**played, "rules": 1, "moves": MANY_GEMS})
        table = opening.open_from(record.replay(data), HOST)
        forget()
        assert [place.rank for place in GAMES["ubongo"].standing(log.read(table).play.position).places] == [1, 2]


def some(game: str) -> dict[str, Any]:
    return next(line["record"] for line in kept(FIRST) if line["record"]["game"] == game and line["outcome"]["legal"])


@pytest.mark.promise(25)
def test_a_fresh_table_is_stamped_with_todays_rules_and_its_record_says_so(house: House) -> None:
    with house.asks(house.open(game="ubongo"), "host") as asker:
        assert asker.table.rules == GAMES["ubongo"].version == log.record_of(asker.table)["rules"]


@pytest.mark.promise(25)
def test_a_record_keeps_its_stamp_on_the_way_through_a_table(house: House) -> None:
    data = {**some("ubongo"), "rules": 1}
    with house.app.app_context():
        table = opening.open_from(record.replay(record.read_data(data)), HOST)
        assert (table.rules, log.record_of(table)["rules"]) == (1, 1)


@pytest.mark.promise(25)
@pytest.mark.parametrize(("game", "rules", "known"), [("ikebana", 7, "1"), ("rage", 3, "1, 2"), ("ubongo", 3, "1, 2")])
def test_a_record_of_rules_that_are_not_here_is_refused_by_name(game: str, rules: int, known: str) -> None:
    with pytest.raises(record.RecordError) as error:
        record.read_data({**some(game), "rules": rules})
    assert error.value.place == "rules"
    assert error.value.message == f"Version {rules} of the rules of {GAMES[game].name} is not here. Known: {known}."


def test_a_record_without_a_stamp_is_of_todays_rules() -> None:
    data = some("rage")
    data.pop("rules", None)
    assert record.read_data(data).rules == GAMES["rage"].version


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "1", True, None, [], 10**9])
def test_a_stamp_that_is_no_version_is_refused_by_name(wrong: object) -> None:
    with pytest.raises(record.RecordError, match="Not a version of the rules") as error:
        record.read_data({**some("rage"), "rules": wrong})
    assert error.value.place == "rules"
