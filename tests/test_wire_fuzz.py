"""Promise 28: any byte that comes in at the door of a real server may be another one, the first line and the frames too.

Each input begins as a right one and has some of its bytes changed; a run prints its seed, and a failure the number that
makes it again: `WIRE_SEED=… bin/test tests/test_wire_fuzz.py`.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest
from wsproto.connection import Connection, ConnectionType
from wsproto.events import Ping, TextMessage

from tests.databases import PATIENCE_S
from tests.house import House, Server, a_record, secret
from tests.web.test_fuzz import packed, spoilt

SEED = int(os.environ.get("WIRE_SEED") or secrets.randbelow(10**9))
COUNT, HOUR_S = 400, 3600
"""So many inputs in the gate, and how long they go on in the long run."""

PAGE = f"Cookie: phone={secret('host')}\r\nSec-Fetch-Site: same-origin\r\n"
FORM = f"{PAGE}Content-Type: application/x-www-form-urlencoded\r\n"
FILES = f"{PAGE}Content-Type: multipart/form-data; boundary=x\r\n"
PROGRAM = f"Authorization: Bearer {secret('host')}\r\nContent-Type: application/json\r\n"
LINE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)
MANY = 'Accept-Language: cs;q=0.9, en\r\nIf-None-Match: "a"\r\nRange: bytes=0-1\r\nLast-Event-ID: 3\r\n'
CHUNKS = b"4\r\nlang\r\n5;x=y\r\nuage=\r\n0\r\nX: y\r\n\r\n"
BID = {"move": "bid", "seat": 0, "tricks": 3}


def asked(method: str, path: str, head: str = PAGE, body: bytes | None = None) -> bytes:
    """Write a request."""
    length = "" if body is None else f"Content-Length: {len(body)}\r\n"
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}{length}\r\n".encode() + (body or b"")


def in_parts(content: bytes) -> bytes:
    """Write a form that brings a file."""
    head = b'--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\n\r\n'
    return head + content + b"\r\n--x--\r\n"


def right_ones(code: str) -> Iterator[bytes]:
    """Write requests of every kind, as honest pages and programs do."""
    wire = Connection(ConnectionType.CLIENT)
    message = json.dumps({"key": "k", "after": 1, "move": BID})
    frames = b"".join(wire.send(event) for event in (TextMessage(message), Ping(b"x"), TextMessage("{}")))
    record = json.dumps(a_record([BID], opened="2026-11-20T20:00:00Z")).encode()
    for path in (f"/t/{code}/0", f"/t/{code}/history?page=1", "/find?code=abc", "/print/rage?players=4&language=cs"):
        yield asked("GET", path, PAGE + MANY)
    yield asked("GET", "/book?player=a&since=2026-01-01&page=2&game=rage")
    yield asked("GET", f"/t/{code}/0/stream", PAGE + MANY)
    yield asked("GET", f"/t/{code}/0/line", PAGE + LINE) + frames
    yield asked("GET", f"/api/tables/{code}/socket?seat=0", PROGRAM + LINE) + frames
    yield asked("POST", f"/t/{code}/0/move", FORM, b"move=bid&seat=0&tricks=3&key=abc")
    yield asked("POST", "/open/rage", FORM, b"name=A&name=B&name=C&i_sit=0&bidding=hidden")
    yield asked("POST", "/settings", f"{FORM}Expect: 100-continue\r\n", b"language=cs&theme=dark&back=%2Fbook")
    yield asked("POST", "/settings", f"{FORM}Transfer-Encoding: chunked\r\n") + CHUNKS
    yield asked("POST", "/api/tables", PROGRAM, b'{"game":"rage","players":["A","B"],"options":{}}')
    yield asked("POST", "/api/records", PROGRAM, record)
    yield asked("PUT", f"/api/tables/{code}/seats/1/name", PROGRAM, b'{"name":"\\u017d"}')
    yield asked("POST", f"/api/tables/{code}/moves", f"{PROGRAM}Idempotency-Key: a\r\n", message.encode())
    for content in (record, packed([record], zipfile.ZIP_DEFLATED), b"x" * 70_000):
        yield asked("POST", "/book/import", FILES, in_parts(content))


def status_of(server: Server, said: bytes) -> bytes:
    """Say it all, and that there is no more; gives the status of the answer, b"" where there is none."""
    came = b""
    with socket.create_connection(("127.0.0.1", server.port)) as one:
        one.settimeout(PATIENCE_S)
        try:
            one.sendall(said)
            one.shutdown(socket.SHUT_WR)
            while len(came) < len(b"HTTP/1.1 200") and (more := one.recv(4096)):
                came += more
        except TimeoutError:
            raise  # it is answered, or cut off
        except OSError:
            return b""
    return came[9:12]


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    """Start a server with a table."""
    house = House(tmp_path_factory.mktemp("wire"))
    code, server = house.open(["A", "B", "C"], phones={0: "host", 1: "late"}), house.server()
    try:
        server.start()
        yield server, code
    finally:
        server.kill()
        house.close()


@pytest.mark.promise(20, 28)
@pytest.mark.parametrize("how_long_s", [0, pytest.param(HOUR_S, marks=pytest.mark.long)], ids=["gate", "hour"])
def test_any_byte_at_the_door_may_be_another(
    server: tuple[Server, str], how_long_s: int, figure: Callable[[str], None]
) -> None:
    print(f"WIRE_SEED={SEED}")
    at, code = server
    right: Sequence[bytes] = list(right_ones(code))
    said_before, until = len(at.output()), time.monotonic() + how_long_s
    found: Counter[bytes] = Counter(status_of(at, one) for one in right)
    number = SEED
    while number < SEED + COUNT or time.monotonic() < until:
        dice = Random(number)
        said = spoilt(dice.choice(right), dice)
        status = status_of(at, said)
        assert status != b"500", f"WIRE_SEED={number}: {said[:2_000]!r}\n{at.output()[-4_000:]}"
        found[status] += 1
        number += 1
    figure(f"{number - SEED:,} inputs at the door of a server: 0 answers of 500")
    assert {b"200", b"303", b"400", b"422", b"101"} <= set(found), found
    assert at.output()[said_before:] == "", at.output()[said_before:][-4_000:]
