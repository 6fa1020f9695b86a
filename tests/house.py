"""A house with real parts for the tests: an app on a real database file, phones that ask, and a server in a process."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlencode

from companion import create_app, log
from companion.errors import StartError
from companion.game import Refused
from companion.log import Reading
from companion.log.rows import db
from companion.play import Broken
from companion.push.bell import Bell
from companion.server.start import FOLDER, server_command
from companion.settings import Settings
from companion.tables import amending, referee
from companion.testing.room import KEY, Room, furnished, secret
from tests import stove
from tests.databases import PATIENCE_S, Database, Lite
from tests.waiting import wait_until

STREAMS = 40
"""Places for streams in each worker of a server."""
FOUR = ("Anna", "Bohdan", "Katka", "Dalibor")


class House(Room):
    """An app upon a database. A second one upon the same stands for another process."""

    def __init__(self, folder: Path, database: Database | None = None, redis: str = "") -> None:
        """Make the app, and its database (by default a file in the folder) if it is the first."""
        self.folder = folder
        self.redis = redis
        self.database = database or Lite(folder)
        is_new = isinstance(self.database, Lite) and not self.database.file.exists()
        if is_new:
            self.database.file.write_bytes(fresh_database())
        settings = Settings(data=folder, database=self.database.address, redis=redis, secret=KEY, homes=0)
        self.app = furnished(create_app(settings))
        try:
            with self.app.app_context():
                if not is_new:
                    log.upgrade()
                log.check()
        except StartError:
            self.close()
            raise

    def again(self) -> House:
        """Make another one upon the same database."""
        return House(self.folder, self.database, self.redis)

    def server(self, workers: int = 1) -> Server:
        """Give a server upon the same database; it has to be started."""
        surroundings = environment(self.folder, COMPANION_DATABASE=self.database.address, COMPANION_REDIS=self.redis)
        if workers > 1:
            (self.folder / "figures").mkdir()
            # The one keeps the stove from it, the other is where it counts: nothing of it is left, however it ends.
            surroundings |= {FOLDER: str(self.folder / "figures"), "TMPDIR": str(self.folder / "figures")}
        return Server(self.folder, environment=surroundings, workers=workers)

    def open(
        self, names: Sequence[str] = FOUR, phones: Mapping[int, str] | None = None, game: str = "rage", **options: Any
    ) -> str:
        """Open a table whose host is the phone `host`; `phones` sit down. Gives the code."""
        return super().open(names, phones, game, **options)

    def move(
        self, code: str, phone: str, data: Mapping[str, Any], key: str, after: int | None = None
    ) -> Reading | Refused:
        """Let a phone ask for a move."""
        with self.asks(code, phone) as asker:
            return referee.rule_on(asker, data, key, after)

    def take_back(self, code: str, phone: str, key: str, after: int | None = None) -> Reading:
        """Let a phone take back."""
        with self.asks(code, phone) as asker:
            return referee.take_back(asker, key, after)

    def put_back(self, code: str, phone: str, key: str, after: int | None = None) -> Reading:
        """Let a phone put back."""
        with self.asks(code, phone) as asker:
            return referee.put_back(asker, key, after)

    def amend(
        self, code: str, phone: str, number: int, data: Mapping[str, Any] | None, key: str
    ) -> Reading | Refused | Broken:
        """Let a phone amend; None: the move was not made."""
        with self.asks(code, phone) as asker:
            return amending.amend(asker, amending.Change(number, data), key)

    def read(self, code: str) -> Reading:
        """Read a table."""
        with self.asks(code, "nobody") as asker:
            return log.read(asker.table)

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask the database, past the app."""
        return self.database.rows(query, *values)

    def entries(self, code: str) -> list[tuple[Any, ...]]:
        """List a table's log as it lies in the database: (number, kind, seat, by, data, key)."""
        return self.rows(
            "SELECT number, kind, seat, by, CAST(data AS TEXT), key FROM entries JOIN tables ON id = table_id WHERE code = ? "
            "ORDER BY number",
            code,
        )

    def impatient(self, patience_ms: int = 50) -> None:
        """Let new connections wait for a lock only so long; those at hand are dropped."""
        with self.app.app_context():
            db.engine.dispose()
            self.database.hurry(db.engine, patience_ms)


@cache
def fresh_database() -> bytes:
    """Make a database once, by the migrations, which takes longer than the app: every house gets a copy."""
    with TemporaryDirectory() as folder:
        made = Lite(Path(folder))
        app = create_app(Settings(data=made.folder, database=made.address, secret=KEY))
        with app.app_context():
            log.upgrade()
            log.close()
        return made.file.read_bytes()


def bid(seat: int, tricks: int) -> dict[str, Any]:
    """Write a bid."""
    return {"move": "bid", "seat": seat, "tricks": tricks}


def tally(*tricks: int, plus: Sequence[int] = (), minus: Sequence[int] = ()) -> dict[str, Any]:
    """Write a tally."""
    none = [0] * len(tricks)
    return {"move": "tally", "tricks": list(tricks), "plus": list(plus) or none, "minus": list(minus) or none}


def a_round(number: int, seats: int) -> Iterator[dict[str, Any]]:
    """Write the moves of a round (from 1) in which all bid 0 and seat 0 takes every trick."""
    for place in range(seats):
        yield bid((number - 1 + place) % seats, 0)
    yield tally(11 - number, *[0] * (seats - 1))


