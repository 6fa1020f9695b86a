"""Frames of a WebSocket as nearly all of them are, read and written at a glance; `websockets` knows all others.

A phone's message is a frame of its own that comes alone and whole; what is said to it is a frame, too. (RFC 6455, 5.2)
"""

from __future__ import annotations

from struct import Struct

from websockets.frames import Opcode, apply_mask  # type: ignore[attr-defined]

_WHOLE, _MASKED = 0x80, 0x80
_SHORT, _LONG = 126, 127
"""Where a frame is not shorter than the first, its length stands behind: in two bytes, or (the second) in eight."""
_MASK_BYTES = 4
_LEAST = 2 + _MASK_BYTES
_TEXT = bytes([_WHOLE | Opcode.TEXT])
_PONG = bytes([_WHOLE | Opcode.PONG, _MASKED])
_HEAD, _LONGER, _LONGEST = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack


def message(data: bytes, most: int) -> bytes | None:
    """Read what came as one masked frame with a message of so many bytes at most; None where it is anything else.

    >>> message(bytes([0x81, 0x82, 1, 2, 3, 4, ord("h") ^ 1, ord("i") ^ 2]), 100)
    b'hi'
    """
    if data[:1] != _TEXT or len(data) < _LEAST:
        return None
    size, mask = data[1] - _MASKED, 2
    if size >= _SHORT:
        size, mask = int.from_bytes(data[2:4]) if size == _SHORT else 0, 4
    start = mask + _MASK_BYTES
    return apply_mask(data[start:], data[mask:start]) if 0 < size <= most and size == len(data) - start else None


def is_pong(data: bytes) -> bool:
    """Say whether what came is the answer to a ping without a word."""
    return data[:2] == _PONG and len(data) == _LEAST


def written(text: str) -> bytes:
    """Write a message as a frame.

    >>> list(written("hi"))
    [129, 2, 104, 105]
    """
    said = text.encode()
    size = len(said)
    if size < _SHORT:
        return _HEAD(_TEXT[0], size) + said
    head = _LONGER(_TEXT[0], _SHORT, size) if size < 1 << 16 else _LONGEST(_TEXT[0], _LONG, size)
    return head + said
