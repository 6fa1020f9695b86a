"""Tables from records in files: one by one, many at once, in archives; what is wrong is named file by file."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import count
from typing import IO, Any, cast

from companion import record
from companion.errors import CompanionError, RecordRefused, Told
from companion.intake import MOST_IN_AN_ARCHIVE, MOST_LISTED, MOST_OF_A_RECORD, MOST_UNPACKED
from companion.log import Post, Table, makings
from companion.record import RecordError
from companion.tables.opening import open_from

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""How a record may be packed: by the others a thousand bytes unfold into gigabytes, which cannot be had in pieces."""

Read = Callable[[], bytes]
"""Reads a record. Raises: RecordError."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file."""

    file: str
    code: str = ""
    """Of the table that it opened; "" if it opened none."""
    problem: RecordError | CompanionError | None = None


def import_files(
    files: Iterable[tuple[str, Callable[[], IO[bytes]]]],
    host: Callable[[], str],
    language: str = "en",
    key: str = "",
    spend: Callable[[], None] = lambda: None,
) -> Iterator[Imported]:
    """Open a table from each record, archives (zip) unpacked; one that is wrong does not keep the others out.

    Args:
        files: their names, and what opens them; it may raise RecordError.
        host: names the host's phone for each record, hashed.
        language: of the reasons.
        key: of the post that brings them; "" without one. Heard again, it is given the same tables again.
        spend: called before each record; what it raises (CompanionError) keeps that one out.
    """
    number = count()
    for name, opened in files:
        try:
            with opened() as content:
                for member, read in _unpacked(name, content):
                    own_key = f"{key}.{next(number)}" if key else ""
                    yield _import_file(member, _counted(read, spend), host(), language, own_key)
        except RecordError as error:
            yield Imported(name, problem=error)


def import_record(data: Any, phone: str, language: str = "en", post: Post | None = None) -> Table:
    """Open a table from a record that is parsed already; a post that was heard already is given its table again.

    Raises:
        RecordError: it is none.
        RecordRefused: the rules refuse a move of it.
        AlreadyHere, BadName, BadNote, KeyReused, NotSaved: as `open_from` has it.
    """
    replayed = record.replay(record.read_data(data))
    if refused := record.outcome(replayed, language)["refused"]:
        raise RecordRefused(**{name: refused[name] for name in ("number", "rule", "reason")})
    return open_from(replayed, phone, post)


def _counted(read: Read, spend: Callable[[], None]) -> Read:
    def counted() -> bytes:
        spend()
        return read()

    return counted


def _import_file(name: str, read: Read, phone: str, language: str, key: str) -> Imported:
    try:
        text = read()
        post = makings.post(phone, f"{key}.{sha256(text).hexdigest()}", b"") if key else None
        return Imported(name, import_record(record.parsed(text), phone, language, post).code)
    except (RecordError, CompanionError) as error:
        return Imported(name, problem=error)


def _unpacked(name: str, content: IO[bytes]) -> Iterator[tuple[str, Read]]:
    """Yield what reads the records of a file: itself, or what its archive holds. Raises: RecordError."""
    archive = _archive(content)
    if archive is None:
        content.seek(0)
        yield name, partial(_read, content)
        return
    members = [member for member in archive.infolist() if member.filename.endswith(".json")]
    if not members:
        raise RecordError("", Told("There is no record in this archive."))
    unpacked = _Archive(archive)
    for member in members[:MOST_IN_AN_ARCHIVE]:
        yield f"{name}: {member.filename}", partial(unpacked.read, member)
    if len(members) > MOST_IN_AN_ARCHIVE:
        raise RecordError("", Told("Of an archive, %(most)s records are taken at most.", most=MOST_IN_AN_ARCHIVE))


def _archive(content: IO[bytes]) -> zipfile.ZipFile | None:
    """Open an archive; None where the file is none. Raises: RecordError."""
    try:
        return zipfile.ZipFile(cast(IO[bytes], _Sips(content))) if zipfile.is_zipfile(content) else None
    except Exception:  # whatever a broken archive brings zipfile, zlib, bz2, lzma and struct to
        raise RecordError("", Told("This archive cannot be read.")) from None


class _Archive:
    """An archive of records, of which no more is unpacked than evenings have."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        """Begin with nothing unpacked."""
        self._archive, self._rest = archive, MOST_UNPACKED

    def read(self, member: zipfile.ZipInfo) -> bytes:
        """Unpack one record; those beside it may be whole. Raises: RecordError."""
        if member.compress_type not in METHODS:
            raise RecordError("", Told("Packed in an unusual way; pack it again as usual (deflate)."))
        if self._rest <= 0:
            raise RecordError("", Told("Of an archive, %(most)s bytes are unpacked at most.", most=MOST_UNPACKED))
        try:
            with self._archive.open(member) as part:
                text = _read(part)
        except RecordError:
            self._rest -= MOST_OF_A_RECORD
            raise
        except Exception:  # as above
            self._rest -= MOST_OF_A_RECORD
            raise RecordError("", Told("This part of the archive cannot be read.")) from None
        self._rest -= len(text)
        return text


class _Sips:
    """A file of which little is read at once: each name that an archive lists becomes a thing, which takes room."""

    def __init__(self, content: IO[bytes]) -> None:
        """Read from here."""
        self._content = content
        self.seek, self.tell, self.seekable = content.seek, content.tell, content.seekable

    def read(self, size: int = -1) -> bytes:
        """Read so many bytes, or all. Raises: OverflowError."""
        if size > MOST_LISTED:
            raise OverflowError(size)
        piece = self._content.read(size if size >= 0 else MOST_LISTED + 1)
        if len(piece) > MOST_LISTED:
            raise OverflowError(len(piece))
        return piece


def _read(content: IO[bytes]) -> bytes:
    """Read a record. Raises: RecordError, where it is too long for one."""
    text = content.read(MOST_OF_A_RECORD + 1)
    if len(text) > MOST_OF_A_RECORD:
        raise RecordError("", Told("Too long for a record: it has %(most)s bytes at most.", most=MOST_OF_A_RECORD))
    return text
