"""What a phone loads when it opens a seat's page for the first time."""

from __future__ import annotations

import gzip
import re
import urllib.request
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import mean
from urllib.parse import urljoin

from benchmarks.dealt import PHONES
from benchmarks.servers import Running
from benchmarks.tables import Opened

SCRIPT = re.compile(r'<script[^>]* src="([^"]+)"')
STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)"')
TEMPLATES = re.compile(r' data-templates="([^"]+)"')
IMPORT = re.compile(r'(?:from|import)\s*\(?\s*"(\.[^"]+)"')


@dataclass(frozen=True)
class Loaded:
    """Means of some seats' pages, in bytes as the server sends them to a phone that can unpack."""

    page: float
    styles: float
    scripts: float
    templates: float
    """Of the game, in the reader's language: what the script draws by."""
    cpu_us: float
    """Of the server, for the page alone."""

    @property
    def drawing(self) -> float:
        """All that is script: a page's own, and one game's templates."""
        return self.scripts + self.templates

    @property
    def all(self) -> float:
        """All that a first visit loads before it can be played on."""
        return self.page + self.styles + self.drawing


def loaded(running: Running, tables: list[Opened]) -> Loaded:
    """Load the page of every seat of some tables, and for each table what belongs to it."""
    pages, parts, cpu_s = [], [], 0.0
    for opened in tables:
        addresses = [f"http://127.0.0.1:{running.port}/t/{opened.code}/{seat}" for seat in range(PHONES)]
        before = running.cpu_s()
        own = [_fetched(address, opened, seat) for seat, address in enumerate(addresses)]
        cpu_s += running.cpu_s() - before
        pages += [size for size, _ in own]
        text = own[0][1].decode()
        known: set[str] = set()
        parts.append([_size(opened, addresses[0], each.findall(text), known) for each in (STYLE, SCRIPT, TEMPLATES)])
    styles, scripts, templates = (mean(sizes) for sizes in zip(*parts, strict=True))
    return Loaded(mean(pages), styles, scripts, templates, 1e6 * cpu_s / len(pages))


def _size(opened: Opened, page: str, found: Iterable[str], known: set[str]) -> int:
    """Fetch files, and the modules that they import; what of them was not known yet is weighed."""
    addresses, size = [urljoin(page, each) for each in found], 0
    while addresses:
        address = addresses.pop()
        if address not in known:
            known.add(address)
            sent, body = _fetched(address, opened, 0)
            addresses += [urljoin(address, each) for each in IMPORT.findall(body.decode())]
            size += sent
    return size


def _fetched(address: str, opened: Opened, seat: int) -> tuple[int, bytes]:
    """Fetch a file: how much is sent, and what it says."""
    head = {
        "Cookie": f"phone={opened.tokens[seat]}",
        "Accept-Language": opened.language,
        "Accept-Encoding": "gzip",
    }
    with urllib.request.urlopen(urllib.request.Request(address, headers=head)) as answer:
        body: bytes = answer.read()
        is_packed = answer.headers.get("Content-Encoding") == "gzip"
    return len(body), gzip.decompress(body) if is_packed else body
