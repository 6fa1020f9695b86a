"""The porter of the server with threads: nobody is given a thread before the whole of a request is here.

Browsers open connections that they may need, phones walk out of reach in the middle of a word, and some people do
such things on purpose. gunicorn's own worker lets each of them hold a thread for seconds, and waits for each that
leaves slowly with the thread that lets in the others; at home there are few threads. Here all of them wait in one
place, for a while.
"""

from __future__ import annotations

import errno
import re
import selectors
import socket
import struct
import time
from collections import deque
from concurrent.futures import Future
from functools import partial
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

WHOLE_S = 10.0
"""How long a request may take from the opening of its connection, or its first byte, to its last."""
LEAVE_S = 2.0
"""How long who was told to go may take, before the connection is cut."""
HEAD, BODY = 64 * 1024, 64 * 1024
"""Bytes of a request that are waited for. Of a larger one a thread reads the rest."""

LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,12})[ \t]*\r\n", re.IGNORECASE)
ASKS_FIRST = re.compile(rb"\r\nexpect:", re.IGNORECASE)


def is_whole(came: bytes | bytearray) -> bool:
    r"""Say whether a thread can read a request without waiting; whether it is one is for the thread to say.

    >>> is_whole(b"GET / HTTP/1.1\r\nHost: table.lan\r\n")
    False
    >>> is_whole(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nseat")
    False
    >>> is_whole(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nseat=")
    True
    """
    end = came.find(b"\r\n\r\n")
    if end < 0:
        return len(came) > HEAD
    length = LENGTH.search(came, 0, end + 2)
    if length is None or ASKS_FIRST.search(came, 0, end + 2):
        return True
    return len(came) - end - 4 >= min(int(length[1]), BODY)


class Caller(TConn):  # type: ignore[misc]
    """A connection, and what has come of its next request."""

    def __init__(self, *about: Any) -> None:
        """Begin with nothing."""
        super().__init__(*about)
        self.came = bytearray()
        self.is_gone = False


class Porter(ThreadWorker):  # type: ignore[misc]
    """gunicorn's worker with threads, which lets in who has said what they want."""

    def __init__(self, *about: Any) -> None:
        """Begin with nobody."""
        super().__init__(*about)
        self.leaving: deque[Caller] = deque()

    def accept(self, listener: socket.socket) -> None:
        """Take a connection, and wait for its request."""
        try:
            sock, address = listener.accept()
        except OSError as problem:
            if problem.errno not in {errno.EAGAIN, errno.ECONNABORTED}:
                raise
            return
        # What is larger than is waited for is read by a thread: it, too, must not wait for ever.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", int(WHOLE_S), 0))
        self.nr_conns += 1
        self._await(Caller(self.cfg, sock, address, listener.getsockname()))
        if self.nr_conns >= self.worker_connections:
            # The last place is for the next who comes: whoever has been silent for longest goes.
            idle = self.pending_conns if len(self.pending_conns) > 1 else self.keepalived_conns
            if idle:
                self._drop(idle[0], idle)

    def on_client_socket_readable(self, conn: Caller, client: socket.socket) -> None:
        """Hear the next request of a connection that was kept."""
        if conn.is_gone:
            return
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        self._await(conn)
        self._hear(conn, client)

    def handle(self, conn: Caller) -> Any:
        """Answer a request, in a thread."""
        conn.sock.setblocking(True)
        conn.init()
        conn.parser.unreader.unread(bytes(conn.came))
        conn.came.clear()
        return super().handle(conn)

    def finish_request(self, conn: Caller, fs: Future[Any]) -> None:
        """Keep a connection, or see it off, without waiting for it."""
        is_kept = not fs.cancelled() and fs.exception() is None and fs.result()
        if not is_kept:
            self._see_off(conn)
            return
        conn.came += conn.parser.unreader.take_buffered()
        if not conn.came:
            super().finish_request(conn, fs)
        elif is_whole(conn.came):
            self.enqueue_req(conn)
        else:
            conn.sock.setblocking(False)
            self._await(conn)

    def murder_pending(self) -> None:
        """Cut off who has taken too long; gunicorn calls this by its name, every second and more often."""
        now = time.monotonic()
        for waiting in (self.pending_conns, self.leaving):
            while waiting and waiting[0].timeout <= now:
                self._drop(waiting[0], waiting)

    def _await(self, conn: Caller) -> None:
        conn.timeout = time.monotonic() + WHOLE_S
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._hear, conn))

    def _hear(self, conn: Caller, client: socket.socket) -> None:
        """Read what there is; when that is all, give it to a thread."""
        said = None if conn.is_gone else _read(client)
        if said is None:
            return
        conn.came += said
        if not said:
            self._drop(conn, self.pending_conns)
        elif is_whole(conn.came):
            self.poller.unregister(client)
            self.pending_conns.remove(conn)
            self.enqueue_req(conn)

    def _see_off(self, conn: Caller) -> None:
        """Tell that all has been said, and wait a little: cut off at once, the end of an answer may not arrive."""
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.nr_conns -= 1
            conn.close()
            return
        conn.timeout = time.monotonic() + LEAVE_S
        self.leaving.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._hear_out, conn))

    def _hear_out(self, conn: Caller, client: socket.socket) -> None:
        if not conn.is_gone and _read(client) == b"":
            self._drop(conn, self.leaving)

    def _drop(self, conn: Caller, waiting: deque[Caller]) -> None:
        conn.is_gone = True
        waiting.remove(conn)
        self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()


def _read(client: socket.socket) -> bytes | None:
    """Read what there is; b"" when the other side has gone, None when there is nothing yet."""
    try:
        return client.recv(HEAD)
    except BlockingIOError:
        return None
    except OSError:
        return b""
