"""Who listens to a table: told what a seat sees whenever the table moves on.

Where the server can give a connection away, as gunicorn can, it goes to the lines, and holds no thread. Elsewhere, as
under a test client, a generator does the same.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from typing import Any, cast

from flask import Flask, Response, current_app, request, stream_with_context
from flask.ctx import RequestContext

from companion import log, metrics
from companion.desk.quotas import LISTENING, homes, too_much
from companion.errors import Full
from companion.intake import home
from companion.log import Reading, Table
from companion.push.bell import bell
from companion.push.hearing import hearing
from companion.push.line import BEAT, BEAT_S, GONE, Line
from companion.push.lines import Lines
from companion.tables import seating
from companion.tables.seating import Asker

UNSEEN = -1
"""The number of who has seen nothing yet: the first view comes at every number, at 0, too."""
RETRY_MS = 500
"""How soon a phone comes back when its stream has ended: with the restart of a server it is there within a second."""

_TELLING = (
    *("REQUEST_METHOD", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING", "SERVER_NAME", "SERVER_PORT", "REMOTE_ADDR"),
    *("HTTP_HOST", "HTTP_COOKIE", "HTTP_AUTHORIZATION", "HTTP_ACCEPT_LANGUAGE", "wsgi.url_scheme"),
)
"""What of a request is needed to answer it again."""

Write = Callable[[Asker, Reading], str]
"""Writes what is sent."""
News = tuple[Table, Reading]
"""A table as it is now."""


class Subscriber:
    """A phone, or a program, that watches a table.

    When its line ends, it is let go of at once: nothing that it holds may lead back to it, for such circles are only
    looked for when very much has been done.
    """

    def __init__(self, asker: Asker, seat: int | None, seen: int) -> None:
        """Begin with what was seen before.

        Args:
            asker: who watches.
            seat: whose eyes it looks with, until the seat is another's; None for everybody's.
            seen: the number that it has seen, or UNSEEN.
        """
        self.code, self.phone, self.seat, self.seen = asker.table.code, asker.phone, seat, seen
        self.alike = ""
        """As of others who foresee the same."""
        self._asker: Asker | None = None
        self._is_playing = asker.is_host or asker.seat is not None
        self.is_called = is_ours()
        self._bell, self._hearing, self._homes = bell(), hearing(), homes()
        self._home = home(request.remote_addr or "")

    def at(self, table: Table) -> Asker:
        """Ask, at the table as it is remembered."""
        before = self._asker  # messages are read in one thread, and looks are taken in another
        asker = self._asker = before.at(table) if before else Asker(table, self.phone)
        return asker

    def come(self) -> None:
        """Listen from now on. Raises: Full, TooMuch, RuntimeError (there is no thread to hear the others).

        Whoever only looks on is let in while half of the places are free: the rest is for those who play.
        """
        most: int = current_app.config["COMPANION"].streams
        if not self._homes.enter(self._home, self._is_playing):
            raise too_much("listening", LISTENING)
        with ExitStack() as undone:
            undone.callback(self._homes.leave, self._home, self._is_playing)
            if not self._bell.enter(self.code, self.phone, most if self._is_playing else most // 2, self.is_called):
                if self._bell.has_many(self.phone):
                    raise too_much("listening", LISTENING)
                metrics.QUOTAS.labels("streams").inc()
                raise Full
            undone.pop_all()
        metrics.STREAMS.inc()

    def go(self) -> None:
        """Listen no longer."""
        self._bell.leave(self.code, self.phone, self.is_called)
        self._homes.leave(self._home, self._is_playing)
        metrics.STREAMS.dec()

    def hear(self) -> None:
        """Note that somebody who plays is there; who only looks on does not count."""
        if self._is_playing:
            self._hearing.hear(self.code, self.phone)

    def wait(self, timeout_s: float) -> int | None:
        """Wait for a number that was not seen; None when the time is over."""
        return self._bell.wait(self.code, self.seen, timeout_s)

    def look(self, news: News) -> str | None:
        """Say what is newest, or "" if it was said; None once the seat is another's."""
        table, reading = news
        asker = self.at(table)
        if self.seat is not None and self.seat not in asker.seats:
            return None
        if reading.number == self.seen:
            return ""
        self.seen = reading.number
        return self.write(asker, reading)

    def foresee(self, news: News) -> None:
        """Work out what it will be told, as far as that is remembered; in a thread beside."""

    def write(self, asker: Asker, reading: Reading) -> str:
        """Write what it is told."""
        raise NotImplementedError


