"""The history of a table: every entry as a sentence, who entered it, and the way to amend it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import wording
from companion.desk.asking import asker_at
from companion.desk.dates import clock
from companion.desk.guard import limited
from companion.desk.wording import Refusal, names, refusal_of, voice
from companion.errors import CompanionError, NotThere, NotYours
from companion.game import Refused
from companion.log import Entry
from companion.play import Broken, Play
from companion.record import RecordError, write_move
from companion.tables import referee
from companion.tables.seating import Asker
from companion.web import parts, plain
from companion.web.forms import key_of, move_data
from companion.web.parts import facts

Answer = BaseResponse | str | tuple[str, int]

PAGE = 100
"""Entries on a page."""

pages = Blueprint("history", __name__)
limited(pages)


@dataclass(slots=True)
class Line:
    """An entry, as the history shows it."""

    number: int
    written: str
    """When: UTC, ISO 8601; "" where nobody knows."""
    at: str
    """When, by the clock on the wall."""
    by: str
    sentences: list[str]
    remarks: list[str] = field(default_factory=list)
    is_struck: bool = False
    """Taken back: it does not count now."""
    is_amended: bool = False
    effect: str = ""
    """Whose points it changed: `Anna 7 → 9`."""
    may_amend: bool = False
    url: str = ""


@pages.get("/t/<code>/history")
def history(code: str) -> str:
    """Tell what happened at a table, the newest first, a hundred entries a page."""
    asker = asker_at(code)
    reading = log.read(asker.table)
    upto = min(request.args.get("to", reading.number, type=int), reading.number)
    lines = list(lines_of(asker, range(upto - PAGE + 1, upto + 1)))
    return render_template(
        "history.html",
        table=facts(asker.table, reading.play),
        entries=lines[::-1],
        seat=asker.seat,
        older=upto - PAGE if upto > PAGE else None,
        newer=upto + PAGE if upto < reading.number else None,
    )


@pages.get("/t/<code>/history/<int:number>")
def amend_form(code: str, number: int) -> str:
    """Show a move to who may amend it."""
    asker = asker_at(code)
    return _amend(asker, _ruled(asker, number))


@pages.post("/t/<code>/history/<int:number>")
def amend(code: str, number: int) -> Answer:
    """Replace a move, if every later one still holds."""
    asker = asker_at(code)
    typed = move_data(asker.table)
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


def _ruled(asker: Asker, number: int) -> Play[Any]:
    """Find a move that counts and that this phone may amend."""
    now = log.read(asker.table).play
    for play in now.moves():
        if play.asked and play.asked.number == number:
            if not referee.may_amend(asker, play, now.is_sealed(play)):
                raise NotYours
            return play
    raise NotThere


def lines_of(asker: Asker, wanted: range) -> Iterator[Line]:
    """Fold the log once more, and say what each entry did when it came; strike what does not count any more."""
    table, speak = asker.table, voice(asker.table)
    plays = [log.start(table)]
    entries = log.entries(table)
    for entry in entries:
        plays.append(log.after(table, plays[-1], entry))
    counting = {play.asked.number: play for play in plays[-1].moves() if play.asked}
    for entry, (before, play) in zip(entries, pairwise(plays), strict=True):
        if entry.number not in wanted:
            continue
        line = Line(entry.number, entry.at, _clock(entry.at), _who(asker, entry), [])
        if entry.kind == "move":
            ruled = counting.get(entry.number)
            line.is_struck = ruled is None
            # What was taken back is named, not told: a bid that was shown by it may be sealed again.
            line.sentences = [speak.event(event) for event in (ruled.events if ruled else play.events[:1])]
            if ruled:
                # Asked anew, even if for the same: whether a sealed bid has become another does not show.
                line.is_amended = ruled.asked is not play.asked
                line.remarks = [speak.rule(remark.rule, remark.facts) for remark in ruled.remarks]
                line.may_amend = referee.may_amend(asker, ruled, plays[-1].is_sealed(ruled))
                line.url = url_for("history.amend_form", code=table.code, number=entry.number)
        else:
            line.sentences = [parts.amended(play, speak) if entry.kind == "amend" else _deed(asker, entry, before)]
            line.effect = parts.effect(before, play, speak)
        yield line


def _who(asker: Asker, entry: Entry) -> str:
    return str(_("Host")) if entry.by is None else names(asker.table)[entry.by]


def _clock(at: str) -> str:
    """Tell the time of day where the companion runs, which is where the table is; "" for a move without a time."""
    return at and clock(at)


def _deed(asker: Asker, entry: Entry, before: Play[Any]) -> str:
    """Say what an entry that is no move did."""
    speak = voice(asker.table)
    if entry.kind == "seat":
        name = names(asker.table)[entry.seat or 0]
        deeds: dict[str, str] = {
            "sit": _("%(name)s sits down.", name=name),
            "stand": _("%(name)s leaves the seat.", name=name),
            "free": _("The seat of %(name)s is free for another phone.", name=name),
            "rename": _("The seat is now called %(name)s.", name=entry.data.get("name") or name),
        }
        return deeds[entry.data["act"]]
    if entry.kind == "table":
        acts: dict[str, str] = {
            "lock": _("The table is locked: nobody new can sit down."),
            "unlock": _("The table is open again."),
            "host": _("Another phone is the host now."),
            "describe": _("The place, the title or the book of this evening was changed."),
            "next": _("The next game: table %(code)s.", code=entry.data.get("code", "")),
        }
        return acts[entry.data["act"]]
    step = before if entry.kind == "take_back" else before.redo
    if step is None or step.asked is None:
        return ""
    if step.amended is not None:
        taken = _("Taken back: the change of entry %(number)s.", number=step.amended)
        put = _("Put back: the change of entry %(number)s.", number=step.amended)
        return str(taken if entry.kind == "take_back" else put)
    move = speak.headline(step.asked.move)
    taken, put = _("Taken back: %(move)s.", move=move), _("Put back: %(move)s.", move=move)
    return str(taken if entry.kind == "take_back" else put)


def _amend(
    asker: Asker, ruled: Play[Any], refusal: Refusal | None = None, typed: Mapping[str, Any] | None = None
) -> str:
    assert ruled.asked is not None
    data, now = write_move(ruled.game, ruled.seats, ruled.asked.move), log.read(asker.table).play
    return render_template(
        "amend.html",
        table=facts(asker.table, now),
        seat=asker.seat,
        entry={"number": ruled.asked.number, "sentence": voice(asker.table).event(ruled.events[0])},
        move=data["move"],
        form_fields=plain.amend_fields(ruled, voice(asker.table), now.is_sealed(ruled), typed),
        refusal=refusal,
        key="",
    )
