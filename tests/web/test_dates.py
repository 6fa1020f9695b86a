"""Days and times as readers of a language write them; English is British."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from companion.desk import dates
from tests.web.conftest import House, Phone

AT = datetime(2026, 11, 13, 18, 5).astimezone()


@pytest.mark.parametrize(
    ("language", "medium", "long", "time"),
    [
        ("en", "13 Nov 2026", "13 November 2026", "18:05"),
        ("cs", "13. 11. 2026", "13. listopadu 2026", "18:05"),
        ("de", "13.11.2026", "13. November 2026", "18:05"),
        ("es", "13 nov 2026", "13 de noviembre de 2026", "18:05"),
        ("pl", "13 lis 2026", "13 listopada 2026", "18:05"),
    ],
)
def test_a_day_is_written_as_its_reader_does(house: House, language: str, medium: str, long: str, time: str) -> None:
    with house.app.test_request_context("/", headers={"Accept-Language": language}):
        assert dates.day(AT) == medium
        assert dates.day(AT, "long") == long
        assert dates.clock(AT.isoformat()) == time


def test_the_lobby_the_book_and_the_history_write_british_days(house: House, phone: Callable[..., Phone]) -> None:
    host = phone()
    host.opens()
    house.writes("UPDATE tables SET opened = ?", AT.isoformat())
    house.restart()
    for page in ("/", "/book"):
        assert "13 Nov 2026" in host.reads(page).text
