"""A table that nobody can rule on here: what it needs, its stored result, and its log as it was entered."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypedDict

from flask import Response, make_response, request
from flask_babel import gettext as _

from companion import log
from companion.desk.context import Context
from companion.desk.dates import day_and_clock
from companion.desk.phone import phone
from companion.desk.wording import names, said
from companion.errors import CompanionError
from companion.games import known
from companion.log import Entry, Table
from companion.play import OVER
from companion.tables import holders
from companion.tables.seating import Asker

PAGE = 100
"""Entries on a page."""


class ShownPlace(TypedDict):
    """Who sat there, and how it ended."""

    name: str
    rank: int | None
    score: int | None


class RawEntry(TypedDict):
    """An entry as it is stored."""

    number: int
    kind: str
    data: str
    """As JSON; "" where it may be a secret."""
    seat: str
    """Its name; "" where the entry is about none."""
    by: str
    written: str
    """When: UTC, ISO 8601; "" where nobody knows."""
    at: str
    """When, by the clock on the wall."""
    is_open: bool
    """Nothing of it is kept back."""


class UnruledPage(Context, template="unruled.html"):
    """A table that nobody can rule on here."""

    title: str
    message: str
    code: str
    game: str
    """Its name."""
    places: list[ShownPlace]
    entries: list[RawEntry]
    older: int | None
    """The number that the page before ends with; None on the first."""
    newer: int | None
    is_open: bool
    """Nothing of the log is kept back."""


def page(error: CompanionError) -> Response | None:
    """Show the table that an error is about; None where there is no such."""
    table = log.find(str(error.facts.get("code")))
    if table is None:
        return None
    entries, asker = log.entries(table), Asker(table, phone())
    readable = holders.readable(asker, entries)
    last = entries[-1].number if entries else 0
    upto = max(1, min(request.args.get("to", last, type=int), last))
    shown = UnruledPage(
        title=_(error.title),
        message=said(error),
        code=table.code,
        game=known(table.game).called(table.options),
        places=_places(table, entries),
        entries=[
            _raw(asker, entry, entry.number in readable) for entry in entries if upto - PAGE < entry.number <= upto
        ][::-1],
        older=upto - PAGE if upto > PAGE else None,
        newer=upto + PAGE if upto < last else None,
        is_open=len(readable) == len(entries),
    )
    return make_response(shown.html(), error.status)


def _places(table: Table, entries: Sequence[Entry]) -> list[ShownPlace]:
    """Say who sat there, and how it ended, or how it stood last, as it was ruled then."""
    stood = next((entry.standing for entry in reversed(entries) if entry.standing), "")
    last = [tuple(map(int, place.split(":"))) for place in stood.split() if place != OVER]
    known = [(seating.rank, seating.score) for seating in table.seatings]
    if len(last) == len(known) and table.closed is None:
        known = [(rank, score) for rank, score in last]
    shown = zip(names(table), known, strict=True)
    return [
        {"name": name, "rank": rank, "score": score}
        for name, (rank, score) in sorted(shown, key=lambda one: one[1][0] or 0)
    ]


def _raw(asker: Asker, entry: Entry, is_open: bool) -> RawEntry:
    """Tell an entry as it is stored; what may be a secret is not told."""
    named = names(asker.table)
    return {
        "number": entry.number,
        "kind": entry.kind,
        "data": json.dumps(entry.data, ensure_ascii=False) if is_open else "",
        "seat": "" if entry.seat is None else named[entry.seat],
        "by": _("Host") if entry.by is None else named[entry.by],
        "written": entry.at or "",
        "at": day_and_clock(entry.at) if entry.at else "",
        "is_open": is_open,
    }
