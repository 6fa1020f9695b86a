"""Phones without a browser, many to a process: they post a move, and note when every phone of the table has seen it."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from benchmarks.tables import MOVERS, PHONES, Opened
from benchmarks.wires import PING, PONG, answered, bearer, dial, framed, getting, messages, numbers, posting, upgrading
from companion.web.table import PART

PATIENCE_S = 60
AT_ONCE = 20
"""Tables that connect at the same time."""


@dataclass
class Trial:
    """What is measured, and whether it is over."""

    times: list[float] = field(default_factory=list)
    """Seconds from each tap until all phones of the table had the state after it."""
    wrong: list[str] = field(default_factory=list)
    wires: list[asyncio.Transport] = field(default_factory=list)
    is_counting: bool = False
    is_over: bool = False

    async def dial(self, port: int, read: Callable[[bytes], bytes]) -> asyncio.Transport:
        """Connect; the end of the trial is the end of the connection."""

        def reading(data: bytes) -> bytes:
            try:
                return read(data)
            except ValueError as problem:
                self.wrong.append(str(problem))
                return b""

        self.wires.append(await dial(port, reading))
        return self.wires[-1]

    def close(self) -> None:
        """Hang up."""
        self.is_over = True
        for wire in self.wires:
            wire.abort()


class Loop:
    """A table at which the next move goes out when everybody has seen the last, and its time has come."""

    def __init__(self, trial: Trial, number: int, pause_s: float = 0.0) -> None:
        self.trial, self.number, self.pause_s = trial, number, pause_s
        self.seen = [-1] * PHONES
        self.first = number
        self.began = 0.0
        self.is_answered = True
        self.is_ready = asyncio.Event()
        self.most: int | None = None
        """It rests after so many moves."""
        self.is_resting = False

    @property
    def moves(self) -> int:
        """Count the moves of this trial."""
        return self.number - self.first

    async def connect(self, port: int) -> None:
        """Connect every phone; returns when each has the state."""
        raise NotImplementedError

    def send(self, seat: int, tricks: int) -> None:
        """Send a bid."""
        raise NotImplementedError

    def begin(self) -> None:
        """Make a move."""
        if self.trial.is_over or self.trial.wrong:
            return
        self.is_resting = self.most is not None and self.moves >= self.most
        if self.is_resting:
            return
        self.number += 1
        self.is_answered = False
        self.began = time.perf_counter()
        self.send(self.moves % MOVERS, self.moves % 11)

    def saw(self, seat: int, number: int) -> None:
        """Note what a phone has been sent."""
        if number > self.seen[seat]:
            self.seen[seat] = number
            self._check()

    def confirmed(self) -> None:
        """Note that the server has confirmed the move."""
        self.is_answered = True
        self._check()

    def _check(self) -> None:
        if min(self.seen) < self.number or not self.is_answered:
            return
        if not self.is_ready.is_set():
            self.is_ready.set()
            return
        took = time.perf_counter() - self.began
        if self.trial.is_counting:
            self.trial.times.append(took)
        if took < self.pause_s:
            asyncio.get_running_loop().call_later(self.pause_s - took, self.begin)
        else:
            self.begin()


class Posting(Loop):
    """A table of the companion whose phones have an event stream each, and post."""

    def __init__(self, trial: Trial, opened: Opened, pause_s: float = 0.0) -> None:
        super().__init__(trial, opened.number, pause_s)
        self.opened = opened
        self.posts: dict[int, asyncio.Transport] = {}

    def stream(self, seat: int) -> tuple[str, str]:
        """Give the path of a seat's stream, and the header that says who asks."""
        raise NotImplementedError

    def post(self, seat: int, tricks: int) -> tuple[str, str, str]:
        """Give the path of a bid, its headers and its body."""
        raise NotImplementedError

    async def connect(self, port: int) -> None:
        self.port = port
        for seat in range(PHONES):
            wire = await self.trial.dial(port, partial(self._heard, seat))
            wire.write(getting(*self.stream(seat), port))
        await self.is_ready.wait()

    def send(self, seat: int, tricks: int) -> None:
        request = posting(*self.post(seat, tricks), self.port)
        if seat in self.posts:
            self.posts[seat].write(request)
        else:
            self.first_post = asyncio.ensure_future(self._post_first(seat, request))

    async def _post_first(self, seat: int, request: bytes) -> None:
        """Connect when there is something to send, as browsers do; a silent connection would hold a thread."""
        self.posts[seat] = await self.trial.dial(self.port, self._answer)
        self.posts[seat].write(request)

    def _heard(self, seat: int, data: bytes) -> bytes:
        found, rest = numbers(data)
        for number in found:
            self.saw(seat, number)
        return rest

    def _answer(self, data: bytes) -> bytes:
        if not answered(data):
            return data
        self.confirmed()
        return b""


class OurTable(Posting):
    """A table of programs: posts and streams of the JSON API."""

    def stream(self, seat: int) -> tuple[str, str]:
        return f"/api/tables/{self.opened.code}/events?seat={seat}", bearer(self.opened.tokens[seat])

    def post(self, seat: int, tricks: int) -> tuple[str, str, str]:
        move = json.dumps({"move": "bid", "seat": seat, "tricks": tricks, "after": self.number - 1})
        head = f"{bearer(self.opened.tokens[seat])}Idempotency-Key: {self.number}\r\nContent-Type: application/json\r\n"
        return f"/api/tables/{self.opened.code}/moves", head, move


