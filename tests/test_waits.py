"""What people wait for grows neither with the years nor with an evening: counted, because time is no measure here.

And nothing is loaded at the start that the first page does without.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import event, insert, select, text, update

from companion import log
from companion.log.book import Book, Search, count, evenings, newest
from companion.log.rows import Entry, Seating, Table, db
from companion.tables.seating import hashed
from tests.databases import Lite, Postgres
from tests.house import House, bid, environment, secret

ROOT = Path(__file__).parents[1]
FEW, MANY = 100, 10_000
PHONES = ("ann", "bo", "cy")
SEATED = 0.1
"""So many of the seats have a phone."""
HOST = hashed(secret("host"))
ENTERED: tuple[dict[str, Any], ...] = (
    {"kind": "take_back", "seat": None, "data": {}},
    {"kind": "move", "seat": 0, "data": bid(0, 3)},
)
FILL = """
WITH RECURSIVE place(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM place WHERE n < :last)
"""
TABLES = """
INSERT INTO tables (id, code, game, rules, options, host, is_locked, opened, location, title)
{fill} SELECT 1000 + n, CAST(100000 + n AS VARCHAR), 'rage', 1, '{{}}', :host, FALSE,
    '20' || (10 + n / 900) || '-01-01T20:00:00.' || (100 + n % 900) || 'Z', '', '' FROM place WHERE n > :first
"""
SEATS = """
INSERT INTO seatings (table_id, seat, name, phone)
{fill} SELECT 1000 + n, {seat}, 'Player {seat}', {phone} FROM place WHERE n > :first
"""


LATER = {
    *("alembic", "flask_migrate", "mako", "psycopg", "sqlalchemy.dialects.postgresql"),  # nothing to migrate, SQLite
    *("cryptography", "redis"),  # no secure door, one worker
    *("weasyprint", "pypdfium2", "companion.printing.__main__"),  # a process of their own
    *("PIL", "qrcode"),  # no code is drawn
}
"""What the first page does without."""
FIRST_PAGE = """
import json, sys
from companion.server import app
client = app.app().test_client()
assert client.get("/", base_url="http://127.0.0.1").status_code == 200
print(json.dumps(sorted(sys.modules)))
"""
NEVER = {"alembic", "apispec", "babel", "flask", "flask_smorest", "jinja2", "marshmallow", "sqlalchemy", "werkzeug"}
"""What is loaded by the workers alone."""
BEFORE_THE_WORKERS = """
import json, sys
import companion.commands.serve, companion.server.start, companion.server.gunicorn_worker
print(json.dumps(sorted(sys.modules)))
"""


@dataclass
class Work:
    """What a page lets the database do."""

    statements: list[str] = field(default_factory=list)
    rows: int = 0
    """Those that PostgreSQL has looked at; of SQLite, the steps of its machine, which are some for each row."""


def lay(house: House, first: int, last: int) -> None:
    """Open further tables of one host, who has a seat at each; years of them."""
    values = {"first": first, "last": last, "host": HOST}
    with house.app.app_context():
        db.session.execute(text(TABLES.format(fill=FILL)), values)
        for seat in range(4):
            phone = ":host" if seat == 0 else "NULL"
            db.session.execute(text(SEATS.format(fill=FILL, seat=seat, phone=phone)), values)
        db.session.commit()
    known(house)


def write(house: House, code: str, last: int) -> None:
    """Write a log on: a bid is taken back and made again, time after time; most was entered by the host."""
    with house.app.app_context():
        table = log.find(code)
        assert table
        first = len(log.entries(table))
        about = {"table_id": table.id, "by": None, "at": log.now()}
        rows = [
            {**about, **ENTERED[place % 2], "number": place, "key": f"k{place}"} for place in range(first + 1, last + 1)
        ]
        db.session.execute(insert(Entry), rows)
        db.session.commit()
    known(house)


def known(house: House) -> None:
    """Let the database know how much it holds, as it does by itself sooner or later."""
    with house.app.app_context():
        db.session.execute(text("ANALYZE"))
        db.session.commit()
    house.close()


@contextmanager
def watched(house: House) -> Iterator[Work]:
    """Watch what the database does."""
    work = Work()
    asked: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_more: Any) -> None:
        asked.append((statement, values))

    with house.app.app_context():
        engine = db.engine
    engine.dispose()
    steps = _steps(engine) if isinstance(house.database, Lite) else None
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield work
    finally:
        event.remove(engine, "before_cursor_execute", note)
    work.statements = [statement for statement, _values in asked]
    work.rows = len(steps) if steps is not None else sum(_looked_at(house.database, *each) for each in asked)


def _steps(engine: Any) -> list[None]:
    """Count the steps of SQLite's machine on every new connection."""
    steps: list[None] = []

    @event.listens_for(engine, "connect")
    def connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.set_progress_handler(lambda: steps.append(None), 1)

    return steps


def _looked_at(database: Any, statement: str, values: Any) -> int:
    """Ask PostgreSQL at how many rows it looks for a statement."""
    assert isinstance(database, Postgres)
    with database._connected() as connection:
        ((said,),) = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", values).fetchall()
    return sum(_rows(step["Plan"]) for step in said)


