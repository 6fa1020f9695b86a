"""The book of evenings: the tables of a phone or of a group, searched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select, true, tuple_, union

from companion.log.rows import PHANTOMS, Entry, Seating, Table, db

AT_ONCE = 100
"""As many tables are read at once where all of a book are gone through."""
LATEST = 30
"""As many of a phone's latest seats are looked at for its newest tables. Seats stand in the order in which their tables
came here; only a record that was brought later than it was played is older than its place says."""

NEWEST_FIRST = Table.opened.desc(), Table.id.desc()


@dataclass(frozen=True, slots=True)
class Book:
    """Whose evenings."""

    phone: str | None = None
    """The phone whose evenings they are, hashed: those where it is the host or has a seat."""
    group: int | None = None
    """The group whose they are instead; without either, they are everybody's."""


@dataclass(frozen=True, slots=True)
class Search:
    """Which evenings of a book; what is left empty does not matter."""

    player: str = ""
    """A part of a name, in any case."""
    game: str = ""
    since: str = ""
    """UTC, ISO 8601, and so is `until`, which is not among them any more."""
    until: str = ""

    def __bool__(self) -> bool:
        """Whether anything is looked for."""
        return any(getattr(self, field.name) for field in fields(self))


def condition(book: Book, search: Search) -> ColumnElement[bool]:
    """Give the condition that a table stands in a book and is looked for; those of phantoms stand in none."""
    conditions = [_within(book)]
    if search.player:
        # The database makes both small: Python has other small letters for a few.
        player = func.lower(re.sub("([/%_])", r"/\1", search.player))
        name = func.lower(Seating.name).contains(player, escape="/")
        conditions.append(exists().where(Seating.table_id == Table.id, name))
    if search.game:
        conditions.append(Table.game == search.game)
    if search.since:
        conditions.append(Table.opened >= search.since)
    if search.until:
        conditions.append(Table.opened < search.until)
    return and_(*conditions)


def _within(book: Book) -> ColumnElement[bool]:
    conditions = [Table.host != PHANTOMS]
    if book.group is not None:
        conditions.append(Table.group_id == book.group)
    elif book.phone is not None:
        seated = select(Seating.table_id).where(Seating.phone == book.phone)
        conditions.append(or_(Table.host == book.phone, Table.id.in_(seated)))
    return and_(*conditions)


def evenings(book: Book, search: Search, most: int, page: int) -> Sequence[Table]:
    """List a page (from 1) of the tables, the newest first."""
    return _read(_wanted(book, search).limit(most).offset((page - 1) * most))


def _wanted(book: Book, search: Search) -> Select[int]:
    return select(Table.id).where(condition(book, search)).order_by(*NEWEST_FIRST)


def _read(wanted: Select[int]) -> Sequence[Table]:
    """Read tables: first which they are, then what stands there, for the results of all need not be put in order."""
    return db.session.scalars(select(Table).where(Table.id.in_(wanted)).order_by(*NEWEST_FIRST)).all()


def newest(phone: str, most: int) -> Sequence[Table]:
    """List the newest tables of a phone, as `evenings` does; a long book costs no more than a short one.

    For that the indices have an order: tables of a host that of the evenings, seats of a phone that of the tables.
    """
    hosted = select(Table.id).where(Table.host == phone).order_by(*NEWEST_FIRST).limit(most).subquery()
    latest = select(Seating.table_id).where(Seating.phone == phone).order_by(Seating.table_id.desc())
    seated = latest.limit(max(most, LATEST)).subquery()
    either = union(select(hosted.c.id), select(seated.c.table_id))
    known = select(Table).where(Table.id.in_(either), Table.host != PHANTOMS)
    return db.session.scalars(known.order_by(*NEWEST_FIRST).limit(most)).all()


def count(book: Book, search: Search) -> int:
    """Count the tables."""
    return db.session.scalar(select(func.count()).select_from(Table).where(condition(book, search))) or 0


def all_evenings(book: Book, search: Search) -> Iterator[Table]:
    """Go through all the tables, the newest first; few are in memory at a time, and one that comes moves none."""
    wanted = _wanted(book, search).limit(AT_ONCE)
    found = _read(wanted)
    while found:
        last = tuple_(Table.opened, Table.id) < (found[-1].opened, found[-1].id)
        yield from found
        db.session.expunge_all()
        found = _read(wanted.where(last))


def players(book: Book) -> Sequence[str]:
    """List the names in a book, in the order of the alphabet."""
    names = select(Seating.name).join(Table).where(_within(book), Seating.name != "").distinct()
    return db.session.scalars(names.order_by(Seating.name)).all()


def hosted(phone: str) -> Sequence[tuple[str, int]]:
    """List the names at the tables that a phone is the host of, and at how many seats each stands."""
    names = select(Seating.name, func.count()).join(Table).where(Table.host == phone, Seating.name != "")
    return [(name, count) for name, count in db.session.execute(names.group_by(Seating.name).order_by(Seating.name))]


def called(name: str, since: str, host: str | None = None) -> Sequence[tuple[str, int]]:
    """List the tables of a host, or all, with their seats that have a name, where anything happened since a time."""
    is_lately = or_(Table.opened >= since, exists().where(Entry.table_id == Table.id, Entry.at >= since))
    theirs = Table.host == host if host else true()
    named = select(Table.code, Seating.seat).join(Seating).where(theirs, Seating.name == name, is_lately)
    return [(code, seat) for code, seat in db.session.execute(named.order_by(Table.id, Seating.seat))]
