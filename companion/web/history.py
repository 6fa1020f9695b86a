"""The history of a table: every entry as a sentence, who entered it, and the way to amend it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any

from flask import Blueprint, redirect, render_template, url_for
from flask_babel import format_time
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from companion import log, referee
from companion.errors import CompanionError, Malformed, NotThere, NotYours
from companion.fields import PerSeat, SeatNumber, Whole
from companion.game import Refused
from companion.log import Entry
from companion.play import Broken, Play
from companion.record import RecordError, write_move
from companion.seating import Asker
from companion.web.forms import key_of, move_data
from companion.web.guard import limited
from companion.web.parts import Refusal, facts, names, refusal_of, voice
from companion.web.table import asker_at

Answer = BaseResponse | str | tuple[str, int]

pages = Blueprint("history", __name__)

_MOST_ALTERNATIVES = 500
"""So many open moves are looked through for what an amended one could be."""
limited(pages)


@dataclass(slots=True)
class Line:
    """An entry, as the history shows it."""

    number: int
    at: str
    by: str
    sentences: list[str]
    remarks: list[str] = field(default_factory=list)
    is_struck: bool = False
    """Taken back: it does not count now."""
    is_amended: bool = False
    note: str | None = None
    may_amend: bool = False
    url: str = ""


@pages.get("/t/<code>/history")
def history(code: str) -> str:
    """Tell what happened at a table, the newest first."""
    asker = asker_at(code)
    reading = log.read(asker.table)
    lines = list(_lines(asker, reading.play))
    return render_template("history.html", table=facts(asker.table, reading.play), entries=lines[::-1], seat=asker.seat)


@pages.get("/t/<code>/history/<int:number>")
def amend_form(code: str, number: int) -> str:
    """Show a move to who may amend it."""
    asker = asker_at(code)
    return _amend(asker, _ruled(asker, number))


@pages.post("/t/<code>/history/<int:number>")
def amend(code: str, number: int) -> Answer:
    """Replace a move, if every later one still holds."""
    asker = asker_at(code)
    try:
        ruling = referee.amend(asker, number, move_data(asker.table), key_of())
    except RecordError as error:
        raise Malformed(place=error.place, reason=error.message) from None
    except (NotYours, NotThere):
        raise
    except CompanionError as error:
        return _amend(asker, _ruled(asker, number), refusal_of(asker.table, error)), error.status
    if isinstance(ruling, Refused | Broken):
        return _amend(asker, _ruled(asker, number), refusal_of(asker.table, ruling)), 422
    return redirect(url_for("history.history", code=asker.table.code), 303)


def _ruled(asker: Asker, number: int) -> Play[Any]:
    """Find a move that counts and that this phone may amend."""
    for play in log.read(asker.table).play.moves():
        if play.asked and play.asked.number == number:
            if not referee.may_amend(asker, play):
                raise NotYours
            return play
    raise NotThere


def _lines(asker: Asker, now: Play[Any]) -> Iterator[Line]:
    """Fold the log once more, and say what each entry did when it came; strike what does not count any more."""
    table, speak = asker.table, voice(asker.table)
    counting = {play.asked.number: play for play in now.moves() if play.asked}
    play = log.start(table)
    for entry in log.entries(table):
        before, play = play, log.after(play, entry)
        line = Line(entry.number, _clock(entry.at), _who(asker, entry), [])
        if entry.kind == "move":
            ruled = counting.get(entry.number)
            line.is_struck = ruled is None
            # What was taken back is named, not told: a bid that was shown by it may be sealed again.
            line.sentences = [speak.event(event) for event in (ruled.events if ruled else play.events[:1])]
            if ruled:
                line.remarks = [speak.rule(remark.rule, remark.facts) for remark in ruled.remarks]
                line.may_amend = referee.may_amend(asker, ruled)
                line.url = url_for("history.amend_form", code=table.code, number=entry.number)
        else:
            line.sentences = [_deed(asker, entry, before)]
        yield line


def _who(asker: Asker, entry: Entry) -> str:
    return str(_("Host")) if entry.by is None else names(asker.table)[entry.by]


def _clock(at: str) -> str:
    """Tell the time of day where the companion runs, which is where the table is."""
    return str(format_time(datetime.fromisoformat(at).astimezone(), "short", rebase=False))


def _deed(asker: Asker, entry: Entry, before: Play[Any]) -> str:
    """Say what an entry that is no move did."""
    speak = voice(asker.table)
    if entry.kind == "amend":
        return str(_("Entry %(number)s was amended.", number=entry.data["number"]))
    if entry.kind == "seat":
        name = names(asker.table)[entry.seat or 0]
        deeds: dict[str, str] = {
            "sit": _("%(name)s sits down.", name=name),
            "stand": _("%(name)s leaves the seat.", name=name),
            "free": _("The seat of %(name)s is free for another phone.", name=name),
            "rename": _("The seat is now called %(name)s.", name=name),
        }
        return deeds[entry.data["act"]]
    step = before if entry.kind == "take_back" else before.redo
    if step is None or step.asked is None:
        return ""
    move = speak.headline(step.asked.move)
    taken, put = _("Taken back: %(move)s.", move=move), _("Put back: %(move)s.", move=move)
    return str(taken if entry.kind == "take_back" else put)


def _amend(asker: Asker, ruled: Play[Any], refusal: Refusal | None = None) -> str:
    assert ruled.asked is not None
    data = write_move(ruled.game, ruled.seats, ruled.asked.move)
    is_sealed = ruled.game.has_secrets(ruled.position)
    return render_template(
        "amend.html",
        table=facts(asker.table, log.read(asker.table).play),
        seat=asker.seat,
        entry={"number": ruled.asked.number, "sentence": voice(asker.table).event(ruled.events[0])},
        move=data["move"],
        form_fields=_fields(asker, ruled, {"seat": data.get("seat")} if is_sealed else data),
        refusal=refusal,
        key="",
    )


def _fields(asker: Asker, ruled: Play[Any], data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Describe the fields of a move to the form: what stood there (unless it is sealed), and what could."""
    assert ruled.asked is not None
    others = list(_alternatives(ruled))
    kind = write_move(ruled.game, ruled.seats, ruled.asked.move)["move"]
    for name, part in ruled.game.moves(ruled.seats)[kind].fields.items():
        is_list, is_seat = isinstance(part, PerSeat), isinstance(part, SeatNumber)
        yield {
            "name": name,
            "label": _(ruled.game.words.fields.get(name, name)),
            "kind": "seat" if is_seat else "list" if is_list else "number" if isinstance(part, Whole) else "card",
            "choices": [] if is_list or is_seat else _choices(asker, ruled, others, name),
            "value": data.get(name),
            "values": data.get(name) or [],
        }


def _alternatives(ruled: Play[Any]) -> Iterator[Any]:
    """Yield the moves of the same kind that were open to the same seat."""
    assert ruled.asked is not None
    assert ruled.before is not None
    move = ruled.asked.move
    legal = ruled.game.legal(ruled.before.position, getattr(move, "seat", None))
    return (other for other in islice(legal, _MOST_ALTERNATIVES) if type(other) is type(move))


def _choices(asker: Asker, ruled: Play[Any], others: Sequence[Any], name: str) -> list[tuple[Any, str]]:
    """List what a field could hold, as data and in words."""
    speak = voice(asker.table)
    choices = {
        write_move(ruled.game, ruled.seats, other).get(name): speak.say(getattr(other, name)) for other in others
    }
    return list(choices.items())
