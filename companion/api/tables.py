"""A table: opened, joined, played and read by programs, in the same way as by its pages."""

from __future__ import annotations

from typing import Any

from flask import Response

from companion import log
from companion.api import schemas, table_schemas
from companion.api.asking import key_of, known_asker, post_of
from companion.api.description import Blueprint
from companion.api.games import BINARY, GAME, ITEM, PDF
from companion.desk import addresses, passing, practising, quotas, wording
from companion.desk.asking import asker_at, find_game
from companion.desk.language import language
from companion.desk.paper import DOCUMENT, file_of, of_table
from companion.desk.phone import phone, token
from companion.desk.silence import silence_data
from companion.errors import Malformed
from companion.games import GAMES
from companion.push.hearing import hearing
from companion.record import RecordError
from companion.tables import halting, onward, opening, seating, succession
from companion.tables.importing import import_record
from companion.tables.seating import Asker

pages = Blueprint("api-tables", __name__, description="Tables")


@pages.post("/tables")
@pages.changes(table_schemas.OpeningSchema, table_schemas.AdmittedSchema, 201, by_anyone=True)
def open_table(body: dict[str, Any]) -> dict[str, Any]:
    """Open a table; the token that comes back is its host's."""
    game = GAMES[body["game"]]
    quotas.spend(quotas.TABLES)
    try:
        about = {"is_taught": body["is_taught"], "post": post_of()}
        table = opening.open_table(game, body["options"], body["players"], phone(), **about)
    except RecordError as error:
        raise Malformed(place=error.place, reason=wording.reason(error)) from None
    return {"table": _table(Asker(table, phone())), "token": token()}


@pages.route("/games/<game>/practice", methods=["POST"], parameters=[GAME])
@pages.changes(table_schemas.PracticeSchema, table_schemas.AdmittedSchema, 201, by_anyone=True)
def open_practice(body: dict[str, Any], game: str) -> dict[str, Any]:
    """Open a table where phantoms play the other seats; the token that comes back is that of seat 0, and of no host."""
    table = practising.begin(find_game(game), body["name"], post_of(), key_of())
    return {"table": _table(Asker(table, phone())), "token": token()}


@pages.post("/records")
@pages.changes(schemas.RecordSchema, table_schemas.AdmittedSchema, 201, by_anyone=True)
def bring_record(body: dict[str, Any]) -> dict[str, Any]:
    """Open a table from a record, the whole of it or nothing."""
    quotas.spend(quotas.RECORDS)
    try:
        with quotas.place(quotas.RECORDS):
            table = import_record(body, phone(), language(), post_of())
    except RecordError as error:
        raise Malformed(place=error.place or "record", reason=wording.reason(error)) from None
    return {"table": _table(Asker(table, phone())), "token": token()}


@pages.get("/tables/<code>")
@pages.kept
@pages.response(200, table_schemas.TableSchema)
@pages.may_fail(404, 409)
def table(code: str) -> dict[str, Any]:
    """Tell about a table: who sits where, and how far it is."""
    return _table(asker_at(code))


@pages.put("/tables/<code>/lock")
@pages.changes(table_schemas.LockSchema, table_schemas.TableSchema)
def lock(body: dict[str, Any], code: str) -> dict[str, Any]:
    """Let nobody else sit down, or let them again; the host does."""
    asker = known_asker(code)
    seating.lock(asker, body["is_locked"], key_of())
    return _table(_anew(asker))


@pages.put("/tables/<code>/lessons")
@pages.changes(table_schemas.TaughtSchema, table_schemas.TableSchema)
def teach(body: dict[str, Any], code: str) -> dict[str, Any]:
    """Explain the first round on the pages as it is played, or no more; the host does."""
    asker = known_asker(code)
    seating.teach(asker, body["is_taught"], key_of())
    return _table(_anew(asker))


@pages.put("/tables/<code>/host")
@pages.changes(table_schemas.HostSchema, table_schemas.TableSchema)
def hand_over(body: dict[str, Any], code: str) -> dict[str, Any]:
    """Make the phone of a seat the host; the host does."""
    asker = known_asker(code)
    seating.hand_over(asker, body["seat"], key_of())
    return _table(_anew(asker))


@pages.post("/tables/<code>/host")
@pages.changes(table_schemas.HostSchema, table_schemas.TableSchema)
def take_on(body: dict[str, Any], code: str) -> dict[str, Any]:
    """Want a seat for the host, in the place of one who is not heard; it is, once all who are there want it."""
    asker = known_asker(code)
    succession.vote(asker, body["seat"], hearing().ago, key_of())
    return _table(_anew(asker))