class OurPages(Posting):
    """A table of people: forms and the parts of pages, as a phone's script asks for them."""

    def stream(self, seat: int) -> tuple[str, str]:
        return f"/t/{self.opened.code}/{seat}/stream", f"Cookie: phone={self.opened.tokens[seat]}\r\n"

    def post(self, seat: int, tricks: int) -> tuple[str, str, str]:
        form = f"move=bid&seat={seat}&tricks={tricks}&after={self.number - 1}&key=k{self.number}"
        head = (
            f"Cookie: phone={self.opened.tokens[seat]}\r\nSec-Fetch-Site: same-origin\r\nAccept: {PART}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
        )
        return f"/t/{self.opened.code}/{seat}/move", head, form


class Sockets(Loop):
    """A table whose phones have a WebSocket each."""

    def __init__(self, trial: Trial, number: int, pause_s: float = 0.0) -> None:
        super().__init__(trial, number, pause_s)
        self.sockets: dict[int, asyncio.Transport] = {}

    async def _open(self, seat: int, request: bytes, port: int) -> asyncio.Transport:
        socket = await self.trial.dial(port, partial(self._heard, seat))
        socket.write(request)
        return socket

    def _heard(self, seat: int, data: bytes) -> bytes:
        found, rest = messages(data)
        for text in found:
            if text is PING:
                self.sockets[seat].write(PONG)
            else:
                self._said(seat, text)
        return rest

    def _said(self, seat: int, text: bytes) -> None:
        raise NotImplementedError


LOOK = re.compile(rb'\{"look":\{"number":(\d+)')


class OurSockets(Sockets):
    """A table of the companion: moves and states over one WebSocket a phone."""

    def __init__(self, trial: Trial, opened: Opened, pause_s: float = 0.0) -> None:
        super().__init__(trial, opened.number, pause_s)
        self.opened = opened

    async def connect(self, port: int) -> None:
        path = f"/api/tables/{self.opened.code}/socket?seat="
        for seat, token in enumerate(self.opened.tokens):
            self.sockets[seat] = await self._open(seat, upgrading(f"{path}{seat}", bearer(token), port), port)
        await self.is_ready.wait()

    def send(self, seat: int, tricks: int) -> None:
        move = {"move": "bid", "seat": seat, "tricks": tricks}
        asked = json.dumps({"key": str(self.number), "after": self.number - 1, "move": move})
        self.sockets[seat].write(framed(asked))

    def _said(self, seat: int, text: bytes) -> None:
        if found := LOOK.match(text):
            self.saw(seat, int(found[1]))
        elif b'"ruled":' in text:
            self.confirmed()
        elif text.startswith(b"{"):
            self.trial.wrong.append(text.decode())


STATE = re.compile(rb'"_stateID":(\d+)')


class TheirTable(Sockets):
    """A match of boardgame.io: moves and states over one WebSocket a phone, as its own client does it."""

    def __init__(self, trial: Trial, match: str, pause_s: float = 0.0) -> None:
        super().__init__(trial, 0, pause_s)
        self.match = match

    async def connect(self, port: int) -> None:
        for seat in range(PHONES):
            request = upgrading("/socket.io/?EIO=4&transport=websocket", "", port)
            self.sockets[seat] = await self._open(seat, request, port)
            while self.seen[0] < 0:  # the first makes the match
                await asyncio.sleep(0.005)
        await self.is_ready.wait()

    def send(self, seat: int, tricks: int) -> None:
        self.is_answered = True  # its server confirms by the state alone
        payload = {"type": "bid", "args": [tricks], "playerID": str(seat), "credentials": None}
        self._say(seat, ["update", {"type": "MAKE_MOVE", "payload": payload}, self.number - 1, self.match, str(seat)])

    def _say(self, seat: int, what: Any) -> None:
        self.sockets[seat].write(framed(f"42/rage,{json.dumps(what)}"))

    def _said(self, seat: int, text: bytes) -> None:
        if text.startswith(b"0{"):
            self.sockets[seat].write(framed("40/rage,"))
        elif text == b"2":
            self.sockets[seat].write(framed("3"))
        elif text.startswith(b"40/rage"):
            self._say(seat, ["sync", self.match, str(seat), None, PHONES])
        elif found := STATE.search(text):
            self.saw(seat, int(found[1]))
        elif text.startswith((b"44", b"42")) and b'"matchData"' not in text:
            self.trial.wrong.append(text.decode())


async def connect(tables: Sequence[Loop], trial: Trial, port: int) -> None:
    """Connect all phones."""
    for first in range(0, len(tables), AT_ONCE):
        some = asyncio.gather(*(one.connect(port) for one in tables[first : first + AT_ONCE]))
        try:
            await asyncio.wait_for(some, PATIENCE_S)
        except TimeoutError:
            raise AssertionError(trial.wrong[:1] or "the phones are not shown their tables") from None


def begin(tables: Sequence[Loop]) -> None:
    """Let all tables play; those that pause between moves begin one after the other, as people do."""
    for place, table in enumerate(tables):
        asyncio.get_running_loop().call_later(table.pause_s * place / len(tables), table.begin)


async def count(trial: Trial, seconds: float) -> None:
    """Count for a while."""
    trial.is_counting = True
    await asyncio.sleep(seconds)
    trial.is_counting = False
    assert not trial.wrong, trial.wrong[0]
