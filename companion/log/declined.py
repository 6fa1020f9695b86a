"""Posts that were answered without an entry: who was told no, or that it is so already, is not to find it entered.

A post may come twice, and late. What has made an entry is found by its key in the log; of the rest the newest are kept
here, for as long as a copy may be on its way.
"""

from __future__ import annotations

from contextlib import suppress

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from companion.log.database import let_go, writing_rows
from companion.log.rows import Declined, Table, db

MOST = 20_000
"""So many are kept, of all tables."""


def was_declined(table: Table, key: str) -> bool:
    """Say whether a post was answered without an entry."""
    mine = select(Declined.id).where(Declined.table_id == table.id, Declined.key == key)
    return db.session.scalar(mine) is not None


def decline(table: Table, key: str) -> None:
    """Keep that a post is answered without an entry. Raises: NotSaved."""
    if was_declined(table, key):
        return
    let_go()
    row = insert(Declined).values(table_id=table.id, key=key)
    with suppress(IntegrityError), writing_rows() as connection:  # a copy was quicker, or the table is gone
        newest = connection.execute(row.returning(Declined.id)).scalar_one()
        connection.execute(delete(Declined).where(Declined.id <= newest - MOST))
