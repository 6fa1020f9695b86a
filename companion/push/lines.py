"""All connections that stay open, in one thread: nobody who listens needs a thread, or waits for another.

Messages that arrive together are answered together: in the same thread where that takes no longer than a commit to a
disk, and in a second one where a server or a long log has to be asked. What a message leads to that has come alone is
worked out in a third one, while the disk keeps the entry, so that it can be told as soon as that is safe.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import Context
from queue import SimpleQueue
from threading import Lock, Thread, current_thread
from typing import Any, Generic

from flask import Flask

from companion import machine
from companion.push.line import L, Line, Socket

log = logging.getLogger("companion")

Answer = Callable[[list[tuple[L, str]]], Sequence[str | None]]
"""Answers messages about different tables that arrived together."""
MOST_FORESEEN = 32
"""Lines of a table that are asked what they will be told: by far most of the others will be told the same."""
BROKEN = ""
"""Instead of an answer, where there can be none."""


class Lines(Generic[L]):
    """All lines of a process.

    Args:
        app: whose lines they are.
        newest: reads a table for those who look at it; the bell has told this number, or nothing yet.
        rest: gives back what was borrowed to answer and to tell; called when all was.
    """

    answer: Answer[L]
    """Answers all; set by whoever opens sockets."""
    at_once: Answer[L]
    """Answers those that hold nobody up; None for the others."""

    def __init__(self, app: Flask, newest: Callable[[str, int | None], Any], rest: Callable[[], object]) -> None:
        """Start with none, and without a thread: that begins with the first, in the process that has it."""
        self.at_once = lambda asked: [None] * len(asked)
        self.is_kept: Callable[[str], bool] = lambda _code: True
        """Says whether a table's lines belong here, and not to another worker."""
        self.tables: dict[str, dict[Line[L], None]] = {}
        """The lines of each table, in the order in which they came."""
        self._app = app
        self._inside, self._context = app.app_context(), Context()
        """Where the lines' own thread is: it stays within the app. To enter and leave it takes longer than to tell."""
        self._context.run(self._inside.push)
        self._newest = newest
        self._rest = rest
        self._foretold: SimpleQueue[tuple[str, Any] | None] = SimpleQueue()
        self._seer: Thread | None = None
        self._arrived: list[tuple[Socket[L], str]] = []
        self._told: list[Line[L]] = []
        """Who has to be sent what was said."""
        self._asked: set[str] = set()
        """Tables of which a message is being answered."""
        self._beside: list[tuple[Socket[L], str]] = []
        """Messages that wait for the thread beside, in which others are being answered."""
        self._is_beside = False
        self._is_passing = False
        self._is_ringing = False
        self._clerk = ThreadPoolExecutor(1, "answers")
        self._rung: dict[str, int] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._lock = Lock()

    def take(self, line: Line[L], own: socket.socket) -> None:
        """Take a socket over, which no one else uses any more. Raises: RuntimeError, where there is no thread."""
        own.setblocking(False)
        try:
            loop = self._running()
        except RuntimeError:
            own.close()
            line.who.go()
            raise
        # A line keeps the context in which it begins: that of the request would keep all of the request.
        self._context.copy().run(asyncio.run_coroutine_threadsafe, self._connect(line, own), loop)

    def ring(self, code: str, number: int) -> None:
        """Tell a table's lines soon; whoever rings does not wait. Who comes later looks for itself."""
        with self._lock:
            if self._loop is None:
                return
            self._rung[code] = max(number, self._rung.get(code, number))
            is_first, self._is_ringing = not self._is_ringing, True
        try:
            if is_first and current_thread() is not self._thread:
                self._loop.call_soon_threadsafe(self._tell_all, context=self._context)
        except BaseException:
            self._is_ringing = False
            raise

    def foretell(self, code: str, news: Any) -> None:
        """Let be worked out what a table's lines will be told; whoever foretells goes on at once."""
        if self._seer and code in self.tables:
            self._foretold.put((code, news))

    def arrived(self, line: Socket[L], text: str) -> None:
        """Answer a message, together with those that arrive now; or let it come again where its table is."""
        if not self.is_kept(line.who.code):
            line.move_away()
            return
        self._arrived.append((line, text))
        self._pass_on_soon()

    def tell(self, line: Line[L]) -> None:
        """Tell a line how its table stands; in the lines' own thread."""
        self._tell(line.who.code, None, [line])
        self._send()

    def part(self) -> None:
        """Let go of those lines soon whose tables another worker keeps by now: they come again, there."""
        self._soon(self._part)

    def renew(self) -> None:
        """Let go of all lines soon: they come again, and are told what has changed around their tables."""
        self._soon(self._let_go)

    def _soon(self, work: Callable[[], object]) -> None:
        """Do something soon in the lines' own thread; where there is none yet, there is no line either."""
        with self._lock:
            loop = self._loop
        if loop:
            loop.call_soon_threadsafe(work)

    def close(self) -> None:
        """End all lines, and the thread."""
        loop = self._running()
        asyncio.run_coroutine_threadsafe(self._end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        self._foretold.put(None)
        for thread in filter(None, (self._thread, self._seer)):
            thread.join()
        self._clerk.shutdown()
        self._context.run(self._inside.pop)
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
        if not self.is_kept(line.who.code):
            line.move_away()
            return
        self.tell(line)

    def failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Begin anew where something of ours has failed that was due: the lines may come again, and their messages."""
        loop.default_exception_handler(context)
        if "handle" in context:
            self._is_ringing = self._is_passing = self._is_beside = False
            for waiting in (self._arrived, self._beside, self._asked, self._told):
                waiting.clear()
            for line in [line for of_table in self.tables.values() for line in of_table]:
                line.break_off()

    def _foresee(self) -> None:
        """Work out what is foretold, in a thread of its own; what fails here is worked out again when it is told."""
        with self._app.app_context():
            while foretold := self._foretold.get():
                code, news = foretold
                listeners = [line.who for line in list(self.tables.get(code, ()))[:MOST_FORESEEN]]
                for who in {who.alike: who for who in listeners}.values():
                    with suppress(Exception):
                        who.foresee(news)
                self._rest()

    def _let_go(self) -> None:
        for line in [line for of_table in self.tables.values() for line in of_table]:
            line.move_away()

    def _part(self) -> None:
        for code in [code for code in self.tables if not self.is_kept(code)]:
            for line in list(self.tables[code]):
                line.move_away()

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
        self._told += lines

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
            line.say(said)

    def _tell_all(self) -> None:
        """Tell of the tables that have moved on; of one where a message is being answered, after the answer."""
        with self._lock:
            self._is_ringing = False
            rung = {code: number for code, number in self._rung.items() if code not in self._asked}
            self._rung = {code: number for code, number in self._rung.items() if code not in rung}
        for code, number in rung.items():
            self._tell(code, number, list(self.tables.get(code, ())))
        self._send()

    def _send(self) -> None:
        """Send all that was said, one after the other: what sends is still at hand in the processor."""
        told, self._told = self._told, []
        for line in told:
            line.let_go()
        self._rest()

    def _pass_on_soon(self) -> None:
        """Pass on soon what can be: who waits for the ruling on another message is passed on after it."""
        if not self._is_passing and any(line.who.code not in self._asked for line, _ in self._arrived):
            asyncio.get_running_loop().call_soon(self._pass_on)
            self._is_passing = True

    def _pass_on(self) -> None:
        """Have messages answered: at once, or in a thread beside, so that those who only listen do not wait."""
        self._is_passing = False
        asked = self._next()
        answers = self._answers(self.at_once, asked)
        self._hand_out(asked, answers)
        self._beside += [each for each, answer in zip(asked, answers, strict=True) if answer is None]
        self._pass_beside()

    def _pass_beside(self) -> None:
        """Have all messages answered that have come while others were: they share a commit."""
        if self._beside and not self._is_beside:
            asked, self._beside, self._is_beside = self._beside, [], True
            answering = asyncio.get_running_loop().run_in_executor(self._clerk, self._answers_beside, asked)
            answering.add_done_callback(lambda done: self._answered(asked, done.result()))

    def _answered(self, asked: Sequence[tuple[Socket[L], str]], answers: Sequence[str | None]) -> None:
        self._is_beside = False
        self._pass_beside()  # these are committed while those are told
        self._hand_out(asked, answers)

    def _next(self) -> list[tuple[Socket[L], str]]:
        """Take one message a table of those that have arrived; a second one needs the ruling on the first."""
        first: dict[str, tuple[Socket[L], str]] = {}
        for each in self._arrived:
            if (code := each[0].who.code) not in self._asked:
                first.setdefault(code, each)
        self._arrived = [each for each in self._arrived if first.get(each[0].who.code) is not each]
        self._asked |= first.keys()
        return list(first.values())

    def _answers_beside(self, asked: Sequence[tuple[Socket[L], str]]) -> Sequence[str | None]:
        with self._app.app_context():
            return self._answers(self.answer, asked)

    def _answers(self, answer: Answer[L], asked: Sequence[tuple[Socket[L], str]]) -> Sequence[str | None]:
        try:
            return answer([(line.who, text) for line, text in asked])
        except Exception:
            log.exception("Messages could not be answered; they may come again.")
            return [BROKEN] * len(asked)

    def _hand_out(self, asked: Sequence[tuple[Socket[L], str]], answers: Sequence[str | None]) -> None:
        answered = [(line, answer) for (line, _), answer in zip(asked, answers, strict=True) if answer is not None]
        for line, answer in answered:
            self._asked.discard(line.who.code)
            if answer == BROKEN:
                line.break_off()
            else:
                line.answer(answer)
                self._told.append(line)
        self._tell_all()
        self._pass_on_soon()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._seer = self._seer or _begun(self._foresee, "foretold")
                self._clerk.submit(bool)  # with that its thread begins
                loop = machine.new_loop()
                loop.set_exception_handler(self.failed)
                try:
                    self._thread = _begun(loop.run_forever, "lines")
                except RuntimeError:
                    loop.close()
                    raise
                self._loop = loop
            return self._loop


def _begun(work: Callable[[], object], name: str) -> Thread:
    """Start a thread. Raises: RuntimeError, where the system has none left."""
    thread = Thread(target=work, daemon=True, name=name)
    thread.start()
    return thread
