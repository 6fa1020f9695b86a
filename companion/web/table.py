"""A table's pages: its door, its seats, the screen, and the taps that change it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Blueprint, Response, current_app, redirect, request, url_for
from flask_babel import force_locale, get_locale
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import invitation, races, renewal, wording
from companion.desk.asking import asker_at, own
from companion.desk.context import Context
from companion.desk.keys import own_key
from companion.desk.language import language
from companion.desk.listening import come_back, kept_request, streamed
from companion.desk.returning import own_code
from companion.desk.wording import Refusal, TableFacts, facts, refusal_of
from companion.errors import BadName, CompanionError, Stale
from companion.game import Refused
from companion.log import Reading
from companion.play import Broken
from companion.push.line import GONE
from companion.record import RecordError
from companion.tables import onward, referee, seating, starting
from companion.tables.onward import GoneOn
from companion.tables.seating import Asker
from companion.web import modules
from companion.web.forms import key_of, move_data, number_of, posted, said_key
from companion.web.live_page import ScreenPage, SeatPage
from companion.web.moved import moved_part
from companion.web.parts import PART, kept_part, part_of, template
from companion.web.seats import door_page, seats_page
from companion.web.silence import silence_part

Answer = BaseResponse | str | tuple[BaseResponse | str, int]

pages = Blueprint("table", __name__)


class HostPage(Context, template="host.html"):
    """Making this phone the host of a table that was imported."""

    table: TableFacts
    secret: str


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
    return _page(asker, own(asker, seat), log.read(asker.table))


@pages.get("/t/<code>/screen")
def screen(code: str) -> Answer:
    """Show the table to spectators."""
    asker = asker_at(code)
    return _page(asker, None, log.read(asker.table))


@pages.get("/t/<code>/<int:seat>/stream")
def stream(code: str, seat: int) -> Answer:
    """Send a seat its part whenever the table moves on."""
    asker = asker_at(code)
    return _stream(asker, own(asker, seat))


@pages.get("/t/<code>/screen/stream")
def screen_stream(code: str) -> Answer:
    """Send the spectators their part whenever the table moves on."""
    return _stream(asker_at(code), None)


@pages.post("/t/<code>/sit")
def sit(code: str) -> Answer:
    """Sit down; whoever comes to a table whose people have gone on is led after them."""
    asker = asker_at(code)
    try:
        key, seat = said_key(), number_of("seat")
        sitter = renewal.newcomer(asker, key)
        onward.check_here(sitter)
        with renewal.unsure(sitter):
            seating.sit_down(sitter, seat, request.form.get("name", ""), own_key(key, sitter.phone))
    except GoneOn as on:
        return redirect(url_for("table.door", code=on.facts["code"]), 303)
    except CompanionError as error:
        log.rest()
        return door_page(asker_at(code), error)
    answer = redirect(url_for("table.seat", code=asker.table.code, seat=seat), 303)
    renewal.hand_out(answer, sitter)
    invitation.spend(answer, asker.table)
    return answer


@pages.post("/t/<code>/stand")
def stand(code: str) -> Answer:
    """Leave one's seat."""
    asker = asker_at(code)
    seating.stand_up(asker, key_of())
    return redirect(url_for("table.seats", code=asker.table.code), 303)


@pages.post("/t/<code>/free")
def free(code: str) -> Answer:
    """Take a seat away from its phone."""
    asker, seat = asker_at(code), number_of("seat")
    seating.free(asker, seat, key_of())
    return redirect(url_for("table.seats", code=asker.table.code, freed=seat), 303)


@pages.post("/t/<code>/go")
def go(code: str) -> Answer:
    """Let a seat be played on by another hand."""
    asker, hand = asker_at(code), request.form.get("hand")
    seating.go(asker, number_of("seat"), number_of("hand") if hand else None, key_of())
    return redirect(url_for("table.seats", code=asker.table.code), 303)


@pages.post("/t/<code>/rename")
def rename(code: str) -> Answer:
    """Change a player's name."""
    asker = asker_at(code)
    try:
        seating.rename(asker, number_of("seat"), request.form.get("name", ""), key_of())
    except BadName as error:
        return seats_page(asker, error).html(), error.status
    return redirect(url_for("table.seats", code=asker.table.code), 303)


@pages.post("/t/<code>/lock")
def lock(code: str) -> Answer:
    """Lock the table, or open it again."""
    asker = asker_at(code)
    seating.lock(asker, request.form.get("locked") == "1", key_of())
    return redirect(url_for("table.seats", code=asker.table.code), 303)


@pages.post("/t/<code>/teach")
def teach(code: str) -> Answer:
    """Explain the first round as it is played, or no more."""
    asker = asker_at(code)
    seating.teach(asker, request.form.get("taught") == "1", key_of())
    return redirect(url_for("table.seats", code=asker.table.code), 303)


