"""A play: looked at, listened to, moved on and corrected by programs."""

from __future__ import annotations

from itertools import islice
from typing import Any

from flask import Response
from flask_babel import gettext as _

from companion import log, record
from companion.api import schemas
from companion.api.asking import key_of, known_asker, own_seat
from companion.api.description import Blueprint, problem
from companion.api.encoding import as_json, beside, encoded
from companion.desk import wording
from companion.desk.asking import asker_at
from companion.desk.history import PAGE, shown_entries
from companion.desk.listening import streamed
from companion.desk.undoing import effect
from companion.errors import Malformed
from companion.game import Refused
from companion.log import Reading
from companion.play import Broken, Play
from companion.record import RecordError
from companion.tables import amending, referee, starting
from companion.tables.seating import Asker

pages = Blueprint("api-play", __name__, description="Play")

FRAME = {
    "type": "object",
    "properties": {
        "id": {"type": "string", "description": "The number of the newest entry."},
        "data": {"type": "string", "description": "A View, as JSON."},
        "event": {"type": "string", "enum": ["message", "gone", "beat"]},
        "retry": {"type": "integer"},
    },
}
MOST_MOVES = 200
"""How many of the moves that are open are listed."""


@pages.get("/tables/<code>/view")
@pages.kept
@pages.arguments(schemas.LookSchema, location="query")
@pages.response(200, schemas.ViewSchema)
@pages.may_fail(401, 403, 404, 409)
def view(query: dict[str, Any], code: str) -> dict[str, Any]:
    """Read what one seat may see; without a seat, what everybody may."""
    asker = asker_at(code)
    seen: dict[str, Any] = as_json(look(asker, own_seat(asker, query.get("seat")), log.read(asker.table)))
    return seen


@pages.get("/tables/<code>/events")
@pages.arguments(schemas.LookSchema, location="query")
@pages.response(200, FRAME, content_type="text/event-stream")
@pages.may_fail(401, 403, 404, 409, 503)
def events(query: dict[str, Any], code: str) -> Response:
    """Listen: whenever the table moves on, the view as JSON, its `id` the number of the newest entry."""
    asker = asker_at(code)
    seat = own_seat(asker, query.get("seat"))

    def frame(own: Asker, reading: Reading) -> str:
        return f"id: {reading.number}\ndata: {encoded(look(own, seat, reading))}\n\n"

    return streamed(asker, seat, frame)


@pages.get("/tables/<code>/moves")
@pages.arguments(schemas.LookSchema, location="query")
@pages.response(200, schemas.MovesSchema)
@pages.may_fail(401, 403, 404, 409)
def open_moves(query: dict[str, Any], code: str) -> dict[str, Any]:
    """List moves that a seat can make now (without a seat: the table's own), two hundred at most."""
    asker = asker_at(code)
    seat, reading = own_seat(asker, query.get("seat")), log.read(asker.table)
    game, seats = reading.play.game, len(asker.table.seatings)
    found = list(islice(game.legal(reading.play.position, seat), MOST_MOVES + 1))
    moves = [record.write_move(game, seats, move) for move in found[:MOST_MOVES]]
    return {"number": reading.number, "moves": moves, "is_complete": len(found) <= MOST_MOVES}


@pages.post("/tables/<code>/moves")
@pages.arguments(schemas.TrialSchema, location="query")
@pages.changes(schemas.MoveSchema, schemas.RuledSchema)
def move(query: dict[str, Any], body: dict[str, Any], code: str) -> dict[str, Any] | Response:
    """Make a move, or try it; the referee says yes, or no and why."""
    asker = known_asker(code)
    after = body.pop("after", None)
    try:
        if query["is_trial"]:
            return tried(asker, *referee.try_on(asker, body, after))
        return ruled(asker, referee.rule_on(asker, body, key_of(), after))
    except RecordError as error:
        raise Malformed(place=error.place, reason=error.message) from None


@pages.put("/tables/<code>/moves/<int:number>")
@pages.arguments(schemas.TrialSchema, location="query")
@pages.changes(schemas.AmendSchema, schemas.RuledSchema)
def amend(query: dict[str, Any], body: dict[str, Any], code: str, number: int) -> dict[str, Any] | Response:
    """Replace an earlier move, by one of any kind, or try it; if a later one would no longer hold, nothing changes.

    `later` says what such moves are then: all at once, or nothing.
    """
    asker = known_asker(code)
    after = body.pop("after", None)
    later = [amending.Change(one["number"], one["move"]) for one in body.pop("later", ())]
    change = amending.Change(number, body if body["move"] is not None else None)
    try:
        if query["is_trial"]:
            return tried(asker, *amending.try_amending(asker, change, later, after))
        return ruled(asker, amending.amend(asker, change, key_of(), later, after))
    except RecordError as error:
        raise Malformed(place=error.place, reason=error.message) from None


