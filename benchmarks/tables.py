"""Many tables, with logs as long as one likes, by one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, select

from companion import log
from companion.log.codes import CROCKFORD
from companion.log.database import writing
from companion.log.rows import Entry, Seating, Table, db
from companion.tables.seating import hashed
from tests.house import FOUR, House, secret

PHONES = 4
MOVERS = 3
"""Three of the four change their sealed bids in turn; the fourth never bids, so that the game goes on for ever."""


@dataclass(frozen=True)
class Opened:
    """A table at which four phones sit."""

    code: str
    number: int
    """Of its newest entry."""
    tokens: tuple[str, ...]


def open_tables(house: House, count: int, entries: int = 0) -> list[Opened]:
    """Open tables of Rage, with so many moves in each log."""
    first = house.open(FOUR, phones={seat: phone(0, seat) for seat in range(PHONES)}, bidding="hidden")
    codes = [first, *("".join(CROCKFORD[number // 32**place % 32] for place in range(6)) for number in range(1, count))]
    number = house.read(first).number
    with house.app.app_context():
        model = log.find(first)
        assert model
        kinds = (Table, Table.id), (Seating, Seating.table_id), (Entry, Entry.table_id)
        rows = {
            kind: db.session.execute(select(kind.__table__).where(own == model.id)).mappings().all()
            for kind, own in kinds
        }
        with writing():
            for place, code in enumerate(codes):
                if place:
                    _copy(rows, model.id + place, code, place)
                if entries:
                    db.session.execute(insert(Entry), list(_moves(model.id + place, number, entries)))
    return [
        Opened(code, number + entries, tuple(secret(phone(place, seat)) for seat in range(PHONES)))
        for place, code in enumerate(codes)
    ]


def phone(table: int, seat: int) -> str:
    """Name a phone."""
    return f"p{seat}.t{table}"


def _copy(rows: Mapping[Any, Any], own: int, code: str, place: int) -> None:
    """Open a table as the first one was opened, with phones of its own."""
    db.session.execute(insert(Table), [{**row, "id": own, "code": code} for row in rows[Table]])
    seated = [{**row, "table_id": own, "phone": hashed(secret(phone(place, row["seat"])))} for row in rows[Seating]]
    db.session.execute(insert(Seating), seated)
    db.session.execute(insert(Entry), [{**row, "table_id": own} for row in rows[Entry]])


def _moves(own: int, number: int, count: int) -> Any:
    """Write moves as the referee would have entered them."""
    at = log.now()
    for done in range(count):
        seat = done % MOVERS
        data = {"move": "bid", "seat": seat, "tricks": done % 11}
        yield {
            "table_id": own, "number": number + done + 1, "kind": "move", "seat": seat, "by": seat, "data": data,
            "key": f"filled.{done}", "at": at,
        }  # fmt: skip
