"""What is refused before anybody reads it: a program in a browser is told so, where its origin is named."""

from __future__ import annotations

import pytest

from companion.server.incoming import Incoming, refused

GUEST = b"https://board.example"
LONG = b"x" * 70_000
CHUNKS = b"Transfer-Encoding: chunked\r\n"


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        (b"GET /api/games HTTP/1.1\r\nOrigin: " + GUEST + b"\r\nX: " + LONG, True),
        (b"POST /api?x HTTP/1.1\r\norigin:" + GUEST + b" \r\n" + CHUNKS + b"\r\nfffff\r\n", True),
        (b"GET /api/games HTTP/1.1\r\nOrigin: https://other.example\r\nX: " + LONG, False),
        (b"GET /apiary HTTP/1.1\r\nOrigin: " + GUEST + b"\r\nX: " + LONG, False),
        (b"GET /api/games HTTP/1.1\r\nX: " + LONG, False),
    ],
    ids=["head", "chunks", "other", "page", "none"],
)
def test_a_named_guest_may_read_that_nobody_has_read_it(said: bytes, is_told: bool) -> None:
    incoming = Incoming(lambda: True)
    incoming.take(said)
    answer = refused(incoming.refusal, incoming.came, (GUEST.decode(),))
    assert answer.startswith((b"HTTP/1.1 431 ", b"HTTP/1.1 411 "))
    assert answer.endswith(b"\r\n\r\n")
    assert (b"\r\nAccess-Control-Allow-Origin: " + GUEST + b"\r\n" in answer) == is_told
    assert b"Access-Control" not in refused(incoming.refusal, incoming.came, ())
