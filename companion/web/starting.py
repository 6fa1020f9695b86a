"""The page for what was wrong from the start: the options, who begins, who sits where; every move is judged again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import wording
from companion.desk.asking import asker_at
from companion.desk.context import Context
from companion.desk.keys import fresh_key
from companion.desk.options import OptionField, fields_of, options_of
from companion.desk.wording import TableFacts, facts, names
from companion.errors import NotThere
from companion.fields import whole
from companion.log import Table
from companion.play import Broken
from companion.record import RecordError, reseated
from companion.tables import starting
from companion.tables.amending import Change
from companion.tables.seating import Asker
from companion.tables.starting import Meant, moved_by
from companion.web.amending import Draft, broken_page, posted_change
from companion.web.forms import key_of, number_of

Answer = BaseResponse | str | tuple[str, int]

pages = Blueprint("starting", __name__)


class StartPage(Context, template="start.html"):
    """What was wrong from the start."""

    table: TableFacts
    seat: int | None
    seats: Sequence[str]
    """Who sits there, clockwise, in the order that is chosen."""
    order: str
    """The seats of now, in that order."""
    fields: list[OptionField]
    key: str
    """Of the form."""


@pages.get("/t/<code>/start")
def start_form(code: str) -> str:
    """Show to the host how the table was begun."""
    asker = asker_at(code)
    starting.check(asker, log.read(asker.table).play)
    return _page(asker, Meant(asker.table.options, tuple(range(len(asker.table.seatings)))))


@pages.post("/t/<code>/start")
def start(code: str) -> Answer:
    """Let it have been begun otherwise; a move that would no longer hold is named, and asked for."""
    asker = asker_at(code)
    if "entry" in request.form:
        draft, change = posted_change(asker, None)
        return _begin_again(asker, draft, (*draft.changes, change))
    meant = _typed(asker.table)
    if "up" in request.form:
        starting.check(asker, log.read(asker.table).play)
        return _page(asker, _raised(asker.table, meant, number_of("up")))
    return _begin_again(asker, Draft((), 0, meant), ())


def _begin_again(asker: Asker, draft: Draft, changes: tuple[Change, ...]) -> Answer:
    meant = draft.meant or Meant()
    try:
        ruling = starting.begin_again(asker, meant, key_of(), changes)
        if isinstance(ruling, Broken):
            return broken_page(asker, draft, changes, ruling), 422
    except RecordError as error:
        if not error.place.startswith("options."):
            raise wording.malformed(log.game_of(asker.table), error) from None
        return _page(asker, meant, {error.place.removeprefix("options."): wording.reason(error)}), 422
    return redirect(url_for("history.history", code=asker.table.code), 303)


def _typed(table: Table) -> Meant:
    """Read how the table was meant; options that no form shows stay as they are. Raises: Malformed."""
    game, order = log.game_of(table), [whole(seat) for seat in request.form.get("order", "").split(".")]
    moved = moved_by(order, len(table.seatings))
    asked = {field["name"] for field in fields_of(game, table.options, {})}
    others = {name: value for name, value in table.options.items() if name not in asked}
    options = {**reseated(game.options, others, moved), **options_of(game, request.form)}
    return Meant(options, tuple(int(seat) for seat in order if seat is not None))


def _raised(table: Table, meant: Meant, place: int) -> Meant:
    """Let somebody change places with who sits before. Raises: NotThere."""
    order = list(meant.order or ())
    if place not in range(1, len(order)):
        raise NotThere
    order[place - 1], order[place] = order[place], order[place - 1]
    moved = list(range(len(order)))
    moved[place - 1], moved[place] = place, place - 1
    return Meant(reseated(log.game_of(table).options, meant.options or {}, moved), tuple(order))


def _page(asker: Asker, meant: Meant, errors: Mapping[str, str] | None = None) -> str:
    table, order = asker.table, meant.order or ()
    options: Mapping[str, Any] = meant.options or {}
    return StartPage(
        table=facts(table, log.read(table).play),
        seat=asker.seat,
        seats=[names(table)[seat] for seat in order],
        order=".".join(map(str, order)),
        fields=fields_of(log.game_of(table), options, errors or {}),
        key=fresh_key(),
    ).html()
