"""Connections that stay open, all of them in one thread: nobody who listens needs a thread, or waits for another.

A line that does not read what it is sent is cut off, so that it holds nobody up: it comes back, and is told what is
newest. Messages that arrive together are answered together.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from functools import partial
from threading import Lock, Thread
from typing import Any, Generic, Protocol, TypeVar, cast

from flask import Flask
from wsproto import ConnectionType
from wsproto.connection import Connection
from wsproto.events import CloseConnection, Ping, Pong, TextMessage
from wsproto.utilities import RemoteProtocolError

BEAT_S = 15
"""Seconds between the signs that show a line to be alive."""
MOST_CHARACTERS = 16 * 1024
"""Of a message."""
MOST_UNANSWERED = 16
"""Messages that a line may have sent before it is listened to no more, until one of them is answered."""
MOST_UNREAD = 256 * 1024
"""Bytes that may wait for a line to read them."""
BEAT = ": beat\nevent: beat\ndata: \n\n"
GONE = "event: gone\ndata: \n\n"
"""The last that a stream says: its seat is another's."""

log = logging.getLogger("companion")


class Listener(Protocol):
    """Who is at the other end of a line."""

    code: str
    """The table's."""

    def go(self) -> None:
        """Be there no longer."""

    def look(self, news: Any) -> str | None:
        """Say what of the table's news was not said, or "" if all was. None when the line has to end."""


L = TypeVar("L", bound=Listener)


class Line(asyncio.Protocol, Generic[L]):
    """A connection of one who is told of a table, as an event stream; what it sends is not read."""

    def __init__(self, lines: Lines[L], who: L, head: bytes) -> None:
        """Start before it is connected; `head` is what it is sent first."""
        self.who = who
        self._lines = lines
        self._head = head
        self._held = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to listen."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._head)
        self._lines.tables.setdefault(self.who.code, {})[self] = None
        self._pulse = asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave."""
        self._pulse.cancel()
        of_table = self._lines.tables[self.who.code]
        del of_table[self]
        if not of_table:
            del self._lines.tables[self.who.code]
        self.who.go()

    def send(self, text: str) -> None:
        """Send what was said."""
        self._write(text.encode())

    def end(self) -> None:
        """Say goodbye."""
        self._hang_up(GONE.encode())

    def break_off(self) -> None:
        """Hang up in the middle: it may come again."""
        self._hang_up(b"")

    def beat(self) -> None:
        """Show that the line is alive."""
        self._write(BEAT.encode())

    def hold(self, data: bytes) -> None:
        """Send this with what is sent next: two messages at once cost as much as one."""
        self._held += data

    def let_go(self) -> None:
        """Send what is held, if nothing has taken it along."""
        if self._held:
            self._write(b"")

    def _write(self, data: bytes) -> None:
        if self._transport.is_closing():
            return
        self._transport.write(self._held + data)
        self._held = b""
        if self._transport.get_write_buffer_size() > MOST_UNREAD:
            self._transport.abort()

    def _hang_up(self, goodbye: bytes) -> None:
        """Close the connection; who has not read what was said before does not read the goodbye either."""
        self._write(goodbye)
        if self._transport.get_write_buffer_size():
            self._transport.abort()
        else:
            self._transport.close()

    def _beat(self) -> None:
        self._pulse = asyncio.get_running_loop().call_later(BEAT_S, self._beat)
        self.beat()


class Socket(Line[L]):
    """A WebSocket: its messages are answered."""

    GOODBYE = 1000
    """The code with which it is closed when it has nothing more to hear."""

    def __init__(self, lines: Lines[L], who: L, head: bytes) -> None:
        """Start before it is connected."""
        super().__init__(lines, who, head)
        self._wire = Connection(ConnectionType.SERVER)
        self._text = ""
        self._unanswered = 0
        self._is_alive = True

    def data_received(self, data: bytes) -> None:
        """Read frames; whole messages go to be answered."""
        try:
            self._wire.receive_data(data)
            for event in self._wire.events():
                match event:
                    case TextMessage():
                        self._text += event.data
                        if len(self._text) > MOST_CHARACTERS:
                            self._transport.abort()
                        elif event.message_finished:
                            self._ask(self._text)
                            self._text = ""
                    case Ping():
                        self._write(self._wire.send(event.response()))
                    case Pong():
                        self._is_alive = True
                    case CloseConnection():
                        self._hang_up(self._wire.send(event.response()))
                    case _:
                        self._transport.abort()
        except RemoteProtocolError:
            self._transport.abort()

    def answer(self, text: str) -> None:
        """Answer the message that has waited longest; who sends it is told what it has changed in the same breath."""
        if not self._transport.is_closing():
            self.hold(self._wire.send(TextMessage(text)))
        if self._unanswered == MOST_UNANSWERED:
            self._transport.resume_reading()
        self._unanswered -= 1

    def send(self, text: str) -> None:
        """Send a message."""
        if not self._transport.is_closing():
            self._write(self._wire.send(TextMessage(text)))

    def end(self) -> None:
        """Say goodbye."""
        if not self._transport.is_closing():
            self._hang_up(self._wire.send(CloseConnection(self.GOODBYE)))

    def break_off(self) -> None:
        """Say that something went wrong here."""
        if not self._transport.is_closing():
            self._hang_up(self._wire.send(CloseConnection(1011)))

    def beat(self) -> None:
        """Ping; who has not answered the last one is gone."""
        if not self._is_alive:
            self._transport.abort()
        elif not self._transport.is_closing():
            self._is_alive = False
            self._write(self._wire.send(Ping()) + self._sign())

    def _sign(self) -> bytes:
        """Write what else shows that the line is alive: a program sees the ping."""
        return b""

    def _ask(self, text: str) -> None:
        self._unanswered += 1
        if self._unanswered == MOST_UNANSWERED:
            self._transport.pause_reading()
        self._lines.arrived(self, text)


class PageSocket(Socket[L]):
    """A WebSocket of a page, whose script sees no ping, and has to know when its seat is another's."""

    GOODBYE = 4001

    def _sign(self) -> bytes:
        return self._wire.send(TextMessage("{}"))


