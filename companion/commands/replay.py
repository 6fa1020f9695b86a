"""`companion replay`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from companion import record
from companion.commands.files import data_line, harmless, read
from companion.games import GAMES
from companion.record import RecordError
from companion.words import LANGUAGES, Voice, paragraph_number, retold, whole_card


@click.command()
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
                said = record.outcome(record.replay(record.read(read(file))), lang)
                status = max(status, 0 if said["legal"] else 1)
            except RecordError as error:
                said = {"error": {"place": error.place, "message": _why(error, lang)}}
                status = 2
            said = {"file": file, **said}
            click.echo(data_line(said) if as_json else _told(said))
    context.exit(status)


def _why(error: RecordError, language: str) -> str:
    """Say in a language why a file is no record."""
    if error.game and error.refused:
        return Voice(error.game.words, (), language).rule(error.refused.rule, error.refused.facts)
    return retold(error.message, language)


def _progress(files: Sequence[str]) -> Any:
    """Show progress where somebody watches and it takes a while."""
    is_shown = len(files) > 20 and sys.stderr.isatty() and not sys.stdout.isatty()  # noqa: PLR2004
    return click.progressbar(files, file=sys.stderr, label="Ruling", hidden=not is_shown)


def _by(key: str, rule: str) -> str:
    """Name the paragraph of the rules that a refusal rests on; "" where the game brings no text."""
    game = GAMES[key]
    number = paragraph_number(next(one for one in game.rules if one.key == rule), whole_card(game, "en"))
    return f" by rule {number}" if number else ""


def _told(said: dict[str, Any]) -> str:
    """Tell people how a record ended."""
    if "error" in said:
        place = f"{said['error']['place']}: " if said["error"]["place"] else ""
        return harmless(f"{said['file']}: no record. {place}{said['error']['message']}")
    lines = [
        f"{said['file']}: {said['game']}, {said['moves']} moves, {'finished' if said['finished'] else 'unfinished'}"
    ]
    if refused := said["refused"]:
        lines.append(f"  Move {refused['number']} is refused{_by(said['game'], refused['rule'])}: {refused['reason']}")
    lines += [f"  Move {remark['number']}, please look: {remark['text']}" for remark in said["remarks"]]
    places = sorted(said["standing"], key=lambda place: int(place["seat"]))
    named = record.seat_names([place["name"] for place in places])
    lines += [f"  {place['rank']}. {named[place['seat']]}  {place['score']}" for place in said["standing"]]
    if said["finished"] and not record.winners(GAMES[said["game"]], said):
        lines.append("  Lost: nobody has won.")
    return "\n".join(map(harmless, lines))
