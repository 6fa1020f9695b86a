"""The log: every table's entries, append-only; the only room that knows SQLAlchemy.

A table is read by `reader.py`, which folds its play from its entries (`folding.py`) onto what memory keeps
(`readings.py`), and changes by one door alone (`door.py`), which writes what comes at once together (`together.py`).
"""

from __future__ import annotations

from contextlib import suppress

from flask import Flask
from sqlalchemy import ColumnElement, and_, or_, select

from companion.games import GAMES
from companion.log import database
from companion.log.clock import CLOCK
from companion.log.database import check, in_words, is_near, is_ready, place, rest, writing
from companion.log.door import (
    TRIES,
    Now,
    Tell,
    Wish,
    Yes,
    add,
    append,
    consider,
    enter,
    enter_all,
    enter_at_once,
    open_table,
)
from companion.log.folding import RESUMED, after, amended, as_ruled, begun_again, changes, game_of, move_of, start
from companion.log.makings import Post
from companion.log.migrating import migrate
from companion.log.phantoms import forget_phantoms, forget_tables
from companion.log.phones import has_anything, has_entered
from companion.log.reader import (
    about,
    close,
    entries,
    entries_with_plays,
    entry_with_key,
    find,
    fold,
    kinds,
    newest,
    now,
    read,
    read_at,
    record_of,
    rule_again,
)
from companion.log.readings import MOST, Changes, Reading, Readings, remembered
from companion.log.rows import EVERYBODY, PHANTOMS, Entry, Seating, Table, db
from companion.log.stumbles import Stumbled, fault_of
from companion.log.together import Clash, Together
from companion.log.unruled import UNRULED

__all__ = [
    "CLOCK",
    "EVERYBODY",
    "PHANTOMS",
    "RESUMED",
    "TRIES",
    "Changes",
    "Clash",
    "Entry",
    "Now",
    "Post",
    "Reading",
    "Readings",
    "Seating",
    "Stumbled",
    "Table",
    "Tell",
    "Wish",
    "Yes",
    "about",
    "add",
    "after",
    "amended",
    "append",
    "as_ruled",
    "begun_again",
    "changes",
    "check",
    "close",
    "consider",
    "count_all",
    "enter",
    "enter_all",
    "enter_at_once",
    "entries",
    "entries_with_plays",
    "entry_with_key",
    "fault_of",
    "find",
    "fold",
    "forget_phantoms",
    "forget_tables",
    "game_of",
    "has_anything",
    "has_entered",
    "init_app",
    "is_near",
    "is_ready",
    "kinds",
    "migrate",
    "move_of",
    "newest",
    "now",
    "open_table",
    "place",
    "read",
    "read_at",
    "record_of",
    "remembered",
    "rest",
    "rule_again",
    "start",
    "upgrade",
    "writing",
]


def upgrade() -> None:
    """Bring the database to the newest schema, or make it, and count what is not counted. Raises: StartError."""
    migrate()
    with in_words():
        count_all()


def count_all() -> None:
    """Count what an older release did not count of finished tables; what it did count stays. Raises: NotSaved."""
    seats = select(Seating.table_id).join(Table, Table.id == Seating.table_id).where(_uncounted())
    for code in db.session.scalars(select(Table.code).where(Table.id.in_(seats))).all():
        # Where the rules of today do not take the log, the rest stays uncounted.
        with suppress(*UNRULED), writing():
            if table := find(code):
                with as_ruled(table):
                    counted = fold(table).figures()
                    figures = [{**counted[one.seat], **(one.figures or {})} for one in table.seatings]
                for seating in table.seatings:
                    seating.figures = figures[seating.seat]
    rest()


def _uncounted() -> ColumnElement[bool]:
    """Choose the finished tables of which some figures are missing."""
    missing = [
        and_(Table.game == game.key, *(Seating.figures[bar.figure].as_string().is_(None) for bar in statistic.bars))
        for game in GAMES.values()
        for statistic in game.statistics
        if statistic.is_of_all
    ]
    is_known = and_(Table.game.in_(list(GAMES)), Seating.rank.is_not(None))
    return and_(is_known, or_(Seating.figures.is_(None), *missing))


def init_app(app: Flask, told: Tell) -> None:
    """Give an app its database, its readings, the way in which it writes, and whom it tells of every entry."""
    app.extensions |= {"companion.told": told, "companion.foretold": lambda _table, _reading: None}
    app.extensions["companion.readings"] = Readings(max(MOST, app.config["COMPANION"].streams))
    app.extensions["companion.together"] = Together()
    database.init_app(app)