@pages.post("/tables/<code>/host/back")
@pages.changes(table_schemas.NothingSchema, table_schemas.TableSchema)
def reclaim(_body: dict[str, Any], code: str) -> dict[str, Any]:
    """Be the host again, after others took the table on; until the next move."""
    asker = known_asker(code)
    succession.reclaim(asker, key_of())
    return _table(_anew(asker))


@pages.put("/tables/<code>/halt")
@pages.changes(table_schemas.HaltSchema, table_schemas.TableSchema)
def halt(body: dict[str, Any], code: str) -> dict[str, Any]:
    """Pause the game, break it off without a winner (the host does), or go on."""
    asker = known_asker(code)
    acts = {halting.PAUSED: halting.pause, halting.BROKEN_OFF: halting.break_off, "": halting.resume}
    acts[body["halt"]](asker, key_of())
    return _table(_anew(asker))


@pages.put("/tables/<code>/seats/<int:seat>")
@pages.changes(table_schemas.SittingSchema, table_schemas.AdmittedSchema, by_anyone=True)
def sit_down(body: dict[str, Any], code: str, seat: int) -> dict[str, Any]:
    """Take a free seat; the token that comes back is the seat's."""
    asker = asker_at(code)
    onward.check_here(asker)
    seating.sit_down(asker, seat, body["name"], key_of())
    return {"table": _table(_anew(asker)), "token": token()}


@pages.delete("/tables/<code>/seats/<int:seat>")
@pages.changes(None, table_schemas.TableSchema)
def leave(code: str, seat: int) -> dict[str, Any]:
    """Leave one's seat, or as the host take it away from its phone; nothing that was entered is lost."""
    asker = known_asker(code)
    seating.leave(asker, seat, key_of())
    return _table(_anew(asker))


@pages.put("/tables/<code>/seats/<int:seat>/hand")
@pages.changes(table_schemas.HandSchema, table_schemas.TableSchema)
def play_on(body: dict[str, Any], code: str, seat: int) -> dict[str, Any]:
    """Let a seat be played on by another hand, whose player has to go; it loses its phone."""
    asker = known_asker(code)
    seating.go(asker, seat, body["hand"], key_of())
    return _table(_anew(asker))


@pages.put("/tables/<code>/seats/<int:seat>/name")
@pages.changes(table_schemas.NameSchema, table_schemas.TableSchema)
def rename(body: dict[str, Any], code: str, seat: int) -> dict[str, Any]:
    """Change the name at a seat."""
    asker = known_asker(code)
    seating.rename(asker, seat, body["name"], key_of())
    return _table(_anew(asker))


@pages.get("/tables/<code>/record")
@pages.kept
@pages.response(200, schemas.RecordSchema)
@pages.may_fail(404, 409)
def table_record(code: str) -> dict[str, Any]:
    """Read the table's record; while something is sealed, it ends where all was open."""
    return passing.record(asker_at(code).table)


@pages.route("/tables/<code>/sheets/<item>", methods=["GET"], parameters=[ITEM])
@pages.arguments(schemas.PrintingSchema, location="query")
@pages.response(200, BINARY, content_type=PDF)
@pages.may_fail(404, 409, 503)
def table_sheet(query: dict[str, Any], code: str, item: str) -> Response:
    """Print something of a table: its score sheet as far as it is played, its rules, its QR code."""
    return file_of(of_table(code, item), DOCUMENT)


def _anew(asker: Asker) -> Asker:
    """Read the table anew, after a change."""
    log.rest()
    return asker_at(asker.table.code)


def _table(asker: Asker) -> dict[str, Any]:
    table, reading = asker.table, log.read(asker.table)
    return {
        "code": table.code,
        "game": table.game,
        "rules": table.rules,
        "options": table.options,
        "seats": [
            {
                "seat": place.seat,
                "name": place.name,
                "is_taken": place.phone is not None,
                "is_yours": place.phone == asker.phone,
                "has_left": place.has_left,
                "hand": place.hand,
            }
            for place in table.seatings
        ],
        "number": reading.number,
        "is_locked": table.is_locked,
        "is_taught": table.is_taught,
        "is_finished": reading.play.game.standing(reading.play.position).is_finished,
        "halt": table.halt,
        "is_host": asker.is_host,
        "was_host": succession.was_host(asker),
        "silence": silence_data(asker),
        "opened": table.opened,
        "join": addresses.way_to(table, seating.has_room(table)),
        "next": onward.next_code(table),
    }
