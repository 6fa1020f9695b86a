"""Times are bounded where they come in, and survived where an older release has let them in."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion import record
from companion.intake import local, read_moment
from companion.record import RecordError
from tests.api.conftest import build, house, phone
from tests.house import EXAMPLE, a_record, bid
from tests.web.conftest import House, Phone

__all__ = ["build", "house", "phone"]

MakePhone = Callable[..., Phone]
EDGES = [
    "0001-01-01T00:00:00+14:00",
    "0001-01-01T00:30:00.000Z",
    "9999-12-31T23:59:59.999Z",
    "9999-12-31T23:59:59-12:00",
    "1899-12-31T23:59:59Z",
    "3000-01-01",
]


@pytest.fixture(params=["America/Los_Angeles", "Pacific/Kiritimati", "UTC"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let the companion run in a place far from Greenwich."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("text", [*EDGES, "", "noon", None, 5, ["2026-11-20"]])
def test_a_time_of_no_evening_is_none(text: object) -> None:
    with pytest.raises(ValueError, match=r"year|text|isoformat"):
        read_moment(text)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2026-11-20", "2026-11-20T00:00:00.000Z"),
        ("2026-11-20T20:00:00.123456-08:00", "2026-11-21T04:00:00.123Z"),
        ("1900-01-01T00:00:00+14:00", "1899-12-31T10:00:00.000Z"),
        ("2999-12-31T23:59:59.999Z", "2999-12-31T23:59:59.999Z"),
    ],
)
def test_a_time_is_read_as_the_log_writes_it(text: str, read: str) -> None:
    assert read_moment(text) == read


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize("text", EDGES)
def test_any_time_that_is_there_can_be_told(text: str) -> None:
    assert local(text).tzinfo is not None


@pytest.mark.parametrize("at", EDGES)
@pytest.mark.parametrize("place", ["moves[0].at", "opened", "closed"])
def test_a_record_of_another_age_is_refused_with_the_place(phone: MakePhone, place: str, at: str) -> None:
    data: dict[str, Any] = {**EXAMPLE, place: at} if "." not in place else a_record([{**bid(0, 1), "at": at}])
    with pytest.raises(RecordError) as error:
        record.read_data(data)
    assert (error.value.place, error.value.message) == (place, "Not a time (UTC, ISO 8601).")
    answer = phone().asks("/api/records", "POST", data=json.dumps(data), content_type="application/json")
    assert (answer.status_code, place in answer.get_json()["detail"]) == (400, True)
    answer = phone().posts("/book/import", {"record": json.dumps(data)})
    assert (answer.status_code, f"{place}: Not a time" in answer.text) == (422, True)


@pytest.mark.in_turn(of=3)
@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize("at", EDGES)
def test_a_table_of_another_age_breaks_nothing(house: House, phone: MakePhone, at: str) -> None:
    """As an older release has let it in."""
    host = phone()
    host.opens("rage")
    assert host.taps("bid", 0, tricks=1).status_code == 303
    house.writes("UPDATE entries SET at = ?", at)
    house.writes("UPDATE tables SET opened = ?", at)
    house.restart()
    for path in ("/", "/book", "/book/statistics", "/t/{code}/history", "/t/{code}/result", "/t/{code}/seats"):
        assert host.gets(path).status_code == 200, path
    for path in ("/api/tables/{code}/history", "/api/book", "/api/tables/{code}/record", "/book/files/plays.csv"):
        assert host.gets(path).status_code == 200, path
    assert host.taps("bid", 1, tricks=1).status_code == 303
