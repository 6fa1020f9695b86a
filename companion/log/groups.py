"""Groups: people who keep a book of their evenings together, and the key that lets a phone into it; no accounts."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError

from companion import log
from companion.errors import NoSuchGroup, NotSaved, NotThere
from companion.log import makings
from companion.log.codes import fresh_code, is_code, read_code
from companion.log.database import writing
from companion.log.makings import Post
from companion.log.names import clean_note
from companion.log.rows import Group, Member, db

KEY_LENGTH = 12
"""60 bits: who has the key, reads the book."""


def found(name: str, phone: str, post: Post | None = None) -> Group:
    """Found a group; the phone is its first member.

    Args:
        name: of the group.
        phone: hashed.
        post: what asks for it; one that was heard already is given its group again.

    Raises:
        BadNote, KeyReused, NotSaved.
    """
    said = clean_note(name, fewest=1)
    for _ in range(log.TRIES):
        if earlier := makings.made_group(post):
            return earlier
        group = Group(key=fresh_code(KEY_LENGTH), name=said, made=log.now())
        try:
            with writing():
                db.session.add(group)
                db.session.flush()
                db.session.add(Member(group_id=group.id, phone=phone))
                makings.note(post, group=group)
        except IntegrityError:
            continue
        return group
    raise NotSaved


def with_key(key: str) -> Group:
    """Find the group with a key, however it was typed. Raises: NoSuchGroup."""
    said = read_code(key)
    group = db.session.scalar(select(Group).where(Group.key == said)) if is_code(said, KEY_LENGTH) else None
    if group is None:
        raise NoSuchGroup
    return group


def groups_of(phone: str) -> Sequence[Group]:
    """List the groups of a phone, by name."""
    mine = select(Group).join(Member).where(Member.phone == phone)
    return db.session.scalars(mine.order_by(func.lower(Group.name), Group.id)).all()


def group_of(phone: str, group_id: int) -> Group:
    """Find a group of a phone. Raises: NotThere: there is none, or it is not in it."""
    group = next((group for group in groups_of(phone) if group.id == group_id), None)
    if group is None:
        raise NotThere
    return group


def phones(group: Group) -> int:
    """Count the phones in a group."""
    return db.session.scalar(select(func.count()).select_from(Member).where(Member.group_id == group.id)) or 0


def join(group: Group, phone: str) -> None:
    """Let a phone into a group; once more does no harm. Raises: NotSaved."""
    group_id = group.id
    try:
        with writing():
            db.session.add(Member(group_id=group_id, phone=phone))
    except IntegrityError:
        return


def leave(group: Group, phone: str) -> None:
    """Let a phone leave; the book stays, for whoever has the key. Raises: NotSaved."""
    group_id = group.id
    with writing():
        db.session.execute(delete(Member).where(Member.group_id == group_id, Member.phone == phone))


def change_key(group: Group) -> None:
    """Give a group a new key: the old one lets nobody in any more. Raises: NotSaved."""
    with writing():
        group.key = fresh_code(KEY_LENGTH)
