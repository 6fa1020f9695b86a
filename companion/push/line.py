"""One connection that stays open: an event stream, or a WebSocket of a program or a page.

A line that does not read what it is sent is cut off, so that it holds nobody up: it comes back, and is told what is
newest.
"""

from __future__ import annotations

import asyncio
import typing
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import SERVER, Protocol, State

from companion.intake import MOST_OF_A_MESSAGE
from companion.push import frames

if TYPE_CHECKING:
    from companion.push.lines import Lines

BEAT_S = 15
"""Seconds between the signs that show a line to be alive."""
MOST_UNANSWERED = 16
"""Messages that a line may have sent before it is listened to no more, until one of them is answered."""
GREETING_S = 10
"""Seconds that a program has to say who it is, where it does so by its first message."""
MOST_UNREAD = 256 * 1024
"""Bytes that may wait for a line to read them."""
BEAT = ": beat\nevent: beat\ndata: \n\n"
GONE = "event: gone\ndata: \n\n"
"""The last that a stream says: its seat is another's."""


class Listener(typing.Protocol):
    """Who is at the other end of a line."""

    code: str
    """The table's."""
    alike: str
    """The same for those of a table who foresee the same: one of them does it for all."""

    def go(self) -> None:
        """Be there no longer."""

    def hear(self) -> None:
        """Note that it has shown itself to be alive."""

    def look(self, news: Any) -> str | None:
        """Say what of the table's news was not said, or "" if all was. None when the line has to end."""

    def foresee(self, news: Any) -> None:
        """Work out what can be said soon, as far as that is remembered; in a thread beside."""


class Newcomer(Listener, typing.Protocol):
    """Who has yet to say who it is."""

    known: Listener | None
    """Who it is; None as long as that was not said."""


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
        self._transport.set_write_buffer_limits(high=MOST_UNREAD)
        self._transport.write(self._head)
        self._lines.tables.setdefault(self.who.code, {})[self] = None
        self._pulse = asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def pause_writing(self) -> None:
        """Cut off who does not read."""
        self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave."""
        self._pulse.cancel()
        of_table = self._lines.tables[self.who.code]
        del of_table[self]
        if not of_table:
            del self._lines.tables[self.who.code]
        self.who.go()

    def say(self, text: str) -> None:
        """Hold what was said until it is let go."""
        self.hold(text.encode())

    def end(self) -> None:
        """Say goodbye."""
        self._hang_up(GONE.encode())

    def break_off(self) -> None:
        """Hang up in the middle: it may come again."""
        self._hang_up(b"")

    def move_away(self) -> None:
        """Hang up because the table is kept elsewhere now."""
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
        self._wire = Protocol(SERVER, max_size=MOST_OF_A_MESSAGE)
        """Reads what is no message at a glance, and whatever comes after it."""
        self._is_simple = True
        """Whether nothing has come yet but messages that were read at a glance."""
        self._said = b""
        self._unanswered = 0
        self._is_alive = True

    def data_received(self, data: bytes) -> None:
        """Read frames; whole messages go to be answered."""
        self.who.hear()
        said = frames.message(data, MOST_OF_A_MESSAGE) if self._is_simple else None
        if said is not None:
            self._hear(said)
        elif self._is_simple and frames.is_pong(data):
            self._is_alive = True
        else:
            self._is_simple = False
            self._read(data)
        if self._wire.writes:
            self._flush()

    def _read(self, data: bytes) -> None:
        """Read frames that may come in parts, in one another, or wrong."""
        self._wire.receive_data(data)
        for frame in self._wire.events_received():
            match frame:
                case Frame(opcode=Opcode.TEXT | Opcode.CONT):
                    self._said += frame.data
                    if frame.fin:
                        said, self._said = self._said, b""
                        self._hear(said)
                case Frame(opcode=Opcode.PONG):
                    self._is_alive = True
                case Frame(opcode=Opcode.BINARY):
                    self._wire.fail(CloseCode.UNSUPPORTED_DATA)

    def answer(self, text: str) -> None:
        """Answer the message that has waited longest; who sends it is told what it has changed in the same breath."""
        if self._is_open:
            self.hold(frames.written(text))
        if self._unanswered == MOST_UNANSWERED:
            self._transport.resume_reading()
        self._unanswered -= 1

    def say(self, text: str) -> None:
        """Hold a message until it is let go."""
        if self._is_open:
            self.hold(frames.written(text))

    def end(self) -> None:
        """Say goodbye."""
        self._close(self.GOODBYE)

    def break_off(self) -> None:
        """Say that something went wrong here."""
        self._close(CloseCode.INTERNAL_ERROR)

    def move_away(self) -> None:
        """Say that another worker serves the table now."""
        self._close(CloseCode.SERVICE_RESTART)

    def beat(self) -> None:
        """Ping; who has not answered the last one is gone."""
        if not self._is_alive:
            self._transport.abort()
        elif self._is_open:
            self._is_alive = False
            self._wire.send_ping(b"")
            self._sign()
            self._flush()

    def _sign(self) -> None:
        """Show otherwise that the line is alive: a program sees the ping."""

    @property
    def _is_open(self) -> bool:
        return (self._is_simple or self._wire.state is State.OPEN) and not self._transport.is_closing()

    def _close(self, code: int) -> None:
        if self._is_open:
            self._is_simple = False
            self._wire.fail(code)
            self._flush()

    def _flush(self) -> None:
        """Send what there is to be sent; where the connection has ended with that, hang up."""
        *data, last = self._wire.data_to_send()
        if last:
            self._write(b"".join(data) + last)
        else:
            self._hang_up(b"".join(data))

    def _hear(self, said: bytes) -> None:
        """Read a message. A text that is none ends the connection."""
        try:
            text = said.decode()
        except UnicodeDecodeError:
            self._is_simple = False
            self._wire.fail(CloseCode.INVALID_DATA)
            return
        self._unanswered += 1
        if self._unanswered == MOST_UNANSWERED:
            self._transport.pause_reading()
        self._lines.arrived(self, text)


class GreetedSocket(Socket[Any]):
    """A WebSocket whose first message says who is there. It ends where none comes in time, and where it is refused."""

    who: Newcomer | Any

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to listen, for a while."""
        super().connection_made(transport)
        self._is_greeted = False
        self._late = asyncio.get_running_loop().call_later(GREETING_S, self._turn_away)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave."""
        self._late.cancel()
        super().connection_lost(exc)

    def answer(self, text: str) -> None:
        """Answer a message; the first one makes somebody of who is there, or ends it all."""
        super().answer(text)
        if not self._is_greeted:
            self._let_in()

    def break_off(self) -> None:
        """Say that something went wrong here; whoever has just said who is there is not let in."""
        super().break_off()
        if not self._is_greeted and (known := self.who.known):
            self.who.known = None
            known.go()

    def _let_in(self) -> None:
        if (known := self.who.known) is None:
            self._turn_away()
        elif self._transport.is_closing():
            known.go()
        else:
            self._is_greeted = True
            self._late.cancel()
            self.who.go()
            self.who = known
            self._lines.tell(self)

    def _turn_away(self) -> None:
        self._close(CloseCode.POLICY_VIOLATION)


class PageSocket(Socket[L]):
    """A WebSocket of a page, whose script sees no ping, and has to know when its seat is another's."""

    GOODBYE = 4001

    def _sign(self) -> None:
        self.hold(frames.written("{}"))


class OldPageSocket(PageSocket[L]):
    """The line of a page that an earlier release has drawn: its script loads the page anew when it is hung up on."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say goodbye at once."""
        super().connection_made(transport)
        self.end()