@pages.get("/t/<code>/host/<secret>")
def host_form(code: str, secret: str) -> Answer:
    """Ask whether this phone shall be the host; opening a link alone changes nothing."""
    asker = asker_at(code)
    return HostPage(table=facts(asker.table, log.read(asker.table).play), secret=secret).html()


@pages.post("/t/<code>/host/<secret>")
def host(code: str, secret: str) -> Answer:
    """Make this phone the host of an imported table."""
    asker = asker_at(code)
    seating.take_over(asker.table, secret, asker.phone, key_of())
    return redirect(url_for("table.seats", code=asker.table.code), 303)


@pages.post("/t/<code>/hand-over")
def hand_over(code: str) -> Answer:
    """Make another phone the host."""
    asker = asker_at(code)
    seating.hand_over(asker, number_of("seat"), key_of())
    return redirect(url_for("table.seats", code=asker.table.code), 303)


@pages.get("/t/<code>/seats")
def seats(code: str) -> Answer:
    """Show the QR and who sits where; the host's tools are here."""
    return seats_page(asker_at(code)).html()


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
            return _page(asker, seat, now, why), 422
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
        return _page(asker, seat, log.read(asker.table), refusal_of(asker.table, ruling)), 422
    is_shown = seat is None or seat in asker.seats
    if _is_script() and not is_shown:
        return _numbered(Response(status=204), ruling)
    if _is_script():
        # A tap that comes again is answered as the first time; the page shows the table as it is.
        known = log.remembered(asker.table.code)
        now = known[1] if known else log.read(asker.table)
        newest = now if now.number > ruling.number else ruling
        return _part(part_of(asker, seat, newest), newest)
    return redirect(_here(asker, seat), 303)


def _problem(asker: Asker, seat: int | None, error: CompanionError) -> Answer:
    """Answer a tap that came too late, or was not this phone's: the fresh page, with the reason, if it is still its."""
    if seat is None or error.status >= 500:  # noqa: PLR2004
        raise error
    now = Asker(seating.find_table(asker.table.code), asker.phone)
    if seat not in now.seats:
        raise error
    return _page(now, seat, log.read(now.table), races.why_not(now, error)), error.status


def _is_script() -> bool:
    return PART in request.headers.get("Accept", "")


def _part(part: str, reading: Reading) -> Response:
    return _numbered(Response(part, mimetype=PART), reading)


def _numbered(answer: Response, reading: Reading) -> Response:
    answer.headers["X-Number"] = str(reading.number)
    return answer


def _page(asker: Asker, seat: int | None, reading: Reading, refusal: Refusal | None = None) -> Response | str:
    """Show the whole page, or to the script the part alone."""
    part = part_of(asker, seat, reading, refusal)
    if _is_script():
        return _part(part, reading)
    here = _here(asker, seat)
    around: dict[str, Any] = dict(
        table=facts(asker.table, reading.play),
        seat=seat,
        number=reading.number,
        part=part,
        stream=f"{here}/stream?after={reading.number}&scripts={modules.drawn_here(language())}",
        line=f"{here}/line?drawn={modules.drawn_by(log.game_of(asker.table), seat, language())}",
        part_url=here,
        templates=modules.address(log.game_of(asker.table), seat, language()),
        part_template=template(asker.table, seat),
    )
    if seat is None:
        return ScreenPage(**around, moved=moved_part(asker, True)).html()
    return SeatPage(**around, silence=silence_part(asker, True), return_code=own_code(asker)).html()


def _here(asker: Asker, seat: int | None) -> str:
    code = asker.table.code
    return url_for("table.screen", code=code) if seat is None else url_for("table.seat", code=code, seat=seat)


def _stream(asker: Asker, seat: int | None) -> Response:
    """Open a page's stream; to one of another release, or in another language, it is said to load itself anew."""
    if request.args.get("scripts", "") not in {"", modules.drawn_here(language())}:
        return Response(GONE, mimetype="text/event-stream")
    again, locale = kept_request(), get_locale()

    def frame(own: Asker, reading: Reading) -> str:
        with force_locale(locale):
            part = kept_part(own, seat, reading)
        if part is None:
            # A context of its own: the language is remembered there.
            with current_app.app_context(), come_back(again):
                part = part_of(own, seat, reading)
        return _frame(part, reading.number)

    return streamed(asker, seat, frame)


@lru_cache(128)
def _frame(part: str, number: int) -> str:
    lines = "".join(f"data: {line}\n" for line in part.splitlines())
    return f"id: {number}\nevent: part\n{lines}\n"
