"""The tables of phantoms: in nobody's book, and deleted when they are old."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, select

from companion.intake import written
from companion.log.database import writing
from companion.log.rows import PHANTOMS, Table, db

KEPT = timedelta(days=1)
"""So long they are kept."""


def forget_phantoms() -> None:
    """Delete the tables of phantoms that are a day old. Raises: NotSaved."""
    old = select(Table.code).where(Table.host == PHANTOMS, Table.opened < written(datetime.now(UTC) - KEPT))
    forget_tables(db.session.scalars(old).all())


def forget_tables(codes: Sequence[str]) -> None:
    """Delete tables of phantoms with their logs. Raises: NotSaved."""
    if codes:
        with writing():
            db.session.execute(delete(Table).where(Table.host == PHANTOMS, Table.code.in_(codes)))
