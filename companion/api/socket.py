"""One socket for a whole evening: a program sends its moves there, and is sent what its seat sees.

The same path as a post and a stream, without an address, a header and a token to read for each move. A move is
`{"key": "…", "after": 41, "move": {"move": "bid", "seat": 0, "tricks": 3}}`; it is answered with its key, and `ruled`
or `problem`. Whenever the table moves on, `look` comes. All of them are as the description has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Flask, Response, current_app, request
from flask_babel import force_locale, get_locale
from marshmallow import ValidationError
from werkzeug.exceptions import BadRequest
from wsproto.utilities import generate_accept_token

from companion import intake, log
from companion.api import schemas
from companion.api.asking import own_seat
from companion.api.description import first_complaint, problem_of
from companion.api.encoding import written
from companion.api.play import look, ruled
from companion.desk.asking import asker_at
from companion.desk.guard import limited
from companion.desk.keys import KEY_LENGTH, own_key
from companion.desk.listening import UNSEEN, Handed, Subscriber, Write, asked, come_back, is_ours, lines
from companion.desk.phone import API
from companion.errors import CompanionError, Malformed, NotJson, Told
from companion.fields import whole
from companion.game import Refused
from companion.intake import NotRead, read_json
from companion.log import Reading, Wish
from companion.push.lines import Socket
from companion.record import RecordError
from companion.tables import referee
from companion.tables.seating import Asker, find_lately

pages = Blueprint("api-socket", __name__, url_prefix=API)
limited(pages)
_MESSAGE = schemas.Message()

Ruling = Reading | Refused | CompanionError


def init_app(app: Flask) -> None:
    """Let programs open sockets."""
    with app.app_context():
        lines().answer = _answers
    app.register_blueprint(pages)


class Seat(Subscriber):
    """A program at a table, as long as its line holds."""

    def __init__(self, asker: Asker, seat: int | None) -> None:
        """Begin with nothing told."""
        super().__init__(asker, seat, UNSEEN, _look(seat))
        self.language, self.request = get_locale(), asked()
        """Of the request that opened the line."""


def _look(seat: int | None) -> Write:
    return lambda asker, reading: f'{{"look":{written(look(asker, seat, reading))}}}'


@dataclass(frozen=True, slots=True)
class Heard:
    """A message that has arrived."""

    key: Any
    """As it was sent, to be answered with; None where there is none to be read."""
    asks: Wish[Refused] | CompanionError
    """What it asks for, or why it cannot be read."""


@pages.get("/tables/<code>/socket", websocket=True)
def open_socket(code: str) -> Response:
    """Hand the connection over to the lines.

    Raises:
        NoToken, NoSuchTable, NotYours, Full, BadRequest, GameMissing, LogRefused.
    """
    asker = asker_at(code)
    seat = whole(request.args.get("seat"))
    if isinstance(seat, str):
        raise Malformed(place="seat", reason=Told("Not a whole number."))
    seat = own_seat(asker, seat)
    key = request.headers.get("Sec-WebSocket-Key", "")
    if not is_ours() or request.headers.get("Sec-WebSocket-Version") != "13":
        raise BadRequest
    log.read(asker.table)
    who = Seat(asker, seat)
    who.come()
    accepted = generate_accept_token(key.encode()).decode()
    headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accepted}
    return Handed(lambda head: Socket(lines(), who, head), status=101, headers=headers)


def _answers(arrived: list[tuple[Seat, str]]) -> list[str]:
    """Rule on messages; whatever they are, each gets an answer."""
    read = [_read(who, text) for who, text in arrived]
    rulings = iter(referee.rule_on_all([heard.asks for heard in read if isinstance(heard.asks, Wish)]))
    return [
        _answer(who, heard, next(rulings) if isinstance(heard.asks, Wish) else heard.asks)
        for (who, _text), heard in zip(arrived, read, strict=True)
    ]


def _read(who: Seat, text: str) -> Heard:
    """Read a message, or say why it cannot be read."""
    key = None
    try:
        message = read_json(text)
        key = message.get("key") if isinstance(message, dict) else None
        if not _is_plain(message):
            message = _MESSAGE.load(message)
        wish = referee.moving(_asker(who), message["move"], own_key(message["key"], who.phone), message.get("after"))
        return Heard(key, wish)
    except intake.NotJson:
        return Heard(None, NotJson())
    except NotRead as error:
        return Heard(None, Malformed(place=error.place or "JSON", reason=error.message))
    except ValidationError as error:
        place, reason = first_complaint(error.messages)
        return Heard(key, Malformed(place=place, reason=reason))
    except RecordError as error:
        return Heard(key, Malformed(place=error.place, reason=error.message))
    except CompanionError as error:
        return Heard(key, error)


def _is_plain(message: Any) -> bool:
    """Say whether a message is right at first sight; what is wrong with another one, its schema says."""
    return (
        type(message) is dict
        and message.keys() == {"key", "after", "move"}
        and type(message["key"]) is str
        and 1 <= len(message["key"]) <= KEY_LENGTH
        and type(message["after"]) is int
        and 0 <= message["after"] < schemas.BEYOND
        and type(message["move"]) is dict
    )


def _answer(who: Seat, heard: Heard, ruling: Ruling) -> str:
    """Write the answer, in the reader's language."""
    key = heard.key
    if isinstance(ruling, Reading):
        with force_locale(who.language):
            return written({"key": key, "ruled": ruled(_asker(who), ruling)})
    # Why not is said with addresses, which only a request can write.
    with current_app.app_context(), come_back(who.request):
        problem = ruled(_asker(who), ruling) if isinstance(ruling, Refused) else problem_of(ruling)
        assert isinstance(problem, Response)
        return written({"key": key, "problem": problem.get_json()})


def _asker(who: Seat) -> Asker:
    """Ask at the table as it was lately."""
    return who.at(find_lately(who.code))
