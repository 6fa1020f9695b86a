"""A program, or a page, at the other end of a socket."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Ping, RejectConnection, Request, TextMessage

from tests.databases import PATIENCE_S, Cluster
from tests.house import House, Server, secret
from tests.redises import RedisServer

KINDS = ("one process", "two workers")
"""Of houses whose lines are tried."""


class Wire:
    """One socket; whatever it is sent waits to be read."""

    start = "/api"
    """How the address begins."""

    def __init__(self, port: int, code: str, phone: str, query: str = "", tls: ssl.SSLContext | None = None) -> None:
        """Connect, through TLS if there is a context for it. Raises: OSError, when it is cut off before the answer."""
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
        self.code = 0
        """With which the other side has closed it."""
        asked = self._asks(f"127.0.0.1:{port}", code, phone, query)
        try:
            self.socket.sendall(self._wire.send(asked))
            while not self.status:
                self._receive()
        except OSError:
            self.socket.close()
            raise

    def _asks(self, host: str, code: str, phone: str, query: str) -> Request:
        headers = [(b"Authorization", f"Bearer {secret(phone)}".encode())] if phone else []
        return Request(host=host, target=f"{self.start}/tables/{code}/socket{query}", extra_headers=headers)

    def send(self, message: object) -> None:
        """Send a message."""
        text = message if isinstance(message, str) else json.dumps(message)
        self.socket.sendall(self._wire.send(TextMessage(text)))

    def greet(self, phone: str) -> dict[str, Any]:
        """Say who it is, and read the answer."""
        self.send({"token": secret(phone)})
        return self.read()

    def move(self, key: str, data: dict[str, Any], after: int | None = None) -> None:
        """Send a move."""
        self.send({"key": key, "move": data} | ({} if after is None else {"after": after}))

    def read(self) -> dict[str, Any]:
        """Read the next message; {} when there is none, because the other side has hung up. Raises: TimeoutError."""
        late = time.monotonic() + PATIENCE_S
        while not self._said and not self.is_closed:
            self._receive()
            if time.monotonic() > late and not self._said:
                raise TimeoutError  # signs of life alone
        return self._said.pop(0) if self._said else {}

    def until(self, kind: str) -> dict[str, Any]:
        """Read on to a message of a kind: `look`, `ruled` or `problem`."""
        while (message := self.read()) and kind not in message:
            pass
        assert message, f"hung up before any {kind}"
        return message

    def _receive(self) -> None:
        data = self.socket.recv(65536)
        if not data and not self.status:
            raise ConnectionResetError
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
                        if said := json.loads(self._text):  # a page's sign of life says nothing
                            self._said.append(said)
                        self._text = ""
                case Ping():
                    self.socket.sendall(self._wire.send(event.response()))
                case CloseConnection():
                    self.is_closed, self.code = True, event.code
        self.is_closed |= not data


class PageWire(Wire):
    """The line of a page: `query` is the page's path under the table, `0` or `screen`."""

    origin = ""
    """The page's own, unless it is another one's."""
    language = ""
    """What was chosen on the phone by now."""

    def _asks(self, host: str, code: str, phone: str, query: str) -> Request:
        headers = [(b"Origin", (self.origin or f"http://{host}").encode())]
        cookies = {"phone": secret(phone) if phone else "", "language": self.language}
        said = "; ".join(f"{name}={value}" for name, value in cookies.items() if value)
        headers += [(b"Cookie", said.encode())] if said else []
        page, _, more = query.partition("?")
        return Request(host=host, target=f"/t/{code}/{page}/line?{more}", extra_headers=headers)

    def tap(self, key: str, form: str) -> dict[str, Any]:
        """Send a tap, and read on to its answer."""
        self.send({"key": key, "form": form})
        while (message := self.read()) and message.get("key") != key:
            pass
        assert message, "hung up before the answer"
        return message


def house_of(request: pytest.FixtureRequest, folder: Path) -> Iterator[House]:
    """Give an app at home, and one upon PostgreSQL and Redis: for a fixture with `KINDS` as its parameters."""
    if request.param == "one process":
        house = House(folder)
        yield house
        house.close()
        return
    cluster: Cluster = request.getfixturevalue("cluster")
    redis = RedisServer(folder)
    redis.start()
    house = House(folder, cluster.database("postgres").another(), redis.address)
    yield house
    house.close()
    redis.kill()


def served(house: House) -> Iterator[Server]:
    """Start a house's server: upon Redis with two workers."""
    server = house.server(workers=2 if house.redis else 1)
    try:
        server.start()
        yield server
    finally:
        server.kill()
