"""Who sits where: the door that a scanned code opens, the page with the code, and what changes it."""

from __future__ import annotations

from typing import TypedDict

from flask import Blueprint, Response, current_app, redirect, request, url_for
from flask_babel import gettext as _
from markupsafe import Markup
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import invitation, renewal, wifi, wording
from companion.desk.addresses import join_address, qr
from companion.desk.asking import asker_at
from companion.desk.context import Context
from companion.desk.keys import fresh_key, own_key
from companion.desk.phone import own_name
from companion.desk.returning import own_code
from companion.desk.wording import LETTERS, TableFacts, facts
from companion.errors import BadName, CompanionError, KeyReused, NotYours, Seated, SeatTaken
from companion.log import Seating
from companion.tables import holders, onward, seating
from companion.tables.onward import GoneOn
from companion.tables.returning import phones
from companion.tables.seating import Asker
from companion.web.forms import key_of, number_of, said_key
from companion.web.silence import silence_part

Answer = BaseResponse | str | tuple[str, int]

pages = Blueprint("seats", __name__)


class ShownSeat(TypedDict):
    """A seat, for who comes to the table."""

    number: int
    letter: str
    name: str
    """"" until somebody is named."""
    is_taken: bool
    """Whether a phone has it."""
    hand: str
    """Who plays it on, where its player had to go; "" else."""
    hands: list[tuple[int, str]]
    """The seats by whose hand it could be played on, beside the host's."""
    is_mine: bool


class DoorPage(Context, template="door.html"):
    """What a scanned QR code opens for whoever has no seat yet."""

    table: TableFacts
    seats: list[ShownSeat]
    is_locked: bool
    error: str | None
    is_race: bool
    """Whether somebody sat down first."""
    is_seated: bool
    """Whether this phone sits here already, and was not told: the answer was lost. It is led there."""
    lost: int | None
    """The seat that this phone asked for and has not."""
    was_freed: bool
    """Whether the host took it away."""
    own_name: str
    """As it was typed, or was given on this phone; "" for none."""
    may_return: bool
    """Whether a phone that had a seat can take it back by its return code."""
    typed_code: str
    """A return code that nobody here has; "" for none."""
    next: str | None
    """The table where the people of this one went on."""
    key: str
    """Makes a form of this page count once, and give the same seat and secret, however often it is sent."""
    silence: Markup
    """What this phone is told of the host."""


class SeatsPage(Context, template="seats.html"):
    """Who sits where, the QR code, and the host's tools."""

    table: TableFacts
    seat: int | None
    seats: list[ShownSeat]
    qr: Markup
    join: str
    """The address to type."""
    is_host: bool
    is_taught: bool
    """Whether the first round is explained."""
    has_wifi: bool
    """Whether a host may type the Wi-Fi for guests."""
    next: str | None
    """The table where its people went on."""
    return_code: str
    """By which this phone comes back; "" where it has nothing here, or the game is over."""
    freed: int | None
    """The seat that was just taken away from its phone."""
    error: str
    """What is wrong with a name that was typed; "" for nothing."""
    at: int | None
    """The seat that it is for."""
    typed: str
    """That name."""
    silence: Markup
    """What this phone is told of the host."""


class HostPage(Context, template="host.html"):
    """Making this phone the host of a table that was imported."""

    table: TableFacts
    secret: str


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
    return redirect(url_for("seats.seats", code=asker.table.code), 303)


@pages.post("/t/<code>/free")
def free(code: str) -> Answer:
    """Take a seat away from its phone."""
    asker, seat = asker_at(code), number_of("seat")
    seating.free(asker, seat, key_of())
    return redirect(url_for("seats.seats", code=asker.table.code, freed=seat), 303)


@pages.post("/t/<code>/go")
def go(code: str) -> Answer:
    """Let a seat be played on by another hand."""
    asker, hand = asker_at(code), request.form.get("hand")
    seating.go(asker, number_of("seat"), number_of("hand") if hand else None, key_of())
    return redirect(url_for("seats.seats", code=asker.table.code), 303)


@pages.post("/t/<code>/rename")
def rename(code: str) -> Answer:
    """Change a player's name."""
    asker = asker_at(code)
    try:
        seating.rename(asker, number_of("seat"), request.form.get("name", ""), key_of())
    except BadName as error:
        return seats_page(asker, error).html(), error.status
    return redirect(url_for("seats.seats", code=asker.table.code), 303)


