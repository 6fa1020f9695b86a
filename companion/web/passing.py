"""What a finished game hands on to other programs: BG Stats, spreadsheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, stream_with_context, url_for
from flask_babel import gettext as _
from flask_babel import ngettext
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import wording
from companion.desk.asking import asker_at
from companion.desk.dates import day
from companion.desk.guard import limited
from companion.desk.options import fields_of
from companion.desk.phone import phone
from companion.desk.wording import names, voice
from companion.errors import UNRULED, BadNote, CompanionError, NotOver, NotThere, NotYours
from companion.games import known
from companion.intake import local
from companion.log import Table, groups, raw
from companion.play import Play
from companion.record import winners
from companion.tables import evenings, seating
from companion.tables.evenings import Evening, link
from companion.tables.seating import Asker, Notes
from companion.web import parts
from companion.web.forms import key_of, notes_of
from companion.words import Voice

pages = Blueprint("passing", __name__)
limited(pages)


@pages.get("/t/<code>/result")
def result(code: str) -> str:
    """Show how the game ended, with what can be passed on."""
    asker = asker_at(code)
    table, play = asker.table, log.read(asker.table).play
    evening = evening_of(table)
    return render_template(
        "result.html",
        seat=asker.seat,
        may_describe=asker.is_host or asker.seat is not None,
        bgstats=link(evening) if evening else "",
        text=_text(evening, voice(table)) if evening else "",
        **parts.result(table, play),
    )


@pages.get("/t/<code>/files/<file>")
def table_file(code: str, file: str) -> BaseResponse:
    """Hand a play on; one that is not over leads to the page that says so."""
    table = asker_at(code).table
    try:
        return handed_on(table, file)
    except NotOver:
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
        seating.describe(asker, notes_of(request.form), key_of())
    except BadNote as error:
        return _evening(asker, wording.said(error)), error.status
    return redirect(url_for("passing.evening_form", code=asker.table.code), 303)


def _evening(asker: Asker, error: str = "") -> str:
    if not asker.is_host and asker.seat is None:
        raise NotYours
    table = asker.table
    notes = Notes(table.location, table.title, table.group_id)
    return render_template(
        "evening.html",
        table=parts.facts(table, log.read(table).play),
        seat=asker.seat,
        groups=groups.groups_of(phone()),
        notes=notes_of(request.form) if error else notes,
        is_in_another=table.group_id is not None,
        error=error,
    )


def handed_on(table: Table, file: str) -> Response:
    """Hand a play on to a spreadsheet, to BG Stats, or as a record. Raises: NotOver, NotThere."""
    if file not in FILES:
        raise NotThere
    kind, write = FILES[file]
    return answered(list(write(table)), kind, f"{table.code}-{file}")


def _evening_alone(table: Table) -> list[Evening]:
    evening = evening_of(table)
    if evening is None:
        raise NotOver
    return [evening]


FILES: Mapping[str, tuple[str, Callable[[Table], Iterable[bytes]]]] = {
    "plays.csv": ("text/csv", lambda table: evenings.plays_csv(_evening_alone(table))),
    "rounds.csv": ("text/csv", lambda table: evenings.rounds_csv(_evening_alone(table))),
    "play.bgsplay": ("application/json", lambda table: evenings.bgsplay(_evening_alone(table))),
    "record.json": ("application/json", lambda table: [evenings.record_json(record(table))]),
}
"""What a play can be handed on as: its kind, and how it is written."""


Tell = Callable[[CompanionError], None]
"""Is told what cannot be ruled on any more."""


def told_elsewhere(error: CompanionError) -> None:
    """Say nothing: pages name these tables, and an archive names what is not in it."""


def finished(tables: Iterable[Table], tell: Tell) -> Iterator[Evening]:
    """Sum up the tables whose games are over."""
    return filter(None, (evening_of(table, tell) for table in tables))


def evening_of(table: Table, tell: Tell | None = None) -> Evening | None:
    """Sum up a table whose game is over; None while it is not.

    Args:
        table: which one.
        tell: is told where nothing but the stored result is known.

    Raises:
        GameMissing, LogRefused: so it is, and nobody is there to be told.
    """
    if table.result is None:
        return None
    evening = Evening(
        code=table.code,
        game=known(table.game),
        opened=local(table.opened),
        closed=local(table.closed or table.opened),
        players=names(table),
        begins=None,
        standing=tuple(table.result["standing"]),
        winners=winners(known(table.game), table.result),
        options="",
        comments="",
        location=table.location,
    )
    try:
        return _played(evening, table, log.fold(table))
    except UNRULED as error:
        if tell is None:
            raise
        tell(error)
        return evening


def _played(evening: Evening, table: Table, play: Play[Any]) -> Evening:
    """Add what only the game knows."""
    speak, course = voice(table), play.game.course(play.positions())
    return replace(
        evening,
        begins=play.game.begins(play.start),
        options=", ".join(_chosen(table)),
        comments=" ".join(speak.event(reason) for reason in play.game.reasons(play.position)),
        course=course.lines if course else (),
    )


def record(table: Table) -> dict[str, Any]:
    """Write the record of a table; where its log does not hold here, as it was entered, if nothing of it may be secret.

    Raises:
        GameMissing, LogRefused: something may be.
    """
    try:
        return log.record_of(table)
    except UNRULED:
        seats = Asker(table, phone()).seats
        if not all(raw.is_open(table, entry, seats) for entry in log.entries(table)):
            raise
        return raw.record(table)


def records(tables: Iterable[Table], tell: Tell, write: Callable[[Table], dict[str, Any]] = record) -> Iterator[bytes]:
    """Write an archive of records; what has to be left out is named in it."""
    left_out: list[str] = []

    def written() -> Iterator[dict[str, Any]]:
        for table in tables:
            try:
                yield write(table)
            except UNRULED as error:
                tell(error)
                left_out.append(wording.said(error))

    return evenings.records_zip(written(), left_out)


def answered(content: Iterable[bytes], kind: str, name: str) -> Response:
    """Answer with a file to keep."""
    sent = stream_with_context(iter(content))
    return Response(sent, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


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
    told = [f"{evening.game.name}, {when}", " · ".join(filter(None, about)), *lines, evening.comments]
    return "\n".join(filter(None, told))


def _chosen(table: Table) -> list[str]:
    """Name the options that were chosen, in the reader's words."""
    fields = [field for field in fields_of(log.game_of(table), table.options, {}) if field["name"] in table.options]
    said = []
    for field in fields:
        if field["kind"] == "switch" and field["value"]:
            said.append(str(field["label"]))
        said += [
            str(_("%(option)s: %(value)s", option=field["label"], value=label))
            for value, label, _help in field["choices"]
            if value == field["value"]
        ]
    return said
