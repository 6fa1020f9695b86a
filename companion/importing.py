"""Tables from records in files: one by one, many at once, in archives; what is wrong is named file by file."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

from companion import record
from companion.errors import CompanionError, RecordRefused
from companion.log import Table
from companion.opening import open_from
from companion.record import RecordError

MOST_BYTES = 1_000_000
"""Of one record: an evening of thousands of moves."""
TOO_LONG = b'"longer than a megabyte"'
"""What stands for a longer one: no record."""
MOST_FILES = 20_000
"""In one archive."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file."""

    file: str
    code: str = ""
    """Of the table that it opened; "" if it opened none."""
    problem: RecordError | CompanionError | None = None


def import_files(
    files: Iterable[tuple[str, Callable[[], IO[bytes]]]], phone: str, language: str = "en"
) -> Iterator[Imported]:
    """Open a table from each record, archives (zip) unpacked; one that is wrong does not keep the others out.

    Args:
        files: their names, and what opens them; it may raise RecordError.
        phone: the host's, hashed.
        language: of the reasons.
    """
    for name, opened in files:
        try:
            with opened() as content:
                for member, text in _unpacked(name, content):
                    yield _import_file(member, text, phone, language)
        except RecordError as error:
            yield Imported(name, problem=error)


def import_record(data: Any, phone: str, language: str = "en") -> Table:
    """Open a table from a record that is parsed already.

    Raises:
        RecordError: it is none.
        RecordRefused: the rules refuse a move of it.
        AlreadyHere, BadName, BadNote, NotSaved: as `open_from` has it.
    """
    replayed = record.replay(record.read_data(data))
    if refused := record.outcome(replayed, language)["refused"]:
        raise RecordRefused(**{name: refused[name] for name in ("number", "rule", "reason")})
    return open_from(replayed, phone)


def _import_file(name: str, text: bytes, phone: str, language: str) -> Imported:
    try:
        return Imported(name, import_record(record.parsed(text), phone, language).code)
    except (RecordError, CompanionError) as error:
        return Imported(name, problem=error)


def _unpacked(name: str, content: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield the records of a file: itself, or what its archive holds. Raises: RecordError."""
    if not zipfile.is_zipfile(content):
        content.seek(0)
        yield name, _read(content)
        return
    try:
        with zipfile.ZipFile(content) as archive:
            members = [member for member in archive.infolist() if member.filename.endswith(".json")]
            if not members:
                raise RecordError("", "There is no record in this archive.")
            for member in members[:MOST_FILES]:
                with archive.open(member) as part:
                    yield f"{name}: {member.filename}", _read(part)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError):
        raise RecordError("", "This archive cannot be read.") from None


def _read(content: IO[bytes]) -> bytes:
    """Read a record; one that is too long is no record."""
    text = content.read(MOST_BYTES + 1)
    return text if len(text) <= MOST_BYTES else TOO_LONG
