"""Those who listen to a table and speak there, too: over one line that stays open, a program's or a phone's.

Messages that arrive together are read, ruled on together, and answered, each in its sender's own way and language.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from flask import Flask, Response, current_app, request
from flask_babel import force_locale, get_locale
from websockets.utils import accept_key
from werkzeug.exceptions import BadRequest

from companion import log
from companion.desk.keys import own_key
from companion.desk.listening import UNSEEN, Handed, Subscriber, come_back, is_ours, kept_request, lines
from companion.errors import CompanionError, Malformed, NotJson
from companion.game import Refused
from companion.intake import Garbled, NotRead, read_json
from companion.log import Reading, Wish
from companion.push.line import Socket
from companion.push.lines import BROKEN
from companion.record import RecordError
from companion.tables import referee
from companion.tables.seating import Asker, find_table

logger = logging.getLogger("companion")

Ruling = Reading | Refused | CompanionError
"""What became of a message: an entry, a no of the rules, or trouble above them."""


@dataclass(frozen=True, slots=True)
class Message:
    """What was said: a move, by a key, after what had been seen."""

    key: str
    after: int | None
    move: Any
    """As data, or what `Talker.move` makes data of."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message that has arrived."""

    key: Any
    """As it was sent, to be answered with; None where there is none to be read."""
    asks: Wish[Refused] | CompanionError
    """What it asks for, or why it cannot be read."""


class Talker(Subscriber):
    """Somebody at a table, as long as the line holds."""

    def __init__(self, asker: Asker, seat: int | None) -> None:
        """Begin with nothing told."""
        super().__init__(asker, seat, UNSEEN)
        self.language, self.request = get_locale(), kept_request()
        """Of the request that opened the line."""

    def greeted(self, text: str) -> str | None:
        """Answer who says by this message who it is; None where that is known."""
        return None

    def message(self, data: Any) -> Message:
        """Read what was said, as JSON. Raises: CompanionError, naming what is wrong."""
        raise NotImplementedError

    def move(self, asker: Asker, message: Message) -> Any:
        """Give the move of a message as data."""
        return message.move

    def malformed(self, asker: Asker, error: RecordError) -> CompanionError:
        """Say that a move cannot be read."""
        return Malformed(place=error.place, reason=error.message)

    def answer(self, key: Any, ruling: Ruling) -> str:
        """Write what became of a message."""
        raise NotImplementedError

    def lately(self) -> Asker | None:
        """Ask at the table as memory has it; None where it has to be looked up."""
        known = log.remembered(self.code)
        return self.at(known[0]) if known else None

    def asker(self) -> Asker:
        """Ask at the table as it was lately."""
        return self.lately() or self.at(find_table(self.code))

    @contextmanager
    def as_then(self) -> Iterator[None]:
        """Speak as in the request that opened the line: addresses can be written, in the reader's language."""
        with current_app.app_context(), come_back(self.request), force_locale(self.language):
            yield


def upgraded(who: Talker, make: type[Socket[Any]] = Socket) -> Response:
    """Hand a connection that asks for a WebSocket over to the lines.

    Raises:
        BadRequest, Full, UNRULED.
    """
    key = request.headers.get("Sec-WebSocket-Key", "")
    if not is_ours() or request.headers.get("Sec-WebSocket-Version") != "13":
        raise BadRequest
    log.read(who.asker().table)
    who.come()
    accepted = accept_key(key)
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accepted}
    return Handed(lambda head: make(lines(), who, head), status=101, headers=headers)


def answers(arrived: Sequence[tuple[Talker, str]]) -> list[str]:
    """Rule on messages, and let in who says who it is; whatever they are, each gets an answer."""
    greeted = [who.greeted(text) for who, text in arrived]
    ruled = iter(_ruled([each for each, told in zip(arrived, greeted, strict=True) if told is None]))
    return [next(ruled) if told is None else told for told in greeted]


def _ruled(arrived: Sequence[tuple[Talker, str]]) -> list[str]:
    read = [_read(who, text, None) for who, text in arrived]
    rulings = iter(referee.rule_on_all([heard.asks for heard in read if isinstance(heard.asks, Wish)]))
    return [
        _said(who, heard.key, next(rulings) if isinstance(heard.asks, Wish) else heard.asks)
        for (who, _text), heard in zip(arrived, read, strict=True)
    ]


def at_once(arrived: Sequence[tuple[Talker, str]]) -> list[str | None]:
    """Answer what memory says yes to, for which nobody has to wait; None for the rest."""
    if not log.is_near():
        return [None] * len(arrived)
    known = {place: asker for place, (who, _text) in enumerate(arrived) if (asker := who.lately())}
    heard = {place: _read(*arrived[place], asker) for place, asker in known.items()}
    wishes = {place: each.asks for place, each in heard.items() if isinstance(each.asks, Wish)}
    rulings = dict(zip(wishes, referee.rule_at_once([*wishes.values()]), strict=True))
    try:
        return [
            who.answer(heard[place].key, ruling) if (ruling := rulings.get(place)) else None
            for place, (who, _text) in enumerate(arrived)
        ]
    except Exception:  # whatever the words of one game do: each is answered by itself, by its key as it was ruled
        return [None] * len(arrived)


def _said(who: Talker, key: Any, ruling: Ruling) -> str:
    """Write what became of a message; where a game fails to say it, its own line alone breaks off."""
    try:
        return who.answer(key, ruling)
    except Exception:  # whatever the words of a game do
        logger.exception("What became of a message at table %s cannot be said.", who.code)
        return BROKEN


def init_app(app: Flask) -> None:
    """Let those who hold a line speak."""
    with app.app_context():
        lines().answer = answers
        lines().at_once = at_once


def _read(who: Talker, text: str, asker: Asker | None) -> Heard:
    """Read a message of one who asks (None: at a table that is to be looked up), or say why it cannot be read."""
    key = None
    try:
        data = read_json(text)
        key = data.get("key") if isinstance(data, dict) else None
        message, asker = who.message(data), asker or who.asker()
        key = message.key
        move = who.move(asker, message)
        return Heard(key, referee.moving(asker, move, own_key(key, who.phone), message.after))
    except Garbled:
        return Heard(None, NotJson())
    except NotRead as error:
        return Heard(None, Malformed(place=error.place or "JSON", reason=error.message))
    except RecordError as error:
        return Heard(key, who.malformed(who.asker(), error))
    except CompanionError as error:
        return Heard(key, error)
    except Exception as problem:  # whatever a game does when it reads one, at its own table
        logger.exception("What was said at table %s could not be read; it may come again.", who.code)
        return Heard(key, log.fault_of(problem))
