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
from companion.desk.keys import fresh_key
from companion.desk.wording import Refusal, TableFacts, facts, refusal_of, voice
from companion.errors import Malformed, NotThere, NotYours, Told
from companion.intake import NotRead, read_json
from companion.log import Reading
from companion.play import Asked, Broken, Play, Step
from companion.record import write_move
from companion.tables.amending import Change, amended, may_amend
from companion.tables.seating import Asker
from companion.tables.starting import Meant, begun, seated
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
    meant: Meant | None = None
    """How the table was meant from the start, where that is what is put right."""

    @property
    def hidden(self) -> Markup:
        """Write it as forms send it back."""
        meant = {} if self.meant is None else {"meant": json.dumps(self.meant.data)}
        so_far = [{**change.data, "was": change.was} for change in self.changes]
        return _hidden(entry=self.at, so_far=json.dumps(so_far), **meant)

    def address(self, code: str) -> str:
        """Tell where its forms are sent."""
        if self.meant:
            return url_for("starting.start", code=code)
        first = self.changes[0].number if self.changes else self.at
        return url_for("history.amend", code=code, number=first)


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
    """The same with the keys of all seats; "" where there are none of another one."""
    chosen: int
    """The seat whose keys come first."""
    seats: list[int]
    """Those among which it is chosen; [] where it is not."""


def page_of(asker: Asker, draft: Draft, refusal: Refusal | None = None) -> str:
    """Ask what an entry was. Raises: NotThere, NotYours."""
    reading = log.read(asker.table)
    play, step = reading.play, step_of(asker, reading.play, draft.at)
    before, asked = _before(play, draft, step)
    may_have_all = asker.is_host and not play.is_sealed(step)
    who, seat = _corrector(_there(asker, draft), asked, may_have_all, draft)
    # What is put right otherwise, after a no, is another post: each form has a key of its own.
    address, key = draft.address(asker.table.code), fresh_key()
    told = parts.told(who, seat, Reading(reading.number, before), refusal)
    was = write_move(play.game, play.seats, step.asked.move)
    is_sealed = play.is_sealed(step)
    told |= {"key": key, "is_then": True, "then": was["move"], "was": None if is_sealed else was, "remarks": []}
    part = parts.drawn(who.table, parts.template(who.table, seat), told)
    is_told = draft.meant is None and not is_sealed
    hidden = draft.hidden + (_hidden(was=json.dumps(was)) if is_told else "")
    is_first = not draft.changes and draft.meant is None
    has_others = is_first and (may_have_all or len(who.seats) > 1)
    return AmendPage(
        table=facts(asker.table, play),
        seat=asker.seat,
        number=draft.at,
        sentence=voice(asker.table).event(step.events[0]),
        then_ms=_ms(asked.at) if asked.at else "",
        part=_turned(part, url_for("table.move", code=asker.table.code, seat=seat), address, hidden),
        address=address,
        hidden=hidden + _hidden(key=f"{reading.number}.{key}"),
        all_seats=f"{address}?seats=all" if has_others else "",
        chosen=seat,
        seats=who.seats if has_others and _wants_all() else [],
    ).html()


def step_of(asker: Asker, play: Play[Any], number: int) -> Step[Any]:
    """Find a move that counts and that this phone may amend. Raises: NotThere, NotYours."""
    step = play.numbered(number).get(number)
    if step is None:
        raise NotThere
    if not may_amend(asker, step.asked, play.is_sealed(step)):
        raise NotYours
    return step


def posted_change(asker: Asker, number: int | None) -> tuple[Draft, Change]:
    """Read what a form has put right so far, and what it says now; None: from the start. Raises: Malformed."""
    at = number_of("entry") if number is None or "entry" in request.form else number
    draft = Draft(tuple(_so_far(request.form.get("so_far", "[]"))), at, meant_of() if number is None else None)
    numbers = [*(change.number for change in draft.changes), at]
    if number not in (None, numbers[0]) or numbers != sorted(set(numbers)):
        raise Malformed(place="entry", reason=Told("Not a whole number."))
    change = Change(at, None if "struck" in request.form else move_data(asker.table, posted()), _was())
    return draft, change


