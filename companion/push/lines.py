"""All connections that stay open, in one thread: nobody who listens needs a thread, or waits for another.

Messages that arrive together are answered together.
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
from typing import Any, Generic

from flask import Flask

from companion.push.line import L, Line, Socket

log = logging.getLogger("companion")


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
