"""What the statistics cost over ten thousand evenings, in a real SQLite file: each query, and each whole page.

Run: .venv/bin/python -m benchmarks.evenings (half a minute)
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from flask import Flask
from sqlalchemy import event, insert

from companion import create_app, log
from companion.desk.phone import signed
from companion.games import GAMES
from companion.intake import written
from companion.log import book, statistics
from companion.log.book import Book, Search
from companion.log.codes import CROCKFORD
from companion.log.rows import Seating, Table, db
from companion.play import Play
from companion.record import result
from companion.settings import Settings
from companion.tables.seating import hashed
from companion.testing import kit

TABLES, NAMES, OF_A_GAME, WARM = 10_000, 60, 30, 25
SECRET = signed("a" * 32, b"s" * 32)
PHONE = hashed(SECRET)
FIRST = datetime(2023, 1, 1, 20, tzinfo=UTC)


def main() -> None:
    """Print the tables as Markdown."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    plays = {key: list(finished_plays(key)) for key in GAMES}
    print("| book | what | rows | p50 ms | p95 ms |\n|---|---|---|---|---|")
    for games in (list(GAMES), *([key] for key in GAMES)):
        with tempfile.TemporaryDirectory() as folder:
            app = a_book(Path(folder), {key: plays[key] for key in games}, TABLES)
            _measured(app, "all games" if len(games) > 1 else GAMES[games[0]].name)


def _measured(app: Flask, name: str) -> None:
    mine, every = Book(PHONE), Search()
    with app.app_context():
        seats = db.session.query(Seating).count()
        queries: dict[str, Callable[[], Any]] = {
            "all that was played": lambda: statistics.played(mine, every),
            "names": lambda: book.players(mine),
            "one against all": lambda: statistics.meetings(mine, every, name_of(1)),
            "one against one": lambda: statistics.meetings(mine, every, name_of(1), name_of(2)),
        }
        for what, query in queries.items():
            _row(name, what, seats, query)
        if "--plans" in sys.argv:
            _plans(queries)
    for path in ("/book/statistics", f"/book/statistics?player={name_of(1)}"):
        client = app.test_client()
        client.set_cookie("phone", SECRET)

        def page(client: Any = client, path: str = path) -> None:
            assert client.get(path).status_code == 200  # noqa: PLR2004

        _row(name, f"page {path}", seats, page)


def _row(name: str, what: str, seats: int, do: Callable[[], Any]) -> None:
    do()
    times = []
    for _ in range(WARM):
        started = time.perf_counter()
        do()
        times.append(1000 * (time.perf_counter() - started))
    print(f"| {name} | {what} | {seats} | {median(times):.0f} | {quantiles(times, n=20)[-1]:.0f} |", flush=True)


def _plans(queries: dict[str, Callable[[], Any]]) -> None:
    """Tell how the database goes about each query."""
    said: list[tuple[str, Any]] = []
    event.listen(db.engine, "before_cursor_execute", lambda *args: said.append((args[2], args[3])))
    for what, query in queries.items():
        said.clear()
        query()
        for sql, values in list(said):
            print(f"\n{what}: {sql[:150]}")
            for line in db.session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {sql}", values):
                print("   ", line[-1])


def finished_plays(key: str) -> Iterator[Play[Any]]:
    """Play games at random to their end, with two players up to the most."""
    game, rng, found = GAMES[key], Random(7), 0
    while found < OF_A_GAME:
        *_, play = kit.play_on(kit.Table(game, {}, game.players[found % len(game.players)]), rng, most=2_000)
        if game.standing(play.position).is_finished:
            found += 1
            yield play


def name_of(number: int) -> str:
    return f"Player {number:02}"


def a_book(folder: Path, plays: dict[str, list[Play[Any]]], count: int) -> Flask:
    """Fill a database with finished tables of these plays; a phone is the host of them all."""
    app = create_app(Settings(data=folder, database=f"sqlite:///{folder / 'companion.sqlite'}", secret=b"s" * 32))
    rng, games = Random(3), list(plays)
    ready = {
        key: [(play, result(play, [""] * play.seats), play.figures()) for play in some] for key, some in plays.items()
    }
    tables, seatings = [], []
    for number in range(count):
        key = games[number % len(games)]
        play, ruled, figures = rng.choice(ready[key])
        opened = FIRST + timedelta(hours=number * 2.5)
        code = "".join(CROCKFORD[number // 32**place % 32] for place in range(6))
        tables.append({
            "id": number + 1, "code": code, "game": key, "options": {}, "host": PHONE, "is_locked": False,
            "opened": written(opened), "closed": written(opened + timedelta(hours=1)), "result": ruled,
            "location": "", "title": "",
        })  # fmt: skip
        names = rng.sample(range(NAMES), play.seats)
        seatings += [
            {
                "table_id": number + 1, "seat": seat, "name": name_of(names[seat]), "rank": place["rank"],
                "score": place["score"], "figures": dict(figures[seat]),
            }
            for place in ruled["standing"]
            for seat in [place["seat"]]
        ]  # fmt: skip
    with app.app_context():
        log.upgrade()
        db.session.execute(insert(Table), tables)
        db.session.execute(insert(Seating), seatings)
        db.session.commit()
    return app


if __name__ == "__main__":
    main()
