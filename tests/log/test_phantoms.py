"""The tables of phantoms: in nobody's book, and gone after a day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from companion import log
from companion.intake import written
from companion.log import groups
from companion.log.book import Book, Search, count
from tests.house import House


def lay(hours: float, **noted: Any) -> None:
    """Lay a table of phantoms, as it has lain here for so many hours."""
    opened = written(datetime.now(UTC) - timedelta(hours=hours))
    table = log.Table(code="AAAAAA", game="rage", options={}, host="phantoms", opened=opened, **noted)
    assert log.add(table)


@pytest.mark.parametrize(("hours", "is_there"), [(23, True), (25, False)])
def test_a_table_of_phantoms_stays_for_a_day_and_stands_in_no_book(house: House, hours: float, is_there: bool) -> None:
    with house.app.app_context():
        lay(hours)
        assert count(Book(), Search()) == count(Book("phantoms"), Search()) == 0
        log.forget_phantoms()
        assert (log.find("AAAAAA") is not None) == is_there


def test_a_table_of_phantoms_stands_in_no_group_s_book_where_it_was_put(house: House) -> None:
    with house.app.app_context():
        group = groups.found("Club", "host")
        lay(1, group_id=group.id)
        assert count(Book(group=group.id), Search()) == 0


def test_where_no_phantoms_are_old_nobody_waits_for_whoever_writes(house: House) -> None:
    house.impatient()
    with house.app.app_context():
        lay(1)
        with house.database.locked():
            log.forget_phantoms()