def _rows(plan: dict[str, Any]) -> int:
    own = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0) if "Relation Name" in plan else 0
    return int(own * plan["Actual Loops"]) + sum(_rows(part) for part in plan.get("Plans", ()))


def work_of(house: House, path: str, phone: str = "host") -> Work:
    """Fetch a page for the second time, and tell what the database had to do for it."""
    page(house, path, phone)
    with watched(house) as work:
        page(house, path, phone)
    return work


def page(house: House, path: str, phone: str = "host") -> str:
    client = house.app.test_client()
    client.set_cookie("phone", secret(phone), domain="127.0.0.1")
    answer = client.get(path, base_url="http://127.0.0.1")
    assert answer.status_code == 200, answer.text
    return answer.text


@pytest.mark.on_both
def test_the_lobby_of_a_host_of_many_tables_costs_no_more_than_that_of_a_few(house: House) -> None:
    pages = ("/", "/open/rage")
    lay(house, 0, FEW)
    few = [work_of(house, path) for path in pages]
    lay(house, FEW, MANY)
    many = [work_of(house, path) for path in pages]
    assert [work.statements for work in many] == [work.statements for work in few]
    assert all(0 < later.rows <= early.rows for later, early in zip(many, few, strict=True)), [few, many]


@pytest.mark.on_both
def test_the_newest_tables_are_those_of_the_book_wherever_a_phone_sat_often(house: House) -> None:
    lay(house, 0, FEW)
    with house.app.app_context():
        db.session.execute(update(Seating).where(Seating.seat == 1).values(phone=hashed(secret("bo"))))
        db.session.commit()
        for phone in ("host", "bo"):
            assert same_newest(phone) == FEW
    house.close()


@pytest.mark.on_both
def test_the_newest_tables_are_those_of_the_book_whoever_opened_them_and_whenever_they_were_played(
    house: House,
) -> None:
    rng = Random(19)
    lay(house, 0, FEW)
    with house.app.app_context():
        for table in db.session.scalars(select(Table)):
            table.host = hashed(secret(rng.choice(PHONES)))
            table.opened = f"20{rng.randint(10, 26)}-01-01T20:00:00.000Z"
            for seating in table.seatings:
                seating.phone = hashed(secret(rng.choice(PHONES))) if rng.random() < SEATED else None
        db.session.commit()
        assert all(same_newest(phone) > 1 for phone in PHONES)
        assert same_newest("stranger") == 0
    house.close()


@pytest.mark.on_both
def test_a_page_of_a_long_history_costs_no_more_than_one_of_a_short_one(house: House) -> None:
    code = house.open()
    pages = [f"/t/{code}/history", f"/t/{code}/history?to={FEW}", f"/api/tables/{code}/history"]
    write(house, code, 3 * FEW)
    few = [work_of(house, path) for path in pages]
    write(house, code, MANY)
    many = [work_of(house, path) for path in pages]
    assert [work.statements for work in many] == [work.statements for work in few]
    assert all(0 < later.rows <= early.rows for later, early in zip(many, few, strict=True)), [few, many]


def same_newest(phone: str) -> int:
    """Compare the newest tables of a phone with its book, and tell how many there are."""
    own = hashed(secret(phone))
    for most in (1, 7, 20):
        assert newest(own, most) == evenings(Book(own), Search(), most, 1), (phone, most)
    return count(Book(own), Search())


def loaded(house: House, code: str) -> set[str]:
    """Run code in a process of its own, and tell which modules it has loaded, of those that are named above."""
    surroundings = environment(house.folder, COMPANION_DATABASE=house.database.address)
    said = subprocess.run([sys.executable, "-c", code], env=surroundings, capture_output=True, check=True).stdout
    modules = set(json.loads(said))
    return {name for name in LATER | NEVER if any(f"{module}.".startswith(f"{name}.") for module in modules)}


def test_the_first_page_loads_nothing_that_it_does_without(house: House) -> None:
    found = loaded(house, FIRST_PAGE)
    assert {"flask", "sqlalchemy"} <= found, "or it was not looked at"
    assert not found & LATER


def test_nothing_of_the_app_is_loaded_before_the_worker_does(house: House) -> None:
    assert loaded(house, BEFORE_THE_WORKERS) == set()


def test_a_tree_is_compiled_once_even_where_nobody_may_write_it_down_later(tmp_path: Path) -> None:
    for folder in ("bin", "companion", ".venv/bin"):
        (tmp_path / folder).mkdir(parents=True)
    shutil.copy(ROOT / "bin" / "setup.sh", tmp_path / "bin")
    (tmp_path / ".venv" / "bin" / "python").symlink_to(sys.executable)
    module = tmp_path / "companion" / "game.py"
    module.write_text("x = 1\n")
    compiled = tmp_path / "companion" / "__pycache__" / f"game.{sys.implementation.cache_tag}.pyc"

    def set_up() -> bool:
        """Compile what is due, and tell whether something was."""
        compiled.unlink(missing_ok=True)
        script = f'set -eu; root="{tmp_path}"; . "$root/bin/setup.sh"; compile'
        surroundings = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run(["sh", "-c", script], env=surroundings, check=True)
        return compiled.exists()

    assert [set_up(), set_up()] == [True, False]
    module.write_text("x = 2\n")
    assert [set_up(), set_up()] == [True, False]
