"""What a phone does not take at once of an answer is kept, and sent when it takes more: no thread waits for that.

The system keeps some of it (`start.SENDING_BYTES`). Whoever reads a letter at a time, or nothing, would else hold the
thread that answers, and a few such would hold them all.
"""

from __future__ import annotations

import socket
import tempfile
from typing import IO, Any

IN_MEMORY = 32 * 1024
"""Bytes kept in memory; more goes to a file."""
AT_ONCE = 64 * 1024
"""Bytes that are sent in one piece."""


class Outgoing(socket.socket):
    """A connection that keeps what cannot be sent now."""

    def __init__(self, *about: Any, **more: Any) -> None:
        """Begin with nothing kept."""
        super().__init__(*about, **more)
        self._kept: IO[bytes] | None = None
        self._sent = 0

    @property
    def rest(self) -> int:
        """Count the bytes that are kept."""
        if self._kept is None:
            return 0
        return self._kept.seek(0, 2) - self._sent

    def sendall(self, data: Any, flags: int = 0, /) -> None:
        """Send it, or keep what does not go. Raises: OSError."""
        rest = memoryview(data)
        if self._kept is None:
            while rest:
                try:
                    rest = rest[self.send(rest, flags | socket.MSG_DONTWAIT) :]
                except BlockingIOError:
                    self._kept = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 (`go_on` and `close` do)
                    break
        if self._kept is not None:
            self._kept.seek(0, 2)
            self._kept.write(rest)

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        """Send a file in the same way, as much of it as it has. Raises: OSError."""
        file.seek(offset)
        sent = 0
        while piece := file.read(AT_ONCE if count is None else min(AT_ONCE, count - sent)):
            self.sendall(piece)
            sent += len(piece)
        return sent

    def go_on(self) -> bool:
        """Send what goes now; True once nothing is kept. Raises: OSError."""
        while self._kept is not None:
            self._kept.seek(self._sent)
            piece = self._kept.read(AT_ONCE)
            if not piece:
                self._forget()
                break
            try:
                self._sent += self.send(piece, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return False
        return True

    def close(self) -> None:
        """Close it; what is kept is not sent any more."""
        self._forget()
        super().close()

    def _forget(self) -> None:
        if self._kept is not None:
            self._kept.close()
        self._kept, self._sent = None, 0