@pages.post("/t/<code>/lock")
def lock(code: str) -> Answer:
    """Lock the table, or open it again."""
    asker = asker_at(code)
    seating.lock(asker, request.form.get("locked") == "1", key_of())
    return redirect(url_for("seats.seats", code=asker.table.code), 303)


@pages.post("/t/<code>/teach")
def teach(code: str) -> Answer:
    """Explain the first round as it is played, or no more."""
    asker = asker_at(code)
    seating.teach(asker, request.form.get("taught") == "1", key_of())
    return redirect(url_for("seats.seats", code=asker.table.code), 303)


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
    return redirect(url_for("seats.seats", code=asker.table.code), 303)


@pages.post("/t/<code>/hand-over")
def hand_over(code: str) -> Answer:
    """Make another phone the host."""
    asker = asker_at(code)
    seating.hand_over(asker, number_of("seat"), key_of())
    return redirect(url_for("seats.seats", code=asker.table.code), 303)


@pages.get("/t/<code>/seats")
def seats(code: str) -> Answer:
    """Show the QR and who sits where; the host's tools are here."""
    return seats_page(asker_at(code)).html()


def door_page(asker: Asker, error: CompanionError | None = None, lost: int | None = None) -> Response:
    """Show the seats: with what was wrong, or with what became of the seat that this phone asked for and has not."""
    table, key = asker.table, fresh_key()
    page = DoorPage(
        table=facts(table, log.read(table).play),
        seats=_seats(asker),
        is_locked=table.is_locked,
        error=wording.said(error) if error else None,
        is_race=isinstance(error, SeatTaken),
        is_seated=asker.seat is None and isinstance(error, Seated | KeyReused),
        lost=lost,
        own_name=request.form.get("name", own_name()),
        may_return=bool(phones(table)),
        typed_code=request.form.get("return_code", ""),
        next=onward.following(table),
        key=key,
        was_freed=lost is not None and holders.was_freed(table, lost),
        silence=silence_part(asker),
    )
    status = error.status if error else 200 if lost is None else NotYours.status
    answer = Response(page.html(), status, mimetype="text/html")
    renewal.keep_key(answer, table, key)
    return answer


def seats_page(asker: Asker, error: CompanionError | None = None) -> SeatsPage:
    """Show the QR and who sits where, and to the host the tools; with what was wrong with a name."""
    table = asker.table
    return SeatsPage(
        table=facts(table, log.read(table).play),
        seats=_seats(asker),
        qr=qr(table, seating.has_room(table)),
        join=join_address(table),
        is_host=asker.is_host,
        is_taught=table.is_taught,
        has_wifi=wifi.is_offered(current_app.config["COMPANION"]),
        seat=asker.seat,
        next=onward.following(table),
        return_code=own_code(asker),
        freed=_freed(asker),
        error=wording.said(error) if error else "",
        at=request.form.get("seat", type=int) if error else None,
        typed=request.form.get("name", ""),
        silence=silence_part(asker),
    )


def _freed(asker: Asker) -> int | None:
    """Name the seat that the host has just taken away, as the page is asked to tell it; None where it is not so."""
    seat = request.args.get("freed", -1, type=int)
    if seat not in range(len(asker.table.seatings)) or not asker.is_host or asker.table.seatings[seat].phone:
        return None
    return seat if holders.was_freed(asker.table, seat) else None


def _hand(asker: Asker, place: Seating) -> str:
    """Name who plays a seat on."""
    if not place.has_left:
        return ""
    hand = seating.hand_of(asker.table, place)
    return str(_("the host")) if hand is None else wording.names(asker.table)[hand.seat]


def _seats(asker: Asker) -> list[ShownSeat]:
    named = wording.names(asker.table)
    others = [seating for seating in asker.table.seatings if seating.phone not in (None, asker.table.host)]
    return [
        {
            "number": seating.seat,
            "letter": LETTERS[seating.seat % len(LETTERS)],
            "name": seating.name,
            "is_taken": seating.phone is not None,
            "hand": _hand(asker, seating),
            "hands": [(other.seat, named[other.seat]) for other in others if other is not seating],
            "is_mine": seating.phone == asker.phone,
        }
        for seating in asker.table.seatings
    ]
