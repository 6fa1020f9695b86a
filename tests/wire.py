"""The line between phones and a server, as bad as lines are: streams go dead without a word, or all of it breaks."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress


class Wire:
    """Carries everything between its own port and the server's."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        self._is_down = False
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._dead: set[socket.socket] = set()
        self._streams: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._begin(self._admit)

    def goes_dead(self) -> None:
        """Let every open stream stay open and hear nothing more: no end, no error. All else is carried."""
        self._dead |= self._streams

    def breaks(self) -> None:
        """Cut every connection off, and every new one."""
        self._is_down = True
        for pair in list(self._pairs):
            self._cut(*pair)

    def comes_back(self) -> None:
        """Carry what connects from now on."""
        self._is_down = False

    def close(self) -> None:
        """Hang up."""
        self._is_down = True
        self._cut(self._door)
        for pair in list(self._pairs):
            self._cut(*pair)
        for thread in self._threads:
            thread.join()
        for end in (self._door, *(end for pair in self._pairs for end in pair)):
            end.close()

    def _begin(self, work: Callable[..., None], *ends: socket.socket) -> None:
        self._threads.append(threading.Thread(target=work, args=ends, daemon=True))
        self._threads[-1].start()

    def _cut(self, *ends: socket.socket) -> None:
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _admit(self) -> None:
        with suppress(OSError):
            while True:
                phone, _ = self._door.accept()
                server = socket.create_connection(("127.0.0.1", self._server_port))
                self._pairs.append((phone, server))
                if self._is_down:
                    self._cut(phone, server)
                self._begin(self._carry, phone, server)
                self._begin(self._carry, server, phone)

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                if re.match(rb"GET \S+/(stream|line)\?", data):
                    self._streams |= {one, other}
                if one not in self._dead:
                    other.sendall(data)
        if one not in self._dead:
            self._cut(other)
