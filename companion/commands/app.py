"""What the commands that open the database need: the app, and a table by its code."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import Any

import click
from flask import Flask

from companion import create_app, log
from companion.errors import CompanionError, NotSaved, StartError
from companion.log import Table
from companion.log.database import complaint
from companion.log.unruled import UNRULED
from companion.play import Play
from companion.record import RecordError
from companion.server.claim import claim_to_change, release
from companion.settings import from_environment
from companion.tables import seating


def ready(is_replaced: bool = False) -> Flask:
    """Make the app, with its database in order; a command holds its context once, and then the connections end.

    Args:
        is_replaced: the command puts another database in the place of this one, which may be damaged, or of
            a newer release.
    """
    try:
        app = create_app()
        with app.app_context():
            with suppress(StartError) if is_replaced else nullcontext():
                log.upgrade()
            log.check()
    except StartError as error:
        raise click.ClickException(str(error)) from None
    app.teardown_appcontext(lambda _problem: log.close())
    return app


def alone(is_replaced: bool = False) -> Flask:
    """Make the app for a command that changes all of it: nobody serves it meanwhile."""
    try:
        claim_to_change(from_environment())
        app = ready(is_replaced)
    except BaseException as error:
        release()
        if isinstance(error, StartError):
            raise click.ClickException(str(error)) from None
        raise
    app.teardown_appcontext(lambda _problem: release())
    return app


def named_table(code: str) -> Table:
    """Find the table that a command names. Raises: ClickException."""
    try:
        return seating.find_table(code)
    except CompanionError as error:
        raise click.ClickException(f"{code}: {error}") from None


def why_not(error: CompanionError | RecordError) -> str:
    """Say why a command came to nothing: what could not be saved no phone keeps, and tries again."""
    problem = error.__cause__
    return complaint(problem) if isinstance(error, NotSaved) and problem else str(error)


def play_of(table: Table) -> Play[Any]:
    """Read the play of a table. Raises: ClickException, where nobody can judge it."""
    try:
        return log.read(table).play
    except UNRULED as error:
        raise click.ClickException(str(error)) from None


def names(table: Table) -> list[str]:
    """List who sits at a table, seat 0 first; "" at a free seat."""
    return [seating.name for seating in table.seatings]
