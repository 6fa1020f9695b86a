"""Which of several workers keeps a table, and how a connection gets there that another one was asked at.

Whoever keeps a table has its play in memory and tells all of its phones. Nobody hands out tables: each worker works out
the same from a table's code and from who is there. When one ends or comes, only those tables move that it had or gets.
"""

from __future__ import annotations

import errno
import json
import re
import socket
from functools import lru_cache
from hashlib import sha256
from mmap import mmap
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from companion import machine

MOST_BYTES = 192 * 1024
"""Of a request that is passed on with its connection: twice what is read at once, and some more."""

NOBODY, COMING, LOADED, EXPECTED, READY = range(5)
"""Who is at a place. What is asked of one who is expected waits for them. Who comes to replace another keeps no table
before all are loaded who do: until then the others serve, and nobody is served by two releases in turn."""
FULL = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
"""Why the system lets nobody in until others have gone."""
FULL_S = 0.05
"""So long is waited then where nobody can be let go: the door would be knocked at all the time."""
TABLE = re.compile(rb"[A-Z]+ (?:https?://[^/\s]*)?/(?:[tT]|api(?:/v[0-9]{1,9})?/tables)/([^/?#\s]{1,64})[/?#\s]")


class Passed(NamedTuple):
    """A connection that is passed on."""

    sock: socket.socket
    client: tuple[str, int]
    server: tuple[str, int]
    is_secure: bool = False
    """Whether it came by the secure door."""
    came: bytes = b""
    """What has been read of its request."""


class Keepers:
    """The places of workers, each with a way to it: made before there is any, so that all have the same."""

    def __init__(self, most: int = 0) -> None:
        """Make so many places; none where one worker keeps everything, or none can pass a connection on."""
        most = most if machine.CAN_PASS_ON else 0
        self._there = mmap(-1, max(most, 1))
        """A byte for each place, which all processes see."""
        self._seen = self._there[:]
        self._ways = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(most)]
        for end in (end for way in self._ways for end in way):
            end.setblocking(False)
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, MOST_BYTES)

    def free(self, taken: set[int | None]) -> int | None:
        """Find a place for one more worker; None when there is none: it keeps no table, and passes on."""
        return next((place for place in range(len(self._ways)) if place not in taken), None)

    def expect(self, place: int) -> None:
        """Let tables be kept at a place by a worker that is starting."""
        self._there[place] = EXPECTED

    def replace(self, place: int) -> None:
        """Let a worker that is starting keep tables at a place only when those who serve are let go."""
        self._there[place] = COMING

    def be_loaded(self, place: int) -> None:
        """Say that nobody waits for the worker at a place any more."""
        if self._there[place] == COMING:
            self._there[place] = LOADED

    def come(self, place: int) -> socket.socket:
        """Be ready at a place; gives the end at which connections arrive."""
        self._there[place] = READY
        return self._ways[place][0]

    def go(self, place: int) -> None:
        """Keep tables there no more."""
        self._there[place] = NOBODY

    @property
    def are_ready(self) -> bool:
        """Whether any worker is ready."""
        return READY in self._there[:]

    @property
    def are_coming(self) -> bool:
        """Whether any worker is being loaded that replaces another."""
        return COMING in self._there[:]

    def is_ready(self, place: int) -> bool:
        """Whether the worker at a place keeps tables."""
        return self._there[place] == READY

    def clear(self, place: int) -> None:
        """Close what was passed on to a worker that has ended: who asked comes again, and another one answers."""
        self.go(place)
        while passed := receive(self._ways[place][0]):
            passed.sock.close()

    def keeper(self, code: str) -> int | None:
        """Say at which place a table is kept; None while nobody is there."""
        return _keeper(code, self._there[:])

    def way(self, place: int) -> socket.socket:
        """Give the end at which connections are passed on to a place."""
        return self._ways[place][1]

    def have_changed(self) -> bool:
        """Say whether a worker has come or gone since this was asked last, in this process."""
        before, self._seen = self._seen, self._there[:]
        return before != self._seen


def asked_table(came: bytes | bytearray) -> str | None:
    """Read the code of the table that a request is about, from its first line; None if it is about none.

    >>> asked_table(b"GET /t/k7qx2m/0/line HTTP/1.1")
    'K7QX2M'
    >>> asked_table(b"GET /T/K7QX2M0123456789ABC HTTP/1.1")
    'K7QX2M'
    >>> asked_table(b"GET /static/0/live.js HTTP/1.1")
    """
    found = TABLE.match(came)
    return _code(found[1]) if found else None


def send(way: socket.socket, passed: Passed) -> None:
    """Pass a connection on, and keep it no longer. Raises: OSError, a BlockingIOError where the way is full."""
    about = json.dumps([passed.client, passed.server, passed.is_secure]).encode()
    socket.send_fds(way, [about, b"\n", passed.came], [passed.sock.fileno()])


def receive(end: socket.socket) -> Passed | None:
    """Take the next connection that was passed on; None when there is none."""
    try:
        said, given, *_ = socket.recv_fds(end, MOST_BYTES, 1, socket.MSG_CMSG_CLOEXEC)
    except BlockingIOError:
        return None
    if not given:  # this process has as many open files as it may
        return receive(end)
    about, _, came = said.partition(b"\n")
    client, server, is_secure = json.loads(about)
    return Passed(socket.socket(fileno=given[0]), tuple(client), tuple(server), is_secure, came)


@lru_cache(10_000)
def _code(typed: bytes) -> str | None:
    from companion.log.codes import CODE_LENGTH, invited_to, is_code, read_code  # noqa: PLC0415 (who starts them needs no database)

    text = unquote_to_bytes(typed).decode(errors="replace")
    code = invited_to(text)[0] or read_code(text)
    return code if is_code(code, CODE_LENGTH) else None


@lru_cache(10_000)
def _keeper(code: str, there: bytes) -> int | None:
    """Draw a lot for the table at each place; the highest has it."""
    places = [place for place, who in enumerate(there) if who >= EXPECTED]
    return max(places, key=lambda place: sha256(f"{code} {place}".encode()).digest(), default=None)
