"""What a server says of its standby, or does not say: one of a few lines here, two real ones in `tests/test_failover.py`."""

from __future__ import annotations

import select
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
from psycopg.abc import PQGen
from psycopg.pq import TransactionStatus
from psycopg.waiting import Ready, Wait

from companion.log import kind, standby

SLOW_S = 0.1
LATE_S = 5
"""So late a server confirms that was to say nothing, lest a test waits for ever."""


def message(name: bytes, *parts: bytes) -> bytes:
    """Write a message of PostgreSQL's protocol."""
    body = b"".join(parts)
    return name + struct.pack("!i", len(body) + 4) + body


def complaint(name: bytes, **fields: str) -> bytes:
    """Write an error (E) or a notice (N)."""
    return message(name, *(f"{letter}{text}\0".encode() for letter, text in fields.items()), b"\0")


def done(tag: str, status: str) -> bytes:
    """Say that a statement is done, and how the transaction stands."""
    return message(b"C", f"{tag}\0".encode()) + message(b"Z", status.encode())


def row(value: bytes | None) -> bytes:
    """Answer with one text, or NULL."""
    column = b"\0\1named\0" + struct.pack("!ihihih", 0, 0, 25, -1, -1, 0)
    sent = struct.pack("!i", -1) if value is None else struct.pack("!i", len(value)) + value
    return message(b"T", column) + message(b"D", b"\0\1", sent) + done("SELECT 1", "T")


def warning(source: str) -> bytes:
    """Confirm a commit, and warn of it."""
    said = "canceling wait for synchronous replication due to user request"
    return complaint(b"N", S="WARNING", V="WARNING", C="01000", M=said, R=source) + done("COMMIT", "I")


UNKNOWN = complaint(b"E", S="ERROR", V="ERROR", C="42883", M="no such function") + message(b"Z", b"E")
CONFIRMED = done("COMMIT", "I")


@dataclass
class Server:
    """A server with one connection, which says what a test wants it to."""

    listening: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))
    commits: list[bytes | None] = field(default_factory=list)
    """What it says to each commit; None: nothing, until it is late."""
    timeline: bytes = b""
    heard: list[str] = field(default_factory=list)

    def serve(self) -> None:
        """Answer until the other one hangs up."""
        self.listening.settimeout(LATE_S)
        connection, _ = self.listening.accept()
        connection.settimeout(LATE_S)
        with connection, connection.makefile("rb") as asked:
            asked.read(struct.unpack("!i", asked.read(4))[0] - 4)
            connection.sendall(message(b"R", bytes(4)) + message(b"Z", b"I"))
            while asked.read(1) == b"Q":
                statement = asked.read(struct.unpack("!i", asked.read(4))[0] - 4).rstrip(b"\0").decode()
                self.heard.append(statement)
                answer = self.answer(statement)
                if answer is None and select.select([connection], [], [], LATE_S)[0]:
                    return  # the other one has given up
                connection.sendall(answer or CONFIRMED)

    def answer(self, statement: str) -> bytes | None:
        """Find what is said to a statement."""
        match statement.split(maxsplit=1):
            case []:
                return message(b"I") + message(b"Z", b"T")
            case ["COMMIT"]:
                return self.commits.pop(0)
            case ["ROLLBACK"]:
                return done("ROLLBACK", "I")
            case ["SELECT", "pg_sleep(0.1)"]:
                threading.Event().wait(SLOW_S)
                return row(b"")
            case ["SELECT", what] if "pg_walfile_name" in what:
                return self.timeline
        return done(statement, "T")


@pytest.fixture
def server() -> Iterator[Server]:
    """Give a test a server, and wait for its end."""
    server = Server()
    thread = threading.Thread(target=server.serve)
    thread.start()
    yield server
    thread.join()
    server.listening.close()


@pytest.fixture
def connection(server: Server) -> Iterator[standby.Connection]:
    """Connect as SQLAlchemy does."""
    port = server.listening.getsockname()[1]
    said: dict[str, Any] = {"port": port, "user": "anna", "sslmode": "disable", "gssencmode": "disable"}
    with standby.connect(None, None, ["host=127.0.0.1"], said) as connection:
        yield connection
        connection.close()


@pytest.mark.parametrize("said", [CONFIRMED, warning("AtEOXact_Snapshot")], ids=["confirmed", "another warning"])
def test_what_is_confirmed_is_kept(server: Server, connection: standby.Connection, said: bytes) -> None:
    server.commits = [said, CONFIRMED]
    for _ in range(2):
        connection.execute("INSERT")
        connection.commit()
    assert server.heard == ["BEGIN", "INSERT", "COMMIT"] * 2


def test_a_commit_that_did_not_wait_for_the_standby_is_no_confirmation(
    server: Server, connection: standby.Connection
) -> None:
    """The next one, for which the standby is there again, is."""
    server.commits = [warning("SyncRepWaitForLSN"), CONFIRMED]
    connection.execute("INSERT")
    with pytest.raises(psycopg.OperationalError, match="no standby"):
        connection.commit()
    connection.execute("INSERT")
    connection.commit()
    assert not connection.closed


def test_a_commit_that_nobody_confirms_is_let_go_of(
    server: Server, connection: standby.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be seen, or not: whoever asked comes again, by another connection."""
    monkeypatch.setattr(kind, "PATIENCE_MS", 50)
    server.commits = [None]
    connection.execute("INSERT")
    with pytest.raises(psycopg.OperationalError):
        connection.commit()
    assert connection.closed


def test_only_a_commit_is_waited_for_so_short(
    server: Server, connection: standby.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What else takes its time is for the server to break off."""
    monkeypatch.setattr(kind, "PATIENCE_MS", 50)
    server.commits = [CONFIRMED]
    connection.execute("INSERT")
    connection.commit()
    assert connection.execute("SELECT pg_sleep(0.1)").fetchone() == ("",)


def test_who_waits_for_an_answer_leaves_the_machine_to_others(connection: standby.Connection) -> None:
    """It looks up now and then, not thousands of times in a moment."""
    looks = 0

    def answered() -> PQGen[None]:
        nonlocal looks
        while (yield Wait.R) == Ready.NONE:
            looks += 1

    connection.pgconn.send_query(b"SELECT pg_sleep(0.1)")
    connection.wait(answered())
    assert looks < 100


@pytest.mark.parametrize(
    ("said", "timeline"),
    [(row(b"0000000A"), "0000000A"), (row(None), None), (UNKNOWN, None)],
    ids=["first", "standby", "another make"],
)
def test_a_server_is_told_by_its_timeline(
    server: Server, connection: standby.Connection, said: bytes, timeline: str | None
) -> None:
    server.timeline = said
    assert connection.timeline() == timeline
    assert connection.info.transaction_status == TransactionStatus.IDLE
