"""Posts that were answered without an entry, at the real bounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import Connection

from companion.log.declined import decline, was_declined
from companion.log.rows import Table, db
from companion.tables.seating import find_table
from tests.house import House

FILL = text(
    "INSERT INTO declined (table_id, key) "
    "WITH RECURSIVE places (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM places WHERE n < :many) "
    "SELECT :table_id, 'old ' || n FROM places"
)


@pytest.fixture
def table(house: House) -> Iterator[Table]:
    """A table, read by the session of a request."""
    with house.app.app_context():
        yield find_table(house.open())


@contextmanager
def connections() -> Iterator[list[int]]:
    """Note at each transaction that writes how many connections are in use."""
    used: list[int] = []

    def begun(connection: Connection) -> None:
        if connection.get_execution_options().get("is_writing"):
            used.append(db.engine.pool.checkedout())  # type: ignore[attr-defined]

    event.listen(db.engine, "begin", begun)
    yield used
    event.remove(db.engine, "begin", begun)


def kept() -> int:
    many = db.session.scalar(text("SELECT count(*) FROM declined"))
    db.session.rollback()
    return int(many)


def test_at_each_hundredth_all_but_twenty_thousand_are_let_go_of(table: Table) -> None:
    db.session.execute(FILL, {"table_id": table.id, "many": 20_098})
    db.session.commit()
    decline(table, "one")
    assert kept() == 20_099
    decline(table, "another")
    assert kept() == 20_000
    assert [was_declined(table, key) for key in ("old 100", "old 101", "one", "another")] == [False, True, True, True]


def test_who_keeps_one_holds_no_other_connection_meanwhile_and_a_copy_writes_nothing(table: Table) -> None:
    assert not was_declined(table, "one")
    assert db.session().in_transaction()
    with connections() as used:
        decline(table, "one")
        decline(table, "one")
    assert used == [1]
    assert kept() == 1
