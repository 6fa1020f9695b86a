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

from companion.server.keepers import Passed

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
    """

    def __init__(self, certificate: str, key: str, door: socket.socket, let_in: Callable[[Passed], None]) -> None:
        """Read the certificate. Raises: OSError, ssl.SSLError."""
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.set_ciphers(CIPHERS)
        self._files = certificate, key
        self._shown = self._states()
        self.show()
        self._door, self._let_in = door, let_in
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
        """Let nobody in any more; who is in is relayed on. Other workers have the door, too."""
        self._loop.call_soon_threadsafe(self._loop.remove_reader, self._door)

    async def _listen(self) -> None:
        server = await asyncio.start_server(
            self._welcome, sock=self._door, ssl=self._context, ssl_handshake_timeout=PATIENCE_S
        )
        async with server:
            while True:
                await asyncio.sleep(LOOK_S)
                self._look()

    def _look(self) -> None:
        """Show what was renewed; until both files are there, the certificate from before stays."""
        with suppress(OSError, ssl.SSLError):
            if (found := self._states()) != self._shown:
                self.show()
                self._shown = found

    def _states(self) -> list[tuple[int, int]]:
        """Tell one state of the files from another. Raises: OSError."""
        return [(found.st_mtime_ns, found.st_ino) for found in map(os.stat, self._files)]

    async def _welcome(self, phone: asyncio.StreamReader, to_phone: asyncio.StreamWriter) -> None:
        address, place = to_phone.get_extra_info("peername"), to_phone.get_extra_info("sockname")
        try:
            own, inner = socket.socketpair()
            self._let_in(Passed(inner, address, place, is_secure=True))
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
