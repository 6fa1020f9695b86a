"""What several commands need: the app with its database, a table by its code, files."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from flask import Flask

from companion import create_app, log, seating
from companion.errors import CompanionError, StartError
from companion.log import Table
from companion.record import RecordError


class Unreadable(click.ClickException):
    """What was given cannot be read: exit status 2."""

    exit_code = 2


def ready() -> Flask:
    """Make the app, with its database in order; a command holds its context once, and then the connections end."""
    try:
        app = create_app()
        with app.app_context():
            log.upgrade()
            log.check()
    except (StartError, OSError) as error:
        raise click.ClickException(str(error)) from None
    app.teardown_appcontext(lambda _problem: log.close())
    return app


def find_table(code: str) -> Table:
    """Find a table. Raises: ClickException."""
    try:
        return seating.find_table(code)
    except CompanionError as error:
        raise click.ClickException(f"{code}: {error}") from None


def names(table: Table) -> list[str]:
    """List who sits at a table, seat 0 first; "" at a free seat."""
    return [seating.name for seating in table.seatings]


def read(file: str) -> bytes:
    """Read a file, or standard input. Raises: RecordError, so that the other files are still ruled on."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise RecordError("", f"Cannot be read: {error.strerror}.") from None


def write(file: Path, content: bytes) -> None:
    """Write a file. Raises: ClickException."""
    try:
        file.write_bytes(content)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from None
