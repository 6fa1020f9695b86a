"""A program at the other end of a socket."""

from __future__ import annotations

import json
import socket
import ssl
from typing import Any

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Ping, RejectConnection, Request, TextMessage

from tests.databases import PATIENCE_S
from tests.house import secret


class Wire:
    """One socket; whatever it is sent waits to be read."""

    def __init__(self, port: int, code: str, phone: str, query: str = "", tls: ssl.SSLContext | None = None) -> None:
        """Connect, through TLS if there is a context for it."""
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(("127.0.0.1", port))
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname="127.0.0.1")
        self._wire = WSConnection(ConnectionType.CLIENT)
        self._said: list[dict[str, Any]] = []
        self._text = ""
        self.status = 0
        """Of the answer to the request: 101 when the socket is open."""
        self.is_closed = False
        headers = [(b"Authorization", f"Bearer {secret(phone)}".encode())] if phone else []
        target = f"/api/tables/{code}/socket{query}"
        self.socket.sendall(self._wire.send(Request(host=f"127.0.0.1:{port}", target=target, extra_headers=headers)))
        while not self.status:
            self._receive()

    def send(self, message: object) -> None:
        """Send a message."""
        text = message if isinstance(message, str) else json.dumps(message)
        self.socket.sendall(self._wire.send(TextMessage(text)))

    def move(self, key: str, data: dict[str, Any], after: int | None = None) -> None:
        """Send a move."""
        self.send({"key": key, "move": data} | ({} if after is None else {"after": after}))

    def read(self) -> dict[str, Any]:
        """Read the next message; {} when there is none, because the other side has hung up."""
        while not self._said and not self.is_closed:
            self._receive()
        return self._said.pop(0) if self._said else {}

    def until(self, kind: str) -> dict[str, Any]:
        """Read on to a message of a kind: `look`, `ruled` or `problem`."""
        while (message := self.read()) and kind not in message:
            pass
        assert message, f"hung up before any {kind}"
        return message

    def _receive(self) -> None:
        data = self.socket.recv(65536)
        self._wire.receive_data(data or None)
        for event in self._wire.events():
            match event:
                case AcceptConnection():
                    self.status = 101
                case RejectConnection():
                    self.status, self.is_closed = event.status_code, True
                case TextMessage():
                    self._text += event.data
                    if event.message_finished:
                        self._said.append(json.loads(self._text))
                        self._text = ""
                case Ping():
                    self.socket.sendall(self._wire.send(event.response()))
                case CloseConnection():
                    self.is_closed = True
        self.is_closed |= not data
