"""Frames that are read and written at a glance are what `websockets` reads and writes; it is asked about all others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import CLIENT, SERVER, Protocol

from companion.push import frames

MOST = 70_000
SIZES = (1, 2, 125, 126, 127, 128, 256, 65_535, 65_536, MOST)


def frame(said: bytes, opcode: Opcode = Opcode.TEXT, fin: bool = True) -> bytes:
    return Frame(opcode, said, fin).serialize(mask=True)


@pytest.mark.parametrize("size", SIZES)
def test_what_is_written_is_read_by_a_phone(size: int) -> None:
    phone, text = Protocol(CLIENT), "ž" + "x" * (size - 2) if size > 1 else "x"
    phone.receive_data(frames.written(text))
    [read] = phone.events_received()
    assert isinstance(read, Frame)
    assert (read.opcode, read.fin, read.data) == (Opcode.TEXT, True, text.encode())


@pytest.mark.parametrize("size", [size for size in SIZES if size < 65_536])
def test_a_message_in_one_frame_is_read_at_a_glance_unless_it_is_too_long(size: int) -> None:
    said = bytes(n % 128 for n in range(size))
    assert frames.message(frame(said), MOST) == said
    assert frames.message(frame(said), size) == said
    assert frames.message(frame(said), size - 1) is None


@pytest.mark.parametrize(
    "other",
    [
        b"",
        b"\x81",
        frame(b""),
        frame(b"begun", fin=False),
        frame(b"gone on", Opcode.CONT),
        frame(b"numbers", Opcode.BINARY),
        frame(b"", Opcode.PING),
        frame(b"", Opcode.CLOSE),
        frame(b"cut off")[:-1],
        frame(b"two") + frame(b"frames"),
        frame(b"one and") + b"\x81",
        frame(b"x" * 65_536),
        Frame(Opcode.TEXT, b"not masked").serialize(mask=False),
        Frame(Opcode.TEXT, b"x" * 130).serialize(mask=False),
        b"\xc1" + frame(b"reserved")[1:],
    ],
    ids=[
        "nothing",
        "half a head",
        "no word",
        "begun",
        "gone on",
        "numbers",
        "ping",
        "close",
        "cut off",
        "two",
        "one and a half",
        "too long",
        "not masked",
        "not masked and longer",
        "reserved",
    ],  # whose masks are by chance
)
def test_anything_else_is_left_to_others(other: bytes) -> None:
    assert frames.message(other, MOST) is None
    assert not frames.is_pong(other)


def test_a_pong_is_one_without_a_word() -> None:
    assert frames.is_pong(frame(b"", Opcode.PONG))
    assert not frames.is_pong(frame(b"x", Opcode.PONG))
    assert frames.message(frame(b"", Opcode.PONG), MOST) is None


@given(st.binary(max_size=140).map(lambda rest: b"\x81" + rest) | st.binary(max_size=20))
def test_whatever_is_read_at_a_glance_the_library_reads_so(data: bytes) -> None:
    said = frames.message(data, MOST)
    if said is not None:
        server = Protocol(SERVER)
        server.receive_data(data)
        [read] = server.events_received()
        assert isinstance(read, Frame)
        assert (read.opcode, read.fin, read.data) == (Opcode.TEXT, True, said)
