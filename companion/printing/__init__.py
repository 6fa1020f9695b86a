"""A sheet becomes a PDF, in a process of its own.

A `Sheet` (`items.py`) says what is printed and how; `sheet_html` (`sheet.py`) fills its template of `printables/`;
`Printer.pdf` hands the page to a render process
(`press.py`) and waits for the answer. That process (`__main__.py`) is the only place where WeasyPrint is imported: it
lives long, works on one sheet at a time, may read nothing but the files of `printables/`, and is killed when it takes
too long or too much.
"""

from __future__ import annotations

import hashlib
import logging
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.errors import Told
from companion.games import brought
from companion.printing.items import (
    EVENING,
    FORMS,
    ITEMS,
    JOINING,
    LARGE,
    LINKED,
    NOWHERE,
    Particulars,
    Sheet,
    contents,
    every_sheet,
    forms,
    items,
    so_far,
)
from companion.printing.press import DRAW, PAINT, Press, PrinterBusy, PrintError, PrinterStuck, SheetBroken
from companion.printing.rules import RULES
from companion.printing.sheet import FONT_PACKAGE, PAPERS, missing_font, sheet_html
from companion.printing.stock import Stock

__all__ = [
    "EVENING",
    "FONT_PACKAGE",
    "FORMS",
    "ITEMS",
    "JOINING",
    "LARGE",
    "LINKED",
    "NOWHERE",
    "PAPERS",
    "RULES",
    "Particulars",
    "PrintError",
    "Printer",
    "PrinterBusy",
    "PrinterStuck",
    "Sheet",
    "SheetBroken",
    "Stock",
    "contents",
    "every_sheet",
    "forms",
    "items",
    "missing_font",
    "sheet_html",
    "so_far",
]

KEPT = 64
"""Documents, and sets of pictures, kept in memory: those used last."""

log = logging.getLogger(__name__)


