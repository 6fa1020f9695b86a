"""Phones without a browser, many to a process: they post a move, and note when every phone of the table has seen it."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol, cast

PATIENCE_S = 30
PHONES = 4
MOVERS = 3
"""Three of the four change their sealed bids in turn; the fourth never bids, so that the game goes on for ever."""


@dataclass
class Trial:
    """What is measured, and whether it is over."""

    times: list[float] = field(default_factory=list)
    """Seconds from each tap until all phones of the table had the state after it."""
    wrong: list[str] = field(default_factory=list)
    is_counting: bool = False
    is_over: bool = False


class Connected(Protocol):
    """A table whose phones are connected."""

    async def connect(self, port: int) -> None:
        """Connect every phone; returns when each has the state."""

    def send(self, seat: int, tricks: int) -> None:
        """Send a bid."""


class Loop:
    """A table at which the next move goes out when everybody has seen the last."""

    def __init__(self, trial: Trial, pause_s: float = 0.0) -> None:
        self.trial = trial
        self.pause_s = pause_s
        self.seen = [0] * PHONES
        self.number = 0
        self.turn = 0
        self.began = 0.0
        self.is_answered = True
        self.is_ready = asyncio.Event()

    def begin(self) -> None:
        """Make a move."""
        if self.trial.is_over or self.trial.wrong:
            return
        self.number += 1
        self.turn += 1
        self.is_answered = False
        self.began = time.perf_counter()
        cast(Connected, self).send(self.turn % MOVERS, self.turn % 11)

    def saw(self, seat: int, number: int) -> None:
        """Note what a phone has been sent."""
        if number > self.seen[seat]:
            self.seen[seat] = number
            self._check()

    def answered(self) -> None:
        """Note that the server has confirmed the move."""
        self.is_answered = True
        self._check()

    def _check(self) -> None:
        if min(self.seen) < self.number or not self.is_answered:
            return
        if not self.is_ready.is_set():
            self.is_ready.set()
            return
        if self.trial.is_counting:
            self.trial.times.append(time.perf_counter() - self.began)
        if self.pause_s:
            asyncio.get_running_loop().call_later(self.pause_s, self.begin)
        else:
            self.begin()


class Wire(asyncio.Protocol):
    """A connection; whoever made it reads what arrives."""

    def __init__(self, read: Callable[[bytes], bytes]) -> None:
        self.buffer = b""
        self.read = read

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.buffer = self.read(self.buffer + data)


async def dial(port: int, read: Callable[[bytes], bytes]) -> asyncio.Transport:
    """Connect to a port of this machine."""
    _, wire = await asyncio.get_running_loop().create_connection(lambda: Wire(read), "127.0.0.1", port)
    return wire.transport


NUMBER = re.compile(rb"id: (\d+)\n")
LENGTH = re.compile(rb"(?i)content-length: (\d+)\r")


class OurTable(Loop):
    """A table of the companion: moves by the JSON API, states by event streams."""

    def __init__(self, trial: Trial, code: str, tokens: Sequence[str], number: int, pause_s: float = 0.0) -> None:
        super().__init__(trial, pause_s)
        self.code, self.tokens, self.number = code, tokens, number
        self.posts: dict[int, asyncio.Transport] = {}

    async def connect(self, port: int) -> None:
        for seat, token in enumerate(self.tokens):
            head = f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"
            stream = await dial(port, partial(self._heard, seat))
            stream.write(f"GET /api/tables/{self.code}/events?seat={seat} HTTP/1.1\r\n{head}\r\n".encode())
        self.port = port
        self.head = f"POST /api/tables/{self.code}/moves HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
        await self.is_ready.wait()

    def send(self, seat: int, tricks: int) -> None:
        move = json.dumps({"move": "bid", "seat": seat, "tricks": tricks, "after": self.number - 1})
        request = (
            f"{self.head}Authorization: Bearer {self.tokens[seat]}\r\nIdempotency-Key: {self.number}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(move)}\r\n\r\n{move}".encode()
        )
        if seat in self.posts:
            self.posts[seat].write(request)
        else:
            self.first = asyncio.ensure_future(self._post_first(seat, request))

    async def _post_first(self, seat: int, request: bytes) -> None:
        """Connect when there is something to send, as browsers do; a silent connection would hold a thread."""
        self.posts[seat] = await dial(self.port, self._answer)
        self.posts[seat].write(request)

    def _heard(self, seat: int, data: bytes) -> bytes:
        if data.startswith(b"HTTP/1.1 ") and not data.startswith(b"HTTP/1.1 200"):
            self.trial.wrong.append(data.decode())
        while (end := data.find(b"\n\n")) >= 0:
            if found := NUMBER.search(data, 0, end):
                self.saw(seat, int(found[1]))
            data = data[end + 2 :]
        return data

    def _answer(self, data: bytes) -> bytes:
        head = data.find(b"\r\n\r\n")
        length = LENGTH.search(data, 0, head) if head >= 0 else None
        if length is None or len(data) < head + 4 + int(length[1]):
            return data
        if not data.startswith(b"HTTP/1.1 200"):
            self.trial.wrong.append(data.decode())
        self.answered()
        return b""


class Sockets(Loop):
    """A table whose phones have a WebSocket each; the framing (RFC 6455), as cheap as can be."""

    def __init__(self, trial: Trial, pause_s: float = 0.0) -> None:
        super().__init__(trial, pause_s)
        self.sockets: list[asyncio.Transport] = []

    async def _open(self, seat: int, port: int, path: str, more: str = "") -> None:
        socket = await dial(port, partial(self._heard, seat))
        socket.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bmluZSBjaGFycyBhbmQgbQ==\r\n{more}\r\n".encode()
        )
        self.sockets.append(socket)

    def _emit(self, seat: int, text: str) -> None:
        payload, mask = text.encode(), secrets.token_bytes(4)
        length = len(payload)
        head = bytes([0x81, 0x80 | length]) if length < 126 else bytes([0x81, 0xFE]) + length.to_bytes(2, "big")  # noqa: PLR2004
        stretched = (mask * (length // 4 + 1))[:length]
        masked = (int.from_bytes(payload, "big") ^ int.from_bytes(stretched, "big")).to_bytes(length, "big")
        self.sockets[seat].write(head + mask + masked)

    def _heard(self, seat: int, data: bytes) -> bytes:
        if data.startswith(b"HTTP/"):
            end = data.find(b"\r\n\r\n")
            if end < 0:
                return data
            if not data.startswith(b"HTTP/1.1 101"):
                self.trial.wrong.append(data.decode())
            data = data[end + 4 :]
        while len(data) >= 2:  # noqa: PLR2004
            length, start = data[1] & 127, 2
            if length >= 126:  # noqa: PLR2004
                size = 2 if length == 126 else 8  # noqa: PLR2004
                length, start = int.from_bytes(data[2 : 2 + size], "big"), 2 + size
            if len(data) < start + length:
                break
            self._said(seat, data[start : start + length])
            data = data[start + length :]
        return data

    def _said(self, seat: int, text: bytes) -> None:
        raise NotImplementedError


LOOK = re.compile(rb'\{"look":\{"number":(\d+)')


class OurSockets(Sockets):
    """A table of the companion: moves and states over one WebSocket a phone."""

    def __init__(self, trial: Trial, code: str, tokens: Sequence[str], number: int, pause_s: float = 0.0) -> None:
        super().__init__(trial, pause_s)
        self.code, self.tokens, self.number = code, tokens, number

    async def connect(self, port: int) -> None:
        for seat, token in enumerate(self.tokens):
            path = f"/api/tables/{self.code}/socket?seat={seat}"
            await self._open(seat, port, path, f"Authorization: Bearer {token}\r\n")
        await self.is_ready.wait()

    def send(self, seat: int, tricks: int) -> None:
        move = {"move": "bid", "seat": seat, "tricks": tricks}
        self._emit(seat, json.dumps({"key": str(self.number), "after": self.number - 1, "move": move}))

    def _said(self, seat: int, text: bytes) -> None:
        if found := LOOK.match(text):
            self.saw(seat, int(found[1]))
        elif b'"ruled":' in text:
            self.answered()
        elif text.startswith(b"{"):
            self.trial.wrong.append(text.decode())


STATE = re.compile(rb'"_stateID":(\d+)')


class TheirTable(Sockets):
    """A match of boardgame.io: moves and states over one WebSocket a phone, as its own client does it."""

    def __init__(self, trial: Trial, match: str, pause_s: float = 0.0) -> None:
        super().__init__(trial, pause_s)
        self.match, self.number = match, 0
        self.seen = [-1] * PHONES

    async def connect(self, port: int) -> None:
        await self._join(0, port)  # the first makes the match
        while self.seen[0] < 0:
            await asyncio.sleep(0.01)
        for seat in range(1, PHONES):
            await self._join(seat, port)
        await self.is_ready.wait()

    async def _join(self, seat: int, port: int) -> None:
        await self._open(seat, port, "/socket.io/?EIO=4&transport=websocket")

    def send(self, seat: int, tricks: int) -> None:
        self.is_answered = True  # its server confirms by the state alone
        payload = {"type": "bid", "args": [tricks], "playerID": str(seat), "credentials": None}
        action = {"type": "MAKE_MOVE", "payload": payload}
        self._emit(seat, "42/rage," + json.dumps(["update", action, self.number - 1, self.match, str(seat)]))

    def _said(self, seat: int, text: bytes) -> None:
        if text.startswith(b"0{"):
            self._emit(seat, "40/rage,")
        elif text == b"2":
            self._emit(seat, "3")
        elif text.startswith(b"40/rage"):
            self._emit(seat, "42/rage," + json.dumps(["sync", self.match, str(seat), None, PHONES]))
        elif found := STATE.search(text):
            self.saw(seat, int(found[1]))
        elif text.startswith((b"44", b"42")) and b'"matchData"' not in text:
            self.trial.wrong.append(text.decode())


async def measure(
    tables: Sequence[OurTable | OurSockets | TheirTable],
    trial: Trial,
    port: int,
    seconds: tuple[float, float],
    mark: Callable[[], None],
) -> None:
    """Connect all tables, play to warm up, then count (for so many seconds each); `mark` is called at both ends."""
    for first in range(0, len(tables), 20):
        some = asyncio.gather(*(one.connect(port) for one in tables[first : first + 20]))
        try:
            await asyncio.wait_for(some, PATIENCE_S)
        except TimeoutError:
            raise AssertionError(trial.wrong[:1] or "the phones are not shown their tables") from None
    for table in tables:
        table.begin()
    await asyncio.sleep(seconds[0])
    mark()
    trial.is_counting = True
    await asyncio.sleep(seconds[1])
    trial.is_counting, trial.is_over = False, True
    mark()