def broken_page(asker: Asker, draft: Draft, changes: tuple[Change, ...], broken: Broken) -> str:
    """Name what would not hold: the move itself; or a later one, which is asked for, if this phone may amend it."""
    later, play = broken.asked.number, log.read(asker.table).play
    there = _there(asker, draft).table
    if changes and later == changes[-1].number:
        return page_of(asker, draft, refusal_of(there, broken.refused))
    refusal = refusal_of(there, broken)
    step = play.numbered(later)[later]
    if play.is_sealed(step) or not may_amend(asker, step.asked, is_sealed=False):
        return page_of(asker, draft, refusal)
    return page_of(asker, Draft(changes, later, draft.meant), refusal)


def meant_of() -> Meant:
    """Read how a table was meant, as a form carries it. Raises: Malformed."""
    try:
        said = read_json(request.form.get("meant", ""))
        options, order = said["options"], said["order"]
    except (NotRead, TypeError, KeyError):
        options, order = "", None
    if not isinstance(options, dict | None) or not isinstance(order, list | None):
        raise Malformed(place="meant", reason=Told("Not an object."))
    return Meant(options, None if order is None else tuple(order))


def _there(asker: Asker, draft: Draft) -> Asker:
    """Ask at the table as it was meant."""
    order = draft.meant.order if draft.meant else None
    return asker if order is None else Asker(seated(asker.table, order), asker.phone)


def _so_far(text: str) -> list[Change]:
    """Read earlier changes. Raises: Malformed."""
    try:
        said = read_json(text)
        changes = [Change(one["number"], one["move"], one.get("was")) for one in said]
    except (NotRead, TypeError, KeyError):
        changes = None
    if changes is None or not all(_is_change(change) for change in changes):
        raise Malformed(place="so_far", reason=Told("Not a list of moves."))
    if len(changes) > MOST:
        raise Malformed(place="so_far", reason=Told("Needs so many: %(length)s.", length=f"0–{MOST}"))
    return changes


def _is_change(change: Change) -> bool:
    return type(change.number) is int and isinstance(change.move, dict | None) and isinstance(change.was, dict | None)


def _was() -> dict[str, Any] | None:
    """Read what the entry said when its form was drawn; None where the form does not say so. Raises: Malformed."""
    try:
        was = read_json(request.form.get("was", "null"))
    except NotRead:
        was = ""
    if not isinstance(was, dict | None):
        raise Malformed(place="was", reason=Told("Not an object."))
    return was


def _before(play: Play[Any], draft: Draft, step: Step[Any]) -> tuple[Play[Any], Asked]:
    """Give the play up to the entry that is asked for, and the entry, as amended so far.

    Raises:
        NotThere.
        NotYours: it is sealed, and what was put right before it, which nobody may have allowed, could bring a reveal.
    """
    if (draft.changes or draft.meant) and play.is_sealed(step):
        raise NotYours
    if draft.meant:
        broken = begun(play, draft.meant, draft.changes)
    elif draft.changes:
        broken = amended(play, draft.changes)
    else:
        return play.at(draft.at - 1), step.asked
    if not isinstance(broken, Broken) or broken.asked.number != draft.at:
        raise NotThere
    return broken.before, broken.asked


def _corrector(asker: Asker, asked: Asked, may_have_all: bool, draft: Draft) -> tuple[Asker, int]:
    """Say for whom the keys are, and whose they are first: of this phone's seats, or of the seat it is about or chosen.

    Where something earlier was another thing, it may be another seat's turn.
    """
    about = getattr(asked.move, "seat", None)
    seats = tuple(asker.seats) if about is None or about in asker.seats else (about,)
    if may_have_all and (draft.changes or draft.meant or _wants_all() or not seats):
        seats = tuple(range(len(asker.table.seatings)))
    chosen = request.args.get("seat", -1, type=int)
    first = chosen if chosen in seats else about if about is not None else (*seats, 0)[0]
    return Corrector(asker.table, asker.phone, seats), first


def _wants_all() -> bool:
    return request.args.get("seats") == "all"


def _ms(at: str) -> int:
    return round(datetime.fromisoformat(at).timestamp() * 1000)


def _hidden(**fields: object) -> Markup:
    return Markup().join(
        Markup('<input type="hidden" name="{}" value="{}">').format(name, value) for name, value in fields.items()
    )


def _turned(part: Markup, there: str, here: str, hidden: Markup) -> Markup:
    """Let the forms of a part amend instead of play."""
    turned = str(part).replace(f'action="{escape(there)}"', f'action="{escape(here)}"')
    return Markup(turned.replace("</form>", f"{hidden}</form>"))  # noqa: S704 (both are drawn)
