"""The render process: `python -m companion.printing FOLDER BYTES`, pages in, PDFs out; PDFs in, pictures out.

Nothing leaves it but its answers, and nothing comes in but pages and the files of the folder: whatever else a page
asks for stops the rendering. One thread, one font configuration and style sheets that are parsed once serve every page,
which keeps memory flat.
"""

from __future__ import annotations

import gc
import logging
import mimetypes
import os
import re
import sys
from collections.abc import Sequence, Set
from contextlib import suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO
from unicodedata import normalize
from urllib.parse import urljoin, urlsplit
from urllib.request import url2pathname

from pypdfium2 import PdfDocument
from weasyprint import CSS, HTML
from weasyprint.document import Document
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import FatalURLFetchingError, URLFetcher, URLFetcherResponse

from companion import machine
from companion.games import brought
from companion.printing.alike import is_filled, once
from companion.printing.fitting import fitted
from companion.printing.press import BROKEN, DONE, DRAW, PAINT, packed, receive, send
from companion.printing.sheet import BETWEEN, font_css

ABOUT_THE_MACHINE = "Please install HarfBuzz"
"""Stands in the warnings that an old library causes; the sheet is right for all that."""

PICTURE_DPI = 110
"""Of the pictures before printing: A4 is 909 pixels wide, what a good phone shows."""
SCREEN_DPI = 96
"""Of pictures for screens: a pixel is one of CSS."""
COLOURS = 255
"""Of such a picture, which is paper, ink and a few tints."""
GREYS = 16
"""Shades of a picture; sheets are black on white, and so it is a fifth of the size."""

LINK = re.compile(r'<link rel="stylesheet" href="([^"]*)">')
"""Names the style sheet of a sheet, as `base.html` writes it."""

NO_GLYPH = ".notdef glyph"
"""Begins the warning about letters that no font of the machine has; it names them as U+6F22."""


class ClosedFetcher(URLFetcher):  # type: ignore[misc]
    """Opens data URLs, the files of one folder and what others lay beside them; anything else ends the rendering."""

    def __init__(self, *folders: Path) -> None:
        """Remember the folders, links resolved; what lies in the first one is meant."""
        super().__init__(allowed_protocols=("data",), allow_redirects=False)
        self._folders = [folder.resolve() for folder in folders]
        self.refused: list[str] = []
        """Addresses since the list was last emptied: drawings swallow even fatal errors."""

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> URLFetcherResponse:
        """Open what is allowed. Raises: FatalURLFetchingError, and remembers what was asked for."""
        parts = urlsplit(url)
        if parts.scheme == "data":
            return super().fetch(url, headers)
        asked = Path(os.path.normpath(url2pathname(parts.path)))
        path = self._found(asked) if parts.scheme == "file" and not parts.netloc else None
        if path is None:
            self.refused.append(url[:200])
            raise FatalURLFetchingError(url)
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": kind})

    def _found(self, asked: Path) -> Path | None:
        """Find what is asked for in the first folder, there or in another one; None for what is elsewhere."""
        if not asked.is_relative_to(self._folders[0]):
            return None
        rest = asked.relative_to(self._folders[0])
        places = [(folder, (folder / rest).resolve()) for folder in self._folders]
        inside = [place for folder, place in places if place.is_relative_to(folder)]
        return next((place for place in inside if place.is_file()), inside[0] if inside else None)


class Complaints(logging.Handler):
    """Collects what the layout engine warns about."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the message."""
        message = record.getMessage()
        if ABOUT_THE_MACHINE not in message:
            self.messages.append(message)

    def taken(self) -> str:
        """Return what came since the last time, a line each."""
        messages, self.messages = self.messages, []
        return "\n".join(messages)


