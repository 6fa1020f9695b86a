"""What has come of a request, and how much of it is waited for: no thread ever waits for a phone to go on.

A request's head, and a body that is short, are kept in memory; one that brings evenings goes to a file. What is longer
than anything of ours is not read at all: it is answered in words by who serves it, and then the connection ends.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Collection
from typing import IO

from gunicorn.http.unreader import Unreader

from companion.contract import unversioned
from companion.intake import MOST_DIGITS, MOST_OF_A_BODY, ROOM, home

HEAD = 64 * 1024
"""Bytes of a head: longer ones are refused."""
WHOLE_S = 10.0
"""How long a request may take from the opening of its connection, or its first byte, to its last."""
SLOWEST = 128 * 1024
"""Bytes a second of a body that brings evenings: it may take longer."""
AT_ONCE, AT_ONCE_A_HOME = 32, 4
"""Bodies that bring evenings, on their way to one worker at once; of them, from one home."""

LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*\r\n", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
ASKS_FIRST = re.compile(rb"\r\nexpect:[^\r\n]*", re.IGNORECASE)
ADDRESS = re.compile(rb"POST (?:https?://[^/\s]*)?(/[^?#\s]{0,64})[?#\s]")
"""What of a first line says whether evenings are brought."""

GO_ON = b"HTTP/1.1 100 Continue\r\n\r\n"
TOO_LONG_A_HEAD, HOW_LONG = b"431 Request Header Fields Too Large", b"411 Length Required"
OF_API = re.compile(rb"[A-Z]+ (?:https?://[^/\s]*)?/api[/?\s]")
ORIGIN = re.compile(rb"\r\norigin:([^\r\n]*)\r\n", re.IGNORECASE)


def refused(status: bytes, came: bytes | bytearray, guests: Collection[str]) -> bytes:
    """Refuse a request that nobody reads; a program of a named origin in a browser is told which status that was."""
    told = b"HTTP/1.1 " + status + b"\r\nConnection: close\r\nContent-Length: 0\r\n"
    if guests and OF_API.match(came):
        told += b"Vary: Origin\r\n"
        origin = ORIGIN.search(came)
        guest = origin[1].strip(b" \t") if origin else b""
        if guest.decode("latin-1") in guests:
            told += b"Access-Control-Allow-Origin: " + guest + b"\r\n"
    return told + b"\r\n"


class Uploads:
    """The bodies that bring evenings and are on their way, by home."""

    def __init__(self) -> None:
        """Begin with none."""
        self._of: Counter[str] = Counter()
        self.a_home: int | None = AT_ONCE_A_HOME
        """The most of one home; None where homes cannot be told apart, behind a proxy."""

    def begin(self, address: str) -> bool:
        """Note one more; False when there are too many."""
        where = home(address)
        if self._of.total() >= AT_ONCE or (self.a_home is not None and self._of[where] >= self.a_home):
            return False
        self._of[where] += 1
        return True

    def end(self, address: str) -> None:
        """Forget one."""
        where = home(address)
        self._of[where] -= 1
        if not self._of[where]:
            del self._of[where]


class Incoming:
    r"""One request, as far as it has come.

    >>> incoming = Incoming(lambda: True)
    >>> incoming.take(b"POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nse")
    >>> incoming.is_whole
    False
    >>> incoming.take(b"at=")
    >>> incoming.is_whole
    True

    Args:
        may_bring: asked once of a body that brings evenings, whether there is room for it.
    """

    def __init__(self, may_bring: Callable[[], bool]) -> None:
        """Begin with nothing."""
        self.came = bytearray()
        self.is_whole = False
        """Whether nothing more is waited for."""
        self.is_crowded = False
        """Whether the rest is not read because there are too many like this."""
        self.refusal = b""
        """The status of the answer, where nobody has to be asked for it."""
        self.reply = b""
        """What to tell a phone that asks before it goes on."""
        self.patience_s = WHOLE_S
        self.file: IO[bytes] | None = None
        """What has come of a body that brings evenings."""
        self._may_bring = may_bring
        self._wanted: int | None = None
        """Bytes of head and body, once that is known."""
        self._head = self._chunk = 0
        """Where the head ends, and where the chunk begins that has not come."""

    def take(self, said: bytes) -> None:
        """Add what has come. Raises: OSError, where it cannot be kept."""
        if self.file is not None:
            self.file.write(said)
        else:
            self.came += said
        if not self._head:
            self._read_head()
        if self._chunk:
            self._read_chunks()
        if self._wanted is not None and self._length >= self._wanted:
            self.is_whole = True

    @property
    def is_brought(self) -> bool:
        """Whether this is a body that brings evenings, and is counted."""
        return self.file is not None

    def close(self) -> None:
        """Forget what has come, and whose it was: circles of what holds each other are hardly ever looked for."""
        if self.file is not None:
            self.file.close()
        self._may_bring = _never

    @property
    def _length(self) -> int:
        return len(self.came) + (self.file.tell() if self.file else 0)

    def _read_head(self) -> None:
        """Find out how much there will be, once the head is here."""
        end = self.came.find(b"\r\n\r\n")
        if end < 0 or end > HEAD:
            if len(self.came) > HEAD:
                self.refusal, self.is_whole = TOO_LONG_A_HEAD, True
            return
        if asks := ASKS_FIRST.search(self.came, 0, end + 2):
            del self.came[slice(*asks.span())]  # nobody else need be asked
            end = self.came.find(b"\r\n\r\n")
            self.reply = GO_ON
        self._head = end + 4
        if CHUNKED.search(self.came, 0, end + 2):
            self._chunk = self._head
            return
        length = LENGTH.search(self.came, 0, end + 2)
        self._wait_for(int(length[1].lstrip(b"0")[:MOST_DIGITS] or b"0") if length else 0)

    def _wait_for(self, length: int) -> None:
        """Wait for a body, as far as there is room for it."""
        self._wanted = self._head + length
        if length <= MOST_OF_A_BODY:
            return
        address = ADDRESS.match(self.came)
        if length > ROOM.get(unversioned(address[1].decode("latin-1")) if address else "", 0):
            self._cut()
        elif not self._may_bring():
            self.is_crowded = True
            self._cut()
        else:
            self.patience_s += length / SLOWEST
            self.file = tempfile.TemporaryFile()  # noqa: SIM115 (`close` does)
            self.file.write(self.came[self._head :])
            del self.came[self._head :]

    def _cut(self) -> None:
        """Wait for no more: what it is too much for says so."""
        self.is_whole, self.reply = True, b""

    def _read_chunks(self) -> None:
        """Look for the end of a body that does not say how long it is; a short one is taken."""
        while (line := self.came.find(b"\r\n", self._chunk)) >= 0:
            size = _size(self.came[self._chunk : line])
            if size is None:
                self._wanted = 0  # whoever reads it says that it is none
                return
            if size == 0:
                # Lines may follow the last chunk; an empty one ends them.
                if self.came.find(b"\r\n\r\n", line) >= 0:
                    self._wanted = 0
                break
            self._chunk = line + 2 + size + 2
        if len(self.came) - self._head > 2 * MOST_OF_A_BODY or self._chunk - self._head > 2 * MOST_OF_A_BODY:
            self.refusal, self.is_whole = HOW_LONG, True


def _never() -> bool:
    """Have no room: nothing more is waited for."""
    return False


class Heard(Unreader):  # type: ignore[misc]
    """What gunicorn reads a request from: that which has come, and nothing after it."""

    def __init__(self, incoming: Incoming) -> None:
        """Take what has come."""
        super().__init__()
        self.unread(bytes(incoming.came))
        self.is_dry = False
        """Whether more was wanted than has come: where the next request begins is not known."""
        self._file = incoming.file
        if self._file is not None:
            self._file.seek(0)

    def chunk(self, size_hint: int | None = None) -> bytes:
        """Give the next piece; b"" when there is no more."""
        piece = self._file.read(size_hint or HEAD) if self._file is not None else b""
        self.is_dry = not piece
        return piece

    def take_buffered(self) -> bytes:
        """Give what has come beyond the request."""
        rest: bytes = super().take_buffered()
        return rest + (self._file.read() if self._file is not None else b"")


def _size(line: bytes | bytearray) -> int | None:
    """Read how long a chunk is; None where that is no number."""
    digits = bytes(line).partition(b";")[0].strip()
    return int(digits, 16) if re.fullmatch(rb"[0-9A-Fa-f]{1,8}", digits) else None
