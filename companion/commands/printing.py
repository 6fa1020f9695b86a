"""`companion print`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import click

from companion.commands.files import write
from companion.errors import StartError
from companion.fields import typed
from companion.game import AnyGame
from companion.games import GAMES
from companion.printing import (
    EVENING,
    FORMS,
    ITEMS,
    LINKED,
    NOWHERE,
    PAPERS,
    Particulars,
    Printer,
    PrintError,
    Sheet,
    Stock,
    every_sheet,
    forms,
    items,
    so_far,
)
from companion.record import RecordError, opened
from companion.settings import PRINTABLES, own_address, set_address
from companion.words import LANGUAGES, sold_in

Fill = Callable[[Sheet], Particulars]
"""Gives what is known for a sheet."""

PRESSES = 2
"""Sheets that are printed at the same time; each press takes a core."""
AHEAD = 2
"""Sheets that are written meanwhile, so that no press waits."""

ALL_FORMS = list(dict.fromkeys(form for ways in FORMS.values() for form in ways))


@click.command("print")
@click.argument("what", metavar="[GAME|TABLE-CODE]", required=False)
@click.option("--item", default="score_sheet", show_default=True, type=click.Choice(ITEMS))
@click.option(
    "--form", default="", type=click.Choice(["", *ALL_FORMS]), help="How it is laid out.  [default: the usual]"
)
@click.option("--blank", is_flag=True, help="An empty sheet of a game.")
@click.option("--players", type=int, help="Names to leave room for, on an empty sheet.")
@click.option(
    "--option", "chosen", multiple=True, metavar="NAME=VALUE", help="A rule of the table, on an empty sheet: durch=on."
)
@click.option("--paper", default="a4", show_default=True, type=click.Choice(PAPERS))
@click.option("--lang", default="en", show_default=True, type=click.Choice(list(LANGUAGES)))
@click.option("--also", default="", type=click.Choice(["", *LANGUAGES]), help="A second language, on cards and tents.")
@click.option("--all", "all_", is_flag=True, help="Every item in every form and language, on every paper.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="File, or with --all the folder; - is standard output."
)
def print_(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    what: str | None,
    item: str,
    form: str,
    blank: bool,
    players: int | None,
    chosen: Sequence[str],
    paper: str,
    lang: str,
    also: str,
    all_: bool,
    output: Path | None,
) -> None:
    """Print a sheet as PDF: a blank one of a game, or the one of a table.

    With --all everything is printed: of a table, of a game, or of every game. In a folder that holds it already only
    what would be printed otherwise is printed again.

    \b
    Examples:
      companion print rage --blank --paper a4 --lang en -o rage.pdf
      companion print hanabi --item rule_cards --form folded --option multicolour=5
      companion print K7QX2M
      companion print --all -o sheets
    """
    if what is None and not all_:
        raise click.UsageError("Name a game or the code of a table, or ask for --all.")
    games, name, fill = _asked(what, blank, players, chosen)
    if all_:
        # The evening set is made of the others.
        sheets = [sheet for game in games for sheet in every_sheet(game) if sheet.item != EVENING]
        files = [_folder(output) / f"{name or sheet.game.key}-{sheet.name}.pdf" for sheet in sheets]
    else:
        sheets = [replace(_sheet(games[0], item, lang, paper, form), also=also)]
        files = [output or Path(f"{name or games[0].key}-{item}.pdf")]
    _print(sheets, files, fill, Stock(_folder(output)) if all_ else None)


def _asked(
    what: str | None, blank: bool, players: int | None, chosen: Sequence[str]
) -> tuple[list[AnyGame], str, Fill]:
    """Find whose sheets are asked for: games, or a table by its code; and what is known for a sheet."""
    if what is None or blank or what in GAMES:
        games = [_game(what)] if what else list(GAMES.values())
        return games, "", _blank(games, players, chosen)
    if players is not None or chosen:
        raise click.UsageError("--players and --option are for an empty sheet of a game.")
    return _of_table(what)


def _print(sheets: Sequence[Sheet], files: Sequence[Path], fill: Fill, stock: Stock | None) -> None:
    """Print sheets into files, several at a time, and tell how many, how large and how long."""
    started, is_shown = time.monotonic(), len(sheets) > 1 and sys.stderr.isatty()
    # No leak grows old within a command: no press is replaced in the middle.
    presses = [Printer(PRINTABLES, patience_s=60, documents=len(sheets)) for _ in sheets[:PRESSES]]
    free: SimpleQueue[Printer] = SimpleQueue()
    for press in presses:
        free.put(press)
    try:
        with ThreadPoolExecutor(len(presses) + AHEAD) as threads:
            done = threads.map(partial(_printed, free, fill, stock), sheets, files)
            with click.progressbar(
                done, length=len(sheets), file=sys.stderr, label="Printing", hidden=not is_shown
            ) as progress:
                sizes, are_new = zip(*progress, strict=True)
    finally:
        for press in presses:
            press.close()
        if stock:
            _save(stock)
    taken = f"{len(files)} sheets, {time.monotonic() - started:.0f} s, " if len(files) > 1 else f"{files[0]}: "
    kept = "" if all(are_new) else f", {len(files) - sum(are_new)} of them as they were"
    click.echo(f"{taken}{sum(sizes) / 1000:.0f} kB{kept}", err=True)


def _save(stock: Stock) -> None:
    """Write down what a folder holds. Raises: ClickException."""
    try:
        stock.save()
    except OSError as error:
        raise click.ClickException(f"{error.filename} cannot be written: {error.strerror}.") from None


def _printed(free: SimpleQueue[Printer], fill: Fill, stock: Stock | None, sheet: Sheet, file: Path) -> tuple[int, bool]:
    """Print a sheet into a file by whichever printer is free; give its size, and whether it was printed now."""
    html = sheet.html(**fill(sheet))
    press = free.get()
    try:
        source = press.source(html) if stock else ""
        if stock and (size := stock.size(file, source)) is not None:
            return size, False
        pdf = press.pdf(html)
    except PrintError as error:
        raise click.ClickException(f"{sheet.game.key} {sheet.name}: {error}") from None
    finally:
        free.put(press)
    write(file, pdf)
    if stock:
        stock.note(file, source, pdf)
    return len(pdf), True


def _game(key: str) -> AnyGame:
    if key not in GAMES:
        raise click.ClickException(f"{key}: no such game. Known: {', '.join(GAMES)}.")
    return GAMES[key]


def _blank(games: Sequence[AnyGame], players: int | None, chosen: Sequence[str]) -> Fill:
    """Leave everything open but the rules that were chosen."""
    for game in games:
        if players is not None and players not in game.players:
            raise click.ClickException(f"{game.name} is for {game.players[0]} to {game.players[-1]} players.")
    options = _options(games, players, chosen)
    try:
        about = {**NOWHERE, "link": set_address() or own_address()}
    except StartError as error:
        raise click.ClickException(str(error)) from None

    def fill(sheet: Sheet) -> Particulars:
        seats = players if players is not None else sheet.game.usual_players
        return {
            "players": [""] * seats,
            "options": {**sold_in(sheet.game, sheet.language), **options[sheet.game.key]},
            "about": about if sheet.item in LINKED else NOWHERE,
        }

    return fill


def _options(games: Sequence[AnyGame], players: int | None, chosen: Sequence[str]) -> Mapping[str, dict[str, Any]]:
    """Read NAME=VALUE, as each game's fields have it; gives the options by game."""
    options: dict[str, dict[str, Any]] = {}
    for game in games:
        pairs = ((name, game.options.fields.get(name), value) for name, _, value in (c.partition("=") for c in chosen))
        options[game.key] = {name: typed(part, value) if part else value for name, part, value in pairs}
        try:
            opened(game, options[game.key], players or game.usual_players)
        except RecordError as error:
            raise click.ClickException(f"{error.place.removeprefix('options.')}: {error.message}") from None
    return options


