"""`companion judge`: a command a game."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from companion import record
from companion.commands.app import Unreadable
from companion.game import AnyGame
from companion.games import GAMES
from companion.words import LANGUAGES, Voice


@click.group()
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
            raise Unreadable(str(error)) from None
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
