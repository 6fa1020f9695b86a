"""A page's line: what the phone taps comes up, and what its seat sees goes down as data, from which the phone draws.

A tap is `{"key": "…", "form": "move=bid&seat=0&tricks=3&after=41"}`: the form as it would be posted. It is answered
with its key and the `number` that it became, a `refusal`, `isToWait` (nothing was saved, it may come again, once the
phone has this page again, if that is another's by now), with `isStumbled` where the game has raised, or `isLost` (this
page is not what it should be: load it anew).
What the seat sees comes in two parts, with the `number` that the table has come to: `all` is what has changed in what
all see (the first time: from nothing); `own` is what this seat sees otherwise, as far as it was not told before, and
`gone` names what it sees as all do again. A page that an earlier release has drawn, or that is in another language than
its phone by now, is hung up on, and loads itself anew.
"""

from __future__ import annotations

from typing import Any

import orjson
from flask import Blueprint, Response, request
from flask_babel import force_locale

from companion import log
from companion.desk import races, trouble, wording
from companion.desk.asking import asker_at, own
from companion.desk.keys import checked_key
from companion.desk.language import language
from companion.desk.listening import News
from companion.desk.talking import Message, Ruling, Talker, upgraded
from companion.errors import BrokenOff, CompanionError, NotJson, NotYours, Paused, Stale
from companion.game import Refused
from companion.kernel.once import once
from companion.log import Reading, Table
from companion.push.line import OldPageSocket, PageSocket
from companion.record import RecordError
from companion.rendering.differences import Difference
from companion.tables.seating import Asker, has_room
from companion.web.forms import form_of, move_data, number_of
from companion.web.modules import drawn_by
from companion.web.telling import Telling, as_data, invitation
from companion.words import Voice

pages = Blueprint("line", __name__)


@pages.get("/t/<code>/<int:seat>/line", websocket=True)
def seat(code: str, seat: int) -> Response:
    """Open the line of a seat's page. Raises: NoSuchTable, NotYours, Full, BadRequest, UNRULED."""
    asker = asker_at(code)
    return _opened(asker, own(asker, seat))


@pages.get("/t/<code>/screen/line", websocket=True)
def screen(code: str) -> Response:
    """Open the line of the screen. Raises: NoSuchTable, Full, BadRequest, UNRULED."""
    return _opened(asker_at(code), None)


def _opened(asker: Asker, seat: int | None) -> Response:
    """Open a line. A page that was loaded before an update, or in another language, could not draw what it is told."""
    is_now = request.args.get("drawn", "") in {"", drawn_by(log.game_of(asker.table), seat, language())}
    return upgraded(Viewer(asker, seat), PageSocket if is_now else OldPageSocket)


class Viewer(Talker):
    """A page that is open."""

    def __init__(self, asker: Asker, seat: int | None) -> None:
        """Begin with nothing shown."""
        super().__init__(asker, seat)
        self._ways = {is_open: invitation(asker.table, is_open) for is_open in (True, False)} if seat is None else {}
        self._speech = self.alike = str(self.language)
        self._told: Telling | None = None
        self._own: Difference = {}
        """What was sent last."""

    def message(self, data: Any) -> Message:
        """Read a tap. Raises: NotJson, Malformed."""
        if not isinstance(data, dict) or not all(isinstance(data.get(name), str) for name in ("key", "form")):
            raise NotJson
        form = form_of(data["form"])
        after = number_of("after", form) if form.get("after", ("",))[0] else None
        return Message(checked_key("key", data["key"]), after, form)

    def move(self, asker: Asker, message: Message) -> Any:
        """Read the move from the form, as from one that is posted."""
        return move_data(asker.table, message.move)

    def malformed(self, asker: Asker, error: RecordError) -> CompanionError:
        """Name the field as the form does."""
        with self.as_then():
            return wording.malformed(log.game_of(asker.table), error)

    def answer(self, key: Any, ruling: Ruling) -> str:
        """Write what became of a tap."""
        if isinstance(ruling, Reading):
            return _written({"key": key, "number": ruling.number})
        with self.as_then():
            return _written({"key": key, **self._why_not(ruling)})

    def _why_not(self, ruling: Refused | CompanionError) -> dict[str, Any]:
        asker = self.asker()
        if isinstance(ruling, CompanionError) and ruling.status >= 500:  # noqa: PLR2004
            trouble.count(ruling)
            return {"isToWait": True, **({"isStumbled": True} if isinstance(ruling, log.Stumbled) else {})}
        is_own = self.seat in asker.seats
        if isinstance(ruling, NotYours) and not is_own:
            return {"isToWait": True}
        is_told = isinstance(ruling, Stale | Paused | BrokenOff | NotYours) and is_own
        if isinstance(ruling, CompanionError) and not is_told:
            return {"isLost": True}
        refusal = (
            wording.refusal_of(asker.table, ruling) if isinstance(ruling, Refused) else races.why_not(asker, ruling)
        )
        return {"number": log.read(asker.table).number, "refusal": as_data(refusal)}

    def write(self, asker: Asker, reading: Reading) -> str:
        """Write what the page shows now: all of it at first, and then what has changed."""
        before, told = self._told, self._telling(asker.table, reading)
        way = self._ways[has_room(asker.table)] if self._ways else {}
        before_own, own = self._own, {**told.to(asker, self.seat), **way}
        self._told, self._own = told, own
        return f'{{"number":{reading.number},"all":{_since(before, told)}{_own(before_own, own)}}}'

    def foresee(self, news: News) -> None:
        """Tell it, and what that changes, to nobody yet: both are remembered."""
        _since(self._told, self._telling(*news))

    def _telling(self, table: Table, reading: Reading) -> Telling:
        """Tell how a table stands, once for all who read the same language."""
        told = _tellings(table, reading)
        known = told.get(self._speech)
        if known is None:
            known = told[self._speech] = Telling(table, reading, self._speaker(table))
        return known

    def _speaker(self, table: Table) -> Voice:
        """Give who speaks this phone's language at a table, as memory has it."""
        speakers = _speakers(table)
        if self._speech not in speakers:
            with force_locale(self.language):
                speakers[self._speech] = wording.voice(table)
        return speakers[self._speech]


@once
def _speakers(_table: Table) -> dict[str, Voice]:
    """Keep who speaks at a table that nobody changes, by the language."""
    return {}


@once
def _tellings(_table: Table, _reading: Reading) -> dict[str, Telling]:
    """Keep what was told of a table as it stands, by the language."""
    return {}


@once
def _since(before: Telling | None, now: Telling) -> str:
    """Write what has changed for all who were told the same before."""
    return _written(now.since(before))


def _own(before: Difference, now: Difference) -> str:
    """Write what a seat is told otherwise than before, or no more."""
    if before == now:
        return ""
    changed = {path: value for path, value in now.items() if path not in before or before[path] != value}
    gone = [path for path in before if path not in now]
    return f',"own":{_written(changed)}' + (f',"gone":{_written(gone)}' if gone else "")


def _written(said: Any) -> str:
    return orjson.dumps(said).decode()
