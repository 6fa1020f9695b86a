"""The page that amends: the position before a move, with the keys of its seat, whose taps amend instead of play."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from flask import request, url_for
from markupsafe import Markup, escape

from companion import log
from companion.desk.context import Context
from companion.desk.wording import Refusal, TableFacts, facts, refusal_of, voice
from companion.errors import Malformed, NotThere, NotYours, Told
from companion.intake import NotRead, read_json
from companion.log import Reading
from companion.play import Broken, Play, Step
from companion.record import write_move
from companion.tables.amending import Change, amended, may_amend
from companion.tables.seating import Asker
from companion.web import parts
from companion.web.forms import move_data, number_of, posted

MOST = 100
"""So many entries can be put right at once."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What was put right so far, and the entry that is asked for next."""

    changes: tuple[Change, ...]
    """The earlier ones: without this entry they do not hold."""
    at: int

    @property
    def text(self) -> str:
        """Write the changes as the form sends them back."""
        return json.dumps([change.data for change in self.changes])


@dataclass(frozen=True)
class Corrector(Asker):
    """A phone that corrects, for other seats than it acts for at the table."""

    of: tuple[int, ...]

    @cached_property
    def seats(self) -> list[int]:
        """The seats whose keys it is shown."""
        return list(self.of)


class AmendPage(Context, template="amend.html"):
    """Changing an earlier move."""

    table: TableFacts
    seat: int | None
    number: int
    """Of the entry that is asked for."""
    sentence: str
    """What it said."""
    then_ms: int | str
    """When it was entered, since 1970 (UTC); "" where nobody knows."""
    part: Markup
    """The keys, and what was seen then."""
    address: str
    hidden: Markup
    """What every form carries beside the move."""
    all_seats: str
    """The same with the keys of all seats; "" where they are those already."""


def page_of(asker: Asker, first: int, draft: Draft, refusal: Refusal | None = None) -> str:
    """Ask what an entry was. Raises: NotThere, NotYours."""
    reading = log.read(asker.table)
    step = step_of(asker, reading.play, draft.at)
    who, seat = _corrector(asker, step, reading.play.is_sealed(step))
    address = url_for("history.amend", code=asker.table.code, number=first)
    key = f"amend-{first}-{draft.at}"
    hidden = _hidden(at=draft.at, so_far=draft.text)
    told = parts.told(who, seat, Reading(reading.number, _before(reading.play, draft)), refusal)
    kind = write_move(reading.play.game, reading.play.seats, step.asked.move)["move"]
    told |= {"key": key, "is_then": True, "then": kind, "remarks": []}
    part = parts.drawn(asker.table, parts.template(asker.table, seat), told)
    may_have_all = asker.is_host and not reading.play.is_sealed(step) and len(who.seats) < reading.play.seats
    return AmendPage(
        table=facts(asker.table, reading.play),
        seat=asker.seat,
        number=draft.at,
        sentence=voice(asker.table).event(step.events[0]),
        then_ms=_ms(step.asked.at) if step.asked.at else "",
        part=_turned(part, url_for("table.move", code=asker.table.code, seat=seat), address, hidden),
        address=address,
        hidden=hidden + _hidden(key=f"{reading.number}.{key}"),
        all_seats=f"{address}?seats=all" if may_have_all and not draft.changes else "",
    ).html()


def step_of(asker: Asker, play: Play[Any], number: int) -> Step[Any]:
    """Find a move that counts and that this phone may amend. Raises: NotThere, NotYours."""
    step = play.numbered(number).get(number)
    if step is None:
        raise NotThere
    if not may_amend(asker, step.asked, play.is_sealed(step)):
        raise NotYours
    return step


def posted_change(asker: Asker, number: int) -> tuple[Draft, Change]:
    """Read what a form has put right so far, and what it says now. Raises: Malformed."""
    at = number_of("at") if "at" in request.form else number
    draft = Draft(tuple(_so_far(request.form.get("so_far", "[]"))), at)
    numbers = [*(change.number for change in draft.changes), at]
    if numbers[0] != number or numbers != sorted(set(numbers)):
        raise Malformed(place="at", reason=Told("Not a whole number."))
    return draft, Change(at, None if "struck" in request.form else move_data(asker.table, posted()))


def broken_page(asker: Asker, first: int, draft: Draft, change: Change, broken: Broken) -> str:
    """Name what would not hold: the move itself; or a later one, which is asked for, if this phone may amend it."""
    later, play = broken.asked.number, log.read(asker.table).play
    if later == change.number:
        return page_of(asker, first, draft, refusal_of(asker.table, broken.refused))
    refusal = refusal_of(asker.table, broken)
    step = play.numbered(later)[later]
    if play.is_sealed(step) or not may_amend(asker, step.asked, is_sealed=False):
        return page_of(asker, first, draft, refusal)
    return page_of(asker, first, Draft((*draft.changes, change), later), refusal)


def _so_far(text: str) -> list[Change]:
    """Read earlier changes. Raises: Malformed."""
    try:
        said = read_json(text)
        changes = [Change(one["number"], one["move"]) for one in said[:MOST]]
    except (NotRead, TypeError, KeyError):
        changes = None
    if changes is None or not all(_is_change(change) for change in changes):
        raise Malformed(place="so_far", reason=Told("Not a list of moves."))
    return changes


def _is_change(change: Change) -> bool:
    return type(change.number) is int and (change.move is None or isinstance(change.move, dict))


def _before(play: Play[Any], draft: Draft) -> Play[Any]:
    """Give the play up to the entry that is asked for, as amended so far. Raises: NotThere, RecordError."""
    if not draft.changes:
        return play.at(draft.at - 1)
    broken = amended(play, draft.changes)
    if not isinstance(broken, Broken) or broken.asked.number != draft.at:
        raise NotThere
    return broken.before


def _corrector(asker: Asker, step: Step[Any], is_sealed: bool) -> tuple[Asker, int]:
    """Say for whom the keys are, and whose they are first: of this phone's seats, or of the seat it is about."""
    about = getattr(step.asked.move, "seat", None)
    seats = tuple(asker.seats) if about is None or about in asker.seats else (about,)
    if asker.is_host and not is_sealed and request.args.get("seats") == "all":
        seats = tuple(range(len(asker.table.seatings)))
    who = Corrector(asker.table, asker.phone, seats)
    return who, seats[0] if about is None else about


def _ms(at: str) -> int:
    return round(datetime.fromisoformat(at).timestamp() * 1000)


def _hidden(**fields: object) -> Markup:
    return Markup().join(
        Markup('<input type="hidden" name="{}" value="{}">').format(name, value) for name, value in fields.items()
    )


def _turned(part: Markup, there: str, here: str, hidden: Markup) -> Markup:
    """Let the forms of a part amend instead of play."""
    turned = str(part).replace(f'action="{escape(there)}"', f'action="{escape(here)}"')
    return Markup(turned.replace("</form>", f"{hidden}</form>"))