@pages.put("/tables/<code>/start")
@pages.changes(schemas.StartSchema, schemas.RuledSchema)
def begin_again(body: dict[str, Any], code: str) -> dict[str, Any] | Response:
    """Put right what was wrong from the start: options, the order of seats. Every move is judged again.

    If one would no longer hold, nothing changes; `later` says what such moves are then.
    """
    asker = known_asker(code)
    later = [amending.Change(one["number"], one["move"]) for one in body.get("later", ())]
    meant = starting.Meant(body.get("options"), tuple(body["order"]) if "order" in body else None)
    try:
        return ruled(asker, starting.begin_again(asker, meant, key_of(), later))
    except RecordError as error:
        raise Malformed(place=error.place, reason=wording.reason(error)) from None


@pages.post("/tables/<code>/take-back")
@pages.changes(schemas.StepSchema, schemas.RuledSchema)
def take_back(body: dict[str, Any], code: str) -> dict[str, Any] | Response:
    """Undo the last step."""
    asker = known_asker(code)
    return ruled(asker, referee.take_back(asker, key_of(), body.get("after")))


@pages.post("/tables/<code>/put-back")
@pages.changes(schemas.StepSchema, schemas.RuledSchema)
def put_back(body: dict[str, Any], code: str) -> dict[str, Any] | Response:
    """Redo what was taken back."""
    asker = known_asker(code)
    return ruled(asker, referee.put_back(asker, key_of(), body.get("after")))


@pages.get("/tables/<code>/standing")
@pages.kept
@pages.response(200, schemas.StandingSchema)
@pages.may_fail(404, 409)
def standing(code: str) -> dict[str, Any]:
    """Read the standing and the summary."""
    asker = asker_at(code)
    reading = log.read(asker.table)
    play, named = reading.play, list(wording.names(asker.table))
    is_finished = play.game.standing(play.position).is_finished
    speak = wording.voice(asker.table)
    reasons = [speak.event(reason) for reason in play.game.reasons(play.position)] if is_finished else []
    ruled = record.result(play, named)
    won = record.winners(play.game, ruled) if is_finished else ()
    about = {"game": play.game.key, "number": reading.number}
    return {**ruled, **about, "is_finished": is_finished, "winners": won, "reasons": reasons}


@pages.get("/tables/<code>/history")
@pages.kept
@pages.arguments(schemas.PageSchema, location="query")
@pages.response(200, schemas.HistorySchema)
@pages.may_fail(404, 409)
def history(query: dict[str, Any], code: str) -> dict[str, Any]:
    """Read what happened, as sentences, a hundred entries a page."""
    asker = asker_at(code)
    reading = log.read(asker.table)
    upto = min(query.get("to", PAGE**4), reading.number)
    entries = [
        {**{name: getattr(entry, name) for name in schemas.LineSchema().fields}, "at": entry.written}
        for entry in shown_entries(asker, reading, range(upto - PAGE + 1, upto + 1))
    ]
    return {"entries": entries, "older": upto - PAGE if upto > PAGE else None}


def look(asker: Asker, seat: int | None, reading: Reading) -> dict[str, Any]:
    """Look at a play with the eyes of a seat, or of everybody; to be written as JSON."""
    game, position = reading.play.game, reading.play.position
    return {
        "game": game.key,
        "number": reading.number,
        "seat": seat,
        "is_finished": game.standing(position).is_finished,
        "to_move": [own for own in asker.seats if game.may_move(position, own)],
        "view": beside(game.view(position, seat), game.view(position, None)),
    }


def view_of(play: Play[Any], seat: int | None) -> Any:
    """Write what one seat may see of a play."""
    return as_json(play.game.view(play.position, seat))


def ruled(asker: Asker, ruling: Reading | Refused | Broken) -> dict[str, Any] | Response:
    """Answer with what happened, or with why not."""
    if isinstance(ruling, Refused | Broken):
        refusal = wording.refusal_of(asker.table, ruling)
        rule = (ruling.refused if isinstance(ruling, Broken) else ruling).rule.key
        later = {} if refusal.later is None else {"later": refusal.later}
        return problem(422, "refused", _("The rules say no"), refusal.sentence, rule=rule, **later)
    speak, play = wording.voice(asker.table), ruling.play
    return {
        "number": ruling.number,
        "events": [speak.event(event) for event in play.events],
        "remarks": [speak.rule(remark.rule, remark.facts) for remark in play.remarks],
        "is_finished": play.game.standing(play.position).is_finished,
    }


def tried(asker: Asker, now: Reading, ruling: Reading | Refused | Broken) -> dict[str, Any] | Response:
    """Answer with what would happen, or with why not.

    While something is sealed, the answer is yes and no more: the last of the bids would open all of them.
    """
    answer = ruled(asker, ruling)
    if isinstance(ruling, Refused | Broken) or isinstance(answer, Response):
        return answer
    if now.play.game.has_secrets(now.play.position):
        untold = {"events": [], "remarks": [], "is_finished": False, "effect": ""}
        return {"number": ruling.number, "is_trial": True, **untold}
    changed = effect(now.play, ruling.play, wording.voice(asker.table), now.play, now.play)
    return {**answer, "is_trial": True, "effect": changed}
