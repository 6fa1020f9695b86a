"""The render process, seen from outside: start it, ask it, lose patience with it.

A message in either direction is a letter for its kind, its length in four bytes, and the body. Asked is a page to PRINT
(HTML), or a document to DRAW in greys or to PAINT in colours (PDF); the answer is DONE, with the PDF or the pictures,
or BROKEN, with why.
"""

from __future__ import annotations

import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from companion import machine
from companion.errors import Told

START_S = 30.0
"""How long a render process may take to import the layout engine: a small computer with a cold disk needs seconds."""

PRINT, DRAW, PAINT = b"P", b"D", b"C"
DONE, BROKEN = b"K", b"B"
HEAD, LENGTH = struct.Struct(">cI"), struct.Struct(">I")


class PrintError(Exception):
    """A sheet was not printed; the message says why and what to do."""


class PrinterBusy(PrintError):
    """Too many sheets are waiting."""


class PrinterStuck(PrintError):
    """The render process took too long, died, or does not start; a new one takes the next sheet."""


class SheetBroken(PrintError):
    """The layout engine failed on the sheet, warned about it, or was asked to fetch something."""


class Press:
    """A running render process.

    Args:
        folder: all that it may read.
        memory_bytes: its address space.
        stamp: the state of the folder that it starts with.
    """

    def __init__(self, folder: Path, memory_bytes: int, stamp: bytes) -> None:
        """Start it and wait until it is ready. Raises: PrinterStuck."""
        self.stamp = stamp
        self.served = 0
        try:
            # The terminal's Ctrl-C is kept away from it; it ends when its input does.
            self._process = subprocess.Popen(
                [sys.executable, "-m", "companion.printing", str(folder), str(memory_bytes)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=Path(__file__).resolve().parents[2],
                **machine.apart(),
            )
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._in, self._out = self._process.stdin, self._process.stdout
            self._patiently(lambda: receive(self._out), START_S)
        except (PrinterStuck, OSError) as error:
            raise PrinterStuck(Told("The printer does not start; the server’s log says why.")) from error

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.poll() is not None

    def print(self, html: str, patience_s: float) -> bytes:
        """Render one sheet. Raises: PrinterStuck, SheetBroken."""
        return self._asked(PRINT, html.encode(), patience_s)

    def draw(self, pdf: bytes, patience_s: float, way: bytes = DRAW) -> list[bytes]:
        """Draw every page of a PDF, or paint it, each as PNG. Raises: PrinterStuck, SheetBroken."""
        return unpacked(self._asked(way, pdf, patience_s))

    def close(self) -> None:
        """Kill the process and wait for its end."""
        self._process.kill()
        for pipe in (self._in, self._out):
            with suppress(OSError):
                pipe.close()
        self._process.wait()

    def _asked(self, kind: bytes, body: bytes, patience_s: float) -> bytes:
        self.served += 1

        def exchange() -> tuple[bytes, bytes]:
            send(self._in, kind, body)
            return receive(self._out)

        answer, body = self._patiently(exchange, patience_s)
        if answer == BROKEN:
            raise SheetBroken(Told("The sheet cannot be printed: %(complaint)s", complaint=body.decode()))
        return body

    def _patiently(self, exchange: Callable[[], tuple[bytes, bytes]], patience_s: float) -> tuple[bytes, bytes]:
        """Do the exchange; where it lasts too long kill the process, whose pipes then end the waiting."""
        is_late = threading.Event()

        def give_up() -> None:
            is_late.set()
            self._process.kill()

        timer = threading.Timer(patience_s, give_up)
        try:
            timer.start()
            return exchange()
        except (OSError, EOFError, RuntimeError) as error:  # the last one where there is no thread
            self.close()
            if is_late.is_set():
                raise PrinterStuck(
                    Told("The sheet took longer than %(time)s seconds and was given up.", time=f"{patience_s:g}")
                ) from None
            raise PrinterStuck(Told("The printer broke down on this sheet: it may need too much memory.")) from error
        finally:
            timer.cancel()
            # A kill that came with the answer must be over before anyone asks whether the process has ended.
            if timer.ident:
                timer.join()
            if is_late.is_set():
                self._process.wait()


def send(pipe: IO[bytes], kind: bytes, body: bytes) -> None:
    """Write one message."""
    pipe.write(HEAD.pack(kind, len(body)) + body)
    pipe.flush()


def receive(pipe: IO[bytes]) -> tuple[bytes, bytes]:
    """Read one message. Raises: EOFError when the other side is gone."""
    kind, length = HEAD.unpack(_exactly(pipe, HEAD.size))
    return kind, _exactly(pipe, length)


def packed(parts: Sequence[bytes]) -> bytes:
    """Put several bodies into one, each behind its length."""
    return b"".join(LENGTH.pack(len(part)) + part for part in parts)


def unpacked(body: bytes) -> list[bytes]:
    """Take apart what `packed` put together.

    >>> unpacked(packed([b"one", b"", b"three"]))
    [b'one', b'', b'three']
    """
    parts, start = [], 0
    while start < len(body):
        (length,) = LENGTH.unpack_from(body, start)
        start += LENGTH.size
        parts.append(body[start : start + length])
        start += length
    return parts


def _exactly(pipe: IO[bytes], length: int) -> bytes:
    body = pipe.read(length)
    if len(body) < length:
        raise EOFError
    return body
