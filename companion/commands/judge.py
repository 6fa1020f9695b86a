"""`companion judge`: a command a game."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import click

from companion.commands.files import Unreadable, data_line
from companion.desk.verdict import answer
from companion.game import AnyGame
from companion.games import GAMES
from companion.words import LANGUAGES, in_full


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
        _check_options(words, game)
        try:
            said = answer(game, words, options, lang)
        except ValueError as error:
            raise Unreadable(str(error)) from None
        if as_json:
            rule = {"rule": said.rule.key, "source": said.rule.source}
            data = {"game": game.key, **said.data, "verdict": said.verdict, "reasons": said.reasons, **rule}
            click.echo(data_line(data))
        else:
            click.echo("\n".join(filter(None, [said.verdict, *said.reasons, in_full(said.rule, game, lang)])))

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


def _check_options(words: Sequence[str], game: AnyGame) -> None:
    """Refuse an option that there is none of: a word may begin with a sign (-5), but none with two."""
    known = [f"--{name.replace('_', '-')}" for name in [*game.question.options, "json", "lang"]]
    for word in words:
        name = word.partition("=")[0]
        if name.startswith("--"):
            raise click.NoSuchOption(name, possibilities=get_close_matches(name, known, 1))


for _game in GAMES.values():
    judge.add_command(_judge_of(_game))