class Lines(Generic[L]):
    """All lines of a process.

    Args:
        app: whose lines they are.
        newest: reads a table for those who look at it; the bell has told this number, or nothing yet.
    """

    answer: Callable[[list[tuple[L, str]]], list[str]]
    """Answers messages about different tables that arrived together; set by whoever opens sockets."""

    def __init__(self, app: Flask, newest: Callable[[str, int | None], Any]) -> None:
        """Start with none, and without a thread: that begins with the first, in the process that has it."""
        self.tables: dict[str, dict[Line[L], None]] = {}
        """The lines of each table, in the order in which they came."""
        self._app = app
        self._newest = newest
        self._arrived: list[tuple[Socket[L], str]] = []
        self._asked: set[str] = set()
        """Tables of which a message is being answered."""
        self._is_ringing = False
        self._clerk = ThreadPoolExecutor(1, "answers")
        self._rung: dict[str, int] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._lock = Lock()

    def take(self, line: Line[L], own: socket.socket) -> None:
        """Take a socket over, which no one else uses any more."""
        own.setblocking(False)
        # A line would keep the context in which it begins, and with it all of the request.
        Context().run(asyncio.run_coroutine_threadsafe, self._connect(line, own), self._running())

    def ring(self, code: str, number: int) -> None:
        """Tell a table's lines soon; whoever rings does not wait."""
        with self._lock:
            self._rung[code] = number
            is_first, self._is_ringing = not self._is_ringing, True
        if is_first:
            self._running().call_soon_threadsafe(self._tell_all, context=Context())

    def arrived(self, line: Socket[L], text: str) -> None:
        """Answer a message, together with those that arrive now, or while others are being answered."""
        if not self._arrived and not self._asked:
            self._running().call_soon(self._pass_on)
        self._arrived.append((line, text))

    def close(self) -> None:
        """End all lines, and the thread."""
        loop = self._running()
        asyncio.run_coroutine_threadsafe(self._end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        if self._thread:
            self._thread.join()
        self._clerk.shutdown()
        loop.close()

    async def _end(self) -> None:
        for line in [line for of_table in self.tables.values() for line in of_table]:
            line.end()
        while self.tables:
            await asyncio.sleep(0)

    async def _connect(self, line: Line[L], own: socket.socket) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: line, own)
        except OSError:  # it has gone meanwhile
            line.who.go()
            return
        with self._app.app_context():
            self._tell(line.who.code, None, [line])

    def _tell(self, code: str, number: int | None, lines: Collection[Line[L]]) -> None:
        """Tell lines of a table what is new there."""
        try:
            news = self._newest(code, number) if lines else None
        except Exception:
            log.exception("A table could not be looked at; its lines may come again.")
            for line in lines:
                line.break_off()
            return
        for line in lines:
            self._say(line, news)

    def _say(self, line: Line[L], news: Any) -> None:
        try:
            said = line.who.look(news)
        except Exception:
            log.exception("A line could not be told; it may come again.")
            line.break_off()
            return
        if said is None:
            line.end()
        elif said:
            line.send(said)

    def _tell_all(self, answered: Collection[str] = ()) -> None:
        """Tell of the tables that have moved on; of one where a message is being answered, after the answer."""
        with self._lock:
            self._is_ringing = False
            waiting = self._asked - set(answered)
            rung = {code: number for code, number in self._rung.items() if code not in waiting}
            self._rung = {code: number for code, number in self._rung.items() if code not in rung}
        with self._app.app_context():
            for code, number in rung.items():
                self._tell(code, number, list(self.tables.get(code, ())))

    def _pass_on(self) -> None:
        """Have one message a table answered; a second one needs the ruling on the first.

        In a thread beside: an answer may wait for the disk, and those who only listen do not wait with it.
        """
        first: dict[str, tuple[Socket[L], str]] = {}
        self._arrived = [each for each in self._arrived if first.setdefault(each[0].who.code, each) is not each]
        self._asked = set(first)
        asked = list(first.values())
        answering = self._running().run_in_executor(self._clerk, self._answered, asked)
        answering.add_done_callback(partial(self._hand_out, [line for line, _ in asked]))

    def _answered(self, asked: Sequence[tuple[Socket[L], str]]) -> list[str]:
        with self._app.app_context():
            return self.answer([(line.who, text) for line, text in asked])

    def _hand_out(self, asked: Sequence[Socket[L]], answering: asyncio.Future[list[str]]) -> None:
        answered, self._asked = self._asked, set()
        if self._arrived:
            self._pass_on()
        try:
            for line, answer in zip(asked, answering.result(), strict=True):
                line.answer(answer)
        except Exception:
            log.exception("Messages could not be answered; they may come again.")
            for line in asked:
                line.break_off()
        self._tell_all(answered)
        for line in asked:
            line.let_go()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=self._loop.run_forever, daemon=True, name="lines")
                self._thread.start()
            return self._loop
