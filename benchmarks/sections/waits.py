"""What a single person waits for: the first page after a start, the lobby after many years, a long history."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from sqlalchemy import update

from benchmarks.dealt import Dealt
from benchmarks.evenings import PHONE, SECRET, a_book, finished_plays
from benchmarks.ground import Ground, say, short, table
from benchmarks.machine import SERVER, on_cores
from benchmarks.tables import Room, Start
from companion import log
from companion.games import GAMES
from companion.log.rows import Entry, Seating, db
from tests.databases import PATIENCE_S
from tests.house import Client, House, Server, environment

YEARS = 100_000
"""Tables of one host."""
LONG = 5_000
"""Entries of one log."""
STARTS, PAGES = 5, 25
GAME = "hanabi"
"""Its moves take longest to be judged again."""
LOOK_S = 0.005


def section(ground: Ground) -> str:
    """Start servers, and look at pages as one phone does."""
    rows = [
        ["first page after the start, nothing there yet", *_starts(ground, lambda: ground.fresh("start"))],
        *_after_years(ground),
        *_long_history(ground),
    ]
    head = ["what", "first ms", "then ms, median", "then ms, slowest"]
    about = f"`companion serve` on one core, one phone; the first is that after the start, then {PAGES} times."
    return f"## Waits\n\n{about}\n\n{table(head, rows)}"


def _starts(ground: Ground, folder: Callable[[], Path]) -> list[str]:
    """Start a server time and again, and wait for the lobby."""
    took = []
    for _ in range(1 + STARTS):
        with _served(folder()) as (_client, began):
            took.append(1000 * (time.perf_counter() - began))
    say(f"  start: {', '.join(map(short, took))} ms")
    return [short(took[0]), short(median(took[1:])), short(max(took[1:]))]


@contextmanager
def _served(folder: Path, secret: str = SECRET) -> Iterator[tuple[Client, float]]:
    """Serve what lies in a folder; gives a phone that has the lobby, and when the server was started."""
    server = Server(folder, environment=environment(folder))
    command = [sys.executable, "-m", "companion", "serve", "--host", "127.0.0.1", "--port", str(server.port)]
    server.command = command
    began = time.perf_counter()
    try:
        with on_cores(SERVER):
            server.start(is_waiting=False)
        with _phone(server.port, secret) as client:
            _wait(server, client)
            yield client, began
    finally:
        server.kill()


def _phone(port: int, secret: str) -> Client:
    client = Client(port, "")
    client.headers["Cookie"] = f"phone={secret}"
    return client


def _wait(server: Server, client: Client) -> None:
    give_up = time.monotonic() + PATIENCE_S
    while True:
        assert time.monotonic() < give_up, server.output()
        try:
            assert client.get("/").status == 200  # noqa: PLR2004
        except OSError:
            time.sleep(LOOK_S)
        else:
            return


def _looked(client: Client, paths: Sequence[tuple[str, str]]) -> Iterator[list[str]]:
    """Look at pages, each for the first time and then again."""
    for what, path in paths:
        took = []
        for _ in range(1 + PAGES):
            began = time.perf_counter()
            assert client.get(path).status == 200  # noqa: PLR2004
            took.append(1000 * (time.perf_counter() - began))
        say(f"  {what}: {short(took[0])}, then {short(median(took[1:]))} ms")
        yield [what, short(took[0]), short(median(took[1:])), short(max(took[1:]))]


def _after_years(ground: Ground) -> Iterator[list[str]]:
    """Look at the lobby of somebody who has opened tables for years, and sat at each of them."""
    tables, folder = ground.some(YEARS), ground.fresh("years")
    app = a_book(folder, {key: list(finished_plays(key)) for key in GAMES}, tables)
    with app.app_context():
        db.session.execute(update(Seating).where(Seating.seat == 0).values(phone=PHONE))
        db.session.commit()
        log.close()
    yield [f"first page after the start, {tables:,} tables", *_starts(ground, lambda: folder)]
    with _served(folder) as (client, _began):
        yield from _looked(
            client,
            [(f"lobby, {tables:,} tables", "/"), ("form to open a table", "/open/rage"), ("their book", "/book")],
        )


def _long_history(ground: Ground) -> Iterator[list[str]]:
    """Look at the history of a table where moves were taken back, made again and amended, time after time."""
    house, entries = House(ground.fresh("history")), ground.some(LONG)
    dealt = max(ground.games(GAME), key=lambda dealt: len(dealt.moves))
    (opened,) = Room(house).open([Start(dealt, len(dealt.moves) // 2)])
    with house.app.app_context():
        own = log.find(opened.code)
        assert own
        _drawn_out(own.id, opened.number, entries, dealt)
    house.close()
    history = f"/t/{opened.code}/history"
    with _served(house.folder, opened.tokens[0]) as (client, _began):
        yield from _looked(
            client,
            [
                (f"history of {entries:,} entries", history),
                ("its oldest page", f"{history}?to=100"),
                ("the same by the API", f"/api/tables/{opened.code}/history"),
            ],
        )


def _drawn_out(table_id: int, number: int, last: int, dealt: Dealt) -> None:
    """Write a log on, up to an entry."""
    done = dealt.moves[: len(dealt.moves) // 2]
    newest, early = done[-1], done[-21]
    amended = {"number": number - 20, "move": dict(early.data)}
    again = [("take_back", None, {}), ("move", newest.seat, newest.data), ("take_back", None, {})]
    again += [("put_back", None, {}), ("amend", early.seat, amended), ("take_back", None, {})]
    rows = [
        {"kind": kind, "seat": seat, "by": seat, "data": dict(data), "number": place, "key": f"drawn.{place}"}
        for place in range(number + 1, last + 1)
        for kind, seat, data in [again[(place - number - 1) % len(again)]]
    ]
    about = {"table_id": table_id, "at": log.now()}
    db.session.bulk_insert_mappings(Entry.__mapper__, [{**about, **row} for row in rows])
    db.session.commit()
