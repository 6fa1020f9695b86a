"""Connections of phones without a browser: requests, event streams and WebSockets, written by hand to cost little."""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable
from typing import cast

NUMBER = re.compile(rb"id: (\d+)\n")
LENGTH = re.compile(rb"(?i)content-length: (\d+)\r")
LONG = 126
"""Where RFC 6455 says that the length follows, in two bytes; one more, in eight."""


PING, PONG = b"\x89", bytes([0x8A, 0x80, 0, 0, 0, 0])
"""Asked of a WebSocket now and then; whoever does not answer is cut off after half a minute."""


class Wire(asyncio.Protocol):
    """A connection; whoever made it reads what arrives, and gives back what is not whole yet."""

    def __init__(self, read: Callable[[bytes], bytes]) -> None:
        self.buffer = b""
        self.read = read
        self.size = 0
        """Bytes that have come."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self.size += len(data)
        self.buffer = self.read(self.buffer + data)

    def write(self, data: bytes) -> None:
        """Send something."""
        self.transport.write(data)


async def dial(port: int, read: Callable[[bytes], bytes]) -> Wire:
    """Connect to a port of this machine."""
    _, wire = await asyncio.get_running_loop().create_connection(lambda: Wire(read), "127.0.0.1", port)
    return wire


def bearer(token: str, language: str = "en") -> str:
    """Write the headers with a program's token and its language."""
    return f"Authorization: Bearer {token}\r\nAccept-Language: {language}\r\n"


def browsing(token: str, language: str) -> str:
    """Write the headers that a phone's browser sends with everything: as many as a real one, for all are read."""
    return (
        "User-Agent: Mozilla/5.0 (Linux; Android 14; Mobile) AppleWebKit/537.36 Chrome/142.0\r\n"
        f"Accept-Encoding: gzip, deflate\r\nAccept-Language: {language},en;q=0.8\r\nCookie: phone={token}\r\n"
    )


def fetching(token: str, language: str) -> str:
    """Write what it sends with what a script asks for."""
    about = "Connection: keep-alive\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n"
    return browsing(token, language) + about


def getting(path: str, head: str, port: int) -> bytes:
    """Ask for something; `head` are further headers, each with the end of its line."""
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}\r\n".encode()


def posting(path: str, head: str, body: str, port: int) -> bytes:
    """Post something."""
    about = f"Host: 127.0.0.1:{port}\r\n{head}Content-Length: {len(body)}\r\n"
    return f"POST {path} HTTP/1.1\r\n{about}\r\n{body}".encode()


def upgrading(path: str, head: str, port: int) -> bytes:
    """Ask for a WebSocket."""
    about = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    return getting(path, f"{about}Sec-WebSocket-Key: bmluZSBjaGFycyBhbmQgbQ==\r\n{head}", port)


def numbers(data: bytes) -> tuple[list[int], bytes]:
    """Read the numbers of the frames of an event stream, and what is left. Raises: ValueError."""
    if data.startswith(b"HTTP/1.1 ") and not data.startswith(b"HTTP/1.1 200"):
        raise ValueError(data.decode())
    found = []
    while (end := data.find(b"\n\n")) >= 0:
        if number := NUMBER.search(data, 0, end):
            found.append(int(number[1]))
        data = data[end + 2 :]
    return found, data


def answered(data: bytes, number: re.Pattern[bytes]) -> int | None:
    """Read the number that an answer names, in its head or its body; None until all is here. Raises: ValueError."""
    head = data.find(b"\r\n\r\n")
    length = LENGTH.search(data, 0, head + 2) if head >= 0 else None
    if length is None or len(data) < head + 4 + int(length[1]):
        return None
    found = number.search(data)
    if found is None or not data.startswith(b"HTTP/1.1 200"):
        raise ValueError(data.decode())
    return int(found[1])


def framed(text: str) -> bytes:
    """Write a message of a WebSocket as a client does."""
    payload, mask = text.encode(), secrets.token_bytes(4)
    length = len(payload)
    head = bytes([0x81, 0x80 | length]) if length < LONG else bytes([0x81, 0x80 | LONG]) + length.to_bytes(2, "big")
    stretched = (mask * (length // 4 + 1))[:length]
    masked = (int.from_bytes(payload, "big") ^ int.from_bytes(stretched, "big")).to_bytes(length, "big")
    return head + mask + masked


def messages(data: bytes) -> tuple[list[bytes], bytes]:
    """Read the messages that have come over a WebSocket, and what is left. Raises: ValueError."""
    if data.startswith(b"HTTP/"):
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return [], data
        if not data.startswith(b"HTTP/1.1 101"):
            raise ValueError(data.decode())
        data = data[end + 4 :]
    found = []
    while len(data) > 1:
        length, start = data[1] & 127, 2
        if length >= LONG:
            size = 2 if length == LONG else 8
            length, start = int.from_bytes(data[2 : 2 + size], "big"), 2 + size
        if len(data) < start + length:
            break
        found.append(PING if data[:1] == PING else data[start : start + length])
        data = data[start + length :]
    return found, data