def a_record(moves: Sequence[Mapping[str, Any]], players: Sequence[str] = FOUR, **more: Any) -> dict[str, Any]:
    """Write a record of Rage."""
    head = {"format": "companion-record", "version": 1, "game": "rage", "options": {}}
    return {**head, "players": list(players), "moves": list(moves), **more}


EXAMPLE = a_record(
    [*map(bid, range(4), (3, 0, 2, 0)), tally(3, 1, 2, 4, plus=(0, 1, 0, 0), minus=(1, 0, 0, 0))],
    table="K7QX2M",
)
"""The four players of the first example: 8, 1, 12 and −1 in round one."""


def walked(play: Any) -> list[Any]:
    """Lay out all that a play holds, its ways back and forward too (`==` of plays would walk each way many times)."""
    moves = [(step.asked, step.position, step.events, step.remarks) for step in play.moves()]
    steps, step = [], play
    while step is not None:
        steps.append(_last_change(step))
        step = step.undo
    forward, step = [], play.redo
    while step is not None:
        forward.append(_last_change(step))
        step = step.redo
    return [moves, steps, forward]


def _last_change(play: Any) -> tuple[Any, ...]:
    return play.last and play.last.asked, play.position, play.by, play.amended


def free_port() -> int:
    """Find a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Give a process of ours its surroundings: the data in a folder, no quotas, and nothing from outside."""
    return {**stove.own_surroundings(), "COMPANION_DATA": str(folder), "COMPANION_HOMES": "0", **more}


@dataclass
class Server:
    """A server in processes of its own, as `companion serve` starts it, on 127.0.0.1."""

    folder: Path
    port: int = field(default_factory=free_port)
    command: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | stove.Started | None = None
    workers: int = 1

    def as_started(self) -> list[str]:
        """Give the command that `companion serve` becomes."""
        return server_command("127.0.0.1", self.port, streams=STREAMS, workers=self.workers)

    def start(self, is_waiting: bool = True) -> None:
        """Start it; wait until it answers."""
        around = {"COMPANION_STREAMS": str(STREAMS), **(self.environment or environment(self.folder))}
        data = Path(around["COMPANION_DATA"])
        data.mkdir(parents=True, exist_ok=True)
        (data / "secret_key").touch(0o600)
        (data / "secret_key").write_bytes(KEY)
        with (self.folder / "server.log").open("ab") as output:
            self.process = stove.start(self.command or self.as_started(), self.folder, around, output)
        if is_waiting:
            self.wait_until_it_answers()

    def wait_until_it_answers(self) -> None:
        """Wait until the lobby can be fetched."""
        assert self.process is not None

        def asks() -> None:
            with Client(self.port, "nobody") as client:
                client.get("/find?code=")

        wait_until(asks, self.process, self.output)

    def kill(self) -> None:
        """Kill every process of it, with no time to tidy up."""
        if self.process is None:
            return
        group = self.process.pid
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
        self.process.wait()
        while is_group_alive(group):
            time.sleep(0.005)
        self.process = None

    def output(self) -> str:
        """Read what it has said."""
        return (self.folder / "server.log").read_text(errors="replace")


def is_group_alive(group: int) -> bool:
    """Say whether a process of a group still runs; one that nobody has waited for yet does not."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _parent, its_group = status.read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(its_group) == group and state != "Z":
            return True
    return False


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    body: bytes
    headers: Mapping[str, str]


class Client:
    """A phone: one connection that is kept, one cookie. An answer that does not come raises an OSError."""

    def __init__(self, port: int, phone: str) -> None:
        """Take where the server listens and the phone's name, which makes its secret."""
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self.headers = {"Cookie": f"phone={secret(phone)}", "Sec-Fetch-Site": "same-origin"}

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *problem: object) -> None:
        self.connection.close()

    def get(self, path: str, **headers: str) -> Answer:
        """Fetch a page."""
        return self._ask("GET", path, None, headers)

    def post(self, path: str, form: Mapping[str, object] | Sequence[tuple[str, str]], **headers: str) -> Answer:
        """Post a form."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._ask("POST", path, urlencode(form), {**kind, **headers})

    def _ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        try:
            self.connection.request(method, path, body, {**self.headers, **headers})
            answer = self.connection.getresponse()
            for line in answer.headers.get_all("Set-Cookie") or ():
                if line.startswith("phone="):
                    self.headers["Cookie"] = line.partition(";")[0]
            return Answer(answer.status, answer.read(), dict(answer.getheaders()))
        except http.client.HTTPException as error:
            self.connection.close()
            raise ConnectionError(str(error)) from error
        except OSError:
            self.connection.close()
            raise


def companion(
    folder: Path, *arguments: str, stdin: bytes | None = None, **more: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the `companion` command in a process, with its data in a folder."""
    command, env = [sys.executable, "-m", "companion", *arguments], environment(folder / "data", **more)
    if stdin is None:
        return stove.run(command, folder, env, PATIENCE_S)
    return subprocess.run(
        command, cwd=folder, env=env, input=stdin, capture_output=True, timeout=PATIENCE_S, check=False
    )


@contextmanager
def without_threads() -> Iterator[None]:
    """Let the system start no thread: there is no room for its stack."""
    before = threading.stack_size(1 << 44)
    try:
        yield
    finally:
        threading.stack_size(before)


@contextmanager
def listening(bell: Bell, code: str, who: str = "") -> Iterator[None]:
    """Listen to a table, whoever else does."""
    bell.enter(code, who)
    try:
        yield
    finally:
        bell.leave(code, who)
