"""A house with a real database, and the phones of its visitors: `ann = phone(); ann.opens("rage", names=[...])`."""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from companion import create_app
from companion.desk import listening
from companion.log.rows import db
from companion.printing import Printer
from companion.settings import Settings
from companion.testing.room import furnished
from tests.databases import Lite
from tests.house import fresh_database
from tests.web.page import Form, Page

ADDRESS = "http://table.test:8000"
"""The address that join links carry: not the one that requests go to."""
OPERATOR = "an operator's token, 32 letters."
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
FORM = "application/x-www-form-urlencoded"
PATIENCE_S = 20
"""For what comes from another thread; nothing depends on how long it takes."""


class Mirror:
    """A printer for those who only look at what would stand on the sheet: it gives the page back."""

    woken = 0

    def wake(self) -> None:
        self.woken += 1

    def pdf(self, html: str) -> bytes:
        return html.encode()

    def pictures(self, html: str) -> list[bytes]:
        return [html.encode()]

    def painting(self, html: str) -> bytes:
        return html.encode()


@dataclass
class House:
    """The app on its data folder."""

    settings: Settings
    printer: Printer | Mirror = field(default_factory=Mirror)
    app: Flask = field(init=False)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Start the app anew on the same files, as after a power cut."""
        self.close()
        self.app = furnished(create_app(self.settings))
        self.app.extensions["companion.printer"] = self.printer
        # They play when a trial says so, and no thread outlives it.
        self.app.extensions["companion.phantoms"].start = lambda: None

    def close(self) -> None:
        if hasattr(self, "app"):
            with self.app.app_context():
                db.session.remove()
                db.engine.dispose()

    @property
    def file(self) -> Path:
        return self.settings.data / "companion.sqlite"

    def bytes(self) -> bytes:
        """Read the database file, with all that was written put in its place."""
        connection = sqlite3.connect(self.file)
        try:
            is_busy, *_rest = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            connection.close()
        assert not is_busy
        return self.file.read_bytes()

    def written(self) -> bytes:
        """Read all that was ever written: cheaper than `bytes`, and any transaction shows."""
        files = (self.file, self.file.with_name(self.file.name + "-wal"))
        return b"".join(file.read_bytes() for file in files if file.exists())

    def evenings(self) -> list[list[tuple[Any, ...]]]:
        """Read all that evenings consist of, and nothing of what was asked for and is not so."""
        others = "('declined', 'sqlite_sequence')"
        names = self.rows(f"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN {others}")
        return [sorted(self.rows(f"SELECT * FROM {name}"), key=str) for (name,) in names]

    def rows(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask the database behind the app's back."""
        connection = sqlite3.connect(self.file)
        try:
            return connection.execute(sql, values).fetchall()
        finally:
            connection.close()

    def writes(self, sql: str, *values: Any) -> None:
        """Change the database behind the app's back."""
        connection = sqlite3.connect(self.file)
        try:
            connection.execute("PRAGMA foreign_keys=ON")
            with connection:
                connection.execute(sql, values)
        finally:
            connection.close()

    @property
    def number(self) -> int:
        """How many entries all logs have."""
        return int(self.rows("SELECT count(*) FROM entries")[0][0])


class Stream:
    """An event stream, read in a thread as a phone reads it."""

    def __init__(self, open_stream: Callable[[], TestResponse]) -> None:
        self._events: queue.Queue[dict[str, str] | Exception] = queue.Queue()
        self._is_left = threading.Event()
        self.answer: queue.Queue[TestResponse] = queue.Queue()
        self._thread = threading.Thread(target=self._read, args=(open_stream,), daemon=True)
        self._thread.start()

    def next(self) -> dict[str, str]:
        """Wait for the next event: {"event": "gone"} at the end, "closed" once the server has hung up."""
        event = self._events.get(timeout=PATIENCE_S)
        if isinstance(event, Exception):
            raise event
        return event

    def leave(self) -> None:
        """Close it from the phone's side."""
        self._is_left.set()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()

    def _read(self, open_stream: Callable[[], TestResponse]) -> None:
        try:
            answer = open_stream()
            self.answer.put(answer)
            for chunk in answer.iter_encoded():
                for frame in filter(None, chunk.decode().split("\n\n")):
                    self._hear(frame)
                if self._is_left.is_set():
                    break
            answer.close()
        except Exception as error:
            self._events.put(error)
        self._events.put({"event": "closed"})

    def _hear(self, frame: str) -> None:
        lines = [line.partition(":")[::2] for line in frame.splitlines()]
        event = {name: value.removeprefix(" ") for name, value in lines if name not in {"", "data"}}
        data = "\n".join(value.removeprefix(" ") for name, value in lines if name == "data")
        if event.get("event") != "beat" and (data or event.get("event")):
            self._events.put({**event, "data": data, "frame": frame})


