"""The secure door beside the plain one: it takes off the encryption, and the rest goes the way of every connection.

The worker that lets a phone in relays what it says to whoever keeps its table: what is passed on is the inner end of a
pair of sockets. The plain door stays open to every phone; the secure one adds what browsers give to secure pages only.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from companion.server.keepers import FULL, FULL_S, Passed

CHUNK = 64 * 1024
CIPHERS = "ECDHE+AESGCM:ECDHE+CHACHA20"
"""For TLS 1.2: those alone whose records nobody can change, and which a key that is stolen later does not open."""
PATIENCE_S = 15
"""How long a phone may take to agree on the encryption."""
LOOK_S = 2.0
"""How often it is looked whether the certificate was renewed."""


class Front:
    """Lets in encrypted connections, in a thread of its own.

    Args:
        certificate: the file of the certificate and those that sign it.
        key: the file of its private key.
        door: where to listen.
        let_in: told, in the thread of the front, of each connection without its encryption.
        awaited: told, in that thread, once the door is shut, how many more are to be waited for: those who have come
            and still agree on the encryption, but no longer the door; and of one fewer, whenever one of them has.
    """

    def __init__(
        self,
        certificate: str,
        key: str,
        door: socket.socket,
        let_in: Callable[[Passed], None],
        awaited: Callable[[int], None],
    ) -> None:
        """Read the certificate. Raises: OSError, ssl.SSLError."""
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.set_ciphers(CIPHERS)
        self._files = certificate, key
        self._shown = self._states()
        self.show()
        self._door, self._let_in, self._awaited = door, let_in, awaited
        self._is_open = True
        self._coming: set[asyncio.Task[None]] = set()
        """Who is agreeing on the encryption."""
        self._loop = asyncio.new_event_loop()

    def show(self) -> None:
        """Show from now on what the files say; who is connected notices nothing. Raises: OSError, ssl.SSLError."""
        # One of two that do not belong together would stay, and then nobody could be let in.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*self._files, password="")
        self._context.load_cert_chain(*self._files, password="")

    def start(self) -> None:
        """Begin to listen."""
        threading.Thread(
            target=self._loop.run_until_complete, args=(self._listen(),), daemon=True, name="front"
        ).start()

    def close(self) -> None:
        """Let nobody come any more; who has come is let in, and relayed on. Other workers have the door, too."""
        self._loop.call_soon_threadsafe(self._shut)

    async def _listen(self) -> None:
        self._door.setblocking(False)
        self._open()
        while True:
            await asyncio.sleep(LOOK_S)
            self._look()

    def _open(self) -> None:
        if self._is_open:
            self._loop.add_reader(self._door, self._take)

    def _shut(self) -> None:
        if self._is_open:
            self._is_open = False
            self._loop.remove_reader(self._door)
            self._awaited(len(self._coming) - 1)

    def _take(self) -> None:
        """Take a connection, unless another worker was quicker; where there is no room for one, wait until there is."""
        try:
            phone, client = self._door.accept()
        except OSError as problem:
            if problem.errno in FULL:
                self._loop.remove_reader(self._door)
                self._loop.call_later(FULL_S, self._open)
            return
        phone.setblocking(False)
        coming = self._loop.create_task(self._agree(phone, client))
        self._coming.add(coming)
        coming.add_done_callback(self._has_come)

    async def _agree(self, phone: socket.socket, client: tuple[str, int]) -> None:
        """Agree on the encryption; whoever has done so is let in by then."""
        said = asyncio.StreamReaderProtocol(asyncio.StreamReader(), partial(self._welcome, client))
        with suppress(OSError):  # on nothing, or not in time
            await self._loop.connect_accepted_socket(
                lambda: said, phone, ssl=self._context, ssl_handshake_timeout=PATIENCE_S
            )

    def _has_come(self, coming: asyncio.Task[None]) -> None:
        self._coming.remove(coming)
        if not self._is_open:
            self._awaited(-1)

    def _look(self) -> None:
        """Show what was renewed; until both files are there, the certificate from before stays."""
        with suppress(OSError, ssl.SSLError):
            if (found := self._states()) != self._shown:
                self.show()
                self._shown = found

    def _states(self) -> list[tuple[int, int]]:
        """Tell one state of the files from another. Raises: OSError."""
        return [(found.st_mtime_ns, found.st_ino) for found in map(os.stat, self._files)]

    async def _welcome(
        self, client: tuple[str, int], phone: asyncio.StreamReader, to_phone: asyncio.StreamWriter
    ) -> None:
        try:
            own, inner = socket.socketpair()
            self._let_in(Passed(inner, client, to_phone.get_extra_info("sockname"), is_secure=True))
            server, to_server = await asyncio.open_connection(sock=own)
            await asyncio.gather(_pass_on(phone, to_server), _pass_on(server, to_phone))
        finally:
            to_phone.close()


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copy until the source ends; then the target is closed, too."""
    with suppress(OSError, ssl.SSLError):
        while chunk := await source.read(CHUNK):
            target.write(chunk)
            await target.drain()
    with suppress(OSError, ssl.SSLError):
        target.close()
        await target.wait_closed()
