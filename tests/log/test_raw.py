"""A log that nobody here can judge is read as it was entered."""

from __future__ import annotations

from typing import Any

from companion import log
from companion.log import raw
from companion.log.rows import db
from tests.house import House, bid


def test_a_start_that_was_amended_puts_its_moves_where_they_count(house: House) -> None:
    """Two have changed places, the first bid is theirs, the second one was never made; nor is it when it is amended."""
    code, at = house.open(), "2026-11-20T20:00:00.000Z"
    entered: list[tuple[str, dict[str, Any]]] = [
        ("move", bid(0, 1)),
        ("move", bid(1, 2)),
        ("start", {
            "was": {}, "options": {}, "moved": [1, 0, 2, 3],
            "moves": [{"number": 1, "move": bid(1, 1)}], "later": [{"number": 2, "move": None}],
        }),
        ("amend", {"number": 2, "move": bid(1, 3)}),
    ]  # fmt: skip
    with house.asks(code, "host") as asker:
        for number, (kind, data) in enumerate(entered, start=1):
            about = {"number": number, "kind": kind, "by": 0, "data": data, "key": str(number), "at": at}
            db.session.add(log.Entry(table_id=asker.table.id, **about))
        db.session.flush()
        assert raw.record(asker.table)["moves"] == [{**bid(1, 1), "at": at, "by": 1}]
