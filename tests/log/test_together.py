"""Entries of many tables share a commit; each is confirmed after its own, and none fails for another's sake."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from companion import log
from companion.log import Clash
from companion.log.rows import db
from companion.log.together import Coming, Together
from tests.house import House


def entry(table_id: int, number: int, key: str) -> dict[str, object]:
    return {
        "table_id": table_id, "number": number, "kind": "move", "seat": 0, "by": 0,
        "data": {"move": "bid", "seat": 0, "tricks": 1}, "key": key, "at": log.now(), "standing": None,
    }  # fmt: skip


@contextmanager
def commits(house: House) -> Iterator[list[None]]:
    """Count the transactions: each has a connection of its own."""
    counted: list[None] = []
    with house.app.app_context():
        engine = db.engine
    event.listen(engine, "checkout", lambda *_: counted.append(None))
    yield counted


def write_behind_a_lock(house: House, entries: Sequence[dict[str, object]]) -> list[str]:
    """Let each come from a request of its own while another program keeps the first from being written."""
    together: Together = house.app.extensions["companion.together"]
    said = [""] * len(entries)

    def write(place: int) -> None:
        with house.app.app_context():
            (problem,) = together.write_all([Coming(entries[place])])
            said[place] = "clash" if isinstance(problem, Clash) else str(problem or "kept")

    threads = [threading.Thread(target=write, args=(place,)) for place in range(len(entries))]
    with house.database.locked():
        threads[0].start()
        while not together._is_writing:
            time.sleep(0.001)
        for thread in threads[1:]:
            thread.start()
        while len(together._waiting) < len(entries) - 1:
            time.sleep(0.001)
        assert said == [""] * len(entries), "confirmed before it was committed"
    for thread in threads:
        thread.join()
    return said


@pytest.fixture
def ids(house: House) -> list[int]:
    codes = [house.open(["A", "B", "C"]) for _ in range(6)]
    return [house.rows("SELECT id FROM tables WHERE code = ?", code)[0][0] for code in codes]


@pytest.mark.on_both
def test_entries_that_come_during_a_commit_share_the_next(house: House, ids: list[int]) -> None:
    with commits(house) as counted:
        assert write_behind_a_lock(house, [entry(table, 1, "k") for table in ids]) == ["kept"] * 6
    assert len(counted) == 2
    assert len(house.rows("SELECT * FROM entries")) == 6


@pytest.mark.on_both
@pytest.mark.parametrize("number", [1, 2], ids=["its number", "its key"])
def test_one_that_clashes_fails_alone(house: House, ids: list[int], number: int) -> None:
    with house.app.app_context():
        house.app.extensions["companion.together"].write_all([Coming(entry(ids[3], 1, "k"))])
    clashing = entry(ids[3], number, "k" if number == 2 else "other")
    said = write_behind_a_lock(house, [entry(ids[0], 1, "k"), entry(ids[1], 1, "k"), clashing, entry(ids[2], 1, "k")])
    assert said == ["kept", "kept", "clash", "kept"]
    assert len(house.rows("SELECT * FROM entries")) == 4
