"""The pages of a table that live: one seat's, and the spectators' screen; whole, their part alone, or as a stream."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from flask import Response, current_app, request, url_for
from flask_babel import force_locale, get_locale
from markupsafe import Markup

from companion import log
from companion.desk.context import Context
from companion.desk.language import language
from companion.desk.listening import come_back, kept_request, streamed
from companion.desk.returning import own_code
from companion.desk.wording import Refusal, TableFacts, facts
from companion.log import Reading
from companion.push.line import GONE
from companion.tables.seating import Asker
from companion.web import modules
from companion.web.moved import moved_part
from companion.web.parts import PART, kept_part, part_of, template
from companion.web.silence import silence_part


class LivePage(Context):
    """A page whose part is kept fresh by the script."""

    table: TableFacts
    seat: int | None
    number: int
    """Of the newest entry in the part."""
    part: Markup
    part_url: str
    """Where the part is got alone."""
    stream: str
    """Where it comes from whenever the table moves on."""
    line: str
    """Where it comes from as data."""
    templates: str
    """Of the phone's own drawing; "" where the server draws."""
    part_template: str
    """By which the part is drawn."""


class SeatPage(LivePage, template="seat.html"):
    """One seat's page."""

    silence: Markup
    """What it is told of the host, beside the table."""
    return_code: str
    """By which this phone comes back; "" once the game is over."""


class ScreenPage(LivePage, template="screen.html"):
    """The spectators' screen."""

    moved: Markup
    """That the address has changed, if it has."""


def wants_part() -> bool:
    """Say whether a script asks, which takes a part alone."""
    return PART in request.headers.get("Accept", "")


def part_answer(part: str, reading: Reading) -> Response:
    """Answer a script with a part."""
    return numbered(Response(part, mimetype=PART), reading)


def numbered(answer: Response, reading: Reading) -> Response:
    """Tell a script, too, how far the table has come."""
    answer.headers["X-Number"] = str(reading.number)
    return answer


def page(asker: Asker, seat: int | None, reading: Reading, refusal: Refusal | None = None) -> Response | str:
    """Show the whole page of a seat (None: of the screen), or to the script its part alone."""
    part = part_of(asker, seat, reading, refusal)
    if wants_part():
        return part_answer(part, reading)
    here = address(asker, seat)
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


def address(asker: Asker, seat: int | None) -> str:
    """Write the address of a seat's page; None: of the screen."""
    code = asker.table.code
    return url_for("table.screen", code=code) if seat is None else url_for("table.seat", code=code, seat=seat)


def stream(asker: Asker, seat: int | None) -> Response:
    """Open the stream of a seat's page (None: of the screen's).

    To a page of another release, or in another language, it is said to load itself anew.
    """
    if request.args.get("scripts", "") not in {"", modules.drawn_here(language())}:
        return Response(GONE, mimetype="text/event-stream")
    asked, locale = kept_request(), get_locale()

    def frame(own: Asker, reading: Reading) -> str:
        with force_locale(locale):
            part = kept_part(own, seat, reading)
        if part is None:
            # A context of its own: the language is remembered there.
            with current_app.app_context(), come_back(asked):
                part = part_of(own, seat, reading)
        return _frame(part, reading.number)

    return streamed(asker, seat, frame)


@lru_cache(128)
def _frame(part: str, number: int) -> str:
    lines = "".join(f"data: {line}\n" for line in part.splitlines())
    return f"id: {number}\nevent: part\n{lines}\n"
