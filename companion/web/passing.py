"""What a finished game hands on to other programs: BG Stats, spreadsheets."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Blueprint, Response, json, redirect, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.evenings import Evening, bgsplay, link, plays_csv, rounds_csv
from companion.log import Table
from companion.play import Play
from companion.web import parts
from companion.web.guard import limited
from companion.web.options import fields_of
from companion.web.parts import names, voice
from companion.web.table import asker_at

pages = Blueprint("passing", __name__)
limited(pages)

CSV = "text/csv"
MADE = {"plays.csv": (CSV, plays_csv), "rounds.csv": (CSV, rounds_csv)}


@pages.get("/t/<code>/result")
def result(code: str) -> str:
    """Show how the game ended, with what can be passed on."""
    asker = asker_at(code)
    table, play = asker.table, log.read(asker.table).play
    evening = evening_of(table, play)
    bgstats = link(evening) if evening else ""
    return render_template("result.html", seat=asker.seat, bgstats=bgstats, **parts.result(table, play))


@pages.get("/t/<code>/plays.csv", defaults={"file": "plays.csv"})
@pages.get("/t/<code>/rounds.csv", defaults={"file": "rounds.csv"})
def table_csv(code: str, file: str) -> BaseResponse:
    """Give the play, or its course, to a spreadsheet."""
    evening = _evening_at(code)
    if evening is None:
        return redirect(url_for("passing.result", code=code))
    kind, write = MADE[file]
    return _file(write([evening]), kind, f"{evening.code}-{file}")


@pages.get("/t/<code>/play.bgsplay")
def table_bgsplay(code: str) -> BaseResponse:
    """Give the play to BG Stats, as a file."""
    evening = _evening_at(code)
    if evening is None:
        return redirect(url_for("passing.result", code=code))
    text = json.dumps(bgsplay([evening]), ensure_ascii=False)
    return _file(text.encode(), "application/json", f"{evening.code}.bgsplay")


def evening_of(table: Table, play: Play[Any]) -> Evening | None:
    """Sum up a table whose game is over; None while it is not."""
    game, ruled = play.game, table.result
    if ruled is None or not game.standing(play.position).is_finished:
        return None
    speak = voice(table)
    course = game.course(play.positions())
    return Evening(
        code=table.code,
        game=game,
        opened=_local(table.opened),
        closed=_local(table.closed or table.opened),
        players=names(table),
        begins=game.begins(play.start),
        standing=tuple(ruled["standing"]),
        options=", ".join(_chosen(table)),
        comments=" ".join(speak.event(reason) for reason in game.reasons(play.position)),
        course=course.lines if course else (),
    )


def _evening_at(code: str) -> Evening | None:
    """Sum up a table; None while its game is not over, which the page of the result says."""
    table = asker_at(code).table
    return evening_of(table, log.read(table).play)


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


def _local(written: str) -> datetime:
    """Tell a time by the clock on the wall, where the companion runs."""
    return datetime.fromisoformat(written).astimezone()


def _file(content: bytes, kind: str, name: str) -> Response:
    return Response(content, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