class Phone:
    """A phone with a browser: it keeps cookies, and sends `Origin` with every post."""

    def __init__(self, house: House, address: str, code: str = "", **headers: str) -> None:
        self.house = house
        self.client = house.app.test_client()
        self.address, self.code, self.headers = address, code, headers
        self.seat: int | None = None
        self.streams: list[Stream] = []

    def asks(self, path: str, method: str = "GET", **wanted: Any) -> TestResponse:
        """Send a request as a browser does; `{code}` in the path is the table."""
        self.client.application = self.house.app
        headers = {**self.headers, **wanted.pop("headers", {})}
        if path.startswith("/api"):
            cookie = self.client.get_cookie("phone")
            headers.setdefault("Authorization", f"Bearer {cookie.value}" if cookie else "")
        elif method == "POST":
            headers.setdefault("Origin", "http://localhost")
        headers = {name: value for name, value in headers.items() if value}
        around = {"REMOTE_ADDR": self.address, **({"HTTP_HOST": host} if (host := wanted.pop("host", None)) else {})}
        wanted.setdefault("buffered", True)
        path = path.replace("{code}", self.code)
        return self.client.open(path, method=method, headers=headers, environ_overrides=around, **wanted)

    def forgets(self) -> None:
        """Lose its cookies."""
        self.client = self.house.app.test_client()

    def gets(self, path: str, **wanted: Any) -> TestResponse:
        return self.asks(path, **wanted)

    def posts(self, path: str, data: Any = None, **wanted: Any) -> TestResponse:
        wanted.setdefault("content_type", FORM)
        return self.asks(path, "POST", data=data or {}, **wanted)

    def reads(self, path: str, status: int = 200) -> Page:
        """Open a page; it must be sound."""
        answer = self.gets(path)
        assert answer.status_code == status, answer.text
        return sound(answer)

    def opens(self, game: str = "rage", names: Any = NAMES[:4], i_sit: str = "0", **options: str) -> str:
        """Open a table, and sit down on the first seat; return its code."""
        answer = self.posts(f"/open/{game}", {"name": list(names), "i_sit": i_sit, **options})
        assert answer.status_code == 303, answer.text
        self.code = answer.location.split("/")[2]
        self.seat = int(i_sit) if i_sit else None
        return self.code

    def comes(self, host: Phone) -> Phone:
        """Come to somebody's table."""
        self.code = host.code
        return self

    def sits(self, seat: int, name: str = "") -> TestResponse:
        """Ask for a seat; a nameless one needs a name."""
        answer = self.posts("/t/{code}/sit", {"seat": str(seat), "name": name})
        self.seat = seat if answer.status_code == 303 else self.seat
        return answer

    def taps(self, move: str, seat: int | None = None, **fields: Any) -> TestResponse:
        """Post a move for a seat, the own one when left out, from the page as it is now."""
        here = seat if seat is not None else self.seat
        sent = {"move": move, "seat": str(here), **{name: str(value) for name, value in fields.items()}}
        return self.posts(f"/t/{{code}}/{here}/move", sent)

    def takes_back(self) -> TestResponse:
        return self.posts(f"/t/{{code}}/take-back?seat={self.seat}")

    def puts_back(self) -> TestResponse:
        return self.posts(f"/t/{{code}}/put-back?seat={self.seat}")

    def amends(self, number: int, move: str, seat: int | None = None, **fields: Any) -> TestResponse:
        sent = {"move": move, "seat": str(self.seat if seat is None else seat)}
        return self.posts(f"/t/{{code}}/history/{number}", sent | {name: str(value) for name, value in fields.items()})

    def submits(self, form: Form, data: Any) -> TestResponse:
        """Send a form as a browser without script does."""
        assert form.method == "post"
        return self.posts(form.action, data)

    def listens(self, path: str, **headers: str) -> Stream:
        """Open an event stream."""
        stream = Stream(lambda: self.gets(path, headers=headers, buffered=False))
        self.streams.append(stream)
        return stream


def sound(answer: TestResponse) -> Page:
    """Parse a page that must be whole, and safe under the policy."""
    assert answer.mimetype == "text/html"
    page = Page(answer.text)
    assert page.problems == []
    assert list(page.unsafe()) == []
    return page


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Callable[..., House]]:
    """Build houses, each in a folder of its own."""
    built: list[House] = []

    def make(**settings: Any) -> House:
        data = tmp_path / f"house-{len(built)}"
        data.mkdir()
        database = Lite(data)
        database.file.write_bytes(fresh_database())
        usual = Settings(data=data, database=database.address, address=ADDRESS, operator=OPERATOR, secret=b"s" * 32)
        built.append(House(replace(usual, **settings)))
        return built[-1]

    yield make
    for house in built:
        house.close()


@pytest.fixture
def house(build: Callable[..., House]) -> House:
    return build()


@pytest.fixture
def phone(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Phone]]:
    """Make phones, each with an address of its own; at the end their streams are closed."""
    monkeypatch.setattr(listening, "BEAT_S", 0.05)
    made: list[Phone] = []

    def make(at: Phone | None = None, **headers: str) -> Phone:
        made.append(Phone(house, f"192.168.1.{len(made) + 2}", at.code if at else "", **headers))
        return made[-1]

    yield make
    for one in made:
        for stream in one.streams:
            stream.leave()


@pytest.fixture
def table(phone: Callable[..., Phone]) -> Callable[..., list[Phone]]:
    """Open a table and let phones sit down: the host first; `None` among the phones leaves a seat to the host."""

    def lay(seats: int = 4, phones: int | None = None, **options: str) -> list[Phone]:
        host = phone()
        host.opens("rage", names=NAMES[:seats], **options)
        guests = [phone(at=host) for _ in range(1, seats if phones is None else phones)]
        for seat, guest in enumerate(guests, 1):
            assert guest.sits(seat).status_code == 303
        return [host, *guests]

    return lay
