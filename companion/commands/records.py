"""`companion export` and `import`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, Any

import click

from companion import log
from companion.commands.app import named_table, ready, why_not
from companion.commands.files import harmless, read, write
from companion.desk.shelf import FILES
from companion.errors import AlreadyHere, CompanionError
from companion.log import Table, raw
from companion.log.book import Book, Search, all_evenings
from companion.log.unruled import UNRULED
from companion.record import RecordError
from companion.settings import own_address
from companion.tables.evenings import record_json, records_zip
from companion.tables.importing import import_files
from companion.tables.seating import hashed
from companion.words import LANGUAGES

RECORDS = "records.zip"


@click.command()
@click.argument("codes", metavar="[TABLE-CODE]...", nargs=-1)
@click.option("--all", "is_all", is_flag=True, help="Every table there is.")
@click.option(
    "--as",
    "kind",
    default=RECORDS,
    type=click.Choice(list(FILES)),
    help="records.zip: records, one table's as it is; the others tell of finished games.  [default: records.zip]",
)
@click.option("--lang", default="en", show_default=True, type=click.Choice(list(LANGUAGES)), help="Of the words in it.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Default: standard output.")
@click.pass_context
def export(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    context: click.Context, codes: Sequence[str], is_all: bool, kind: str, lang: str, output: Path | None
) -> None:
    """Write the records of tables, or their plays for other programs. While bids are secret, a record ends before.

    Where a game is not installed, or its rules are others by now, nobody can judge a log: its record goes out as it was
    entered, with what is secret in it; of a finished game the stored result is told. Each such table is named.

    Exit status: 0 all is judged, 1 something is not.

    \b
    Example:
      companion export K7QX2M -o evening.json
      companion export --all -o evenings.zip
      companion export --all --as plays.csv -o plays.csv
    """
    if bool(codes) == is_all:
        raise click.UsageError("Name tables by their codes, or say --all.")
    unjudged: list[CompanionError] = []
    # The words of an export are those of a page: they are said in the language of a reader.
    with ready().test_request_context(headers={"Accept-Language": lang}):
        tables = all_evenings(Book(), Search()) if is_all else map(named_table, codes)
        record = partial(_record, unjudged.append)
        if kind == RECORDS and len(codes) == 1:
            content: Iterable[bytes] = [record_json(record(table)) for table in tables]
        elif kind == RECORDS:
            content = records_zip(map(record, tables))
        else:
            content = FILES[kind][1](tables, unjudged.append)
        if output:
            write(output, b"".join(content))
        else:
            for part in content:
                click.echo(part, nl=False)
    for error in unjudged:
        reason = f" ({error.facts['reason']})" if "reason" in error.facts else ""
        click.echo(harmless(f"Not judged: {error}{reason}"), err=True)
    context.exit(1 if unjudged else 0)


def _record(tell: Callable[[CompanionError], None], table: Table) -> dict[str, Any]:
    """Write a record, judged where that can be."""
    try:
        return log.record_of(table)
    except UNRULED as error:
        tell(error)
        return raw.record(table)


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.pass_context
def import_(context: click.Context, files: Sequence[str]) -> None:
    """Open tables from records, archives of them unpacked; print each code, and the link that makes a phone its host.

    What is wrong is said file by file, and keeps nothing else out. A table that is here already is not opened twice.

    Exit status: 0 all are here, 1 some record is refused, 2 some file is no record.

    \b
    Example:
      companion import evening.json
      companion import evenings.zip more/*.json
    """
    status, drawn = 0, list[str]()

    def host() -> str:
        drawn.append(secrets.token_hex(16))
        return hashed(drawn[-1])

    with (app := ready()).app_context():
        address = app.config["COMPANION"].address or own_address()
        for one in import_files(((file, partial(_opened, file)) for file in files), host):
            if one.problem is None:
                link = f"{address}/t/{one.code}/host/{drawn[-1]}"
                click.echo(f"Table {one.code}\nHost: {link}" if len(files) == 1 else f"{one.file}: {one.code} {link}")
                continue
            click.echo(harmless(f"{one.file}: {why_not(one.problem)}"), err=True)
            is_here, is_none = isinstance(one.problem, AlreadyHere), isinstance(one.problem, RecordError)
            status = max(status, 0 if is_here else 2 if is_none else 1)
    context.exit(status)


def _opened(file: str) -> IO[bytes]:
    """Open a file, or standard input. Raises: RecordError."""
    return BytesIO(read(file))
