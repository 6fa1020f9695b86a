"""What a phone has here: a seat, a table, a group; and what it has entered."""

from __future__ import annotations

from sqlalchemy import exists, or_, select

from companion.log.rows import Entry, Member, Seating, Table, db


def has_anything(phone: str) -> bool:
    """Say whether anything here is a phone's; each is looked up by its index."""
    theirs = (Seating.phone == phone, Table.host == phone, Member.phone == phone)
    return bool(db.session.scalar(select(or_(*(exists().where(condition) for condition in theirs)))))


def has_entered(table: Table, sender: str) -> bool:
    """Say whether an entry of a table has a key that begins so."""
    theirs = (Entry.table_id == table.id) & Entry.key.startswith(sender, autoescape=True)
    return bool(db.session.scalar(select(exists().where(theirs))))
