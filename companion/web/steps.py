"""A play looked at again, move by move: what everybody, or one seat, saw then."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Blueprint, redirect, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk.asking import asker_at
from companion.desk.context import Context
from companion.desk.steps import Moment, moment_of, seats_of
from companion.desk.wording import TableFacts, facts, voice
from companion.errors import NotThere
from companion.log import Reading
from companion.web import parts

pages = Blueprint("steps", __name__)


class StepsPage(Context, template="steps.html"):
    """A play, move by move."""

    table: TableFacts
    names: Sequence[str]
    seat: int | None
    """The reader's own."""
    step: Moment
    seats: list[int]
    """Whose views the reader may look at."""
    sentences: list[str]
    remarks: list[str]
    part: Markup
    """What was seen then."""


@pages.get("/t/<code>/steps")
def steps(code: str) -> BaseResponse | str:
    """Show one moment of a play, and the way to the next and the one before; the last, where there are fewer by now."""
    asker, at, seat = asker_at(code), request.args.get("at", type=int), request.args.get("seat", type=int)
    try:
        now = moment_of(asker, at, seat)
    except NotThere:
        if at is None or at not in range(log.read(asker.table).number + 1):
            raise
        return redirect(url_for("steps.steps", code=asker.table.code, seat=seat))
    speak, table = voice(asker.table), asker.table
    return StepsPage(
        table=facts(table, log.read(table).play),
        names=speak.players,
        seat=asker.seat,
        step=now,
        seats=seats_of(asker),
        sentences=[speak.event(event) for event in now.play.events],
        remarks=[speak.rule(remark.rule, remark.facts) for remark in now.play.remarks],
        part=_part(now),
    ).html()


def _part(now: Moment) -> Markup:
    """Draw what was seen then; nothing in it can be tapped."""
    table, seat = now.asker.table, now.seat
    reading = Reading(now.play.last.asked.number if now.play.last else 0, now.play)
    told = parts.told(now.asker, seat, reading)
    then = {**told, "is_then": True, "acts_for": now.asker.seats, "table": {**told["table"], "halt": ""}}
    return parts.drawn(table, parts.template(table, seat), then)
