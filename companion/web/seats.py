"""Who sits where: the door that a scanned code opens, and the page with the code."""

from __future__ import annotations

from typing import TypedDict

from flask import Response, current_app, request
from flask_babel import gettext as _
from markupsafe import Markup

from companion import log
from companion.desk import renewal, wifi, wording
from companion.desk.addresses import join_address, qr
from companion.desk.context import Context
from companion.desk.keys import fresh_key
from companion.desk.phone import own_name
from companion.desk.returning import own_code
from companion.desk.wording import LETTERS, TableFacts, facts
from companion.errors import CompanionError, KeyReused, NotYours, Seated, SeatTaken
from companion.log import Seating
from companion.tables import holders, onward, seating
from companion.tables.returning import phones
from companion.tables.seating import Asker
from companion.web.silence import silence_part


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
    seated = [seating for seating in asker.table.seatings if seating.phone is not None]
    return [
        {
            "number": seating.seat,
            "letter": LETTERS[seating.seat % len(LETTERS)],
            "name": seating.name,
            "is_taken": seating.phone is not None,
            "hand": _hand(asker, seating),
            "hands": [(other.seat, named[other.seat]) for other in seated if other is not seating],
            "is_mine": seating.phone == asker.phone,
        }
        for seating in asker.table.seatings
    ]
