"""The ways by which the four phones of a table reach a server: the only place that knows what they say on the wire.

A path connects the phones, sends a move, and tells its table two things: what each phone has seen, and that the move
was entered. What phones themselves use is `Phones`: another way of theirs is another class here.
"""

from __future__ import annotations

import asyncio
import json
import re
from functools import partial
from typing import Any, Protocol

from benchmarks.dealt import PHONES, Move
from benchmarks.tables import HOST, Opened
from benchmarks.wires import (
    PING,
    PONG,
    Wire,
    answered,
    bearer,
    browsing,
    fetching,
    framed,
    getting,
    messages,
    numbers,
    posting,
    upgrading,
)
from companion.web.parts import PART


def key_of(number: int) -> str:
    """Give the key of the tap that will be this entry, as long as a phone's."""
    return f"{number:032x}"


def filled(move: Move, number: int) -> str:
    """Fill the form of a move that will be this entry, as a page's script does."""
    return f"after={number - 1}&key={key_of(number)}&{move.form}"


class Sitting(Protocol):
    """A table, as its path sees it."""

    opened: Opened

    async def dial(self, port: int, read: Any) -> Wire:
        """Connect a phone."""

    def saw(self, seat: int, number: int) -> None:
        """Note the newest entry that a phone has been sent."""

    def entered(self, number: int) -> None:
        """Note that the server has confirmed a move, and as which entry."""

    def failed(self, said: bytes) -> None:
        """Note an answer that should not be."""


class Path:
    """A way to a server."""

    def __init__(self, table: Sitting) -> None:
        self.table, self.opened = table, table.opened
        self.wires: dict[int, Wire] = {}
        """Of each seat, what its views come by."""

    async def connect(self, port: int) -> None:
        """Connect every phone; each is then shown its table."""
        self.port = port
        for seat in range(PHONES):
            self.wires[seat] = await self.table.dial(port, partial(self.hear, seat))
            self.wires[seat].write(self.looking(seat, self.opened.tokens[seat]))

    def tap(self, move: Move, number: int) -> None:
        """Ask for a move that will be this entry."""
        raise NotImplementedError

    def looking(self, seat: int | None, token: str) -> bytes:
        """Write the request by which a phone is told what a seat sees; None for who looks on."""
        raise NotImplementedError

    def hear(self, seat: int, data: bytes) -> bytes:
        """Read what a phone is told; give back what is not whole yet."""
        found, rest = self.heard(self.wires[seat], data)
        for number in found:
            self.table.saw(seat, number)
        return rest

    def heard(self, wire: Wire, data: bytes) -> tuple[list[int], bytes]:
        """Read the numbers of the views that have come, and what is left. Raises: ValueError."""
        raise NotImplementedError


class Posting(Path):
    """Posts, and an event stream a phone."""

    NUMBER: re.Pattern[bytes]
    """Where an answer says which entry was made."""

    def __init__(self, table: Sitting) -> None:
        super().__init__(table)
        self._posts: dict[int, Wire] = {}

    def post(self, seat: int, move: Move, number: int) -> tuple[str, str, str]:
        """Give the path of a move, its headers and its body."""
        raise NotImplementedError

    def tap(self, move: Move, number: int) -> None:
        seat = HOST if move.seat is None else move.seat
        request = posting(*self.post(seat, move, number), self.port)
        if seat in self._posts:
            self._posts[seat].write(request)
        else:
            self._first_post = asyncio.ensure_future(self._post_first(seat, request))

    async def _post_first(self, seat: int, request: bytes) -> None:
        """Connect when there is something to send, as browsers do."""
        self._posts[seat] = await self.table.dial(self.port, self._answer)
        self._posts[seat].write(request)

    def heard(self, wire: Wire, data: bytes) -> tuple[list[int], bytes]:
        return numbers(data)

    def _answer(self, data: bytes) -> bytes:
        number = answered(data, self.NUMBER)
        if number is None:
            return data
        self.table.entered(number)
        return b""


class Forms(Posting):
    """What people's phones do where no WebSocket passes: forms, and the parts of pages, as the script asks for them."""

    NUMBER = re.compile(rb"X-Number: (\d+)\r")

    def looking(self, seat: int | None, token: str) -> bytes:
        head = f"{fetching(token, self.opened.language)}Accept: text/event-stream\r\n"
        return getting(f"/t/{self.opened.code}/{'screen' if seat is None else seat}/stream", head, self.port)

    def post(self, seat: int, move: Move, number: int) -> tuple[str, str, str]:
        here = f"http://127.0.0.1:{self.port}"
        page = f"/t/{self.opened.code}/{seat}"
        head = (
            f"{fetching(self.opened.tokens[seat], self.opened.language)}Accept: {PART}\r\nOrigin: {here}\r\n"
            f"Referer: {here}{page}\r\nContent-Type: application/x-www-form-urlencoded;charset=UTF-8\r\n"
        )
        return f"{page}/move", head, filled(move, number)


