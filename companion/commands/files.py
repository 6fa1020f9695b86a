"""What the commands that read and write files need; nothing here knows the web or the database."""

from __future__ import annotations

import json
import sys
from errno import EBADF
from os import strerror
from pathlib import Path
from typing import Any
from unicodedata import category

import click

from companion.errors import Told
from companion.machine.files import written_beside
from companion.record import RecordError


class Unreadable(click.ClickException):
    """What was given cannot be read: exit status 2."""

    exit_code = 2


def read(file: str) -> bytes:
    """Read a file, or standard input. Raises: RecordError, so that the other files are still ruled on."""
    try:
        if file != "-":
            return Path(file).read_bytes()
        if sys.stdin is None:  # it was closed before we began
            raise OSError(EBADF, strerror(EBADF))
        return sys.stdin.buffer.read()
    except OSError as error:
        raise RecordError("", Told("Cannot be read: %(problem)s.", problem=error.strerror)) from None


def write(file: Path, content: bytes) -> None:
    """Write a file, or standard output; what was there stays until all of it has room. Raises: ClickException."""
    if str(file) == "-":
        click.echo(content, nl=False)
        return
    try:
        if file.is_file():
            kept = file.resolve()
            written_beside(kept, content, kept.stat().st_mode & 0o777).replace(kept)
        else:
            file.write_bytes(content)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from None


def data_line(data: Any) -> bytes:
    """Write data as a line of JSON: UTF-8, whatever the terminal speaks.

    Half a surrogate pair, from a name or a file's name, is written as JSON escapes it.
    """
    return json.dumps(data, ensure_ascii=False).encode(errors="backslashreplace")


def harmless(line: str) -> str:
    """Show what a terminal would obey, or cannot show, as a question mark in a diamond; any space is shown."""
    return "".join(letter if letter.isprintable() or category(letter) == "Zs" else "\ufffd" for letter in line)
