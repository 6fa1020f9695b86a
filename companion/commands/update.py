"""`companion update`."""

from __future__ import annotations

from collections.abc import Iterable

import click
from packaging.version import Version

from companion import __version__
from companion.commands.origin import NEW, Unasked, origin

NOBODY = 2
"""The exit status where nobody could say: that is no good news."""


@click.command()
@click.pass_context
def update(context: click.Context) -> None:
    """Say which release runs, whether there is a newer one, and how it comes here; change nothing.

    Who is asked depends on how the companion came here: where it was cloned from, the sources of apt, the index of pip.
    Nothing of the evenings is sent.

    Exit status: 0 none is newer, 1 one is, 2 nobody could say.

    \b
    Example:
      companion update
    """
    found = origin()
    click.echo(f"companion {__version__}: {found.told}.")
    try:
        newest = max(found.releases(), key=Version)
    except Unasked as why:
        click.echo(f"Nobody can say here whether there is a newer release. {why}")
        _tell_how(found.by_hand or found.steps, NEW)
        context.exit(NOBODY)
    if Version(newest) <= Version(__version__):
        click.echo("No release is newer.")
        return
    click.echo(f"{newest} is newer.")
    _tell_how(found.steps, newest)
    context.exit(1)


def _tell_how(steps: Iterable[str], release: str) -> None:
    click.echo("\nTo bring one here, when nobody plays:")
    for step in steps:
        click.echo(f"  {step.replace(NEW, release)}")
    click.echo("\nAt its next start the evenings are made to fit it, once that has been tried on a copy.")
