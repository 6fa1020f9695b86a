"""Posts that make something new, a table or a group: however often one comes, it makes one thing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import select

from companion.errors import KeyReused
from companion.log.database import ensure
from companion.log.rows import Group, Making, Table, db


@dataclass(frozen=True, slots=True)
class Post:
    """What tells a post from every other one; neither its key nor what it asks for can be read from it."""

    key: str
    """Of whoever sends it: the same key of another one is another key."""
    asked: str
    """Of what it asks for: the same key with something else is refused."""


def post(who: str, key: str, what: bytes) -> Post:
    """Give a post that carries a key.

    Args:
        who: the phone or program that sends it, hashed.
        key: as it was sent.
        what: what it asks for, as it was sent.
    """
    own = sha256(json.dumps([who, key]).encode())
    return Post(own.hexdigest(), sha256(own.digest() + what).hexdigest())


def made_table(post: Post | None) -> Table | None:
    """Find the table that a post has made already. Raises: KeyReused, NotSaved."""
    made = _made(post)
    return db.session.get(Table, made.table_id) if made and made.table_id else None


def made_group(post: Post | None) -> Group | None:
    """Find the group that a post has made already. Raises: KeyReused, NotSaved."""
    made = _made(post)
    return db.session.get(Group, made.group_id) if made and made.group_id else None


def note(post: Post | None, table: Table | None = None, group: Group | None = None) -> None:
    """Note, in the transaction that makes something, which post asks for it."""
    if post:
        made = {"table_id": table.id if table else None, "group_id": group.id if group else None}
        db.session.add(Making(key=post.key, asked=post.asked, **made))


def _made(post: Post | None) -> Making | None:
    made = db.session.scalar(select(Making).where(Making.key == post.key)) if post else None
    if post and made and made.asked != post.asked:
        raise KeyReused
    if made:
        ensure()
    return made
