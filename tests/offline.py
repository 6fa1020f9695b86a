"""Phones at a house without sockets: the server's own lines, upon a loop and a clock that go when they are told."""

from __future__ import annotations

import asyncio
import heapq
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import current_thread
from typing import Any

from flask.globals import _cv_app
from websockets.frames import Frame, Opcode
from websockets.protocol import CLIENT, Protocol
from werkzeug.test import EnvironBuilder

from companion.games import GAMES
from companion.push.line import Socket
from companion.push.lines import Lines
from companion.web.renderings import Rendering
from tests.faults import PLAN
from tests.house import House, secret

OPENED = 101
"""The status with which a line is opened."""


@cache
def renderings() -> dict[str, Rendering]:
    """Give how each game is drawn, which all houses share: to look through the templates takes a while.

    It is drawn by a house that nobody comes to. For it stays; and with a house stay all that were there, and their houses.
    """
    with TemporaryDirectory() as folder:
        house = House(Path(folder))
        house.close()
    return {key: Rendering(house.app, game) for key, game in GAMES.items()}


class Due:
    """Something that will be done, unless it is called off."""

    def __init__(self, when: float, number: int, do: Callable[[], object]) -> None:
        self.place = when, number
        self.do = do
        self.is_off = False

    def __lt__(self, other: Due) -> bool:
        return self.place < other.place

    def cancel(self) -> None:
        """Call it off."""
        self.is_off = True


class Answered:
    """What was worked out beside; who waits for it hears a little later."""

    def __init__(self, loop: Loop, result: Any) -> None:
        self._loop, self._result = loop, result

    def result(self) -> Any:
        return self._result

    def add_done_callback(self, done: Callable[[Answered], object]) -> None:
        self._loop.call_later(self._loop.beside_s, done, self)


class Loop:
    """A loop of one thread, in which the same things always happen in the same order."""

    def __init__(self) -> None:
        self.now = 0.0
        self.beside_s = 0.002
        """Seconds that what is worked out beside takes."""
        self._due: list[Due] = []
        self._numbers = count()

    def time(self) -> float:
        return self.now

    def default_exception_handler(self, context: dict[str, Any]) -> None:
        """Say nothing of what has failed."""

    def call_soon(self, do: Callable[..., object], *about: Any, context: object = None) -> Due:
        return self.call_later(0, do, *about)

    call_soon_threadsafe = call_soon

    def call_later(self, after_s: float, do: Callable[..., object], *about: Any, context: object = None) -> Due:
        return self.call_at(self.now + after_s, do, *about)

    def call_at(self, when: float, do: Callable[..., object], *about: Any) -> Due:
        """Let something happen at a time; of two at the same time, in the order in which that was asked."""
        due = Due(when, next(self._numbers), lambda: do(*about))
        heapq.heappush(self._due, due)
        return due

    def run_in_executor(self, _executor: object, do: Callable[..., Any], *about: Any) -> Answered:
        return Answered(self, do(*about))

    def step(self, until: float) -> bool:
        """Let the next thing happen, if it is due by then; otherwise it is then."""
        while self._due and self._due[0].is_off:
            heapq.heappop(self._due)
        if not self._due or self._due[0].place[0] > until:
            self.now = max(self.now, until)
            return False
        due = heapq.heappop(self._due)
        self.now = max(self.now, due.place[0])
        due.do()
        return True

    def settle(self, for_s: float = 0.1) -> None:
        """Let everything happen that is due soon."""
        until = self.now + for_s
        while self.step(until):
            pass


class Wire:
    """The server's end of a connection, as asyncio would give it: what is written there goes to whoever hears.

    At the end nothing (`b""`) is heard.
    """

    def __init__(self, loop: Loop, line: Socket[Any], hears: Callable[[bytes], None]) -> None:
        self.loop, self.line, self.hears = loop, line, hears
        self.is_cut = False

    def write(self, data: bytes) -> None:
        if data and not self.is_cut:
            self.hears(data)

    def close(self) -> None:
        if not self.is_cut:
            self.is_cut = True
            self.loop.call_soon(self.line.connection_lost, None)
            self.hears(b"")

    abort = close

    def is_closing(self) -> bool:
        return self.is_cut

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int) -> None:
        """Hold as much as there is."""

    def pause_reading(self) -> None:
        """Read on: no phone here says so much at once."""

    resume_reading = pause_reading


