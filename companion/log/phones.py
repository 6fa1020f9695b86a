"""What a phone has here: a seat, a table, a group."""

from __future__ import annotations

from sqlalchemy import exists, or_, select

from companion.log.rows import Member, Seating, Table, db


def has_anything(phone: str) -> bool:
    """Say whether anything here is a phone's; each is looked up by its index."""
    theirs = (Seating.phone == phone, Table.host == phone, Member.phone == phone)
    return bool(db.session.scalar(select(or_(*(exists().where(condition) for condition in theirs)))))
