"""Entries of many tables share a commit; each is confirmed after its own, and none fails for another's sake."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from companion import log
from companion.errors import NotSaved
from companion.log import Changes, Clash
from companion.log.database import append
from companion.log.together import Coming, Together, Unkept
from tests.house import House
from tests.waiting import PATIENCE_S, until


def entry(table_id: int, number: int, key: str) -> dict[str, object]:
    return {
        "table_id": table_id, "number": number, "kind": "move", "seat": 0, "by": 0,
        "data": {"move": "bid", "seat": 0, "tricks": 1}, "key": key, "at": log.now(), "standing": None,
    }  # fmt: skip


@contextmanager
def commits() -> Iterator[list[object]]:
    """Note what each transaction writes."""
    with patch("companion.log.together.append", wraps=append) as written:
        counted: list[object] = written.call_args_list
        yield counted


def write_behind_a_lock(house: House, entries: Sequence[dict[str, object]]) -> list[str]:
    """Let each come from a request of its own while another program keeps the first from being written."""
    together: Together = house.app.extensions["companion.together"]
    said = [""] * len(entries)

    def write(place: int) -> None:
        with house.app.app_context():
            (problem,) = together.write_all([Coming(entries[place])])
            said[place] = "clash" if isinstance(problem, Clash) else str(problem or "kept")

    threads = [threading.Thread(target=write, args=(place,), daemon=True) for place in range(len(entries))]
    with house.database.locked():
        threads[0].start()
        until(lambda: together._is_writing)
        for thread in threads[1:]:
            thread.start()
        until(lambda: len(together._waiting) == len(entries) - 1)
        assert said == [""] * len(entries), "confirmed before it was committed"
    for thread in threads:
        thread.join(PATIENCE_S)
    return said


@pytest.fixture
def ids(house: House) -> list[int]:
    codes = [house.open(["A", "B", "C"]) for _ in range(6)]
    return [house.rows("SELECT id FROM tables WHERE code = ?", code)[0][0] for code in codes]


@pytest.mark.on_both
@pytest.mark.parametrize("many", [2, 6])
def test_entries_that_come_during_a_commit_share_the_next(house: House, ids: list[int], many: int) -> None:
    with commits() as counted:
        assert write_behind_a_lock(house, [entry(table, 1, "k") for table in ids[:many]]) == ["kept"] * many
    assert len(counted) == 2
    assert len(house.rows("SELECT * FROM entries")) == many


@pytest.mark.on_both
def test_what_begins_meanwhile_begins_when_all_is_written_and_nothing_kept(house: House, ids: list[int]) -> None:
    together: Together = house.app.extensions["companion.together"]
    seen: list[int] = []

    def meanwhile() -> None:
        seen.append(len(house.rows("SELECT number FROM entries")))

    with house.app.app_context():
        assert together.write_all([Coming(entry(ids[0], 1, "k"))], meanwhile) == [None]
        assert (seen, len(house.rows("SELECT number FROM entries"))) == ([0], 1)
        (problem,) = together.write_all([Coming(entry(ids[0], 1, "other"))], meanwhile)
    assert isinstance(problem, Clash)
    assert seen == [0], "begun though it could not be written"


@pytest.mark.on_both
def test_one_entry_that_clashes_leaves_the_connection_to_those_that_follow(house: House, ids: list[int]) -> None:
    together: Together = house.app.extensions["companion.together"]
    with house.app.app_context():
        assert together.write_all([Coming(entry(ids[0], 1, "k"))]) == [None]
        for again in (Coming(entry(ids[0], 1, "other")), Coming(entry(ids[0], 2, "k"))):
            (problem,) = together.write_all([again])
            assert isinstance(problem, Clash)
        assert together.write_all([Coming(entry(ids[0], 2, "other"))]) == [None]
    assert house.rows("SELECT number, key FROM entries ORDER BY number") == [(1, "k"), (2, "other")]


def test_where_nothing_comes_nothing_is_committed(house: House) -> None:
    with commits() as counted, house.app.app_context():
        assert house.app.extensions["companion.together"].write_all([]) == []
    assert counted == []


@pytest.mark.on_both
def test_what_changes_with_an_entry_changes_though_others_change_nothing(house: House, ids: list[int]) -> None:
    coming = [Coming(entry(table, 1, "k")) for table in ids[:3]]
    coming[1].changes = Changes({"halt": "paused"}, {2: {"has_left": True}, 1: {"name": "Nora"}, 0: {"has_left": True}})
    with house.app.app_context():
        assert house.app.extensions["companion.together"].write_all(coming) == [None] * 3
    assert house.rows("SELECT id FROM tables WHERE halt = 'paused'") == [(ids[1],)]
    assert house.rows("SELECT table_id, seat FROM seatings WHERE has_left ORDER BY seat") == [(ids[1], 0), (ids[1], 2)]
    assert house.rows("SELECT table_id, seat FROM seatings WHERE name = 'Nora'") == [(ids[1], 1)]


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (sqlite3.IntegrityError, Clash),
        (sqlite3.DataError, Unkept),
        (sqlite3.OperationalError, NotSaved),
        (ZeroDivisionError, ZeroDivisionError),
    ],
)
def test_each_is_told_why_it_is_not_written(
    house: House, ids: list[int], monkeypatch: pytest.MonkeyPatch, problem: type[Exception], told: type[Exception]
) -> None:
    def fails(*_about: object) -> None:
        raise problem

    monkeypatch.setattr("companion.log.sqlite.write", fails)
    with house.app.app_context():
        said = house.app.extensions["companion.together"].write_all([Coming(entry(table, 1, "k")) for table in ids[:2]])
    assert [type(each) for each in said] == [told, told]


@pytest.mark.on_both
@pytest.mark.parametrize("number", [1, 2], ids=["its number", "its key"])
def test_one_that_clashes_fails_alone(house: House, ids: list[int], number: int) -> None:
    with house.app.app_context():
        house.app.extensions["companion.together"].write_all([Coming(entry(ids[3], 1, "k"))])
    clashing = entry(ids[3], number, "k" if number == 2 else "other")
    said = write_behind_a_lock(house, [entry(ids[0], 1, "k"), entry(ids[1], 1, "k"), clashing, entry(ids[2], 1, "k")])
    assert said == ["kept", "kept", "clash", "kept"]
    assert len(house.rows("SELECT * FROM entries")) == 4
