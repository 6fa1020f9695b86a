"""What a folder holds already: a sheet that would be the same again is not printed again.

Beside the PDFs lies a small file that says of each what it was printed from.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

LEDGER = ".printed.json"


class Stock:
    """The PDFs of a folder, by the names of their files.

    Args:
        folder: where they lie, and what says what they were printed from.
    """

    def __init__(self, folder: Path) -> None:
        """Read what the folder holds; what cannot be read is printed anew."""
        self._ledger = folder / LEDGER
        self._known: dict[str, list[str]] = {}
        self._engine = version("weasyprint")
        with suppress(OSError, ValueError, TypeError, LookupError):
            told = json.loads(self._ledger.read_bytes())
            self._known = dict(told["sheets"]) if told["engine"] == self._engine else {}

    def size(self, file: Path, source: str) -> int | None:
        """Give a file's size in bytes where it holds what its source would be printed as, untouched; else None."""
        with suppress(OSError):
            pdf = file.read_bytes()
            return len(pdf) if self._known.get(file.name) == [source, _digest(pdf)] else None
        return None

    def note(self, file: Path, source: str, pdf: bytes) -> None:
        """Remember what a file was printed from."""
        self._known[file.name] = [source, _digest(pdf)]

    def save(self) -> None:
        """Write down what is remembered. Raises: OSError."""
        self._ledger.write_text(json.dumps({"engine": self._engine, "sheets": self._known}, indent=0))


def _digest(pdf: bytes) -> str:
    return hashlib.sha256(pdf).hexdigest()
