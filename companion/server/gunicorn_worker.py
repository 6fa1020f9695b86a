"""The porter of a worker: nobody is given a thread before the whole of a request is here, at the worker that it is for.

Browsers open connections that they may need, phones walk out of reach in the middle of a word, and some people do
such things on purpose. gunicorn's own worker lets each of them hold a thread for seconds, and waits for each that
leaves slowly with the thread that lets in the others; at home there are few threads. Here all of them wait in one
place, for a while. Whoever asks for a table that another worker keeps is passed on to it, with what has come of the
request, and notices nothing.
"""

from __future__ import annotations

import errno
import selectors
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

from companion import machine
from companion.server.caller import Caller
from companion.server.incoming import HEAD, SLOWEST, WHOLE_S, Uploads
from companion.server.keepers import FULL, FULL_S, Keepers, Passed, asked_table, receive, send
from companion.server.outgoing import Outgoing

TAKE_S = 30.0
"""How long a phone may take over the last of an answer, beside the time that its length needs."""
LEAVE_S = 2.0
"""How long who was told to go may take, before the connection is cut."""
LOOK_S = 0.02
"""How often it is looked whether all are loaded who replace others."""
CROWDED = "X-COMPANION-CROWDED"
"""The header that tells the app why the rest of a request was not read."""


class Threads(ThreadPoolExecutor):
    """Those that answer: where the system has no more of them, who comes waits for one that is there."""

    def _adjust_thread_count(self) -> None:
        """Start one more where all are busy; it is called so when something is to be done. Raises: RuntimeError."""
        try:
            super()._adjust_thread_count()
        except RuntimeError:
            if not self._threads:
                raise


