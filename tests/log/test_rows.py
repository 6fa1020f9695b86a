"""What the rows say of themselves is what a database of today has, and what a new row begins with."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from companion.log.rows import Base, Seating, Table, Telling, db
from tests.databases import Lite
from tests.house import fresh_database

TABLE = {"code": "K7QX2M", "game": "rage", "options": {}, "host": "h", "opened": "2026-11-20T19:00:00.000"}


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a file by the migrations."""
    file = Lite(tmp_path_factory.mktemp("migrated")).file
    file.write_bytes(fresh_database())
    return file


def rows(file: Path, question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(question).fetchall()


def columns(file: Path, table: str) -> dict[str, tuple[object, ...]]:
    """Tell of each column its type with its length, whether it may be missing, and its place in the key."""
    return {
        name: (kind, *rest)
        for name, kind, *rest in rows(file, f"SELECT name, type, \"notnull\", pk FROM pragma_table_info('{table}')")
    }


def references(file: Path, table: str) -> set[tuple[object, ...]]:
    """Tell where columns lead, and what becomes of a row when what it belongs to goes."""
    return {*rows(file, f'SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list(\'{table}\')')}


def indexes(file: Path, table: str) -> set[tuple[object, ...]]:
    """Tell which columns are found quickly, and which hold nothing twice."""
    found = rows(file, f"SELECT name, \"unique\" FROM pragma_index_list('{table}')")
    return {
        (is_unique, *(row[0] for row in rows(file, f"SELECT name FROM pragma_index_info('{name}')")))
        for name, is_unique in found
    }


def counts_on(file: Path, table: str) -> bool:
    """Tell whether a number is never given twice."""
    return "AUTOINCREMENT" in rows(file, f"SELECT sql FROM sqlite_master WHERE name = '{table}'")[0][0]


@pytest.fixture(scope="module")
def as_said(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a file by what the rows say."""
    file = tmp_path_factory.mktemp("said") / "said.sqlite"
    engine = create_engine(f"sqlite:///{file}")
    Base.metadata.create_all(engine)
    engine.dispose()
    return file


@pytest.mark.parametrize("table", sorted(Base.metadata.tables))
@pytest.mark.parametrize("look", [columns, references, indexes, counts_on])
def test_the_migrations_make_what_the_rows_say(migrated: Path, as_said: Path, table: str, look: Any) -> None:
    assert look(migrated, table) == look(as_said, table)


@pytest.fixture
def session(migrated: Path) -> Iterator[Session]:
    engine = create_engine(f"sqlite:///{migrated}")
    with Session(engine) as session:
        yield session
    engine.dispose()


def test_a_table_begins_open_unnamed_and_without_a_result(session: Session) -> None:
    session.add(table := Table(**TABLE, seatings=[Seating(seat=0)]))
    session.flush()
    begins = "rules, is_locked, halt, is_taught, location, title, result IS NULL"
    assert session.execute(db.text(f"SELECT {begins} FROM tables")).one() == (1, 0, "", 0, "", "", 1)
    assert session.execute(db.text("SELECT name, has_left, figures IS NULL FROM seatings")).one() == ("", 0, 1)
    session.add(Telling(table_id=table.id, receiver="r", ended="", seen=""))
    session.flush()
    assert session.execute(db.text("SELECT tries FROM tellings")).one() == (0,)
