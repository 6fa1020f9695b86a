"""The secure door beside the plain one: it takes off the encryption and hands each connection on to the same server.

Both doors lead into one process, because the log and the bell are there. The plain one stays open to every phone; the
secure one adds what browsers give to secure pages only.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

from flask import Flask

from companion import create_app as plain_app
from companion.settings import Settings, from_environment

CHUNK = 64 * 1024
PATIENCE_S = 15
"""How long a phone may take to agree on the encryption."""

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Front:
    """Listens for encrypted connections, in a thread of its own.

    Args:
        certificate: the file of the certificate and those that sign it.
        key: the file of its private key.
        address: where to listen: host and port.
        inner: the plain server: host and port.
    """

    def __init__(self, certificate: str, key: str, address: tuple[str, int], inner: tuple[str, int]) -> None:
        """Read the certificate. Raises: OSError, ssl.SSLError."""
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.load_cert_chain(certificate, key)
        self._address, self._inner = address, inner
        self.guests: dict[str, str] = {}
        """The port from which a connection is handed on -> the address of the phone."""

    def start(self) -> None:
        """Begin to listen. Raises: OSError, when the port is taken."""
        is_open = threading.Event()
        problem: list[OSError] = []

        async def listen() -> None:
            host, port = self._address
            try:
                server = await asyncio.start_server(
                    self._welcome, host, port, ssl=self._context, ssl_handshake_timeout=PATIENCE_S
                )
            except OSError as error:
                problem.append(error)
                return
            finally:
                is_open.set()
            async with server:
                await server.serve_forever()

        threading.Thread(target=asyncio.run, args=(listen(),), daemon=True, name="front").start()
        is_open.wait()
        if problem:
            raise problem[0]

    async def _welcome(self, phone: asyncio.StreamReader, to_phone: asyncio.StreamWriter) -> None:
        try:
            server, to_server = await asyncio.open_connection(*self._inner)
        except OSError:
            to_phone.close()
            return
        own_port = str(to_server.get_extra_info("sockname")[1])
        self.guests[own_port] = to_phone.get_extra_info("peername")[0]
        try:
            await asyncio.gather(_pass_on(phone, to_server), _pass_on(server, to_phone))
        finally:
            del self.guests[own_port]


class Secured:
    """An app behind the front: it sees the phone's own address, and that the connection is secure."""

    def __init__(self, app: Application, guests: dict[str, str]) -> None:
        """Take the app and the guests of the front."""
        self._app, self._guests = app, guests

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer a request."""
        guest = self._guests.get(str(environ.get("REMOTE_PORT", "")))
        if guest is not None and environ.get("REMOTE_ADDR") in {"127.0.0.1", "::1"}:
            environ = {**environ, "wsgi.url_scheme": "https", "REMOTE_ADDR": guest}
        return self._app(environ, start_response)


def create_app(settings: Settings | None = None) -> Flask:
    """Make the app with both doors.

    Raises:
        StartError: as without the secure one.
        OSError: its port is taken, or its certificate cannot be read.
    """
    settings = settings or from_environment()
    app = plain_app(settings)
    assert settings.https
    front = Front(settings.certificate, settings.key, settings.https, ("127.0.0.1", settings.port))
    front.start()
    app.wsgi_app = Secured(app.wsgi_app, front.guests)  # type: ignore[method-assign]
    return app


async def _pass_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Copy until the source ends; then the target is closed, too."""
    with suppress(OSError, ssl.SSLError):
        while chunk := await source.read(CHUNK):
            target.write(chunk)
            await target.drain()
    with suppress(OSError, ssl.SSLError):
        target.close()
        await target.wait_closed()
