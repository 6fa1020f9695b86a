"""`companion backup`, `restore`, `check`, `purge`, `stats`, `rename` and `forget`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import click

from companion import log
from companion.commands.app import alone, ready, why_not
from companion.desk import looked_at, renaming
from companion.errors import CompanionError, StartError
from companion.game import AnyGame
from companion.games import GAMES, OWN
from companion.log import keeping
from companion.log.kind import StillRead
from companion.log.names import clean_name
from companion.web.renderings import undrawn, unlawful

T = TypeVar("T")
FILE = click.Path(dir_okay=False, path_type=Path)
STILL_READ = "That is done; but what was there can still be found in the files of the database: %s. Say the same again."


@click.command()
@click.argument("file", type=FILE)
def backup(file: Path) -> None:
    """Copy the database into FILE, while the companion runs.

    \b
    Example:
      companion backup evenings.sqlite
    """
    with ready().app_context():
        try:
            keeping.backup(file)
        except StartError as error:
            raise click.ClickException(str(error)) from None
        except OSError as error:
            raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from None
        tables, place = sum(row["tables"] for row in keeping.counts()), log.place()
    click.echo(f"{file}: {file.stat().st_size / 1000:.0f} kB, {tables} tables of {place}", err=True)


@click.command()
@click.argument("file", type=FILE)
@click.option("--yes", is_flag=True, help="Do not ask.")
def restore(file: Path, yes: bool) -> None:
    """Put the copy FILE in the place of the database; stop the companion first.

    What was there is kept in a file with .before-restore in its name, which is named at the end.

    \b
    Example:
      companion restore evenings.sqlite
    """
    with alone(is_replaced=True).app_context():
        try:
            keeping.check_copy(file)
            if not yes:
                click.confirm(f"Put {file} in the place of {log.place()}?", abort=True, err=True)
            aside = keeping.restore(file)
        except StartError as error:
            raise click.ClickException(str(error)) from None
    click.echo(f"Restored from {file}. What was there: {aside}", err=True)


def others() -> list[AnyGame]:
    """List the games that are not the companion's own, which its tests look at."""
    own = {game.key for game in OWN}
    return [game for game in GAMES.values() if game.key not in own]


@click.command()
@click.pass_context
def check(context: click.Context) -> None:
    """Check the games and the database: the file, every log, every stored result.

    Of a game from another package it draws each sheet and asks its question; it names the games that it has looked at,
    and the templates that phones cannot draw themselves. Tells which tables are ruled by older rules, too. A table
    whose game is gone, or whose rules are others by now, is named with the reason: it can be read and exported.

    Exit status: 0 all is well, 1 something is wrong, and each is named.

    \b
    Example:
      companion check
    """
    with ready().app_context():
        found = 0
        brought = [fault for game in others() for fault in (*looked_at.faults(game), *undrawn(game))]
        for problem in [*keeping.problems(), *brought]:
            click.echo(problem)
            found += 1
        for told in [*keeping.ruled_as_begun(), *(why for game in others() for why in unlawful(game))]:
            click.echo(told, err=True)
        tables = sum(row["tables"] for row in keeping.counts())
    click.echo(f"Games: {', '.join(GAMES)}. {tables} tables, {found} problems.", err=True)
    context.exit(1 if found else 0)


@click.command()
@click.option("--older-than", "age", required=True, metavar="365d", help="Days, weeks (52w) or years (2y) of quiet.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def purge(age: str, yes: bool) -> None:
    """Delete the tables where nothing has happened for so long; stop the companion first.

    \b
    Example:
      companion purge --older-than 2y
    """
    found = re.fullmatch(r"(\d{1,5})([dwy])", age)
    if not found:
        raise click.UsageError(f"--older-than {age}: a number with d, w or y, as 365d.")
    now = datetime.now(UTC)
    days = min(int(found[1]) * {"d": 1, "w": 7, "y": 365}[found[2]], now.toordinal() - 1)
    with alone().app_context():
        day = (now - timedelta(days=days)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        codes = keeping.older_than(day)
        if codes and not yes:
            click.confirm(f"Delete {len(codes)} tables for ever: {', '.join(codes[:10])} …?", abort=True, err=True)
        _saved(lambda: keeping.purge(codes))
    click.echo(f"{len(codes)} tables deleted.", err=True)


@click.command()
def stats() -> None:
    """Count what the database holds.

    \b
    Example:
      companion stats
    """
    with ready().app_context():
        rows = keeping.counts()
    click.echo(f"{'game':<10}{'tables':>8}{'finished':>10}{'entries':>10}")
    for row in rows:
        click.echo(f"{row['game']:<10}{row['tables']:>8}{row['finished']:>10}{row['entries']:>10}")


@click.command()
@click.argument("name")
@click.argument("new")
def rename(name: str, new: str) -> None:
    """Call a player NEW wherever it says NAME.

    \b
    Example:
      companion rename "Ana" "Anna"
    """
    _rename(name, _cleaned(new))


@click.command()
@click.argument("name")
def forget(name: str) -> None:
    """Forget the name of a player everywhere; the evenings stay, with nobody's name at that seat.

    \b
    Example:
      companion forget "Anna"
    """
    _rename(name, "")


def _cleaned(name: str) -> str:
    """Clean a name. Raises: ClickException."""
    try:
        return clean_name(name)
    except CompanionError as error:
        raise click.ClickException(str(error)) from None


def _rename(name: str, to: str) -> None:
    said = _cleaned(name)
    with ready().app_context():
        seats = _saved(lambda: renaming.rename(said, to))
    if not seats:
        raise click.ClickException(f"Nobody is called {said}.")
    click.echo(f"{seats} seats.", err=True)


def _saved(change: Callable[[], T]) -> T:
    try:
        return change()
    except CompanionError as error:
        raise click.ClickException(why_not(error)) from None
    except StillRead as why:
        raise click.ClickException(STILL_READ % why) from None