class Renderer:
    """Turns one page after the other into PDF."""

    def __init__(self, folder: Path) -> None:
        """Parse the style sheet of all sheets. Raises: ValueError when it is faulty."""
        self.complaints = Complaints()
        logging.getLogger("weasyprint").addHandler(self.complaints)
        self._base = f"{folder.resolve().as_uri()}/"
        self._fetcher = ClosedFetcher(folder, *brought("printables"))
        self._fonts = FontConfiguration()
        self._styles: dict[str, CSS] = {}
        self._unknown: dict[int, str] = {}
        """What stands in for the letters that no font here was found to have."""
        shared = (folder / "print.css").read_text(encoding="utf-8")
        # In a layer, so that what a sheet's own style says comes first, however it selects.
        self._shared = self._style(string=f"{font_css()} @layer shared {{ {shared} }}", base_url=self._base)
        complaints = self.complaints.taken()
        if complaints:
            raise ValueError(f"print.css: {complaints}")

    def answer(self, html: str) -> tuple[bytes, bytes]:
        """Return (DONE, PDF) or (BROKEN, why). Raises: MemoryError, after which the process is no good."""
        self.complaints.taken()
        self._fetcher.refused.clear()
        try:
            pdf, complaints = self._pdf(html.translate(self._unknown))
            if complaints.startswith(NO_GLYPH):
                # A name may be written in any script; what no font here can draw becomes a question mark.
                missing = {int(code, 16) for code in re.findall(r"U\+([0-9A-F]+)", complaints)}
                self._unknown |= dict.fromkeys(missing | _made_of(missing, html), "?")
                pdf, complaints = self._pdf(html.translate(self._unknown))
        except MemoryError:
            raise
        except (Exception, FatalURLFetchingError) as error:
            pdf, complaints = b"", str(error) or repr(error)
        if self._fetcher.refused:
            complaints = f"it asks for {', '.join(self._fetcher.refused)}, which no sheet may read."
        return (BROKEN, complaints.encode()) if complaints else (DONE, pdf)

    def _pdf(self, html: str) -> tuple[bytes, str]:
        """Return the PDF of one sheet or several, and what the engine complained about."""
        laid = [self._laid_out(sheet) for sheet in html.split(BETWEEN)]
        whole = laid[0].copy([page for sheet in laid for page in sheet.pages])
        return whole.write_pdf(pdf_variant="pdf/ua-1"), self.complaints.taken()

    def _laid_out(self, html: str) -> Document:
        """Lay a sheet out, what is alike on it once, in letters that fit; where that cannot be, all of it."""
        linked = LINK.findall(html)
        html, document = fitted(LINK.sub("", html), lambda sheet: self._rendered(once(sheet), linked))
        return document if is_filled(document) else self._rendered(html, linked)

    def _rendered(self, html: str, linked: Sequence[str]) -> Document:
        page = HTML(string=html, base_url=self._base, url_fetcher=self._fetcher)
        styles = [self._shared, *(self._known_style(name) for name in linked)]
        return page.render(stylesheets=styles, font_config=self._fonts)

    def _known_style(self, name: str) -> CSS:
        """Parse a style sheet the first time that a sheet names it."""
        if name not in self._styles:
            self._styles[name] = self._style(url=urljoin(self._base, name))
        return self._styles[name]

    def _style(self, **source: str) -> CSS:
        return CSS(url_fetcher=self._fetcher, font_config=self._fonts, **source)


def drawn(pdf: bytes) -> tuple[bytes, bytes]:
    """Return (DONE, a PNG for every page) in greys."""
    return _pictures(pdf, PICTURE_DPI, GREYS, grayscale=True)


def painted(pdf: bytes) -> tuple[bytes, bytes]:
    """Return (DONE, a PNG for every page) in colours."""
    return _pictures(pdf, SCREEN_DPI, COLOURS, grayscale=False)


def _pictures(pdf: bytes, dpi: int, colours: int, *, grayscale: bool) -> tuple[bytes, bytes]:
    document, pictures = PdfDocument(pdf), []
    for page in document:
        file = BytesIO()
        image = page.render(scale=dpi / 72, grayscale=grayscale).to_pil()
        image.quantize(colours).save(file, "PNG", optimize=True)
        pictures.append(file.getvalue())
    document.close()
    return DONE, packed(pictures)


def _made_of(parts: Set[int], html: str) -> set[int]:
    """Find the letters of a page with such a part: the engine takes some apart, as Thai's vowel am, and names those."""
    return {ord(letter) for letter in set(html) if parts & set(map(ord, normalize("NFKD", letter)))}


def main(folder: Path, memory_bytes: int) -> None:
    """Answer what comes on standard input until it ends, or nobody takes the answers any more."""
    machine.bound_memory(memory_bytes)
    # The pipe of the answers is kept apart: whatever a library prints goes to the log.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    renderer = Renderer(folder)
    send(answers, DONE, b"")
    with suppress(BrokenPipeError):
        machine.with_room(partial(answer_all, renderer, answers))


def answer_all(renderer: Renderer, answers: IO[bytes]) -> None:
    """Answer one message after the other."""
    # A page is thousands of boxes that all die together: collecting between pages saves a tenth of the time. What lives
    # then is style sheets and fonts, which need not be looked at again.
    gc.disable()
    gc.freeze()
    while True:
        try:
            kind, body = receive(sys.stdin.buffer)
        except EOFError:
            return
        ways = {DRAW: drawn, PAINT: painted}
        send(answers, *(ways[kind](body) if kind in ways else renderer.answer(body.decode())))
        gc.collect()
        gc.freeze()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