class Printer:
    """Prints sheets, one at a time, for any number of threads.

    Args:
        folder: `printables/`, all that a sheet may read, beside what games of other packages bring.
        patience_s: a sheet may take that long, and a caller waits that long for its turn.
        memory_bytes: the address space of the render process.
        waiting: callers that may wait for their turn beside the one that is served.
        documents: renderings after which a new process takes over, so that no leak grows old.
    """

    def __init__(
        self,
        folder: Path,
        *,
        patience_s: float = 10.0,
        memory_bytes: int = 1 << 30,
        waiting: int = 16,
        documents: int = 300,
    ) -> None:
        """Start nothing yet: the render process comes with the first sheet, or when `wake` is called."""
        self.folder = folder.resolve()
        self.patience_s = patience_s
        self.memory_bytes = memory_bytes
        self.documents = documents
        self._places = threading.BoundedSemaphore(waiting + 1)
        self._turn = threading.Lock()
        self._press: Press | None = None
        self._kept: OrderedDict[bytes, list[bytes]] = OrderedDict()
        self._shelf = threading.Lock()

    def source(self, html: str) -> str:
        """Name what a sheet is printed from: its page, and the files that it needs as they are now."""
        return _key("pdf", html, _stamp(self.folder)).hex()

    def pdf(self, html: str) -> bytes:
        """Print a sheet; the same sheet again comes from memory.

        Raises:
            PrinterBusy: when too many callers wait already, or the turn does not come in time.
            PrinterStuck: when the render process had to be killed, died, or does not start.
            SheetBroken: when the sheet cannot be laid out without a complaint.
        """
        return self._pdf(html, _stamp(self.folder))

    def pictures(self, html: str) -> list[bytes]:
        """Show what `pdf` prints: its pages as PNG, drawn from that very document. Raises: as `pdf`."""
        return self._drawn(html, DRAW)

    def painting(self, html: str) -> bytes:
        """Paint a sheet's first page for screens: in colour, a pixel for each of its own, as PNG. Raises: as `pdf`."""
        return self._drawn(html, PAINT)[0]

    def wake(self) -> None:
        """Start the render process beside, where there is none: somebody looks at what can be printed."""
        press = self._press  # another thread may close it meanwhile
        if press is None or press.has_ended:
            with suppress(RuntimeError):  # there is no thread; the first sheet starts it
                threading.Thread(target=self._awake, daemon=True, name="printer").start()

    def close(self) -> None:
        """End the render process; the next sheet would start another."""
        press, self._press = self._press, None
        if press is not None:
            press.close()

    def _drawn(self, html: str, way: bytes) -> list[bytes]:
        stamp = _stamp(self.folder)
        key = _key(f"png-{way.decode()}", html, stamp)
        known = self._recall(key)
        if known is not None:
            return known
        pdf = self._pdf(html, stamp)
        return self._made(key, stamp, lambda press: press.draw(pdf, self.patience_s, way))

    def _pdf(self, html: str, stamp: bytes) -> bytes:
        (pdf,) = self._made(_key("pdf", html, stamp), stamp, lambda press: [press.print(html, self.patience_s)])
        return pdf

    def _made(self, key: bytes, stamp: bytes, make: Callable[[Press], list[bytes]]) -> list[bytes]:
        """Recall what was made of a sheet, or wait for the turn and make it."""
        known = self._recall(key)
        if known is not None:
            return known
        if not self._places.acquire(blocking=False):
            raise PrinterBusy(Told("Too many sheets are waiting to be printed. Try again in a moment."))
        try:
            return self._in_turn(key, stamp, make)
        finally:
            self._places.release()

    def _in_turn(self, key: bytes, stamp: bytes, make: Callable[[Press], list[bytes]]) -> list[bytes]:
        if not self._turn.acquire(timeout=self.patience_s):
            raise PrinterBusy(
                Told("The printer was busy for %(time)s seconds. Try again in a moment.", time=f"{self.patience_s:g}")
            )
        try:
            # Somebody ahead in the queue may have asked for the very same.
            known = self._recall(key)
            return known if known is not None else self._keep(key, make(self._fresh_press(stamp)))
        except PrinterStuck:
            self.close()
            raise
        finally:
            self._turn.release()

    def _fresh_press(self, stamp: bytes) -> Press:
        """Return a running process that knows the folder as it is now."""
        press = self._press
        if press is None or press.has_ended or press.served >= self.documents or press.stamp != stamp:
            self.close()
            press = self._press = Press(self.folder, self.memory_bytes, stamp)
            warning = missing_font()
            if warning:
                log.warning(warning)
        return press

    def _awake(self) -> None:
        # Who has the turn starts it as well; where it does not start, the next sheet says so.
        if self._turn.acquire(blocking=False):
            try:
                with suppress(PrinterStuck):
                    self._fresh_press(_stamp(self.folder))
            finally:
                self._turn.release()

    def _recall(self, key: bytes) -> list[bytes] | None:
        with self._shelf:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def _keep(self, key: bytes, made: list[bytes]) -> list[bytes]:
        with self._shelf:
            self._kept[key] = made
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return made


def _key(kind: str, html: str, stamp: bytes) -> bytes:
    """Name what is made of a sheet, and of the files that it needs as they are now."""
    return hashlib.sha256(stamp + kind.encode() + html.encode()).digest()


def _stamp(folder: Path) -> bytes:
    """Tell one state of the files of the folder, and of what games of other packages bring, from another."""
    # By names alone, not by paths: it is asked for with each sheet.
    walks = (walk for each in (folder, *brought("printables")) for walk in os.walk(each))
    names = sorted(f"{at}/{name}" for at, _folders, names in walks for name in names)
    files = [(name, os.stat(name)) for name in names if os.path.isfile(name)]
    return hashlib.sha256(repr([(name, file.st_mtime_ns, file.st_size) for name, file in files]).encode()).digest()