def _of_table(code: str) -> tuple[list[AnyGame], str, Fill]:
    """Find a table; its sheets hold what is played so far."""
    # Here, and not above: a blank sheet needs neither the web nor the database.
    from companion import log  # noqa: PLC0415
    from companion.commands.app import named_table, names, play_of, ready  # noqa: PLC0415
    from companion.desk.wifi import on_paper  # noqa: PLC0415
    from companion.tables import seating  # noqa: PLC0415

    app = ready()
    with app.app_context():
        try:
            table = named_table(code)
        except click.ClickException as error:
            raise click.ClickException(f"{error.message} Games are called: {', '.join(GAMES)}.") from None
        play = play_of(table)
        link = (app.config["COMPANION"].address or own_address()) + f"/t/{table.code}"
        invited = link + (table.invitation if seating.has_room(table) else "")
        known = so_far(table, play, link, names(table), invited)
        known["about"] = {**known["about"], **on_paper(app.config["COMPANION"])}
        return [log.game_of(table)], table.code, lambda sheet: known


def _sheet(game: AnyGame, item: str, language: str, paper: str, form: str) -> Sheet:
    if item not in items(game):
        raise click.ClickException(f"{game.name} has no {item} to print yet.")
    if form and form not in (ways := forms(game, item)):
        raise click.ClickException(f"{item} is laid out as: {', '.join(ways)}.")
    return Sheet(game, item, language, paper, form)


def _folder(folder: Path | None) -> Path:
    """Make the folder, where one is named that is not there."""
    try:
        (folder or Path()).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be made: {error.strerror}.") from None
    return folder or Path()
