"""What a finished game hands on to other programs: BG Stats, spreadsheets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, redirect, request, url_for
from flask_babel import ngettext
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk.asking import asker_at
from companion.desk.context import Context
from companion.desk.dates import day
from companion.desk.passing import evening_of, handed_on
from companion.desk.phone import phone
from companion.desk.result import result_picture
from companion.desk.wording import TableFacts, facts, voice
from companion.errors import BadNote, BrokenOff, NotOver, NotThere, NotYours
from companion.game import Place
from companion.log import groups
from companion.log.rows import Group
from companion.record import winners
from companion.tables import noting
from companion.tables.evenings import Evening, link
from companion.tables.noting import Notes
from companion.tables.seating import Asker
from companion.web.forms import key_of, notes_of, wrong_notes
from companion.web.telling import as_data, end_of
from companion.words import Voice

pages = Blueprint("passing", __name__)


class ResultPage(Context, template="result.html"):
    """How a game ended, to look at and to pass on."""

    table: TableFacts
    seat: int | None
    names: Sequence[str]
    say: Callable[[Any], str]
    end: dict[str, Any] | None
    """What there is to say of it beside the score; None while the game runs."""
    places: tuple[Place, ...]
    winners: Sequence[int]
    """Seats; none where all have lost."""
    may_describe: bool
    bgstats: str
    """Leads into BG Stats; "" while the game runs."""
    text: str
    """The play in words; "" while it runs."""


class EveningPage(Context, template="evening.html"):
    """Where and for what a table is played, and in whose book it stands."""

    table: TableFacts
    seat: int | None
    groups: Sequence[Group]
    """Those of this phone."""
    notes: Notes
    is_in_another: bool
    """Whether it stands in the book of a group."""
    error: str


@pages.get("/t/<code>/result")
def result(code: str) -> str:
    """Show how the game ended, with what can be passed on."""
    asker = asker_at(code)
    table, play = asker.table, log.read(asker.table).play
    speak, standing, evening = voice(table), play.game.standing(play.position), evening_of(table)
    about = facts(table, play)
    return ResultPage(
        table=about,
        seat=asker.seat,
        names=speak.players,
        say=speak.say,
        end=as_data(end_of(table, play, speak)) if standing.is_finished else None,
        places=standing.places,
        winners=winners(play.game, table.result) if table.result else (),
        may_describe=(asker.is_host or asker.seat is not None) and not about.is_practice,
        bgstats=link(evening) if evening else "",
        text=_text(evening, speak) if evening else "",
    ).html()


@pages.get("/t/<code>/result.png")
def picture(code: str) -> BaseResponse:
    """Draw how the game ended; one that is not over leads to the page that says so."""
    table = asker_at(code).table
    try:
        return result_picture(table)
    except NotOver:
        return redirect(url_for("passing.result", code=table.code))


@pages.get("/t/<code>/files/<file>")
def table_file(code: str, file: str) -> BaseResponse:
    """Hand a play on; one that is not over leads to the page that says so."""
    table = asker_at(code).table
    try:
        return handed_on(table, file)
    except (NotOver, BrokenOff):
        return redirect(url_for("passing.result", code=table.code))


@pages.get("/t/<code>/evening")
def evening_form(code: str) -> str:
    """Ask where and for what the table is played, and in whose book it shall stand."""
    return _evening(asker_at(code))


@pages.post("/t/<code>/evening")
def describe(code: str) -> BaseResponse | tuple[str, int]:
    """Note it."""
    asker = asker_at(code)
    try:
        noting.describe(asker, notes_of(request.form), key_of())
    except (BadNote, NotThere) as error:
        return _evening(asker, wrong_notes(error)), error.status
    return redirect(url_for("passing.evening_form", code=asker.table.code), 303)


def _evening(asker: Asker, error: str = "") -> str:
    if not asker.is_host and asker.seat is None:
        raise NotYours
    table, mine = asker.table, groups.groups_of(phone())
    notes = notes_of(request.form) if error else Notes(table.location, table.title)
    chosen = notes.group if notes.group in {0, *(group.id for group in mine)} else table.group_id
    return EveningPage(
        table=facts(table, log.read(table).play),
        seat=asker.seat,
        groups=mine,
        notes=replace(notes, group=chosen),
        is_in_another=table.group_id is not None,
        error=error,
    ).html()


def _text(evening: Evening, speak: Voice) -> str:
    """Tell the play in words that any program takes: a message, a comment of a logged play, a forum."""
    when = day(evening.opened, "long")
    minutes = ngettext("%(num)s minute", "%(num)s minutes", evening.minutes) if evening.minutes else ""
    about = [evening.location, minutes, evening.options]
    lines = [
        f"{place['rank']}. {evening.players[place['seat']]}: {speak.say(place['score'])}" for place in evening.standing
    ]
    if evening.game.is_shared:
        lines = [f"{', '.join(evening.players)}: {speak.say(evening.standing[0]['score'])}"]
    told = [f"{evening.called}, {when}", " · ".join(filter(None, about)), *lines, evening.comments]
    return "\n".join(filter(None, told))
