"""A play looked at again, move by move: what everybody, or one seat, saw then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template, request
from markupsafe import Markup

from companion import log
from companion.desk.asking import asker_at
from companion.desk.guard import limited
from companion.desk.wording import voice
from companion.errors import NotThere, NotYours
from companion.log import Reading
from companion.play import Play
from companion.tables.seating import Asker
from companion.web import parts
from companion.web.parts import facts

pages = Blueprint("steps", __name__)
limited(pages)


@dataclass(frozen=True, slots=True)
class Step:
    """One moment of a play."""

    at: int
    """How many moves had been made."""
    last: int
    """How many there are to look at."""
    play: Play[Any]
    seat: int | None
    """Whose view it is; None for everybody's."""
    asker: Asker
    """Whoever sat there."""


@pages.get("/t/<code>/steps")
def steps(code: str) -> str:
    """Show one moment of a play, and the way to the next and the one before."""
    asker = asker_at(code)
    now = step_of(asker, request.args.get("at", type=int), request.args.get("seat", type=int))
    speak, table = voice(asker.table), asker.table
    return render_template(
        "steps.html",
        table=facts(table, log.read(table).play),
        names=speak.players,
        seat=asker.seat,
        step=now,
        seats=seats_of(asker),
        sentences=[speak.event(event) for event in now.play.events],
        remarks=[speak.rule(remark.rule, remark.facts) for remark in now.play.remarks],
        part=_part(now),
    )


def step_of(asker: Asker, at: int | None, seat: int | None) -> Step:
    """Find a moment of a play; the last one where none is named.

    While something is secret, the moments end where all was open; and until the play is over, a phone sees the views
    of its own seats alone.

    Raises:
        NotThere: there is no such moment or seat.
        NotYours: the play is not over, and the phone does not act for that seat.
    """
    table = asker.table
    play = log.read(table).play.opened()
    played = play.moves()
    at = len(played) if at is None else at
    if not 0 <= at <= len(played) or (seat is not None and seat not in range(len(table.seatings))):
        raise NotThere
    if seat is not None and seat not in seats_of(asker):
        raise NotYours
    then = played[at - 1] if at else (played[0].before if played else play)
    assert then is not None
    who = asker if seat is None else Asker(table, table.seatings[seat].phone or table.host)
    return Step(at, len(played), then, seat, who)


def seats_of(asker: Asker) -> list[int]:
    """List the seats whose views a phone may look back at: its own, and after the end all."""
    return list(range(len(asker.table.seatings))) if asker.table.closed else asker.seats


def _part(step: Step) -> Markup:
    """Draw what was seen then; nothing in it can be tapped."""
    table = step.asker.table
    name = parts.template(table, step.seat)
    reading = Reading(step.play.asked.number if step.play.asked else 0, step.play)
    context = {**parts.context(step.asker, step.seat, reading), "undo": None, "redo": None, "is_then": True}
    return Markup(render_template(name, **context, **parts.plain_of(name, step.asker, step.seat, reading)))
