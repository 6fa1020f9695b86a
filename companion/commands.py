"""The `companion` command."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from flask import Flask

from companion import __version__, create_app, log, record, seating
from companion.errors import CompanionError, StartError
from companion.game import AnyGame, filling
from companion.games import GAMES
from companion.log import Table
from companion.printing import ITEMS, OF_TABLES, PAPERS, Printer, PrintError, contents, items, printables, sheet_html
from companion.qr import qr_terminal
from companion.record import RecordError
from companion.serving import check_free, open_secure_door, server_command
from companion.settings import PORT, SECURE_PORT, own_address
from companion.words import LANGUAGES, Voice, translations


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="companion")
def companion() -> None:
    """Keep score and rule beside a physical game: phones at the table, one log, and paper.

    \b
    Start here:
      companion serve
    """


@companion.command()
@click.option("--host", default="0.0.0.0", show_default=True, help="The address to listen at.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(1, 65535), help="The port to listen at.")
@click.option("--streams", default=100, show_default=True, type=click.IntRange(1), help="How many phones at once.")
@click.option("--https", is_flag=True, help="Open a secure door, too, with a certificate of the companion's own.")
@click.option("--https-port", default=SECURE_PORT, show_default=True, type=click.IntRange(1, 65535), help="Its port.")
@click.option("--certificate", type=click.Path(exists=True, dir_okay=False), help="A certificate of yours instead.")
@click.option("--key", type=click.Path(exists=True, dir_okay=False), help="Its private key.")
def serve(  # noqa: PLR0913, PLR0917 (each is an option of the command)
    host: str, port: int, streams: int, https: bool, https_port: int, certificate: str | None, key: str | None
) -> None:
    """Open the companion to the phones around, and print its address with a QR code.

    \b
    Example:
      companion serve --port 8080
    """
    if bool(certificate) != bool(key):
        raise click.UsageError("--certificate and --key belong together.")
    is_secure = https or certificate is not None
    reached = own_address(port) if host in {"0.0.0.0", "::"} else f"http://{host}:{port}"
    os.environ.setdefault("COMPANION_ADDRESS", reached)
    os.environ["COMPANION_STREAMS"] = str(streams)
    os.environ["COMPANION_PORT"] = str(port)
    try:
        check_free(host, port)
        if is_secure:
            check_free(host, https_port)
            open_secure_door(host, https_port, certificate, key)
    except (StartError, OSError) as error:
        raise click.ClickException(str(error)) from None
    app = _ready()
    address = os.environ["COMPANION_ADDRESS"]
    click.echo(f"{qr_terminal(address)}\n\nThe companion is at {address}\nStop it with Ctrl-C.")
    if is_secure:
        click.echo(f"Secure: {app.config['COMPANION'].secure_address} (how phones trust it: {address}/trust)")
    click.echo(f"Tables and the secret key are kept in {app.config['COMPANION'].data}")
    sys.stdout.flush()
    os.execv(sys.executable, server_command(host, port, streams, is_secure))


@companion.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="Print one object a record (JSON Lines).")
@click.option("--lang", default="en", show_default=True, type=click.Choice(list(LANGUAGES)), help="Of the reasons.")
@click.pass_context
def replay(context: click.Context, files: Sequence[str], as_json: bool, lang: str) -> None:
    """Rule on every move of table records, and print how they ended. "-" reads standard input.

    Exit status: 0 all moves are legal, 1 some move is refused, 2 some file is no record.

    \b
    Example:
      companion replay --json evening.json
    """
    status = 0
    with _progress(files) as progress:
        for file in progress:
            try:
                said = record.outcome(record.replay(record.read(_read(file))), lang)
                status = max(status, 0 if said["legal"] else 1)
            except RecordError as error:
                said = {"error": {"place": error.place, "message": error.message}}
                status = 2
            said = {"file": file, **said}
            # Half a surrogate pair, from a name or a file's name, is written as JSON escapes it.
            line = json.dumps(said, ensure_ascii=False).encode(errors="backslashreplace")
            click.echo(line if as_json else _told(said))
    context.exit(status)


@companion.group()
def judge() -> None:
    """Ask the referee one question, without a table.

    \b
    Example:
      companion judge rage --trump R Y8 R4 NT
    """


def _judge_of(game: AnyGame) -> click.Command:
    """Make the command that asks the referee of one game."""

    def ask(words: Sequence[str], as_json: bool, lang: str, **given: str | None) -> None:
        options = {name: value for name, value in given.items() if value is not None}
        try:
            verdict = game.question.answer(words, options)
        except ValueError as error:
            raise _Unreadable(str(error)) from None
        nobody = record.seat_names([""] * game.players[-1])
        said = [Voice(game.words, nobody, lang).say(part) for part in verdict.says]
        if as_json:
            rule = {"rule": verdict.rule.key, "source": verdict.rule.source}
            answer = {"game": game.key, **verdict.data, "verdict": said[0], "reasons": said[1:], **rule}
            click.echo(json.dumps(answer, ensure_ascii=False))
        else:
            click.echo("\n".join([*said, f"({verdict.rule.key}: {verdict.rule.source})"]))

    return click.Command(
        game.key,
        callback=ask,
        help=f"Ask the referee of {game.name}.\n\n\b\nExample:\n  companion judge {game.key} {game.question.example}",
        params=[
            click.Argument(["words"], nargs=-1),
            click.Option(["--json", "as_json"], is_flag=True, help="Print the verdict as data."),
            click.Option(["--lang"], default="en", show_default=True, type=click.Choice(list(LANGUAGES))),
            *[
                click.Option([f"--{name.replace('_', '-')}", name], help=text)
                for name, text in game.question.options.items()
            ],
        ],
        context_settings={"ignore_unknown_options": True},
    )


for _game in GAMES.values():
    judge.add_command(_judge_of(_game))


@companion.command("print")
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
        app = _ready()
        with app.app_context():
            table = _table(what)
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
    _write(file, pdf)
    click.echo(f"{file}: {len(pdf) / 1000:.0f} kB", err=True)


@companion.command()
@click.argument("code", metavar="TABLE-CODE")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Default: standard output.")
def export(code: str, output: Path | None) -> None:
    """Write the record of a table. While bids are secret, it ends where all was open.

    \b
    Example:
      companion export K7QX2M -o evening.json
    """
    with _ready().app_context():
        text = json.dumps(_record_of(_table(code)), ensure_ascii=False, indent=2) + "\n"
    if output:
        _write(output, text.encode())
    else:
        click.echo(text, nl=False)


@companion.command("import")
@click.argument("file")
def import_(file: str) -> None:
    """Open a table from a record, and print its code and the link that makes a phone its host.

    \b
    Example:
      companion import evening.json
    """
    try:
        replayed = record.replay(record.read(_read(file)))
    except RecordError as error:
        raise _Unreadable(f"{file}: {error}") from None
    if replayed.refused:
        asked, refused = replayed.refused
        said = record.outcome(replayed)["refused"]
        raise click.ClickException(f"{file}: move {asked.number} is refused ({refused.rule.key}): {said['reason']}")
    app = _ready()
    with app.app_context():
        try:
            table, secret = seating.open_from(replayed)
        except CompanionError as error:
            raise click.ClickException(f"{file}: {error}") from None
        address = os.environ.get("COMPANION_ADDRESS") or own_address()
        click.echo(f"Table {table.code}\nHost: {address}/t/{table.code}/host/{secret}")


class _Unreadable(click.ClickException):
    exit_code = 2


def _ready() -> Flask:
    """Make the app, with its database in order."""
    try:
        app = create_app()
        with app.app_context():
            log.upgrade()
            log.check()
    except (StartError, OSError) as error:
        raise click.ClickException(str(error)) from None
    return app


def _read(file: str) -> bytes:
    """Read a file, or standard input. Raises: RecordError, so that the other files are still ruled on."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise RecordError("", f"Cannot be read: {error.strerror}.") from None


