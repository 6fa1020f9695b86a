"""Who is connected: what has come of the next request, and whether it is counted as evenings on their way."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from typing import Any

from gunicorn.workers.gthread import TConn

from companion.server.incoming import Heard, Incoming, Uploads, refused


class Caller(TConn):  # type: ignore[misc]
    """A connection, and what has come of its next request."""

    def __init__(self, uploads: Uploads, guests: Collection[str], *about: Any) -> None:
        """Begin with nothing; `guests` are the origins whose programs may use the API in a browser."""
        super().__init__(*about)
        self.incoming = Incoming(self._may_bring)
        self.is_gone = False
        self.is_secure = False
        """Whether it came by the secure door."""
        self._uploads, self._guests = uploads, guests
        self._is_counted = False

    def next(self, came: bytes) -> None:
        """Begin with the next request, of which this has come."""
        self.let_go()
        self.incoming = Incoming(self._may_bring)
        if came:
            self.takes(came)  # what cannot be kept is waited for in vain, and cut off in its time

    def hand_over(self) -> None:
        """Let gunicorn read what has come, and nothing after it."""
        self.parser.unreader = Heard(self.incoming)

    def takes(self, said: bytes) -> bool:
        """Add what has come; False where there is no room to keep it."""
        try:
            self.incoming.take(said)
        except OSError:
            return False
        self.tell()
        return True

    def tell(self) -> None:
        """Tell what nobody else has to be asked for; who takes nothing now is not told."""
        said, self.incoming.reply = self.incoming.reply, b""
        if self.incoming.refusal:
            said = refused(self.incoming.refusal, self.incoming.came, self._guests)
        if said:
            with suppress(OSError):
                self.sock.send(said)

    def let_go(self) -> None:
        """Forget what has come."""
        self.incoming.close()
        self.is_here()

    def is_here(self) -> None:
        """Count no more as one on its way."""
        if self._is_counted:
            self._is_counted = False
            self._uploads.end(self._address)

    def close(self, graceful: bool = False) -> None:
        """Close the connection."""
        self.let_go()
        super().close(graceful)

    @property
    def _address(self) -> str:
        return str(self.client[0]) if self.client else ""

    def _may_bring(self) -> bool:
        self._is_counted = self._uploads.begin(self._address)
        return self._is_counted