class Indoors:
    """A house whose lines run in this thread."""

    def __init__(self, house: House, loop: Loop) -> None:
        self.house, self.loop = house, loop
        self.lines: Lines[Any] = house.app.extensions["companion.lines"]
        self.lines._loop = loop  # type: ignore[assignment]
        house.app.extensions["companion.renderings"] = renderings()

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Be the thread of the lines."""
        before, outside = asyncio._get_running_loop(), _cv_app.set(self.lines._inside)
        asyncio._set_running_loop(self.loop)  # type: ignore[arg-type]
        self.lines._thread = current_thread()
        try:
            yield
        finally:
            self.lines._thread = None
            asyncio._set_running_loop(before)
            _cv_app.reset(outside)

    @contextmanager
    def outside(self) -> Iterator[None]:
        """Be another thread for a while, as one that answers a post."""
        before, inside = self.lines._thread, _cv_app.set(None)
        self.lines._thread = None
        try:
            yield
        finally:
            self.lines._thread = before
            _cv_app.reset(inside)

    def settle(self) -> None:
        """Let the lines do what is due."""
        with self.inside():
            self.loop.settle()

    def connect(self, path: str, phone: str, hears: Callable[[bytes], None], **more: str) -> Wire | int:
        """Open a line at its own address, past the same guards as any phone; or learn the status of the refusal.

        `more` are headers.
        """
        headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13"}
        headers |= {"Sec-WebSocket-Key": "c2ltdWxhdGVkIHBob25lLg==", "Origin": "http://localhost"}
        headers |= ({"Cookie": f"phone={secret(phone)}"} if phone else {}) | more
        environ = EnvironBuilder(path, headers=headers, environ_base={"gunicorn.socket": self}).get_environ()
        with self.outside(), self.house.app.request_context(environ):
            answer: Any = self.house.app.full_dispatch_request()
            if answer.status_code != OPENED:
                return int(answer.status_code)
            line = answer._make(b"")
        wire = Wire(self.loop, line, hears)
        with self.inside():
            line.connection_made(wire)
            self.lines.tell(line)
        return wire


class Ear:
    """The phone's end of a connection: bytes become messages, and messages bytes."""

    def __init__(self) -> None:
        self._wire = Protocol(CLIENT)
        self.code: int | None = None
        """With which the other side has closed it."""

    def hear(self, data: bytes) -> list[str]:
        """Read what came; pings are answered with what is said next."""
        self._wire.receive_data(data)
        told = []
        for frame in self._wire.events_received():
            assert isinstance(frame, Frame)
            if frame.opcode is Opcode.TEXT:
                told.append(bytes(frame.data).decode())
            elif frame.opcode is Opcode.CLOSE and self._wire.close_rcvd:
                self.code = self._wire.close_rcvd.code
        return told

    def say(self, text: str = "") -> bytes:
        """Write a message, and what else the wire has to say."""
        if text:
            self._wire.send_text(text.encode())
        return b"".join(self._wire.data_to_send())


class Page:
    """A phone's page with its line, for trials in which every word arrives at once."""

    def __init__(self, indoors: Indoors, code: str, phone: str, seat: int | None) -> None:
        self.indoors, self.phone, self.seat = indoors, phone, seat
        self.path = f"/t/{code}/{'screen' if seat is None else seat}/line"
        self.told: list[dict[str, Any]] = []
        self.open()

    def open(self) -> None:
        """Open a line, in the place of the one before."""
        self.ear = Ear()
        self.told.clear()
        wire = self.indoors.connect(self.path, self.phone, self.hear)
        assert isinstance(wire, Wire), wire
        self.wire = wire
        self.indoors.settle()

    def hear(self, data: bytes) -> None:
        """Take what the server writes, or be cut off instead."""
        if data and PLAN.fails("send"):
            self.wire.close()
            return
        self.told += [json.loads(text) for text in self.ear.hear(data)]
        if pong := self.ear.say():
            self.indoors.loop.call_soon(self._say, pong)

    def tap(self, key: str, form: str) -> dict[str, Any] | None:
        """Send a tap; the answer, or None where the line broke before there was one."""
        with self.indoors.inside():
            self.say(key, form)
        self.indoors.settle()
        return next((one for one in reversed(self.told) if one.get("key") == key), None)

    def say(self, key: str, form: str) -> None:
        """Send a tap, and wait for nothing; in the lines' thread."""
        self._say(self.ear.say(json.dumps({"key": key, "form": form})))

    def _say(self, data: bytes) -> None:
        if not self.wire.is_cut:
            self.wire.line.data_received(data)
