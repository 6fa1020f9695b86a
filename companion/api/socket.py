"""One socket for a whole evening: a program sends its moves there, and is sent what its seat sees.

The same path as a post and a stream, without an address, a header and a token to read for each move. A move is
`{"key": "…", "after": 41, "move": {"move": "bid", "seat": 0, "tricks": 3}}`; it is answered with its key, and `ruled`
or `problem`. Whenever the table moves on, `look` comes. All of them are as the description has them.

A browser lets no program set a header there: with `auth=message` the first message says who it is, `{"token": "…"}`,
and is answered with `welcome` or `problem`.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Flask, Response, request
from flask_babel import force_locale
from marshmallow import Schema, ValidationError

from companion.api import schemas
from companion.api.asking import own_seat
from companion.api.description import first_complaint, problem_of
from companion.api.encoding import encoded
from companion.api.play import look, ruled
from companion.desk.asking import asker_at
from companion.desk.keys import KEY_LENGTH
from companion.desk.listening import News, Write
from companion.desk.phone import API, is_known, phone
from companion.desk.talking import Message, Ruling, Talker, upgraded
from companion.errors import CompanionError, Malformed, NotJson, NoToken, Told
from companion.fields import whole
from companion.game import Refused
from companion.intake import Garbled, NotRead, read_json
from companion.log import Reading
from companion.push.line import GreetedSocket
from companion.tables.seating import Asker, find_table

pages = Blueprint("api-socket", __name__, url_prefix=API)
_MESSAGE, _GREETING = schemas.MessageSchema(), schemas.GreetingSchema()


def init_app(app: Flask) -> None:
    """Let programs open sockets."""
    app.register_blueprint(pages)


class Program(Talker):
    """A program at a table."""

    def __init__(self, asker: Asker, seat: int | None) -> None:
        """Begin with nothing told."""
        super().__init__(asker, seat)
        self._look = _look(seat)

    def write(self, asker: Asker, reading: Reading) -> str:
        """Write what the seat sees."""
        return self._look(asker, reading)

    def message(self, data: Any) -> Message:
        """Read a message. Raises: Malformed."""
        if not _is_right_at_sight(data):
            data = _read(_MESSAGE, data)
        return Message(data["key"], data.get("after"), data["move"])

    def answer(self, key: Any, ruling: Ruling) -> str:
        """Write the answer, in the reader's language."""
        if isinstance(ruling, Reading):
            with force_locale(self.language):
                return encoded({"key": key, "ruled": ruled(self.asker(), ruling)})
        with self.as_then():
            problem = ruled(self.asker(), ruling) if isinstance(ruling, Refused) else problem_of(ruling)
            assert isinstance(problem, Response)
            return encoded({"key": key, "problem": problem.get_json()})


class Newcomer(Talker):
    """A program that says by its first message who it is."""

    def __init__(self, asker: Asker, seat: int | None) -> None:
        """Begin as anybody, with nothing to be seen; `seat` is to be looked at later."""
        super().__init__(asker, None)
        self._wanted = seat
        self.known: Program | None = None

    def look(self, news: News) -> str | None:
        """Say nothing yet."""
        return ""

    def lately(self) -> None:
        """Have whatever is said looked up: a token may stand in the database."""

    def greeted(self, text: str) -> str:
        """Let in who brings a token of ours, or say why not."""
        try:
            token = str(_read(_GREETING, read_json(text))["token"])
            self.request = {**self.request, "HTTP_AUTHORIZATION": f"Bearer {token}"}
            with self.as_then():
                self.known = self._named()
        except Garbled:
            return self._refused(NotJson())
        except NotRead as error:
            return self._refused(Malformed(place=error.place or "JSON", reason=error.message))
        except CompanionError as error:
            return self._refused(error)
        return encoded({"welcome": {"seat": self._wanted}})

    def _named(self) -> Program:
        """Be who the token says, as in a request that brings it. Raises: NoToken, NoSuchTable, NotYours, Full."""
        if not is_known():
            raise NoToken
        asker = Asker(find_table(self.code), phone())
        known = Program(asker, own_seat(asker, self._wanted))
        known.is_called = self.is_called
        known.hear()
        known.come()
        return known

    def _refused(self, error: CompanionError) -> str:
        with self.as_then():
            return encoded({"key": None, "problem": problem_of(error).get_json()})


def _look(seat: int | None) -> Write:
    return lambda asker, reading: f'{{"look":{encoded(look(asker, seat, reading))}}}'


@pages.get("/tables/<code>/socket", websocket=True)
def open_socket(code: str) -> Response:
    """Hand the connection over to the lines.

    Raises:
        NoToken, NoSuchTable, NotYours, Full, BadRequest, UNRULED.
    """
    asker = asker_at(code)
    seat = whole(request.args.get("seat"))
    if isinstance(seat, str):
        raise Malformed(place="seat", reason=Told("Not a whole number."))
    match request.args.get("auth", "header"):
        case "header":
            return upgraded(Program(asker, own_seat(asker, seat)))
        case "message":
            return upgraded(Newcomer(asker, seat), GreetedSocket)
    raise Malformed(place="auth", reason=Told("Not a choice here. Allowed: %(choices)s.", choices="header, message"))


def _read(schema: Schema, data: Any) -> Any:
    """Read a message. Raises: Malformed."""
    try:
        return schema.load(data)
    except ValidationError as error:
        place, reason = first_complaint(error.messages)
        raise Malformed(place=place, reason=reason) from None


def _is_right_at_sight(message: Any) -> bool:
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
