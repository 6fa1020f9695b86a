"""The bare databases: how many durable commits a second a single connection gets.

Run: .venv/bin/python -m benchmarks.sections.bare FOLDER SECONDS (SQLite alone; prints a number)
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from os import environ
from pathlib import Path

import psycopg

from benchmarks import servers
from benchmarks.ground import Ground, say, short, table
from benchmarks.machine import SERVER, on_cores

ROOT = Path(__file__).parents[2]
ENTRY = (7, "move", 1, 1, '{"move":"bid","seat":1,"tricks":3}', "2026-11-21T12:00:00.000Z")
COLUMNS = "number INTEGER PRIMARY KEY, of INTEGER, kind TEXT, seat INTEGER, by INTEGER, data TEXT, at TEXT"


def section(ground: Ground) -> str:
    """Commit as fast as it goes."""
    with on_cores(SERVER):
        lite = [sqlite(ground.fresh("bare"), ground.seconds) for _ in range(ground.times)]
        postgres = [_postgres(ground) for _ in range(ground.times)]
    rows = [
        ["SQLite, WAL, synchronous=FULL", short(sorted(lite)[len(lite) // 2])],
        ["PostgreSQL, one connection", short(sorted(postgres)[len(postgres) // 2])],
    ]
    return f"## The bare database\n\nOne entry a commit.\n\n{table(['database', 'durable commits/s'], rows)}"


def sqlite(folder: Path, seconds: float, more: Mapping[str, str] | None = None) -> float:
    """Commit to a file, in a process with these surroundings; commits a second."""
    command = [sys.executable, "-m", "benchmarks.sections.bare", str(folder), str(seconds)]
    said = subprocess.run(command, cwd=ROOT, env={**environ, **(more or {})}, capture_output=True, check=True)
    say(f"  SQLite: {float(said.stdout):.0f} commits/s")
    return float(said.stdout)


def _postgres(ground: Ground) -> float:
    with psycopg.connect(servers.empty(ground).address, autocommit=True) as connection:
        connection.execute(f"CREATE TABLE entries ({COLUMNS})")
        insert = "INSERT INTO entries VALUES (%s, %s, %s, %s, %s, %s, %s)"
        found = _commits(lambda number: connection.execute(insert, (number, *ENTRY)), ground.seconds)
    say(f"  PostgreSQL: {found:.0f} commits/s")
    return found


def _commits(commit: Callable[[int], object], seconds: float) -> float:
    number, began = 0, time.perf_counter()
    while (took := time.perf_counter() - began) < seconds:
        number += 1
        commit(number)
    return number / took


def main() -> None:
    """Commit to SQLite."""
    with closing(sqlite3.connect(Path(sys.argv[1]) / "bare.sqlite", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(f"CREATE TABLE entries ({COLUMNS})")
        insert = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)"
        print(_commits(lambda number: connection.execute(insert, (number, *ENTRY)), float(sys.argv[2])))


if __name__ == "__main__":
    main()
