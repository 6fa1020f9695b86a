"""`companion book`."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.app import ready
from companion.commands.files import write
from companion.desk.shelf import Selection, searched
from companion.errors import CompanionError
from companion.games import GAMES
from companion.log import groups
from companion.log.book import Book, count
from companion.printing import PAPERS, Printer, PrintError
from companion.settings import PRINTABLES
from companion.web.bound import evenings_html, statistics_html
from companion.words import LANGUAGES


@click.command()
@click.option("--statistics", "is_statistics", is_flag=True, help="What the evenings tell together.")
@click.option("--group", "key", metavar="EVENING-KEY", help="Those of a group.  [default: everybody's]")
@click.option("--player", default="", metavar="NAME", help="Those with such a name, or a part of it.")
@click.option("--with", "other", default="", metavar="NAME", help="In the statistics, whom PLAYER alone is put beside.")
@click.option("--game", default="", type=click.Choice(["", *GAMES]))
@click.option("--since", default="", metavar="YYYY-MM-DD", help="The first day.")
@click.option("--until", default="", metavar="YYYY-MM-DD", help="The last day.")
@click.option("--paper", default="a4", show_default=True, type=click.Choice(PAPERS))
@click.option("--lang", default="en", show_default=True, type=click.Choice(list(LANGUAGES)))
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File.  [default: evenings.pdf, or statistics.pdf]",
)
def book(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    is_statistics: bool,
    key: str | None,
    player: str,
    other: str,
    game: str,
    since: str,
    until: str,
    paper: str,
    lang: str,
    output: Path | None,
) -> None:
    """Print the book of evenings as PDF, or its statistics.

    The newest three hundred evenings go into one document; older ones into another, by --until.

    \b
    Examples:
      companion book --since 2026-01-01 -o evenings.pdf
      companion book --statistics --player Anna --with Bohdan --lang cs --paper letter
    """
    if other and not (is_statistics and player):
        raise click.UsageError("--with NAME is for --statistics --player NAME.")
    typed = {"player": player, "game": game, "since": since, "until": until}
    # What is said in it is said in the language of a reader, as on the page.
    with ready().test_request_context(headers={"Accept-Language": lang}):
        what = _selection(key, {name: said for name, said in typed.items() if said})
        if not count(what.book, what.search):
            raise click.ClickException("No evening is like that.")
        html = statistics_html(what, other, paper) if is_statistics else evenings_html(what, paper)
    file = output or Path("statistics.pdf" if is_statistics else "evenings.pdf")
    pdf = _printed(html)
    write(file, pdf)
    click.echo(f"{file}: {len(pdf) / 1000:.0f} kB", err=True)


def _selection(key: str | None, typed: dict[str, str]) -> Selection:
    """Read whose evenings are asked for, and which. Raises: ClickException."""
    try:
        group = None if key is None else groups.with_key(key)
        return searched(Book(group=group.id if group else None), group, typed)
    except CompanionError as error:
        raise click.ClickException(str(error)) from None


def _printed(html: str) -> bytes:
    press = Printer(PRINTABLES, patience_s=60)
    try:
        return press.pdf(html)
    except PrintError as error:
        raise click.ClickException(str(error)) from None
    finally:
        press.close()
