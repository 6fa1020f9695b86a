"""What an author's tests and `companion check` look at: whether its sheets can be drawn, and its question asked."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from companion.desk.verdict import answer
from companion.game import AnyGame
from companion.printing import Particulars, Sheet
from companion.words import LANGUAGES


def draw(game: AnyGame, known: Particulars, language: str = "en") -> None:
    """Draw the game's own sheets, but print none. Raises: whatever its functions and templates do."""
    for item in game.sheets:
        if not Sheet(game, item, language).html(**known).strip():
            raise ValueError(f"{item} is empty")


def ask(game: AnyGame, language: str = "en") -> None:
    """Ask what the game names as its example. Raises: ValueError, where that cannot be asked; whatever it does."""
    words: list[str] = []
    options: dict[str, str] = {}
    parts = iter(shlex.split(game.question.example))
    for part in parts:
        if part.startswith("--"):
            name, _, value = part.removeprefix("--").partition("=")
            options[name.replace("-", "_")] = value or next(parts, "")
        else:
            words.append(part)
    if foreign := sorted(options.keys() - game.question.options.keys()):
        raise ValueError(f"--{foreign[0]} is none of its options")
    answer(game, words, options, language)


def faults(game: AnyGame) -> Iterator[str]:
    """Name what of a game cannot be drawn or asked, in any of the companion's languages."""
    blank: list[Particulars] = [{"players": [""] * seats} for seats in {game.players[0], game.players[-1]}]
    for item in game.sheets:
        try:
            for known in blank:
                for language in LANGUAGES:
                    Sheet(game, item, language).html(**known)
        except Exception as error:  # whatever an author's function or template does
            yield f"The sheet {item} of {game.key} cannot be drawn: {type(error).__name__}: {error}"
    try:
        ask(game)
    except Exception as error:  # likewise
        yield f"The example of {game.key}'s question cannot be asked: {game.question.example}: {error}"
