"""The history of a table: every entry as a sentence, who entered it, and the way to amend it."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import wording
from companion.desk.asking import asker_at
from companion.desk.context import Context
from companion.desk.history import PAGE, ShownEntry, shown_entries
from companion.desk.wording import TableFacts, facts, refusal_of
from companion.errors import CompanionError, NotThere, NotYours, Stale
from companion.play import Broken
from companion.record import RecordError
from companion.tables import amending, starting
from companion.tables.referee import check_going
from companion.tables.seating import Asker
from companion.web.amending import Draft, broken_page, page_of, posted_change
from companion.web.forms import key_of

Answer = BaseResponse | str | tuple[str, int]


pages = Blueprint("history", __name__)


class HistoryPage(Context, template="history.html"):
    """What happened at a table, the newest first."""

    table: TableFacts
    seat: int | None
    entries: list[ShownEntry]
    older: int | None
    """The number that the page before ends with; None on the first."""
    newer: int | None
    may_begin_again: bool
    """Whether this phone may change how the table was begun, as it is now."""


@pages.get("/t/<code>/history")
def history(code: str) -> str:
    """Tell what happened at a table, the newest first, a hundred entries a page."""
    asker = asker_at(code)
    reading = log.read(asker.table)
    upto = min(max(1, request.args.get("to", reading.number, type=int)), reading.number)
    entries = list(shown_entries(asker, reading, range(upto - PAGE + 1, upto + 1)))
    return HistoryPage(
        table=facts(asker.table, reading.play),
        may_begin_again=starting.may_begin_again(asker, reading.play),
        entries=entries[::-1],
        seat=asker.seat,
        older=upto - PAGE if upto > PAGE else None,
        newer=upto + PAGE if upto < reading.number else None,
    ).html()


@pages.get("/t/<code>/history/<int:number>")
def amend_form(code: str, number: int) -> Answer:
    """Show to who may amend a move what was seen before it, with the keys of then; the history, if it was struck."""
    asker = asker_at(code)
    check_going(asker.table)
    try:
        return page_of(asker, Draft((), number))
    except NotThere:
        if not _was_there(asker, number):
            raise
        return redirect(url_for("history.history", code=asker.table.code, _anchor=f"entry-{number}"))


def _was_there(asker: Asker, number: int) -> bool:
    """Tell whether an entry was a move, which somebody has taken back meanwhile."""
    return any(entry.number == number for entry in log.entries(asker.table, kind="move"))


@pages.post("/t/<code>/history/<int:number>")
def amend(code: str, number: int) -> Answer:
    """Replace a move; a later one that would no longer hold is named, and asked for."""
    asker = asker_at(code)
    draft, change = posted_change(asker, number)
    changes = *draft.changes, change
    try:
        ruling = amending.amend(asker, changes[0], key_of(), changes[1:])
        if isinstance(ruling, Broken):
            return broken_page(asker, draft, changes, ruling), 422
    except RecordError as error:
        raise wording.malformed(log.game_of(asker.table), error) from None
    except NotYours:
        raise
    except NotThere:
        raise (Stale() if _was_there(asker, number) else NotThere()) from None
    except CompanionError as error:
        shown = Draft((), number) if isinstance(error, Stale) else draft
        return page_of(asker, shown, refusal_of(asker.table, error)), error.status
    return redirect(url_for("history.history", code=asker.table.code), 303)