def _write(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        raise click.ClickException(f"{file} cannot be written: {error.strerror}.") from None


def _progress(files: Sequence[str]) -> Any:
    """Show progress where somebody watches and it takes a while."""
    is_shown = len(files) > 20 and sys.stderr.isatty() and not sys.stdout.isatty()  # noqa: PLR2004
    return click.progressbar(files, file=sys.stderr, label="Ruling", hidden=not is_shown)


def _told(said: dict[str, Any]) -> str:
    """Tell people how a record ended."""
    if "error" in said:
        place = f"{said['error']['place']}: " if said["error"]["place"] else ""
        return _harmless(f"{said['file']}: no record. {place}{said['error']['message']}")
    lines = [
        f"{said['file']}: {said['game']}, {said['moves']} moves, {'finished' if said['finished'] else 'unfinished'}"
    ]
    if refused := said["refused"]:
        lines.append(f"  Move {refused['number']} is refused ({refused['rule']}): {refused['reason']}")
    lines += [f"  Move {remark['number']}, please look: {remark['text']}" for remark in said["remarks"]]
    lines += [f"  {place['rank']}. {place['name']}  {place['score']}" for place in said["standing"]]
    return "\n".join(map(_harmless, lines))


def _harmless(line: str) -> str:
    """Show what a terminal would obey, or cannot show, as a question mark in a diamond."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in line)


def _table(code: str) -> Table:
    try:
        return seating.find_table(code)
    except CompanionError as error:
        raise click.ClickException(f"{code}: {error}") from None


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
    players, facts = record.seat_names(_names(table)), filling(game, play.position)
    return contents(game, item, lang, about=about, options=table.options, players=players, facts=facts)


def _check_item(game: AnyGame, item: str) -> None:
    if item not in items(game, is_table=True):
        raise click.ClickException(f"{game.name} has no {item} to print yet.")


def _names(table: Table) -> list[str]:
    return [seating.name for seating in table.seatings]


def _record_of(table: Table) -> dict[str, Any]:
    about = {"table": table.code, "opened": table.opened, **({"closed": table.closed} if table.closed else {})}
    return record.write(log.read(table).play, table.options, record.seat_names(_names(table)), about)


if __name__ == "__main__":
    companion(prog_name="companion")
