"""`companion print`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from flask import Flask

from companion import log, record
from companion.commands.app import find_table, names, ready, write
from companion.game import AnyGame, filling
from companion.games import GAMES
from companion.log import Table
from companion.printing import ITEMS, OF_TABLES, PAPERS, Printer, PrintError, contents, items, printables, sheet_html
from companion.settings import own_address
from companion.words import LANGUAGES, translations


@click.command("print")
@click.argument("what", metavar="GAME|TABLE-CODE")
@click.option("--item", default="score_sheet", show_default=True, type=click.Choice(ITEMS))
@click.option("--blank", is_flag=True, help="An empty sheet of a game.")
@click.option("--players", type=int, help="Names to leave room for, on an empty sheet.")
@click.option("--paper", default="a4", show_default=True, type=click.Choice(PAPERS))
@click.option("--lang", default="en", show_default=True, type=click.Choice(list(LANGUAGES)))
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Default: named after the sheet.")
def print_(what: str, item: str, blank: bool, players: int | None, paper: str, lang: str, output: Path | None) -> None:  # noqa: PLR0913, PLR0917
    """Print a sheet as PDF: a blank one of a game, or the one of a table.

    \b
    Examples:
      companion print rage --blank --paper a4 --lang en -o rage.pdf
      companion print K7QX2M
    """
    if blank or what in GAMES:
        game, context = _blank(what, item, players, lang)
        name = f"{game.key}-{item}.pdf"
    else:
        app = ready()
        with app.app_context():
            table = find_table(what)
            game, context = log.game_of(table), _filled(table, item, app, lang)
            name = f"{table.code}-{item}.pdf"
    spoken = translations(lang, game.words.catalogue)
    html = sheet_html(game.key, item, context, language=lang, paper=paper, translations=spoken)
    printer = Printer(printables())
    try:
        pdf = printer.pdf(html)
    except PrintError as error:
        raise click.ClickException(str(error)) from None
    finally:
        printer.close()
    file = output or Path(name)
    write(file, pdf)
    click.echo(f"{file}: {len(pdf) / 1000:.0f} kB", err=True)


def _blank(what: str, item: str, players: int | None, lang: str) -> tuple[AnyGame, dict[str, Any]]:
    game = GAMES.get(what)
    if game is None:
        raise click.ClickException(f"{what}: no such game. Known: {', '.join(GAMES)}.")
    if item in OF_TABLES:
        raise click.ClickException(f"{item} belongs to a table: name its code instead of {what}.")
    _check_item(game, item)
    seats = players if players is not None else min(max(4, game.players[0]), game.players[-1])
    if seats not in game.players:
        raise click.ClickException(f"{game.name} is for {game.players[0]} to {game.players[-1]} players.")
    return game, contents(game, item, lang, players=[""] * seats)


def _filled(table: Table, item: str, app: Flask, lang: str) -> dict[str, Any]:
    game, play = log.game_of(table), log.read(table).play
    link = (app.config["COMPANION"].address or own_address()) + f"/t/{table.code}"
    about = {"code": table.code, "link": link, "date": table.opened[:10], "title": ""}
    _check_item(game, item)
    players, facts = record.seat_names(names(table)), filling(game, play.position)
    return contents(game, item, lang, about=about, options=table.options, players=players, facts=facts)


def _check_item(game: AnyGame, item: str) -> None:
    if item not in items(game, is_table=True):
        raise click.ClickException(f"{game.name} has no {item} to print yet.")
