"""A phone that comes by another address, and takes its seat back by its return code."""

from __future__ import annotations

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from companion import log
from companion.desk import invitation, renewal
from companion.desk.keys import own_key
from companion.desk.phone import phone
from companion.desk.returning import sought
from companion.errors import CompanionError
from companion.tables import returning, seating
from companion.tables.seating import Asker
from companion.web.forms import said_key
from companion.web.seats import door_page

pages = Blueprint("returning", __name__)


@pages.post("/t/<code>/return")
def come_back(code: str) -> BaseResponse:
    """Give a phone its seat again; one that has it already goes there."""
    key = said_key()
    try:
        asker, before = sought(code, request.form.get("return_code", ""))
        sitter = renewal.newcomer(asker, key)
        returning.come_back(sitter, before, own_key(key, sitter.phone))
    except CompanionError as error:
        log.rest()
        return _there(code, key) or door_page(Asker(seating.find_table(code), phone()), error)
    seat = Asker(seating.find_table(code), sitter.phone).seat
    answer = _to(asker.table.code, seat)
    renewal.hand_out(answer, sitter)
    invitation.spend(answer, asker.table)
    return answer


def _there(code: str, key: str) -> BaseResponse | None:
    """Lead a phone on that has come back already: the post came twice, or its answer was lost."""
    asker = Asker(seating.find_table(code), phone())
    return _to(code, asker.seat) if asker.seat is not None else renewal.led_back(asker, key)


def _to(code: str, seat: int | None) -> BaseResponse:
    where = url_for("seats.seats", code=code) if seat is None else url_for("table.seat", code=code, seat=seat)
    return redirect(where, 303)