class Posts(Posting):
    """Programs that post JSON, and listen to streams of it."""

    NUMBER = re.compile(rb'"number": ?(\d+)')

    def looking(self, seat: int | None, token: str) -> bytes:
        asked = "" if seat is None else f"?seat={seat}"
        return getting(f"/api/tables/{self.opened.code}/events{asked}", bearer(token, self.opened.language), self.port)

    def post(self, seat: int, move: Move, number: int) -> tuple[str, str, str]:
        who = bearer(self.opened.tokens[seat], self.opened.language)
        head = f"{who}Idempotency-Key: {number}\r\nContent-Type: application/json\r\n"
        said = json.dumps({**move.data, "after": number - 1}, separators=(",", ":"))
        return f"/api/tables/{self.opened.code}/moves", head, said


class Talking(Path):
    """A WebSocket a phone."""

    def heard(self, wire: Wire, data: bytes) -> tuple[list[int], bytes]:
        said, rest = messages(data)
        found = []
        for text in said:
            if text is PING:
                wire.write(PONG)
            elif (number := self.read(wire, text)) is not None:
                found.append(number)
        return found, rest

    def read(self, wire: Wire, text: bytes) -> int | None:
        """Read a message: the number of a view, or None for anything else."""
        raise NotImplementedError


class Phones(Talking):
    """What people's phones do: forms go up over the line of a page, what the seat sees comes down as data."""

    SEEN = re.compile(rb'\{"number":(\d+),"all":')
    ENTERED = re.compile(rb'\{"key":"[^"]*","number":(\d+)\}')
    BEAT = b"{}"

    def looking(self, seat: int | None, token: str) -> bytes:
        page = f"/t/{self.opened.code}/{'screen' if seat is None else seat}/line?after={self.opened.number}"
        about = "Pragma: no-cache\r\nCache-Control: no-cache\r\nSec-WebSocket-Extensions: permessage-deflate\r\n"
        head = f"{browsing(token, self.opened.language)}Origin: http://127.0.0.1:{self.port}\r\n{about}"
        return upgrading(page, head, self.port)

    def tap(self, move: Move, number: int) -> None:
        seat = HOST if move.seat is None else move.seat
        asked = {"key": key_of(number), "form": filled(move, number)}
        self.wires[seat].write(framed(json.dumps(asked, separators=(",", ":"))))

    def read(self, wire: Wire, text: bytes) -> int | None:
        if found := self.SEEN.match(text):
            return int(found[1])
        if found := self.ENTERED.fullmatch(text):
            self.table.entered(int(found[1]))
        elif text != self.BEAT:
            self.table.failed(text)
        return None


class Sockets(Talking):
    """Programs that send their moves over the WebSocket that tells them what they see."""

    LOOK = re.compile(rb'\{"look":\{"game":"\w+","number":(\d+)')
    RULED = re.compile(rb'"ruled":\{"number":(\d+)')

    def looking(self, seat: int | None, token: str) -> bytes:
        asked = "" if seat is None else f"?seat={seat}"
        head = bearer(token, self.opened.language)
        return upgrading(f"/api/tables/{self.opened.code}/socket{asked}", head, self.port)

    def tap(self, move: Move, number: int) -> None:
        seat = HOST if move.seat is None else move.seat
        asked = {"key": str(number), "after": number - 1, "move": move.data}
        self.wires[seat].write(framed(json.dumps(asked, separators=(",", ":"))))

    def read(self, wire: Wire, text: bytes) -> int | None:
        if found := self.LOOK.match(text):
            return int(found[1])
        if found := self.RULED.search(text):
            self.table.entered(int(found[1]))
        elif text.startswith(b"{"):
            self.table.failed(text)
        return None


class Theirs(Talking):
    """A match of boardgame.io: moves and states over one WebSocket a phone, as its own client does it."""

    STATE = re.compile(rb'"_stateID":(\d+)')

    async def connect(self, port: int) -> None:
        """Connect; the first phone makes the match, and the others wait for it."""
        self.port, self.is_made = port, asyncio.Event()
        for seat in range(PHONES):
            wire = self.wires[seat] = await self.table.dial(port, partial(self.hear, seat))
            wire.write(upgrading("/socket.io/?EIO=4&transport=websocket", "", port))
            await self.is_made.wait()

    def tap(self, move: Move, number: int) -> None:
        seat = HOST if move.seat is None else move.seat
        payload = {"type": move.data["move"], "args": [move.data], "playerID": str(seat), "credentials": None}
        asked = {"type": "MAKE_MOVE", "payload": payload}
        self._say(self.wires[seat], ["update", asked, number - 1, self.opened.code, str(seat)])

    def hear(self, seat: int, data: bytes) -> bytes:
        self.hearing = seat
        return super().hear(seat, data)

    def read(self, wire: Wire, text: bytes) -> int | None:
        name = self.opened.dealt.game.key
        if text.startswith(b"0{"):
            wire.write(framed(f"40/{name},"))
        elif text == b"2":
            wire.write(framed("3"))
        elif text.startswith(f"40/{name}".encode()):
            self._say(wire, ["sync", self.opened.code, str(self.hearing), None, PHONES])
        elif found := self.STATE.search(text):
            self.is_made.set()
            # Its server confirms by the state alone.
            self.table.entered(int(found[1]))
            return int(found[1])
        elif text.startswith((b"44", b"42")) and b'"matchData"' not in text:
            self.table.failed(text)
        return None

    def _say(self, wire: Wire, what: Any) -> None:
        wire.write(framed(f"42/{self.opened.dealt.game.key},{json.dumps(what, separators=(',', ':'))}"))