class Porter(ThreadWorker):  # type: ignore[misc]
    """gunicorn's worker with threads, which lets in who has said what they want."""

    def __init__(self, *about: Any) -> None:
        """Begin with nobody."""
        super().__init__(*about)
        self.leaving: deque[Caller] = deque()
        self.bringing: deque[Caller] = deque()
        """Who is on the way with evenings, and has more time for it."""
        self.sending: deque[Caller] = deque()
        """Who has not taken all of an answer yet."""
        self.uploads = Uploads()
        self.guests: Collection[str] = ()
        """The origins whose programs may use the API in a browser."""
        self.keepers = Keepers()
        self.place: int | None = None
        """Among them; None where it keeps no table, or is alone and keeps them all."""
        self.moved: Callable[[], None] = lambda: None
        """Called when some of the tables may have another keeper."""
        self.gone: Callable[[], None] = lambda: None
        """Called when nobody is let in any more."""
        self._looked = 0.0
        self._is_replaced = False
        """Whether it goes as soon as those serve who replace it."""
        self._queues: dict[socket.socket, list[Caller]] = {}
        """By the way on which those wait to be passed on who do not fit there now."""

    def get_thread_pool(self) -> Threads:
        """Give those who answer; gunicorn calls this by its name."""
        return Threads(self.cfg.threads)

    def join(self, moved: Callable[[], None]) -> None:
        """Be ready, among several workers; told when one of them comes or goes."""
        self.moved = moved
        if self.place is None:
            return
        self.keepers.be_loaded(self.place)
        while self.alive and self.keepers.are_coming:
            self.notify()
            time.sleep(LOOK_S)
        if self.alive:
            self.poller.register(self.keepers.come(self.place), selectors.EVENT_READ, self._receive)

    def is_kept(self, code: str) -> bool:
        """Say whether this worker keeps a table; while none does, whoever is asked."""
        return self.keepers.keeper(code) in {self.place, None}

    def handle_exit(self, *about: Any) -> None:
        """Stop, and be passed no more connections; who is replaced serves until the others can."""
        if self.place is not None:
            self._is_replaced = self.keepers.is_ready(self.place) and self.keepers.are_coming
            if self._is_replaced:
                return
            self.keepers.go(self.place)
        if self.alive:
            self.gone()
        super().handle_exit(*about)

    def wait_for(self, more: int) -> None:
        """Wait for so many more or fewer, who are on their way in, before the end."""
        self.nr_conns += more

    def accept(self, listener: socket.socket) -> None:
        """Take a connection, and wait for its request."""
        try:
            sock, address = listener.accept()
        except OSError as problem:
            if problem.errno in FULL:
                self._make_room()
            elif problem.errno not in {errno.EAGAIN, errno.ECONNABORTED}:
                raise
            return
        self.let_in(Passed(sock, address, listener.getsockname()))

    def let_in(self, passed: Passed) -> None:
        """Wait for what a connection asks, or go on where another worker was."""
        sock = Outgoing(fileno=passed.sock.detach())
        # No thread reads from here but to see somebody off, and then, too, it must not wait for ever.
        machine.bound_reading(sock, int(WHOLE_S))
        conn = Caller(self.uploads, self.guests, self.cfg, sock, passed.client, passed.server)
        conn.is_secure = passed.is_secure
        conn.next(passed.came)
        self.nr_conns += 1
        self._see_to(conn)
        if self.nr_conns >= self.worker_connections:
            # The last place is for the next who comes.
            self._drop_silent()

    def _make_room(self) -> None:
        """Let go of so many that each thread can open a file, too; or wait until others have gone."""
        gone = [self._drop_silent() for _ in range(self.cfg.threads)]
        if not any(gone):
            time.sleep(FULL_S)

    def _drop_silent(self) -> bool:
        """Let go of whoever has been silent for longest; False where nobody is but the last who came."""
        idle = self.pending_conns if len(self.pending_conns) > 1 else self.keepalived_conns
        if not idle:
            return False
        self._drop(idle[0], idle)
        return True

    def on_client_socket_readable(self, conn: Caller, client: socket.socket) -> None:
        """Hear the next request of a connection that was kept."""
        if conn.is_gone:
            return
        self.poller.unregister(client)
        self.keepalived_conns.remove(conn)
        conn.next(b"")
        self._await(conn)
        self._hear(conn, client)

    def handle(self, conn: Caller) -> Any:
        """Answer a request, in a thread."""
        conn.sock.setblocking(True)
        conn.init()
        conn.hand_over()
        return super().handle(conn)

    def handle_request(self, req: Any, conn: Caller) -> Any:
        """Answer a request; what came by the secure door has been secure, whatever it says itself."""
        if conn.is_secure:
            req.scheme = "https"
        if conn.incoming.is_crowded:
            req.headers.append((CROWDED, "1"))
        return super().handle_request(req, conn)

    def _keepalive_after(self, conn: Caller, keepalive: bool) -> bool:
        """Keep a connection, unless part of its request was not waited for: that would be taken for the next one."""
        return super()._keepalive_after(conn, keepalive) and not conn.parser.unreader.is_dry

    def finish_request(self, conn: Caller, fs: Future[Any]) -> None:
        """Send what is left of an answer as the phone takes it, without waiting for it."""
        rest = conn.sock.rest
        if not rest:
            self._finish(conn, fs)
            return
        conn.timeout = time.monotonic() + TAKE_S + rest / SLOWEST
        conn.sock.setblocking(False)
        self.sending.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_WRITE, partial(self._go_on_sending, conn, fs))

    def _go_on_sending(self, conn: Caller, fs: Future[Any], _client: socket.socket) -> None:
        if conn.is_gone:
            return
        try:
            is_sent = conn.sock.go_on()
        except OSError:
            self._drop(conn, self.sending)
            return
        if is_sent:
            self.poller.unregister(conn.sock)
            self.sending.remove(conn)
            self._finish(conn, fs)

    def _finish(self, conn: Caller, fs: Future[Any]) -> None:
        """Keep a connection, or see it off, without waiting for it."""
        is_kept = not fs.cancelled() and fs.exception() is None and fs.result()
        if not is_kept:
            self._see_off(conn)
            return
        came = conn.parser.unreader.take_buffered()
        conn.sock.setblocking(False)
        conn.next(came)
        if not came:
            super().finish_request(conn, fs)
        else:
            self._see_to(conn)

    def murder_pending(self) -> None:
        """Look around, and cut off who has taken too long.

        gunicorn calls this by its name, every second and more often.
        """
        if self._is_replaced:
            self.handle_exit(signal.SIGTERM, None)
        if self.keepers.have_changed():
            self.moved()
        now = time.monotonic()
        for waiting in (self.pending_conns, self.leaving):
            while waiting and waiting[0].timeout <= now:
                self._drop(waiting[0], waiting)
        if now < self._looked + 1:
            return
        self._looked = now
        for some in (self.bringing, self.sending):  # these are in no order
            for conn in [conn for conn in some if conn.timeout <= now]:
                self._drop(conn, some)

    def _await(self, conn: Caller) -> None:
        conn.timeout = time.monotonic() + conn.incoming.patience_s
        self._waiting(conn).append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._hear, conn))

    def _waiting(self, conn: Caller) -> deque[Caller]:
        """Say among whom somebody waits to be heard out."""
        return self.bringing if conn.incoming.is_brought else self.pending_conns

    def _hear(self, conn: Caller, client: socket.socket) -> None:
        """Read what there is; see to it when that is enough."""
        said = None if conn.is_gone else _read(client)
        if said is None:
            return
        waiting = self._waiting(conn)
        if not said or not conn.takes(said):
            self._drop(conn, waiting)
        elif conn.incoming.is_whole or self._keeper(conn) is not None or waiting is not self._waiting(conn):
            self.poller.unregister(client)
            waiting.remove(conn)
            self._see_to(conn)

    def _see_to(self, conn: Caller) -> None:
        """Pass a request on to the worker that keeps its table, or give it to a thread; or wait for the rest of it."""
        keeper = self._keeper(conn)
        if keeper is not None and self._is_passed_on(conn, self.keepers.way(keeper)):
            return
        if conn.incoming.refusal:
            self._see_off(conn)
        elif conn.incoming.is_whole:
            conn.is_here()
            self.enqueue_req(conn)
        else:
            self._await(conn)

    def _keeper(self, conn: Caller) -> int | None:
        """Say at which place another worker keeps the table that is asked for; None where there is none."""
        code = asked_table(conn.incoming.came)
        return self.keepers.keeper(code) if code and not self.is_kept(code) else None

    def _is_passed_on(self, conn: Caller, way: socket.socket) -> bool:
        """Pass a connection on, perhaps soon; False where that cannot be, and it is answered here."""
        try:
            if way in self._queues:  # who came first goes first
                raise BlockingIOError
            send(way, Passed(conn.sock, conn.client, conn.server, conn.is_secure, bytes(conn.incoming.came)))
        except BlockingIOError:
            if way not in self._queues:
                self.poller.register(way, selectors.EVENT_WRITE, self._go_on)
            self._queues.setdefault(way, []).append(conn)
            return True
        except OSError:
            return False
        self.nr_conns -= 1
        conn.close()
        return True

    def _go_on(self, way: socket.socket) -> None:
        """See to those again who have waited for a way to be free."""
        self.poller.unregister(way)
        for conn in self._queues.pop(way):
            self._see_to(conn)

    def _receive(self, end: socket.socket) -> None:
        if passed := receive(end):
            self.let_in(passed)

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
