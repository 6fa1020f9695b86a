"""Ask the referee: one question of a game, without a table; the address holds it, so that it can be passed on."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, request
from werkzeug.datastructures import MultiDict

from companion.desk import verdict
from companion.desk.asking import find_game
from companion.desk.context import Context
from companion.desk.guard import limited
from companion.desk.language import language
from companion.desk.wording import Cited, cite
from companion.game import AnyGame
from companion.games import GAMES

pages = Blueprint("judge", __name__)
limited(pages)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the referee says, in the reader's words."""

    verdict: str
    reasons: tuple[str, ...]
    cited: Cited


class RefereesPage(Context, template="judge.html"):
    """The games whose referees can be asked."""

    games: list[AnyGame]


class QuestionPage(Context, template="question.html"):
    """One question to the referee of a game, and the answer."""

    game: AnyGame
    typed: MultiDict[str, str]
    """The question, as it stands in the address."""
    answer: Answer | None
    complaint: str
    """What cannot be read of the question."""


@pages.get("/judge")
def judge() -> str:
    """Show the games that can be asked about."""
    return RefereesPage(games=list(GAMES.values())).html()


@pages.get("/judge/<game>")
def question(game: str) -> str | tuple[str, int]:
    """Ask a question, and answer it when it is complete."""
    chosen = find_game(game)
    answer, complaint = None, ""
    if request.args.keys() - {"lang"}:
        try:
            answer = _answer(chosen)
        except ValueError as error:
            complaint = str(error)
    page = QuestionPage(game=chosen, typed=request.args, answer=answer, complaint=complaint).html()
    return (page, 422) if complaint else page


def _answer(game: AnyGame) -> Answer:
    """Let the game answer. Raises: ValueError, naming the word that cannot be read."""
    said = verdict.answer(game, _words(), _options(game), language())
    return Answer(said.verdict, said.reasons, cite(said.rule, game))


def _words() -> list[str]:
    """Gather the words of a question: those told, and those made of a row of numbers (`A=6,4,2`)."""
    words = " ".join(request.args.getlist("words")).split()
    rows = {name: request.args.getlist(name) for name in request.args if name.isupper()}
    return words + [f"{name}={','.join(part or '0' for part in row)}" for name, row in sorted(rows.items()) if any(row)]


def _options(game: AnyGame) -> dict[str, str]:
    told = {name: ",".join(filter(None, request.args.getlist(name))) for name in game.question.options}
    return {name: value for name, value in told.items() if value}
