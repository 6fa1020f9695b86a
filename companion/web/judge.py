"""Ask the referee: one question of a game, without a table; the address holds it, so that it can be passed on."""

from __future__ import annotations

from flask import Blueprint, request
from werkzeug.datastructures import MultiDict

from companion.desk import verdict
from companion.desk.asking import find_game
from companion.desk.context import Context
from companion.desk.guard import limited
from companion.desk.language import language
from companion.desk.verdict import Answer
from companion.desk.wording import Cited, cite
from companion.game import AnyGame
from companion.games import GAMES

pages = Blueprint("judge", __name__)
limited(pages)


class RefereesPage(Context, template="judge.html"):
    """The games whose referees can be asked."""

    games: list[AnyGame]


class QuestionPage(Context, template="question.html"):
    """One question to the referee of a game, and the answer."""

    game: AnyGame
    typed: MultiDict[str, str]
    """The question, as it stands in the address."""
    answer: Answer | None
    cited: Cited | None
    """Where the rule stands that decides."""
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
            # A word that cannot be read is named.
            answer = verdict.answer(chosen, _words(), _options(chosen), language())
        except ValueError as error:
            complaint = str(error)
    cited = cite(answer.rule, chosen) if answer else None
    page = QuestionPage(game=chosen, typed=request.args, answer=answer, cited=cited, complaint=complaint).html()
    return (page, 422) if complaint else page


def _words() -> list[str]:
    """Gather the words of a question: those told, and those made of a row of numbers (`A=6,4,2`)."""
    words = " ".join(request.args.getlist("words")).split()
    rows = {name: request.args.getlist(name) for name in request.args if name.isupper()}
    return words + [f"{name}={','.join(part or '0' for part in row)}" for name, row in sorted(rows.items()) if any(row)]


def _options(game: AnyGame) -> dict[str, str]:
    told = {name: ",".join(filter(None, request.args.getlist(name))) for name in game.question.options}
    return {name: value for name, value in told.items() if value}
