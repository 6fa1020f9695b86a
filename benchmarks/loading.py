"""What a phone loads when it opens a seat's page for the first time."""

from __future__ import annotations

import gzip
import re
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin

from benchmarks.dealt import PHONES
from benchmarks.servers import Running
from benchmarks.tables import Opened

SCRIPT = re.compile(r'<script[^>]* src="([^"]+)"')
STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)"')
IMPORT = re.compile(r'(?:from|import)\s*\(?\s*"(\.[^"]+)"')
USUAL = 6
"""How hard a proxy compresses."""


@dataclass(frozen=True)
class Loaded:
    """Means of some seats' pages, compressed: by the server, or as a proxy would."""

    page_bytes: float
    script_bytes: float
    style_bytes: float
    cpu_us: float
    """Of the server, for the page alone."""


def loaded(running: Running, tables: list[Opened]) -> Loaded:
    """Load the page of every seat of some tables, and for each table what belongs to it."""
    sizes, pages, cpu_s = [0, 0], [], 0.0
    for opened in tables:
        addresses = [f"http://127.0.0.1:{running.port}/t/{opened.code}/{seat}" for seat in range(PHONES)]
        before = running.cpu_s()
        pages += (own := [_fetched(address, opened, seat) for seat, address in enumerate(addresses)])
        cpu_s += running.cpu_s() - before
        text = own[0][1].decode()
        for place, found in enumerate((SCRIPT.findall(text), STYLE.findall(text))):
            sizes[place] += sum(_sizes(opened, [urljoin(addresses[0], each) for each in found]))
    script, style = (size / len(tables) for size in sizes)
    return Loaded(sum(size for size, _ in pages) / len(pages), script, style, 1e6 * cpu_s / len(pages))


def _sizes(opened: Opened, addresses: list[str]) -> Iterator[int]:
    """Fetch files, and the modules that they import; their compressed sizes."""
    known: set[str] = set()
    while addresses:
        address = addresses.pop()
        if address not in known:
            known.add(address)
            size, body = _fetched(address, opened, 0)
            addresses += [urljoin(address, each) for each in IMPORT.findall(body.decode())]
            yield size


def _fetched(address: str, opened: Opened, seat: int) -> tuple[int, bytes]:
    """Fetch a file: its compressed size, and what it says."""
    head = {
        "Cookie": f"phone={opened.tokens[seat]}",
        "Accept-Language": opened.language,
        "Accept-Encoding": "gzip",
    }
    with urllib.request.urlopen(urllib.request.Request(address, headers=head)) as answer:
        body: bytes = answer.read()
        if answer.headers.get("Content-Encoding") == "gzip":
            return len(body), gzip.decompress(body)
    return len(gzip.compress(body, USUAL)), body
