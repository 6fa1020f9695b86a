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
"""So many are kept, of all tables, and up to `EVERY` more."""
EVERY = 100
"""After so many the oldest are let go of: two servers that do so at once are in each other's way."""


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
        if newest % EVERY == 0:
            connection.execute(delete(Declined).where(Declined.id <= newest - MOST))
