"""What is still to be told of games that have ended: noted once each, for a day, and sent by one server at a time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from companion import log
from companion.intake import written
from companion.log import tellings
from tests.house import House

AT = datetime(2026, 11, 20, 20, tzinfo=UTC)
DAY, MOMENT = timedelta(days=1), timedelta(milliseconds=1)


@pytest.fixture
def book(house: House) -> Iterator[House]:
    with house.app.app_context():
        yield house


def ended(code: str, at: datetime = AT) -> None:
    """Lay a table whose game has ended."""
    about = {"opened": written(at), "closed": written(at)}
    assert log.add(log.Table(code=code, game="rage", options={}, host="host", **about))


def noted(book: House) -> list[str]:
    return [code for (code,) in book.rows("SELECT code FROM tellings JOIN tables ON id = table_id ORDER BY code")]


def test_games_are_noted_beside_those_that_are_noted_already(book: House) -> None:
    """One that ended at the very same moment, too."""
    ended("AAAAAA")
    tellings.note("receiver", AT)
    ended("BBBBBB")
    ended("CCCCCC", AT + MOMENT)
    for _look in range(2):
        tellings.note("receiver", AT + DAY / 2)
        assert noted(book) == ["AAAAAA", "BBBBBB", "CCCCCC"]
    assert book.rows("SELECT DISTINCT tries FROM tellings") == [(0,)]


@pytest.mark.parametrize(("later", "found"), [(DAY, ["AAAAAA"]), (DAY + MOMENT, [])])
def test_what_has_ended_within_a_day_is_noted(book: House, later: timedelta, found: list[str]) -> None:
    ended("AAAAAA")
    tellings.note("receiver", AT + later)
    assert noted(book) == found


@pytest.mark.parametrize(("later", "is_last"), [(DAY, False), (DAY + MOMENT, True)])
def test_a_try_is_taken_on_by_one_server_and_the_last_one_is_within_a_day(
    book: House, later: timedelta, is_last: bool
) -> None:
    ended("AAAAAA")
    tellings.note("receiver", AT)
    untold = tellings.first_due("receiver", AT)
    assert untold is not None
    taken = tellings.take_on(untold, AT + later - tellings.FIRST_PAUSE)
    assert taken is not None
    assert (taken.tries, taken.due) == (1, None if is_last else written(AT + later))
    assert tellings.take_on(untold, AT) is None
