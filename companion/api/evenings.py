"""The book of evenings for programs: found again, looked at move by move; and the groups that share one."""

from __future__ import annotations

from typing import Any

from companion import log
from companion.api import evening_schemas as schemas
from companion.api.asking import key_of, known_asker, own_seat, post_of
from companion.api.description import Blueprint
from companion.api.play import view_of
from companion.api.schemas import LookSchema
from companion.desk import quotas, shelf, steps, wording
from companion.desk.asking import asker_at, find_group
from companion.desk.phone import is_known, phone, token
from companion.errors import NoToken
from companion.games import known
from companion.log import book, groups
from companion.log.rows import Group
from companion.record import winners
from companion.tables import noting
from companion.tables.halting import BROKEN_OFF
from companion.tables.noting import Notes

pages = Blueprint("api-evenings", __name__, description="Evenings")


@pages.get("/book")
@pages.arguments(schemas.SearchingSchema, location="query")
@pages.response(200, schemas.EveningsSchema)
@pages.doc(security=[{"token": []}])
@pages.may_fail(401, 404, is_counted=False)
def evenings(query: dict[str, Any]) -> dict[str, Any]:
    """List the evenings of the token, or of one of its groups, the newest first, fifty a page."""
    _check_known()
    what = shelf.selection()
    found = book.evenings(what.book, what.search, shelf.PAGE, query["page"])
    return {"count": book.count(what.book, what.search), "evenings": [_evening(table) for table in found]}


@pages.put("/tables/<code>/notes")
@pages.changes(schemas.NotesSchema, schemas.EveningSchema)
def describe(body: dict[str, Any], code: str) -> dict[str, Any]:
    """Note where and for what a table is played, and in whose book it stands."""
    asker = known_asker(code)
    noting.describe(asker, Notes(**body), key_of())
    log.rest()
    return _evening(asker_at(code).table)


@pages.get("/tables/<code>/steps/<int:step>")
@pages.kept
@pages.arguments(LookSchema, location="query")
@pages.response(200, schemas.ThenSchema)
@pages.may_fail(401, 403, 404, 409)
def step(query: dict[str, Any], code: str, step: int) -> dict[str, Any]:
    """Look at a play as it stood after so many moves; until it is over, with the eyes of the token's own seats."""
    asker = asker_at(code)
    then = steps.moment_of(asker, step, query.get("seat") if asker.table.closed else own_seat(asker, query.get("seat")))
    speak = wording.voice(asker.table)
    return {
        "game": asker.table.game,
        "step": then.at,
        "last": then.last,
        "seat": then.seat,
        "events": [speak.event(event) for event in then.play.events],
        "remarks": [speak.rule(remark.rule, remark.facts) for remark in then.play.remarks],
        "view": view_of(then.play, then.seat),
    }


@pages.get("/groups")
@pages.response(200, schemas.GroupsSchema)
@pages.doc(security=[{"token": []}])
@pages.may_fail(401, is_counted=False)
def all_groups() -> dict[str, Any]:
    """List the groups of the token, with their keys."""
    return _groups()


@pages.post("/groups")
@pages.changes(schemas.FoundingSchema, schemas.JoinedSchema, 201, by_anyone=True)
def found_group(body: dict[str, Any]) -> dict[str, Any]:
    """Found a group that keeps a book together."""
    quotas.spend(quotas.TABLES)
    return {"group": _group(groups.found(body["name"], phone(), post_of())), "token": token()}


@pages.put("/groups/<key>")
@pages.changes(schemas.JoiningSchema, schemas.JoinedSchema, by_anyone=True)
def join_group(body: dict[str, Any], key: str) -> dict[str, Any]:
    """Join a group by its evening key."""
    group = find_group(key)
    groups.join(group, phone())
    return {"group": _group(group), "token": token()}


@pages.delete("/groups/<key>")
@pages.changes(None, schemas.GroupsSchema)
def leave_group(key: str) -> dict[str, Any]:
    """Leave a group."""
    _check_known()
    groups.leave(find_group(key), phone())
    return _groups()


def _groups() -> dict[str, Any]:
    _check_known()
    return {"groups": [_group(group) for group in groups.groups_of(phone())]}


def _check_known() -> None:
    if not is_known():
        raise NoToken


def _group(group: Group) -> dict[str, Any]:
    return {"group": group.id, "name": group.name, "key": group.key, "phones": groups.phones(group)}


def _evening(table: log.Table) -> dict[str, Any]:
    won = None if table.result is None else winners(known(table.game), table.result)
    return {
        "code": table.code,
        "game": table.game,
        "opened": table.opened,
        "closed": table.closed,
        "is_broken_off": table.halt == BROKEN_OFF,
        "location": table.location,
        "title": table.title,
        "players": [
            {
                "seat": place.seat,
                "name": place.name,
                "rank": place.rank,
                "score": place.score,
                "has_won": None if won is None else place.seat in won,
            }
            for place in table.seatings
        ],
    }