class Reader(Subscriber):
    """Who reads an event stream."""

    def __init__(self, asker: Asker, seat: int | None, seen: int, write: Write) -> None:
        """Begin with what was seen before; `write` writes what is told."""
        super().__init__(asker, seat, seen)
        self._write = write

    def write(self, asker: Asker, reading: Reading) -> str:
        """Write a frame."""
        return self._write(asker, reading)


class Handed(Response):
    """An answer after which the connection belongs to the lines."""

    def __init__(self, make: Callable[[bytes], Line[Any]], *about: Any, **more: Any) -> None:
        """Take what makes a line of the head of this answer."""
        super().__init__(*about, **more)
        self._make = make

    def __call__(self, environ: Any, start_response: Any) -> Any:
        """Write the head, and end what the server does with the connection, as gunicorn understands it."""
        told = "".join(f"{name}: {value}\r\n" for name, value in self.headers)
        line = self._make(f"HTTP/1.1 {self.status}\r\n{told}\r\n".encode("latin-1"))
        # Whoever serves requests reads and closes this socket no more.
        lines().take(line, socket.socket(fileno=environ["gunicorn.socket"].detach()))
        raise StopIteration


def init_app(app: Flask) -> None:
    """Give an app its lines, which the bell calls."""
    all_lines: Lines[Any] = Lines(app, newest, log.rest)
    app.extensions["companion.lines"] = all_lines
    app.extensions["companion.bell"].call = all_lines.ring
    app.extensions["companion.foretold"] = lambda table, reading: all_lines.foretell(table.code, (table, reading))


def lines() -> Lines[Any]:
    """Give the app's lines."""
    return cast(Lines[Any], current_app.extensions["companion.lines"])


def is_ours() -> bool:
    """Say whether the server can give this connection away."""
    own = request.environ.get("gunicorn.socket")
    return own is not None and not isinstance(own, ssl.SSLSocket) and request.method == "GET"


def streamed(asker: Asker, seat: int | None, write: Write) -> Response:
    """Open an event stream; what writes it runs outside of the request.

    Raises:
        Full, TooMuch, UNRULED.
    """
    log.read(asker.table)
    before = request.headers.get("Last-Event-ID", "") or request.args.get("after", "")
    seen = int(before) if before.isdecimal() and len(before) < 10 else UNSEEN  # noqa: PLR2004
    about: dict[str, Any] = {"mimetype": "text/event-stream", "headers": {"X-Accel-Buffering": "no"}}
    retry = f"retry: {RETRY_MS}\n\n"
    subscriber = Reader(asker, seat, seen, write)
    subscriber.come()
    if subscriber.is_called:
        about["headers"]["Connection"] = "close"
        return Handed(lambda head: Line(lines(), subscriber, head + retry.encode()), **about)
    answer = Response(stream_with_context(_frames(subscriber, retry)), **about)
    answer.call_on_close(subscriber.go)
    return answer


def _frames(subscriber: Subscriber, retry: str) -> Iterator[str]:
    """Send what is newest whenever it was not seen, and a sign of life now and then."""
    yield retry
    heard = None
    while True:
        said = subscriber.look(newest(subscriber.code, heard))
        # Before the phone has taken the frame: a slow one must not hold a connection.
        log.rest()
        if said is None:
            yield GONE
            return
        if said:
            yield said
        while (heard := subscriber.wait(BEAT_S)) is None:
            yield BEAT


def newest(code: str, heard: int | None) -> News:
    """Give a table as it is now: from memory, where that is as far as the bell has told, or from the log."""
    known = log.remembered(code) if heard else None
    if known and heard and known[1].number >= heard:
        return known
    table = seating.find_table(code)
    reading = log.read(table)
    # What is remembered of the table is shared by all who watch it.
    return log.remembered(code) or (table, reading)


def kept_request() -> dict[str, Any]:
    """Keep of this request what says who asked, from where, and in which language: thousands are kept."""
    return {name: request.environ[name] for name in _TELLING if name in request.environ}


def come_back(environ: dict[str, Any]) -> RequestContext:
    """Give the context of an earlier request."""
    return current_app.request_context({**environ, "wsgi.input": BytesIO()})
