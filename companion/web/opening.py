"""Opening a table: who plays, by which rules, where, and in whose book it shall stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypedDict

from flask import Blueprint, redirect, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import going_on, quotas, wording
from companion.desk.asking import find_game, table_at
from companion.desk.context import Context
from companion.desk.keys import fresh_key
from companion.desk.language import language
from companion.desk.options import OptionField, fields_of, options_of, suggested
from companion.desk.phone import own_name, phone
from companion.desk.renewal import become_host
from companion.errors import BadName, BadNote, NotThere
from companion.fields import whole
from companion.game import AnyGame
from companion.intake import written
from companion.log import Table, groups
from companion.log.book import newest
from companion.log.rows import Group
from companion.log.unruled import UNRULED
from companion.phantoms.practice import is_practice
from companion.record import RecordError
from companion.tables import opening, seating
from companion.tables.noting import NO_NOTES, Notes
from companion.tables.seating import Asker
from companion.web.forms import key_of, notes_of, post_of_form, wrong_notes

Answer = BaseResponse | str | tuple[str, int]

pages = Blueprint("opening", __name__)

MORE_NAMES = 4
"""So many more names are offered than can play."""
LATELY = 6
"""So many of a phone's newest tables say what it played last, and with whom."""
SAME_EVENING_H = 12
"""So many hours after a table was opened, another one is of the same evening."""


class LastTable(TypedDict):
    """The last table of this phone where a game was played."""

    code: str
    names: tuple[str, ...]


class OpenPage(Context, template="open.html"):
    """Opening a table."""

    game: AnyGame
    seats: list[str]
    """One per seat, as typed; "" for a free one."""
    fields: list[OptionField]
    errors: Mapping[str, str]
    """What is wrong, by option; `players` for the names, `location` for the notes."""
    i_sit: str
    """The host's seat; "" for none."""
    again: str
    """The code of the table whose people play on; "" for none."""
    key: str
    """Makes sending it twice open one table."""
    groups: Sequence[Group]
    """Those of this phone."""
    notes: Notes
    is_taught: bool
    """Whether the first round is to be explained."""
    last: LastTable | None
    known: Sequence[str]
    """Who has played at this phone's tables lately."""


@pages.get("/open/<game>")
def open_form(game: str) -> str:
    """Ask who plays, and by which options."""
    chosen = find_game(game)
    names = [own_name(), *[""] * (chosen.usual_players - 1)]
    options: Mapping[str, Any] = suggested(chosen, language())
    before = Asker(table_at(request.args["again"]), phone()) if request.args.get("again") else None
    if before is not None and before.table.game == game and not is_practice(before.table):
        names, options = [seating.name for seating in before.table.seatings], _next_options(chosen, before.table)
    return _open(chosen, names, options, before=before)


@pages.post("/open/<game>")
def open(game: str) -> Answer:
    """Open a table, or show the form again with more seats, fewer, or what is wrong."""
    chosen = find_game(game)
    fewest, most = chosen.players[0], chosen.players[-1]
    # One name too many is enough to be refused for it.
    names, options = request.form.getlist("name")[: most + 1], options_of(chosen, request.form)
    if "more" in request.form or "fewer" in request.form:
        names = [*names, ""][:most] if "more" in request.form else _fewer(names)
        return _open(chosen, (names + [""] * fewest)[: max(len(names), fewest)], options)
    if (there := going_on.gone_on(request.form.get("again", ""))) is not None:
        return redirect(url_for("table.door", code=there), 303)
    quotas.spend(quotas.TABLES)
    become_host(request.form.get("key", ""))
    about: dict[str, Any] = {"notes": notes_of(request.form), "is_taught": _is_taught()}
    try:
        table = opening.open_table(chosen, options, names, phone(), **about, post=post_of_form())
    except RecordError as error:
        return _open(chosen, names, options, {error.place.removeprefix("options."): wording.reason(error)}), 422
    except BadName as error:
        return _open(chosen, names, options, {"players": wording.said(error)}), error.status
    except (BadNote, NotThere) as error:
        return _open(chosen, names, options, {"location": wrong_notes(error)}), error.status
    if (i_sit := request.form.get("i_sit")) in (seats := [str(seat) for seat in range(len(names))]):
        seat = seats.index(i_sit)
        seating.sit_down(Asker(table, phone()), seat, names[seat].strip() or _("Host"), key_of())
    going_on.lead_on(request.form.get("again", ""), table, key_of())
    return redirect(url_for("seats.seats", code=table.code), 303)


def _next_options(game: AnyGame, table: Table) -> Mapping[str, Any]:
    """Suggest the options of a table for the next one."""
    try:
        position = log.read(table).play.position
    except UNRULED:
        return {}
    return {**table.options, **(game.again(position) if game.standing(position).is_finished else {})}


def _last(game: AnyGame) -> LastTable | None:
    """Find the last table of this phone where a game was played."""
    found = next((table for table in newest(phone(), LATELY) if table.game == game.key), None)
    return {"code": found.code, "names": wording.names(found)} if found else None


def _known(game: AnyGame) -> list[str]:
    """List who has played at this phone's tables, whatever the game: those of the newest tables, more than can play."""
    names = dict.fromkeys(seat.name for table in newest(phone(), LATELY) for seat in table.seatings if seat.name)
    return list(names)[: game.players[-1] + MORE_NAMES]


def _notes(again: str) -> Notes:
    """Suggest where they play and in whose book: as at the table before, or at the last one of the same evening."""
    since = written(datetime.now(UTC) - timedelta(hours=SAME_EVENING_H))
    lately = (table for table in newest(phone(), 1) if table.opened >= since)
    before = log.find(again) if again else next(lately, None)
    if before is None:
        return NO_NOTES
    mine = {group.id for group in groups.groups_of(phone())}
    return Notes(location=before.location, group=before.group_id if before.group_id in mine else None)


def _is_taught() -> bool:
    return request.form.get("taught") == "1"


def _fewer(names: list[str]) -> list[str]:
    """Take the last seat away that is not the host's."""
    others, last = names[:-1], names[-1:]
    return others[:-1] + last if _i_sit(len(names)) == str(len(others)) else others


def _i_sit(seats: int, own: int | None = 0) -> str:
    """Read the host's seat, or the last one where that is gone, or its `own` where nothing is said; "" for none."""
    said = whole(request.form["i_sit"]) if "i_sit" in request.form else own
    return str(min(said, seats - 1)) if isinstance(said, int) else ""


def _open(
    game: AnyGame,
    names: list[str],
    options: Mapping[str, Any],
    errors: Mapping[str, str] | None = None,
    before: Asker | None = None,
) -> str:
    """Show the form.

    Args:
        game: which game.
        names: one per seat, "" for a free one.
        options: what is chosen, as data.
        errors: what is wrong, by option; `players` for the names.
        before: at the table whose people play on; None: as the form says.
    """
    again = before.table.code if before else request.form.get("again", "")
    own = before.seat if before else 0
    return OpenPage(
        game=game,
        seats=names,
        fields=fields_of(game, options, errors or {}),
        errors=errors or {},
        i_sit=_i_sit(len(names), own),
        again=again,
        key=fresh_key(),
        groups=groups.groups_of(phone()),
        notes=notes_of(request.form) if request.method == "POST" else _notes(again),
        is_taught=_is_taught(),
        last=_last(game) if request.method != "POST" and not again else None,
        known=_known(game),
    ).html()
