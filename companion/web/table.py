"""A table's pages: its door, its seats, the screen, and the taps by which it is played."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import invitation, races, renewal, wording
from companion.desk.asking import asker_at, own
from companion.errors import CompanionError, Stale
from companion.game import Refused
from companion.log import Reading
from companion.play import Broken
from companion.record import RecordError
from companion.tables import referee, seating, starting
from companion.tables.seating import Asker
from companion.web import live_page
from companion.web.forms import key_of, move_data, number_of, posted
from companion.web.parts import part_of
from companion.web.seats import door_page

Answer = BaseResponse | str | tuple[BaseResponse | str, int]

pages = Blueprint("table", __name__)


@pages.get("/t/<code>")
@pages.get("/T/<code>", endpoint="short_door")
def door(code: str) -> Answer:
    """Show the seats to who comes in; who has one goes straight to it."""
    asker = asker_at(code)
    if asker.seat is not None:
        return redirect(url_for("table.seat", code=asker.table.code, seat=asker.seat))
    if (led_back := renewal.led_back(asker)) is not None:
        return led_back
    return invitation.led_in(asker.table) if invitation.is_brought() else door_page(asker)


@pages.get("/t/<code>/<int:seat>")
def seat(code: str, seat: int) -> Answer:
    """Show a seat its page; whoever has lost it is told, and shown the door; who was put elsewhere goes there."""
    asker = asker_at(code)
    if seat in range(len(asker.table.seatings)) and seat not in asker.seats:
        if asker.seat is not None and starting.have_changed_places(asker.table):
            return redirect(url_for("table.seat", code=asker.table.code, seat=asker.seat))
        return door_page(asker, lost=seat)
    return live_page.page(asker, own(asker, seat), log.read(asker.table))


@pages.get("/t/<code>/screen")
def screen(code: str) -> Answer:
    """Show the table to spectators."""
    asker = asker_at(code)
    return live_page.page(asker, None, log.read(asker.table))


@pages.get("/t/<code>/<int:seat>/stream")
def stream(code: str, seat: int) -> Answer:
    """Send a seat its part whenever the table moves on."""
    asker = asker_at(code)
    return live_page.stream(asker, own(asker, seat))


@pages.get("/t/<code>/screen/stream")
def screen_stream(code: str) -> Answer:
    """Send the spectators their part whenever the table moves on."""
    return live_page.stream(asker_at(code), None)


@pages.post("/t/<code>/<int:seat>/move")
def move(code: str, seat: int) -> Answer:
    """Take a move, rule on it, and answer with the page after it."""
    asker, key = asker_at(code), key_of()
    if seat not in asker.seats:
        asker = Asker(seating.find_table(code), asker.phone)
        _check_page(asker, seat, key)
    try:
        ruling = referee.rule_on(asker, move_data(asker.table, posted()), key, _after())
    except RecordError as error:
        raise wording.malformed(log.game_of(asker.table), error) from None
    except CompanionError as error:
        return _problem(asker, seat, error)
    return _answer(asker, seat, ruling)


@pages.post("/t/<code>/<int:seat>/why-not")
def why_not(code: str, seat: int) -> Answer:
    """Say why a key is struck out: what the referee says of its move, or would remark upon it, which is only tried.

    Where it says yes by now, nobody has meant it.
    """
    asker = asker_at(code)
    own(asker, seat)
    try:
        now, ruling = referee.try_on(asker, move_data(asker.table, posted()), _after())
        if why := wording.against(asker.table, now, ruling):
            return live_page.page(asker, seat, now, why), 422
        raise Stale
    except RecordError as error:
        raise wording.malformed(log.game_of(asker.table), error) from None
    except CompanionError as error:
        return _problem(asker, seat, error)


@pages.post("/t/<code>/take-back")
def take_back(code: str) -> Answer:
    """Undo the last step."""
    return _undo(asker_at(code), referee.take_back)


@pages.post("/t/<code>/put-back")
def put_back(code: str) -> Answer:
    """Redo what was taken back."""
    return _undo(asker_at(code), referee.put_back)


def _undo(asker: Asker, step: referee.Undo) -> Answer:
    seat, key = request.args.get("seat", type=int), key_of()
    if seat is not None:
        _check_page(asker, seat, key)
    try:
        return _answer(asker, seat, step(asker, key, _after()))
    except CompanionError as error:
        return _problem(asker, seat, error)


def _check_page(asker: Asker, seat: int, key: str) -> None:
    """Let a phone tap on the pages of its seats alone; what was heard already is answered, wherever it sits by now."""
    if seat not in asker.seats and log.entry_with_key(asker.table, key) is None:
        own(asker, seat)


def _after() -> int | None:
    return number_of("after") if request.form.get("after") else None


def _answer(asker: Asker, seat: int | None, ruling: Reading | Refused | Broken) -> Answer:
    """Answer a tap: the part for the script, a redirect for a plain form, the reason when the rules say no."""
    if isinstance(ruling, Refused | Broken):
        return live_page.page(asker, seat, log.read(asker.table), wording.refusal_of(asker.table, ruling)), 422
    is_shown = seat is None or seat in asker.seats
    if live_page.wants_part() and not is_shown:
        return live_page.numbered(Response(status=204), ruling)
    if live_page.wants_part():
        # A tap that comes again is answered as the first time; the page shows the table as it is.
        known = log.remembered(asker.table.code)
        now = known[1] if known else log.read(asker.table)
        newest = now if now.number > ruling.number else ruling
        return live_page.part_answer(part_of(asker, seat, newest), newest)
    return redirect(live_page.address(asker, seat), 303)


def _problem(asker: Asker, seat: int | None, error: CompanionError) -> Answer:
    """Answer a tap that came too late, or was not this phone's: the fresh page, with the reason, if it is still its."""
    if seat is None or error.status >= 500:  # noqa: PLR2004
        raise error
    now = Asker(seating.find_table(asker.table.code), asker.phone)
    if seat not in now.seats:
        raise error
    return live_page.page(now, seat, log.read(now.table), races.why_not(now, error)), error.status
