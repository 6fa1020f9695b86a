"""The history of a table: every entry as a sentence, who entered it, and the way to amend it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import wording
from companion.desk.asking import asker_at
from companion.desk.context import Context
from companion.desk.guard import limited
from companion.desk.history import PAGE, ShownEntry, shown_entries
from companion.desk.wording import Refusal, TableFacts, facts, refusal_of, voice
from companion.errors import CompanionError, NotThere, NotYours
from companion.game import Refused
from companion.play import Broken, Step
from companion.record import RecordError, write_move
from companion.tables import referee
from companion.tables.seating import Asker
from companion.web import any_game
from companion.web.any_game import MoveField
from companion.web.forms import key_of, move_data, posted

Answer = BaseResponse | str | tuple[str, int]


pages = Blueprint("history", __name__)
limited(pages)


class HistoryPage(Context, template="history.html"):
    """What happened at a table, the newest first."""

    table: TableFacts
    seat: int | None
    entries: list[ShownEntry]
    older: int | None
    """The number that the page before ends with; None on the first."""
    newer: int | None


class Amended(TypedDict):
    """The move that is to be changed."""

    number: int
    sentence: str


class AmendPage(Context, template="amend.html"):
    """Changing an earlier move."""

    table: TableFacts
    seat: int | None
    entry: Amended
    move: str
    """Its kind."""
    form_fields: list[MoveField]
    refusal: Refusal | None
    key: str
    """Of the form; "" lets the script make one."""


@pages.get("/t/<code>/history")
def history(code: str) -> str:
    """Tell what happened at a table, the newest first, a hundred entries a page."""
    asker = asker_at(code)
    reading = log.read(asker.table)
    upto = min(request.args.get("to", reading.number, type=int), reading.number)
    entries = list(shown_entries(asker, reading, range(upto - PAGE + 1, upto + 1)))
    return HistoryPage(
        table=facts(asker.table, reading.play),
        entries=entries[::-1],
        seat=asker.seat,
        older=upto - PAGE if upto > PAGE else None,
        newer=upto + PAGE if upto < reading.number else None,
    ).html()


@pages.get("/t/<code>/history/<int:number>")
def amend_form(code: str, number: int) -> str:
    """Show a move to who may amend it."""
    asker = asker_at(code)
    return _amend(asker, _ruled(asker, number))


@pages.post("/t/<code>/history/<int:number>")
def amend(code: str, number: int) -> Answer:
    """Replace a move, if every later one still holds."""
    asker = asker_at(code)
    typed = move_data(asker.table, posted())
    try:
        ruling = referee.amend(asker, number, typed, key_of())
    except RecordError as error:
        raise wording.malformed(log.game_of(asker.table), error) from None
    except (NotYours, NotThere):
        raise
    except CompanionError as error:
        return _amend(asker, _ruled(asker, number), refusal_of(asker.table, error), typed), error.status
    if isinstance(ruling, Refused | Broken):
        return _amend(asker, _ruled(asker, number), refusal_of(asker.table, ruling), typed), 422
    return redirect(url_for("history.history", code=asker.table.code), 303)


def _ruled(asker: Asker, number: int) -> Step[Any]:
    """Find a move that counts and that this phone may amend."""
    play = log.read(asker.table).play
    step = play.numbered().get(number)
    if step is None:
        raise NotThere
    if not referee.may_amend(asker, step.asked, play.is_sealed(step)):
        raise NotYours
    return step


def _amend(
    asker: Asker, step: Step[Any], refusal: Refusal | None = None, typed: Mapping[str, Any] | None = None
) -> str:
    play = log.read(asker.table).play
    return AmendPage(
        table=facts(asker.table, play),
        seat=asker.seat,
        entry={"number": step.asked.number, "sentence": voice(asker.table).event(step.events[0])},
        move=write_move(play.game, play.seats, step.asked.move)["move"],
        form_fields=any_game.amend_fields(play, step, voice(asker.table), typed),
        refusal=refusal,
        key="",
    ).html()
